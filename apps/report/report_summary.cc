#include "apps/report/report_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/stats/counted.h"
#include "apps/cli/as_typed.h"
#include "apps/gamma/gamma_alpha.h"
#include "apps/gamma/gamma_recording.h"
#include "apps/measure/measure_report.h"
#include "apps/recording/sample_words.h"

namespace draftgauge {
namespace {

std::string interval_text(std::optional<Interval> const& interval, int decimals) {
  if (!interval) return "no interval";
  return fmt::format("{:.{}f} to {:.{}f}", interval->low, decimals, interval->high, decimals);
}

/// What a round is taken to cost, for a reader who has met neither c nor v.
std::string costs_text(Costs const& costs) {
  std::string words = costs.draft == 0
                          ? std::string("Taken as costs: a draft step takes no time")
                          : fmt::format("Taken as costs: a draft step takes {:.3g} of a target step", costs.draft);
  words +=
      costs.verify.size() > 1
          ? fmt::format(", and verifying 5 tokens at once {:.2f} target steps, as measured", costs.verify_pass(5))
          : std::string(", and verifying a round's tokens one target step, however many they are");
  if (costs.overhead > 0) words += fmt::format("; a round takes {:.3g} steps more for all else", costs.overhead);
  return words + ".";
}

std::string fastest_text(std::int64_t gamma, std::string const& speedup) {
  if (gamma == 0) return "No draft length gains at these costs: plain decoding is fastest.";
  return fmt::format("Drafting {} a round makes decoding {} times as fast as without a draft.",
                     counted(static_cast<std::uint64_t>(gamma), "token"), speedup);
}

std::string speedup_text(MeasuredRecording const& of, int gamma, StudyOptions const& options) {
  auto const there = of.speedup_at(gamma);
  return estimate_text(there->speedup, options.confidence, 2, there->speedup_limits);
}

/// Drafts that cost nothing make the longest the best one: of nobody.
constexpr char no_costs[] =
    "No costs were given, so that there is no speed-up and no best draft length: --cost .1 says that a draft step "
    "takes a tenth of a target step, and --cost FILE takes measured times.";

std::string yield_text(std::int64_t gamma, std::string const& tokens) {
  return fmt::format("A pass of the target over {} yields {} tokens, where plain decoding yields 1.",
                     counted(static_cast<std::uint64_t>(gamma), "draft"), tokens);
}

/// What the sliders need of costs.
Json sliders_of(std::string const& name, double alpha, std::int64_t gamma, Costs const& costs,
                GammaAsked const& asked) {
  Json curve;
  if (costs.verify.size() > 1) {
    curve = Json::array();
    for (int n = 1; n <= *asked.most + 1; ++n) curve.push_back(costs.verify_pass(n));
  }
  return {{"name", name},
          {"alpha", alpha},
          {"gamma", std::clamp<std::int64_t>(gamma, 1, *asked.most)},
          {"cost", costs.draft},
          {"overhead", costs.overhead},
          {"curve", std::move(curve)},
          {"bonus", asked.bonus},
          {"recorded", Json::array()}};
}

Json recorded_rows(MeasuredRecording const& of, StudyOptions const& options) {
  Json rows = Json::array();
  for (int const gamma : options.estimates.gammas) {
    TextEstimate const* const tokens = of.tokens_per_round(of.main, gamma);
    if (!tokens) continue;
    auto const interval =
        interval_within(*tokens, options.confidence, tokens_in_round(gamma, options.estimates.bonus));
    rows.push_back({{"gamma", gamma},
                    {"value", tokens->value},
                    {"low", interval ? Json(interval->low) : Json()},
                    {"high", interval ? Json(interval->high) : Json()}});
  }
  return rows;
}

/// How often drafts are kept.
void add_alpha(ReportSubject& subject, MeasuredRecording const& of, double confidence) {
  auto const& alpha = of.estimates.alpha();
  if (!alpha) {
    subject.words.push_back(fmt::format("How often a draft is kept (α) is not recorded, over {}.", of.size_text()));
    return;
  }
  auto const interval = interval_within(*alpha, confidence, share);
  subject.figures.push_back({"drafts kept, α", fmt::format("{:.3f}", alpha->value), interval_text(interval, 3)});
  subject.words.push_back(fmt::format("A draft is kept with probability {} (α), the mean over {}.",
                                      estimate_text(*alpha, confidence, 3, share), of.size_text()));
}

/// Which γ is best, what it gives, and how surely.
void add_best(ReportSubject& subject, MeasuredRecording const& of, GammaOfRecording const& gamma,
              StudyOptions const& options, GammaAsked const& asked) {
  GammaRow const& best = gamma.choice->best_row();
  auto const set = of.gamma_set ? ranges_of(of.gamma_set->gammas) : std::vector<GammaRange>();
  std::string const near_optimal = of.gamma_set ? set_text(set) : std::string();
  subject.figures.push_back({"best draft length, γ", fmt::format("{}", best.gamma), near_optimal});
  if (best.gamma > 0) {
    TextEstimate const& tokens = *of.tokens_per_round(of.main, of.best->gamma);
    Limits const limits = tokens_in_round(of.best->gamma, options.estimates.bonus);
    auto const interval = interval_within(tokens, options.confidence, limits);
    subject.figures.push_back({"tokens in a round", fmt::format("{:.2f}", tokens.value), interval_text(interval, 2)});
    subject.words.push_back(
        fmt::format("With γ = {} each pass of the target yields {} tokens, where plain decoding yields 1 ({}).",
                    best.gamma, estimate_text(tokens, options.confidence, 2, limits), of.main.card->name));
  }
  subject.figures.push_back({"speed-up", fmt::format("{:.2f}×", best.speedup), interval_text(best.interval, 2)});
  subject.words.push_back(costs_text(of.costs));
  if (of.gamma_set)
    subject.words.push_back(
        fmt::format("{}{}", set_sentence(set, best.gamma, of.gamma_set->regret, of.gamma_set->confidence),
                    best.gamma > 0 ? " " + near_text(gamma.choice->near_optimal, asked.near_optimal) : ""));
  if (gamma.choice->runner_up)
    subject.words.push_back(runner_up_text(of.best->gamma, *gamma.choice->runner_up,
                                           static_cast<double>(of.estimates.tokens()), "tokens"));
  if (best.gamma == 0 && gamma.choice->rows.size() > 1)
    subject.words.push_back(fmt::format("With γ = 1 decoding would run at {} times its speed without a draft.",
                                        speedup_text(of, 1, options)));
}

/// What rounds of the shortest and of the longest draft yield, which no cost changes.
void add_tokens(ReportSubject& subject, MeasuredRecording const& of, StudyOptions const& options) {
  for (int const gamma : std::set{options.estimates.gammas.front(), options.estimates.gammas.back()}) {
    TextEstimate const* const tokens = of.tokens_per_round(of.main, gamma);
    if (!tokens) continue;
    Limits const limits = tokens_in_round(gamma, options.estimates.bonus);
    auto const interval = interval_within(*tokens, options.confidence, limits);
    subject.figures.push_back({fmt::format("tokens in a round, γ = {}", gamma), fmt::format("{:.2f}", tokens->value),
                               interval_text(interval, 2)});
    subject.headline = yield_text(gamma, estimate_text(*tokens, options.confidence, 2, limits));
  }
  subject.words.emplace_back(no_costs);
}

/// Whether the numbers can be relied on: what independence misses, and who wrote the text.
void add_trust(ReportSubject& subject, MeasuredRecording const& of, double confidence) {
  int const gamma = of.best && of.best->gamma > 0 ? of.best->gamma : 1;
  if (std::string words = dependence_sentence(of.dependence, gamma, confidence); !words.empty())
    subject.words.push_back(std::move(words));
  if (of.recorded.policy == Policy::off) {
    subject.words.emplace_back(
        "The text was sampled from other distributions than these, so that the numbers lean towards contexts which "
        "the target itself would meet less often, or more.");
  } else if (std::string words = finding_text(of.text_check); !words.empty()) {
    subject.words.push_back(std::move(words));
  } else {
    subject.words.emplace_back(
        of.text_check.draft_odds
            ? "There is too little of this text to show whether the target could have written it."
            : "Whether the target could have written this text cannot be checked from the recording.");
  }
  if (of.costs_given) subject.words.insert(subject.words.end(), of.cost_notes.begin(), of.cost_notes.end());
}

}  // namespace

std::string led_headline(ReportSubject const& subject) {
  std::string words;
  for (Alarm const& alarm : subject.alarms) words += alarm.words + " ";
  return words + subject.headline;
}

ReportSubject report_of(MeasuredRecording const& of, StudyOptions const& options, GammaAsked const& asked) {
  GammaOfRecording gamma = gamma_of_recording(of, options, asked);
  ReportSubject subject{.name = of.estimates.name(), .costs_given = of.costs_given};
  MeasureReport const measured = measure_report(of, options);
  subject.document = {{"measure", document_of(measured)}, {"gamma", document_of(*gamma.report)}};
  subject.sections = measured_sections(of, measured, options);
  if (of.rejected()) {
    subject.usable = false;
    subject.fails = of.unusable();
    subject.headline =
        "Its text is not one that the target would write, so that no draft length and no speed-up follows from it. " +
        as_typed(cause_text(of.text_check));
    subject.words.push_back(finding_text(of.text_check));
    subject.row = {subject.name + ", rejected", {}, {}, {}, {}, {}};
    return subject;
  }
  auto const& alpha = of.estimates.alpha();
  add_alpha(subject, of, options.confidence);
  subject.row = {subject.name, alpha ? estimate_cell(*alpha, options.confidence, 4, share) : Cell(), {}, {}, {}, {}};
  auto const tokens_cell = [&](int drafts) -> Cell {
    TextEstimate const* const tokens = of.tokens_per_round(of.main, drafts);
    if (!tokens) return {};
    return estimate_cell(*tokens, options.confidence, 3, tokens_in_round(drafts, options.estimates.bonus));
  };
  if (of.costs_given) subject.row[2] = Number{of.costs.draft, 4};
  if (!of.best) {
    subject.headline = fmt::format("It {}, so that no draft length can be told to be best.", of.why_not(of.main));
  } else if (!of.costs_given) {
    add_tokens(subject, of, options);
    subject.row[3] = std::int64_t{*asked.most};
    subject.row[4] = tokens_cell(*asked.most);
  } else {
    GammaRow const& best = gamma.choice->best_row();
    subject.headline = fastest_text(best.gamma, best.gamma > 0 ? speedup_text(of, of.best->gamma, options) : "");
    add_best(subject, of, gamma, options, asked);
    subject.row[3] = best.gamma;
    subject.row[4] = best.gamma > 0 ? tokens_cell(of.best->gamma) : Number{1, 3};
    auto const there = of.speedup_at(of.best->gamma);  // none of plain decoding
    subject.row[5] =
        there ? estimate_cell(there->speedup, options.confidence, 3, there->speedup_limits) : Cell(Number{1, 3});
  }
  if (of.best) subject.headline = led(of.caveat(options.confidence), subject.headline);
  subject.alarms = std::move(gamma.result.alarms);
  add_trust(subject, of, options.confidence);
  if (alpha) {
    subject.sliders = sliders_of(subject.name, alpha->value, of.best ? of.best->gamma : 1, of.costs, asked);
    subject.sliders["recorded"] = recorded_rows(of, options);
  }
  if (of.costs_given) std::ranges::move(gamma.result.sections, std::back_inserter(subject.sections));
  return subject;
}

ReportSubject report_of(double alpha, PricedRound const& round, GammaAsked const& asked) {
  IidRounds const rounds{alpha, round.costs, asked.bonus};
  BestGamma const best = best_of(rounds, asked.most);
  std::int64_t const gamma = round.given ? best.gamma.value_or(0) : *asked.most;
  double const tokens = tokens_of_round(rounds, gamma);
  ReportSubject subject{
      .name = round.given ? fmt::format("α={:g}, c={:g}", alpha, round.costs.draft) : fmt::format("α={:g}", alpha),
      .costs_given = round.given};
  subject.figures = {{"drafts kept, α", fmt::format("{:g}", alpha), "as given"}};
  subject.words.push_back(
      fmt::format("Every draft is taken to be kept with probability α = {:g}, whatever happened before: Eq. (1) of "
                  "Leviathan et al. 2023. A recording of the two models would show how far that is from the truth.",
                  alpha));
  subject.row = {subject.name, Number{alpha, 4}, {}, gamma, Number{tokens, 3}, {}};
  subject.sliders = sliders_of(subject.name, alpha, gamma, round.costs, asked);
  Result tables = gamma_of_setting(alpha, round, asked).printed();
  if (round.given) subject.alarms = std::move(tables.alarms);
  subject.document = {{"gamma", std::move(tables.document)}};
  if (!round.given) {
    subject.headline = yield_text(gamma, fmt::format("{:.2f}", tokens));
    subject.figures.push_back({fmt::format("tokens in a round, γ = {}", gamma), fmt::format("{:.2f}", tokens)});
    subject.words.emplace_back(no_costs);
    return subject;
  }
  subject.headline = fastest_text(gamma, fmt::format("{:.2f}", best.speedup));
  subject.figures.push_back(
      {"best draft length, γ", fmt::format("{}", gamma), fmt::format("of 0 to {}", *asked.most)});
  subject.figures.push_back({"tokens in a round", fmt::format("{:.2f}", tokens)});
  subject.figures.push_back({"speed-up", fmt::format("{:.2f}×", best.speedup)});
  if (gamma > 0)
    subject.words.push_back(fmt::format(
        "With γ = {} each pass of the target yields {:.2f} tokens, where plain decoding yields 1.", gamma, tokens));
  subject.words.push_back(costs_text(round.costs));
  subject.words.push_back(near_text(near_of(rounds, asked), asked.near_optimal));
  if (gamma > 0) subject.words.push_back(pays_text(gamma, break_even_cost(rounds, gamma), {}));
  subject.words.insert(subject.words.end(), round.notes.begin(), round.notes.end());
  subject.row[2] = Number{round.costs.draft, 4};
  subject.row[5] = Number{best.speedup, 3};
  subject.sections = std::move(tables.sections);
  return subject;
}

std::string subjects_caption(std::vector<ReportSubject> const& subjects) {
  return subjects.front().costs_given ? "At the best draft length of each"
                                      : "At the longest draft, as no costs were given";
}

Table subjects_table(std::vector<ReportSubject> const& subjects) {
  Table table{{"name", "recording or setting", Align::left},
              {"alpha", "α"},
              {"cost", "c"},
              {"gamma", subjects.front().costs_given ? "best γ" : "γ"},
              {"mean_tokens", "tokens in a round"},
              {"speedup", "speed-up"}};
  for (ReportSubject const& subject : subjects) table.add(subject.row);
  return table;
}

}  // namespace draftgauge
