#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <functional>

#include "analysis/exact/exact.h"
#include "analysis/stats/certificate.h"
#include "analysis/stats/goodness.h"
#include "analysis/verifier/tv_lower.h"
#include "python/bind/bind.h"

namespace draftgauge::python {
namespace {

using RowsOfReals = nb::ndarray<double const, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Wholes = nb::ndarray<std::int64_t const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Reals = nb::ndarray<double const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Contexts of a target with a memory, each with so many states (sim/sources/memory.h).
Source memory_tables(RowsOfReals const& p, RowsOfReals const& q, Wholes const& next, std::uint32_t states,
                     int tokens) {
  std::size_t const vocab = p.shape(1);
  RowList rows;
  for (std::size_t row = 0; row < p.shape(0); ++row)
    rows.add({p.data() + row * vocab, vocab}, {q.data() + row * vocab, vocab});
  std::vector<std::uint32_t> transitions;
  for (std::size_t i = 0; i < next.size(); ++i) transitions.push_back(static_cast<std::uint32_t>(next.data()[i]));
  PairTables tables(rows.take(), std::move(transitions));
  tables.set_memory(states, tokens);
  return {.description = "a target with a memory", .tables = std::move(tables), .rounding = rows.rounding()};
}

/// The law of the first tokens of a text that a rule's rounds write, from the start of each of so many contexts,
/// equally likely; without a rule the target's.
nb::object text_law(Source const& source, std::optional<std::string> const& rule, int gamma, int length,
                    std::uint32_t starts) {
  std::size_t const vocab = source.tables.vocab();
  std::size_t cells = 1;
  for (int i = 0; i < length; ++i) cells *= vocab;
  std::vector<double> law(cells * starts);
  {
    nb::gil_scoped_release const released;
    ExactModel const model = exact_model(source);
    for (std::uint32_t start = 0; start < starts; ++start) {
      std::uint32_t const row = start * model.contexts().states;
      Task task;
      task.rule = rule.value_or("token");
      task.shape.gamma = gamma;
      constexpr std::uint64_t most_paths = 20'000'000;
      SequenceLaw const texts =
          rule ? text_of_rounds(task, model, row, length, most_paths) : target_law(model, length, row);
      for (auto const& [tokens, probability] : texts) {
        std::size_t cell = start;
        for (Token const x : tokens) cell = cell * vocab + x;
        law[cell] += static_cast<double>(probability) / starts;
      }
    }
  }
  return real_array(std::move(law), {cells * starts});
}

std::vector<std::uint64_t> counts_of(Wholes const& counts) { return {counts.data(), counts.data() + counts.size()}; }
std::span<double const> law_of(Reals const& law) { return {law.data(), law.size()}; }

/// What counts of texts say of a law: those of even texts and of odd ones.
nb::dict judge_texts(Wholes const& even, Wholes const& odd, Reals const& law, double tv, double false_alarm,
                     double power) {
  std::vector<std::uint64_t> const halves[] = {counts_of(even), counts_of(odd)};
  std::vector<std::uint64_t> both = halves[0];
  for (std::size_t i = 0; i < both.size(); ++i) both[i] += halves[1][i];
  Goodness const test = g_test(both, law_of(law));
  Certificate const certificate = *certify(both, law_of(law), power);
  auto const detectable = detectable_tv(test, false_alarm, power);
  bool const lossy = test.p_value < false_alarm;
  bool const near = certificate.tv_at_most <= tv || (detectable && *detectable <= tv);
  nb::dict out;
  out["lossless"] = lossy || near ? nb::cast(!lossy) : nb::none();
  out["p_value"] = test.p_value;
  out["tv_at_most"] = certificate.tv_at_most;
  out["tv_at_least"] = tv_at_least(halves[0], halves[1], law_of(law), 1 - false_alarm);
  out["detectable"] = python::to_python(detectable);
  return out;
}

nb::object to_python(std::optional<std::uint64_t> number) { return number ? nb::cast(*number) : nb::none(); }

}  // namespace

void bind_memory(nb::module_& module) {
  module.def("memory_tables", memory_tables, nb::arg("p"), nb::arg("q"), nb::arg("next"), nb::arg("states"),
             nb::arg("tokens"));
  module.def("text_law", text_law, nb::arg("laws"), nb::arg("rule").none(), nb::arg("gamma"), nb::arg("length"),
             nb::arg("starts"));
  module.def("judge_texts", judge_texts, nb::arg("even"), nb::arg("odd"), nb::arg("law"), nb::arg("tv"),
             nb::arg("false_alarm"), nb::arg("power"));
  module.def(
      "fit_of_texts",
      [](Wholes const& counts, Reals const& law) { return g_test(counts_of(counts), law_of(law)).p_value; },
      nb::arg("counts"), nb::arg("law"));
  module.def(
      "texts_to_find",
      [](Reals const& law, Reals const& wrong, double false_alarm, double power) {
        return to_python(draws_to_find(law_of(law), law_of(wrong), false_alarm, power));
      },
      nb::arg("law"), nb::arg("wrong"), nb::arg("false_alarm"), nb::arg("power"));
  module.def(
      "texts_to_show",
      [](Reals const& law, double tv, double false_alarm, double power) {
        return nb::make_tuple(to_python(draws_to_detect(law_of(law), tv, false_alarm, power)),
                              to_python(draws_to_certify(law_of(law), tv, power)));
      },
      nb::arg("law"), nb::arg("tv"), nb::arg("false_alarm"), nb::arg("power"));
}

}  // namespace draftgauge::python
