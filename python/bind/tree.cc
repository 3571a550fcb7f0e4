#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "analysis/choose/text_choice.h"
#include "analysis/texts/study.h"
#include "analysis/trees/known_ranks.h"
#include "analysis/trees/sequoia.h"
#include "analysis/trees/tree_speedup.h"
#include "python/bind/bind.h"
#include "sim/base/error.h"

namespace draftgauge::python {
namespace {

RankDrafts drafts_named(std::string const& drafter) {
  return *std::ranges::find(rank_drafts, drafter, [](RankDrafts one) { return std::string(drafter_name(one)); });
}

nb::dict sized(SizedTree const& tree, std::optional<std::string> const& text = {}) {
  nb::dict out;
  out["nodes"] = tree.nodes;
  out["depth"] = tree.depth;
  out["tokens"] = tree.tokens;
  out["time"] = tree.time;
  out["speedup"] = tree.speedup;
  out["tree"] = text ? nb::cast(*text) : nb::none();
  out["tokens_interval"] = out["speedup_interval"] = nb::none();
  return out;
}

nb::dict chosen(std::vector<double> const& ranks, int nodes, std::optional<int> depth, Costs const& costs,
                double share) {
  SequoiaTable const table(ranks, nodes, depth);
  TreeChoice const choice = choose_tree(table, costs, share);
  nb::dict out;
  nb::list sizes;
  for (SizedTree const& size : choice.sizes) sizes.append(sized(size, table.tree(size.nodes, size.depth).text()));
  out["best"] = choice.best;
  out["sizes"] = sizes;
  out["chain"] = sized(choice.chain);
  out["acceptance"] = ranks;
  out["independent"] = true;
  return out;
}

nb::dict chosen_of_tables(Source const& source, std::string const& drafter, int branching, std::uint64_t seed,
                          int nodes, std::optional<int> depth, Costs const& costs, double share) {
  Ranks const ranks = [&] {
    nb::gil_scoped_release const released;
    return ranks_of(source, drafts_named(drafter), branching, seed);
  }();
  nb::dict out = chosen(ranks.acceptance.of, nodes, depth, costs, share);
  out["independent"] = ranks.independent;
  return out;
}

nb::dict replayed_tree(TextTree const& tree, double confidence, bool chain) {
  nb::dict out = sized(tree.sized, chain ? std::nullopt : std::optional(tree.tree.text()));
  out["tokens_interval"] = to_python(tree.tokens, confidence, tokens_in_round(tree.sized.depth, true));
  out["speedup_interval"] = to_python(tree.speedup, confidence, tree.speedup_limits);
  return out;
}

nb::dict chosen_of_recording(Recorded const& recorded, std::string const& drafter, int branching, std::uint64_t seed,
                             int threads, int nodes, std::optional<int> depth, Costs const& costs, double share,
                             double confidence) {
  StudyOptions options{.confidence = confidence};
  options.estimates = {.gammas = {1}, .resamples = 0, .coin_runs = 0, .seed = seed};
  nb::dict out;
  nb::list sizes;
  std::optional<nb::gil_scoped_release> released(std::in_place);
  Study const study(recorded, costs, options);
  if (study.rejected() || study.recorded.policy == Policy::off) {
    released.reset();
    out["standing"] = study.rejected() ? std::string(word(study.text_standing)) : std::string("off-policy");
    return out;
  }
  TextTreeChoice const choice =
      choose_text_tree(text_ranks_of(study.recorded, drafts_named(drafter), branching, seed, threads),
                       study.estimates.sample(), costs, nodes, depth.value_or(standard_text_depth), share);
  released.reset();
  for (TextTree const& tree : choice.sizes) sizes.append(replayed_tree(tree, confidence, false));
  out["standing"] = nb::none();
  out["best"] = choice.best;
  out["sizes"] = sizes;
  out["chain"] = replayed_tree(choice.chain(), confidence, true);
  out["acceptance"] = nb::none();
  out["independent"] = false;
  return out;
}

}  // namespace

void bind_tree(nb::module_& module) {
  module.def("choose_tree", chosen, nb::arg("ranks"), nb::arg("nodes"), nb::arg("depth").none(), nb::arg("costs"),
             nb::arg("share"));
  module.def("choose_tree_of_laws", chosen_of_tables, nb::arg("laws"), nb::arg("drafter"), nb::arg("candidates"),
             nb::arg("seed"), nb::arg("nodes"), nb::arg("depth").none(), nb::arg("costs"), nb::arg("share"));
  module.def("choose_tree_of_recording", chosen_of_recording, nb::arg("recorded"), nb::arg("drafter"),
             nb::arg("candidates"), nb::arg("seed"), nb::arg("threads"), nb::arg("nodes"), nb::arg("depth").none(),
             nb::arg("costs"), nb::arg("share"), nb::arg("confidence"));
  nb::list known;
  for (RankDrafts const one : rank_drafts) known.append(std::string(drafter_name(one)));
  module.attr("rank_drafters") = nb::tuple(known);
}

}  // namespace draftgauge::python
