#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "analysis/choose/sequoia.h"
#include "analysis/choose/tree_speedup.h"
#include "python/bind/bind.h"

namespace draftgauge::python {
namespace {

nb::dict sized(SizedTree const& tree) {
  nb::dict out;
  out["nodes"] = tree.nodes;
  out["depth"] = tree.depth;
  out["tokens"] = tree.tokens;
  out["time"] = tree.time;
  out["speedup"] = tree.speedup;
  return out;
}

nb::dict chosen(std::vector<double> const& ranks, int nodes, std::optional<int> depth, Costs const& costs,
                double share) {
  SequoiaTable const table(ranks, nodes, depth);
  TreeChoice const choice = choose_tree(table, costs, share);
  nb::dict out;
  nb::list sizes;
  for (SizedTree const& size : choice.sizes) {
    nb::dict row = sized(size);
    row["tree"] = table.tree(size.nodes, size.depth).text();
    sizes.append(row);
  }
  out["best"] = choice.best;
  out["sizes"] = sizes;
  out["chain"] = sized(choice.chain);
  out["chain"]["tree"] = nb::none();
  return out;
}

}  // namespace

void bind_tree(nb::module_& module) {
  module.def("choose_tree", chosen, nb::arg("ranks"), nb::arg("nodes"), nb::arg("depth").none(), nb::arg("costs"),
             nb::arg("share"));
}

}  // namespace draftgauge::python
