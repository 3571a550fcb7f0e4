#include "analysis/figures/waterfall.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "analysis/figures/cards.h"
#include "analysis/figures/overlay.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"
#include "analysis/texts/study.h"
#include "analysis/texts/text_speedup.h"
#include "analysis/why/recording_tokens.h"

namespace draftgauge {
namespace {

// Bars lie, so that their names can be read on a phone.
constexpr char const* waterfall_spec = R"json({
  "encoding": {
    "y": {"field": "step", "type": "nominal", "sort": null, "title": null, "axis": {"ticks": false, "labelLimit": 0}}
  },
  "layer": [
    {
      "mark": {"type": "bar", "style": "pass"},
      "encoding": {
        "x": {"field": "begin", "type": "quantitative"},
        "x2": {"field": "end"},
        "color": {
          "field": "kind", "type": "nominal", "sort": null, "legend": {"title": null}
        }
      }
    },
    {
      "transform": [{"filter": "isValid(datum.time_low)"}],
      "mark": {"type": "rule", "style": "whisker"},
      "encoding": {
        "x": {"field": "least", "type": "quantitative"},
        "x2": {"field": "most"}
      }
    },
    {
      "mark": {"type": "text", "style": "end-label"},
      "encoding": {
        "x": {"field": "label_at", "type": "quantitative"},
        "text": {"field": "label", "type": "nominal"}
      }
    }
  ]
})json";

/// The bars' data, in milliseconds or plain steps.
class Bars {
 public:
  /// Labels have two digits of the greatest time and one more, as a step is told from another by these.
  Bars(double scale, double greatest)
      : scale_(scale), decimals_(std::clamp(2 - static_cast<int>(std::floor(std::log10(scale * greatest))), 0, 4)) {}

  void add_total(std::string name, double time) {
    add(std::move(name), "time per token", 0, time, {}, false);
    at_ = time;
  }
  void add_step(std::string name, std::string kind, double time, std::optional<Interval> const& interval) {
    add(std::move(name), std::move(kind), at_, at_ + time, interval, true);
    at_ += time;
  }
  Table const& table() const { return table_; }
  double greatest() const { return greatest_; }

 private:
  void add(std::string name, std::string kind, double begin, double end, std::optional<Interval> const& interval,
           bool step) {
    double const time = end - begin, low = interval ? begin + interval->low : std::min(begin, end),
                 high = interval ? begin + interval->high : std::max(begin, end);
    double const label_at = std::max({begin, end, high});
    greatest_ = std::max(greatest_, label_at * scale_);
    Cell shown = Number{time * scale_};
    if (interval)
      shown = Estimate{{time * scale_, interval->low * scale_, interval->high * scale_, interval->confidence}};
    table_.add({std::move(name), std::move(kind), std::move(shown), Number{begin * scale_}, Number{end * scale_},
                Number{low * scale_}, Number{high * scale_}, Number{label_at * scale_}, label(time, step)});
  }

  std::string label(double time, bool step) const {
    std::string const words = fmt::format("{:.{}f}", time * scale_, decimals_);
    if (words.find_first_of("123456789") == words.npos) return "0";
    return step && time > 0 ? "+" + words : words;
  }

  double scale_;
  int decimals_;
  double at_ = 0, greatest_ = 0;
  Table table_{{"step", "step", Align::left},
               {"kind", "kind", Align::left},
               {"time", "time per token"},
               {"begin", "begins at"},
               {"end", "ends at"},
               {"least", "at least"},
               {"most", "at most"},
               {"label_at", "label at"},
               {"label", "label", Align::left}};
};

std::string unknown_sentence(Waterfall const& of) {
  std::string const words = unknown_text(of);
  return words.empty() ? words : " Not known: " + words + ".";
}

Figure draw_waterfall(FigureInput const& input, std::string_view name) {
  require_one_recording(input, name, "its steps are those of one run");
  FigureRecording const& recording = replayable(input, name);
  auto const best = text_best_gamma(recording.estimates, Estimator::replay, recording.costs);
  std::vector<int> const gammas =
      input.gammas.empty() ? std::vector<int>{std::max(best ? best->gamma : 1, 1)} : gammas_of(input, recording);
  if (gammas.size() != 1)
    throw UsageError(
        fmt::format("{} γ are given, and {} shows one (its steps are those of one run)", input.gammas.size(), name),
        "give one: `gamma` 4");
  StudyOptions options{.confidence = input.confidence};
  options.estimates = recording.estimates.options();
  options.estimates.gammas = gammas;
  options.estimates.resamples = 0;
  options.estimates.coin_runs = 0;
  Study const study(Recorded{recording.trace, Policy::on, {}, {}, {}}, options);
  WaterfallInput steps = recording_tokens(study, gammas.front(), {.from = "no engine is named"});
  DraftLengths const lengths = {{gammas.front(), 1}};
  Costs const& costs = recording.costs;
  steps.drafts = {draft_time(costs, lengths), "costs"};
  if (!costs.verify.empty()) steps.verification = {verification_time(costs, lengths), "costs"};
  if (costs.overhead > 0) steps.overhead = {costs.overhead, "costs"};
  return waterfall_figure(waterfall(steps, input.confidence), std::nullopt,
                          fmt::format("{}; c = {:g}{}", to_string(recording), costs.draft,
                                      other_costs(costs, study.estimates.options().bonus)));
}

}  // namespace

Figure waterfall_figure(Waterfall const& steps, std::optional<double> plain_ms, std::string const& of) {
  Bars bars(plain_ms.value_or(1), steps.measured.value_or(steps.predicted));
  bars.add_total(fmt::format("ideal, γ = {:.3g}", steps.mean_drafts), steps.ideal);
  double confidence = 0;
  for (WaterfallStep const& step : steps.steps)
    if (step.time) {
      auto const& card = cause_cards()[static_cast<std::size_t>(step.cause)];
      bars.add_step(std::string(card.words), "a step", *step.time, step.interval);
      if (step.interval) confidence = step.interval->confidence;
    }
  if (auto const left = steps.unexplained()) {
    bars.add_step("unexplained", "unexplained", *left, steps.unexplained_interval());
    bars.add_total("measured", *steps.measured);
  } else {
    bars.add_total("predicted", steps.predicted);
  }
  bool const end_early = steps.mean_drafts < static_cast<double>(steps.gamma);
  std::string caption = fmt::format(
      "The time per token of {}: from {} tokens in each plain step of the target to what {}, each step as what it "
      "adds once those above it are there.{}{}",
      of, end_early ? fmt::format("{:.3g} + 1", steps.mean_drafts) : "γ + 1",
      steps.measured ? "was measured" : "is predicted", unknown_sentence(steps),
      confidence > 0 ? fmt::format(" Lines: {:g} % intervals of the step.", 100 * confidence) : "");
  nlohmann::ordered_json drawn = spec_of(waterfall_spec, bars.table());
  auto& x = drawn["layer"][0]["encoding"]["x"];
  x["title"] = plain_ms ? "ms per token" : "plain steps of the target per token";
  constexpr double room_for_labels = 1.25;
  x["scale"] = {{"domainMax", bars.greatest() * room_for_labels}, {"nice", false}};
  return {std::string(figures::waterfall().name), "Where the time per token goes", std::move(caption),
          std::move(drawn), bars.table()};
}

FigureCard figures::waterfall() {
  return {"waterfall", "from the ideal time per token to what a recording predicts, step by step", "",
          true,        {.gammas = true, .round_costs = true, .bonus = true, .intervals = true},    draw_waterfall};
}

}  // namespace draftgauge
