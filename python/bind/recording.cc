#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "analysis/choose/alarms.h"
#include "analysis/choose/gamma_choice.h"
#include "analysis/open/arrays.h"
#include "analysis/open/score_pairs.h"
#include "analysis/recordings/columns.h"
#include "analysis/report/gamma.h"
#include "analysis/report/recording.h"
#include "analysis/texts/study.h"
#include "python/bind/result.h"
#include "sim/base/error.h"

namespace draftgauge::python {
namespace {

using Reals = nb::ndarray<double const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Whole = nb::ndarray<std::int64_t const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::vector<std::int64_t> numbers(std::optional<Whole> const& array) {
  return array ? std::vector<std::int64_t>(array->data(), array->data() + array->size())
               : std::vector<std::int64_t>();
}

TextLabels labels_of(std::optional<Whole> const& tokens, std::optional<Whole> const& texts,
                     std::optional<double> temperature) {
  return {numbers(tokens), numbers(texts), temperature};
}

Encoding encoding_of(nb::dlpack::dtype const& dtype) {
  if (dtype.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Bfloat)) return Encoding::bf16;
  return dtype.bits == 64 ? Encoding::f64 : dtype.bits == 32 ? Encoding::f32 : Encoding::f16;
}

RowsInMemory rows_of(char const* name, Matrix const& array) {
  RowLayout const layout{encoding_of(array.dtype()), array.shape(0), array.shape(1)};
  return {name, layout, {static_cast<std::uint8_t const*>(array.data()), layout.rows * layout.row_bytes()}};
}

Recorded of_columns(std::string const& name, Reals const& log_p, Reals const& log_q,
                    std::optional<Whole> const& tokens, std::optional<Whole> const& texts,
                    std::optional<double> temperature) {
  return recording_of_columns(name, {log_p.data(), log_p.size()}, {log_q.data(), log_q.size()},
                              labels_of(tokens, texts, temperature));
}

/// What is asked of full rows.
ReadingOptions reading(std::optional<double> at, std::optional<std::uint32_t> top_k, std::optional<double> top_p,
                       double min_p) {
  ReadingOptions options;
  if (at) options.temperatures.push_back(*at);
  options.target = options.draft = {.top_k = top_k, .top_p = top_p, .min_p = min_p};
  return options;
}

Recorded of_rows(std::string const& name, Matrix const& p, Matrix const& q, std::optional<Whole> const& tokens,
                 std::optional<Whole> const& texts, std::optional<double> temperature, std::optional<double> at,
                 std::optional<std::uint32_t> top_k, std::optional<double> top_p, double min_p, int threads) {
  RowsInMemory const target = rows_of("p_logits", p), draft = rows_of("q_logits", q);
  TextLabels const labels = labels_of(tokens, texts, temperature);
  nb::gil_scoped_release const released;
  return recording_of_rows(name, target, draft, labels, reading(at, top_k, top_p, min_p), threads);
}

Recorded of_files(std::vector<std::string> const& paths, std::optional<double> temperature, std::optional<double> at,
                  std::optional<std::uint32_t> top_k, std::optional<double> top_p, double min_p, int threads) {
  ReadingOptions options = reading(at, top_k, top_p, min_p);
  options.text.temperature = temperature;
  nb::gil_scoped_release const released;
  return read_recording(paths, options, threads);
}

nb::object choice_of(Study const& study, double confidence, double near) {
  auto const choice = choose_gamma(study, confidence, near);
  if (!choice) return nb::none();
  GammaRow const& best = choice->best_row();
  ChosenGamma chosen{.alarms = words_of(alarms_of(study, confidence)),
                     .best_gamma = best.gamma,
                     .best_speedup = best.speedup,
                     .curve = curve_of(choice->rows, {.bonus = study.estimates.options().bonus}, best.gamma)};
  if (study.gamma_set) {
    chosen.confidence_set = study.gamma_set->gammas;
    chosen.expected_regret = study.gamma_set->regret;
  }
  return to_python(chosen, confidence);
}

nb::dict studied(Recorded const& recorded, std::optional<Costs> const& costs, StudyOptions const& options,
                 double near) {
  Study const study = [&] {
    nb::gil_scoped_release const released;
    return costs ? Study(recorded, *costs, options) : Study(recorded, options);
  }();
  double const confidence = options.confidence;
  RecordingReport const report = report_of(study, options);
  nb::dict out = members_of(describe_like(report), document_of(report), confidence);
  for (char const* best : {"best_gamma_wins", "confidence_set", "expected_regret", "time_split"})
    if (!out.contains(best)) out[best] = nb::none();
  out["standing"] = std::string(word(study.text_standing));
  out["choice"] = costs ? choice_of(study, confidence, near) : nb::none();
  return out;
}

/// Among these draft lengths, in order, and plain decoding.
nb::any best_by_alpha(double alpha, Costs const& costs, bool bonus, std::vector<int> gammas) {
  IidRounds const rounds{alpha, costs, bonus};
  gammas.insert(gammas.begin(), 0);
  std::vector<GammaRow> rows;
  for (int const gamma : gammas) rows.push_back(row_of(gamma, tokens_of_round(rounds, gamma), costs));
  GammaRow const& best = rows[smallest_best(speedups_of(rows))];
  auto const slower = slower_at_best(fastest_draft(rows, false), gammas[1] == 1 ? switch_off : compare_shorter);
  return to_python(ChosenGamma{.alarms = slower ? std::vector{slower->words} : std::vector<std::string>(),
                               .best_gamma = best.gamma,
                               .best_speedup = best.speedup,
                               .curve = curve_of(rows, {.bonus = bonus}, best.gamma)});
}

}  // namespace

void bind_recording(nb::module_& module) {
  nb::class_<Costs>(module, "Costs", "What a round costs, in plain steps of the target.")
      .def(
          "__init__",
          [](Costs* self, double draft, std::map<std::int64_t, double> verify, double overhead, int extra) {
            new (self) Costs{draft, std::move(verify), overhead, extra};
          },
          nb::arg("draft"), nb::arg("verify"), nb::arg("overhead"), nb::arg("extra_draft_passes"));
  nb::class_<Recorded>(module, "Recorded", "Two models over one text, scored.")
      .def_prop_ro("name", [](Recorded const& self) { return self.trace.name; })
      .def_prop_ro("texts", [](Recorded const& self) { return self.trace.texts.size(); })
      .def_prop_ro("tokens", [](Recorded const& self) { return self.trace.tokens(); })
      .def_prop_ro("temperature", [](Recorded const& self) { return self.trace.temperature; });
  module.def("recording_of_columns", of_columns, nb::arg("name"), nb::arg("log_p"), nb::arg("log_q"),
             nb::arg("tokens").none(), nb::arg("texts").none(), nb::arg("temperature").none());
  module.def(
      "recording_of_text",
      [](std::string const& name, std::string const& table) { return recorded_columns(read_columns(name, table)); },
      nb::arg("name"), nb::arg("table"));
  // Rows are not copied: the recording keeps their arrays.
  module.def("recording_of_rows", of_rows, nb::arg("name"), nb::arg("p"), nb::arg("q"), nb::arg("tokens").none(),
             nb::arg("texts").none(), nb::arg("temperature").none(), nb::arg("at").none(), nb::arg("top_k").none(),
             nb::arg("top_p").none(), nb::arg("min_p"), nb::arg("threads"), nb::keep_alive<0, 2>(),
             nb::keep_alive<0, 3>());
  module.def("recording_of_files", of_files, nb::arg("paths"), nb::arg("temperature").none(), nb::arg("at").none(),
             nb::arg("top_k").none(), nb::arg("top_p").none(), nb::arg("min_p"), nb::arg("threads"));
  module.def(
      "study",
      [](Recorded const& recorded, std::optional<Costs> const& costs, std::vector<int> gammas, bool bonus,
         double confidence, std::string const& estimator, std::size_t resamples, std::size_t coin_runs,
         std::uint64_t seed, double near) {
        require_resamples(resamples, "intervals");
        StudyOptions options{.confidence = confidence};
        options.estimates = {std::move(gammas), bonus, resamples, coin_runs, seed};
        options.main_given = !estimator.empty();
        if (options.main_given) options.main = estimator_named(estimator);
        return studied(recorded, costs, options, near);
      },
      nb::arg("recorded"), nb::arg("costs").none(), nb::arg("gammas"), nb::arg("bonus"), nb::arg("confidence"),
      nb::arg("estimator"), nb::arg("resamples"), nb::arg("coin_runs"), nb::arg("seed"), nb::arg("near"));
  module.def("best_by_alpha", best_by_alpha, nb::arg("alpha"), nb::arg("costs"), nb::arg("bonus"), nb::arg("gammas"));
  nb::list known;
  for (EstimatorCard const& card : estimator_cards()) known.append(std::string(card.name));
  module.attr("estimators") = nb::tuple(known);
}

}  // namespace draftgauge::python
