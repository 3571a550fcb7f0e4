#include "apps/gamma/gamma_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ranges>

#include "analysis/choose/alarms.h"
#include "analysis/engines/engines.h"
#include "apps/gamma/draft_report.h"
#include "apps/gamma/gamma_yield.h"
#include "apps/options/estimator_option.h"
#include "apps/options/number_options.h"
#include "apps/options/recording_options.h"
#include "apps/recording/measured_recording.h"
#include "apps/recording/sample_words.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/rules/token.h"

namespace draftgauge {
namespace {

constexpr int standard_most = 32, greatest_most = 256;

StudyOptions measure_options(Invocation const& args, GammaAsked const& asked) {
  if (asked.most) at_most("--most", *asked.most, greatest_most, " for a recording");
  StudyOptions options = study_options(asked, asked.most.value_or(standard_most));
  if (std::optional<Estimator> const given = estimator_from(args)) {
    options.main = *given;
    options.main_given = true;
  }
  options.estimates.coin_runs = 0;
  return options;
}

/// Replays by what the engine that is to be set runs, where the text tells it, and says what it runs where that is not the
/// token rule on drafts drawn from q. As it is where an estimator is asked for by name.
void take_engine_to_set(Invocation const& args, TokenTrace const& trace, StudyOptions& options,
                        std::vector<std::string>& notes) {
  if (!args.has("--for") || args.has("--estimator") || trace.temperature == 0.) return;
  EngineCard const& card = engine_card(args.text("--for"));
  EngineRun const* const run = card.run();
  if (!run) {
    notes.push_back(fmt::format("{} {}: γ is that of drafts drawn from q and tested with min(1, p/q).", card.title,
                                card.summary));
  } else if (run->drafter == "top" && all_have(trace, &TextTrace::argmax_match)) {
    options.main = Estimator::replay_argmax;
    notes.push_back(fmt::format("{} {}: its rounds are replayed so (--estimator replay: drafts drawn from q).",
                                run->name, run->summary));
  } else if (run->drafter == "top") {
    notes.push_back(
        fmt::format("{} {}, of which the recording does not say how often it holds (a column argmax_q_hit "
                    "would): γ is that of drafts drawn from q, and may be too long.",
                    run->name, run->summary));
  } else if (run->rule != rules::TokenRule::card.name) {
    notes.push_back(fmt::format("{} {}: γ is that of drafts tested with min(1, p/q), and may be too long.", run->name,
                                run->summary));
  }
}

std::string title_of(MeasuredRecording const& of, GammaChoice const& choice, double confidence) {
  GammaRow const& best = choice.best_row();
  std::string words = led(of.caveat(confidence), answer({best.gamma, best.speedup})) + bounds_text(best.interval);
  if (of.parts) words += " over parts of one text";
  if (of.gamma_set) words += "; " + set_text(ranges_of(of.gamma_set->gammas));
  if (best.gamma > 0 && best.gamma == choice.rows.back().gamma) words += ", the longest draft that was compared";
  return fmt::format("{} ({} by {}, {})", words, of.estimates.name(), of.main.card->name, cost_text(of.costs));
}

/// `gamma`: which leads, and what Eq. (1) says is set beside.
void add_warnings(Section& section, MeasuredRecording const& of, int gamma, StudyOptions const& options,
                  GammaAsked const& asked) {
  if (!of.knows(options.main))
    section.note(fmt::format("{} is not known here: it {}. By {} instead.", options.main.card->name,
                             of.why_not(options.main), of.main.card->name));
  if (of.writer_unknown()) section.note(unknown_writer);
  section.note(unseen_text(of.text_check));
  section.note(dependence_sentence(of.dependence, gamma, options.confidence));
  if (of.recorded.policy == Policy::off)
    section.note(fmt::format(
        "The text is not a sample of these distributions: the target's own would meet other contexts{}.",
        of.main == options.main
            ? ", and draw other tokens"
            : fmt::format(". By {}, that is by β of each: {} goes by tokens that another distribution drew",
                          of.main.card->name, options.main.card->name)));
  if (asked.batch > 1) section.note(fmt::format("Times are in plain steps of {} sequences at once.", asked.batch));
  if (of.estimates.texts() < 2) section.note(one_text_text(of));
  if (of.estimates.texts() > 1 && of.estimates.texts() < few_texts)
    section.note("Intervals of so few texts may cover less than they say: " + few_texts_text(of.estimates.texts()));
  section.note(dominating_text(of));
  section.note(of.cost_notes);
}

/// Of policies that go by what the draft model says of its tokens: what is assumed of those that stand, or why some do not.
std::string confidence_note(MeasuredRecording const& of, std::vector<PolicyRow> const& policies) {
  if (of.recorded.trace.temperature == 0.)
    return "Policies by the draft's confidence are not shown: at T = 0 the recorded q is that of one token.";
  auto const stands = [&](AdaptingPolicy const& policy) {
    return !policy.reads_draft ||
           std::ranges::any_of(policies, [&](PolicyRow const& row) { return row.words.name == policy.name; });
  };
  if (std::ranges::all_of(adapting_policies(), stands))
    return "Behind a rejected draft, the draft's confidence is taken to go on as along the text. Thresholds θ and λ "
           "are "
           "fitted on the other half of the texts.";
  if (of.estimates.texts() < 2) return "Policies with a fitted threshold need two texts.";
  return "More policies go by the draft's confidence: record full rows to see them.";
}

/// With what does not depend on costs.
GammaOfRecording answer_of(MeasuredRecording const& of, GammaAsked const& asked, std::string title,
                           GammaReport::Of what = GammaReport::Of::recording) {
  GammaOfRecording one;
  one.drawn = of.main.card->kept && !of.main.card->drafts_argmax;
  one.result.title = std::move(title);
  GammaReport& report = one.report.emplace();
  report.of = what;
  report.recording = {of.estimates.name(), of.estimates.texts(), of.estimates.tokens(),
                      std::string(policy_name(of.recorded.policy)), !of.rejected()};
  report.bonus = asked.bonus;
  report.notes = of.cost_notes;
  report.estimator = of.main.card->name;
  report.ops_cost = asked.ops_cost;
  return one;
}

void add_compared(Section& section, MeasuredRecording const& of, StudyOptions const& options) {
  if (int const compared = of.longest_priced(); compared < options.estimates.gammas.back())
    section.note(
        fmt::format("More than {} drafts were not compared: most of these texts are too short for them.", compared));
}

GammaOfRecording without_costs(MeasuredRecording const& of, StudyOptions const& options, GammaAsked const& asked) {
  std::vector<GammaYield> rows;
  for (int const gamma : options.estimates.gammas) {
    auto const priced = of.speedup_at(gamma);
    if (!priced) break;
    TextEstimate const& tokens = *of.tokens_per_round(of.main, gamma);
    rows.push_back({gamma, tokens.value, priced->break_even.value,
                    interval_within(tokens, options.confidence, tokens_in_round(gamma, asked.bonus)),
                    interval_within(priced->break_even, options.confidence, priced->break_even_limits)});
  }
  GammaOfRecording one =
      answer_of(of, asked,
                fmt::format("{} ({} by {})", led(of.caveat(options.confidence), yield_answer(rows, rows.size())),
                            of.estimates.name(), of.main.card->name));
  add_yield(one, rows, asked);
  Section section = yield_section(rows, asked);
  add_compared(section, of, options);
  section.note(of.size_text() + ".");
  add_warnings(section, of, static_cast<int>(rows.back().gamma), options, asked);
  one.result.sections.push_back(std::move(section));
  return one;
}

}  // namespace

StudyOptions study_options(GammaAsked const& asked, int longest) {
  StudyOptions options{.confidence = asked.confidence};
  options.estimates.gammas = gammas_to(longest);
  options.estimates.bonus = asked.bonus;
  options.estimates.resamples = asked.resamples;
  options.estimates.seed = asked.seed;
  return options;
}

GammaOfRecording gamma_of_recording(MeasuredRecording const& of, StudyOptions const& options,
                                    GammaAsked const& asked) {
  if (of.rejected() || !of.best) {
    GammaOfRecording none =
        answer_of(of, asked,
                  of.rejected() ? of.rejection()
                                : fmt::format("{} does not say: it {}", of.estimates.name(), of.why_not(of.main)),
                  GammaReport::Of::silent);
    if (!of.rejected()) none.report->notes.push_back(none.result.title);
    return none;
  }
  if (!of.costs_given) return without_costs(of, options, asked);
  GammaChoice choice = *choose_gamma(of, options.confidence, asked.near_optimal);
  auto const tokens = static_cast<double>(of.estimates.tokens());
  auto const& [rows, place, near_optimal, runner_up, policies] = choice;
  auto const there = of.speedup_at(of.best->gamma);  // none at γ = 0

  std::optional<Interval> even_within;
  if (there) even_within = interval_within(there->break_even, options.confidence, there->break_even_limits);
  GammaOfRecording one = answer_of(of, asked, title_of(of, choice, options.confidence));
  one.best = of.best->gamma;
  one.rows = rows;
  one.result.alarms = alarms_of(of, options.confidence);
  GammaReport& report = *one.report;
  report.costs = of.costs;
  report.best_gamma = of.best->gamma;
  report.best_speedup = of.best->speedup;
  report.near_best = near_optimal;
  if (there) report.break_even.cost = Estimated{there->break_even.value, even_within};
  if (runner_up) report.runner_up = RunnerUp{*runner_up, "tokens"};
  report.curve = curve_of(rows, asked.operations());
  report.policies = adapting_of(policies, of.best->speedup);
  auto const set = of.gamma_set ? ranges_of(of.gamma_set->gammas) : std::vector<GammaRange>();
  report.confidence_set = set;
  report.expected_regret = of.gamma_set ? of.gamma_set->regret : std::nullopt;
  Section section = curve_section(rows, of.best->gamma, asked);
  if (of.gamma_set) section.note(set_sentence(set, of.best->gamma, of.gamma_set->regret, of.gamma_set->confidence));
  section.note(near_text(near_optimal, asked.near_optimal));
  if (there) section.note(pays_text(there->gamma, there->break_even.value, even_within));
  if (runner_up) section.note(runner_up_text(of.best->gamma, *runner_up, tokens, "tokens"));
  add_compared(section, of, options);
  if (of.longest_priced() == options.estimates.gammas.back() && place + 1 == rows.size())
    section.note("A longer draft may gain more (--most).");
  section.note(of.size_text() + ".");
  add_warnings(section, of, std::max(1, of.best->gamma), options, asked);
  one.result.sections.push_back(std::move(section));
  if (!policies.empty()) {
    Section adapting = policy_section(policies, of.best->speedup, of.best->gamma);
    adapting.note(fmt::format("By {} along the text. {}{}.",
                              of.main.card->drafts_argmax ? "argmax drafts" : "the token rule",
                              most_text(options.estimates.gammas.size()),
                              policies.front().over_best ? "; intervals of the difference over the same texts" : ""));
    if (std::ranges::none_of(policies, [](PolicyRow const& row) {
          return row.words.name == words_of(DraftPolicy::renewal_reward).name;
        }))
      adapting.note("A policy that goes by β is not shown: β is not recorded, or at T = 0 says what is kept.");
    adapting.note(confidence_note(of, policies));
    one.result.sections.push_back(std::move(adapting));
  } else {
    auto known = estimator_cards() | std::views::filter(&EstimatorCard::kept);
    one.result.sections.front().note(
        fmt::format("What adapting γ could win is worked out by {} only, where the text says of each token alone "
                    "whether its draft is kept; by {} it is not known.",
                    joined(known, &EstimatorCard::name, " and "), of.main.card->name));
  }
  one.choice = std::move(choice);
  return one;
}

GammaAnswer gamma_of_recordings(Invocation const& args, GammaAsked const& asked) {
  StudyOptions const options = measure_options(args, asked);
  RoundCosts const round_costs(args);
  std::vector<GammaOfRecording> all;
  bool known = false, rejected = false;
  std::vector<Recorded> recordings = recordings_from(args);
  round_costs.require_named(recordings);
  std::vector<std::unique_ptr<MeasuredRecording const>> measured;
  for (Recorded& recorded : recordings) {
    PricedRound priced = round_costs.of(recorded.trace, asked.batch);
    StudyOptions of_engine = options;
    take_engine_to_set(args, recorded.trace, of_engine, priced.notes);
    measured.push_back(std::make_unique<MeasuredRecording const>(std::move(recorded), std::move(priced), of_engine));
    MeasuredRecording const& one = *measured.back();
    known = known || one.best.has_value();
    rejected = rejected || one.unusable();
    all.push_back(gamma_of_recording(one, of_engine, asked));
  }
  GammaAnswer answer;
  if (all.size() == 1) {
    answer = std::move(all.front());
  } else {
    Result result{.title = fmt::format("{} recordings", all.size())};
    result.document["recordings"] = Json::array();
    for (GammaOfRecording& one : all) {
      result.sections.push_back({.heading = one.result.title});
      std::ranges::move(one.result.sections, std::back_inserter(result.sections));
      result.document["recordings"].push_back(document_of(*one.report));
    }
    std::vector<Study const*> studies;
    for (auto const& one : measured) studies.push_back(one.get());
    Fastest const fastest = add_fastest(result, studies, options.confidence);
    result.document["drafts"] = fastest.report ? document_of(*fastest.report) : Json();
    if (fastest.study) answer = std::move(all[*fastest.study]);
    result.alarms = alarms_of(studies, options.confidence);
    answer.result = std::move(result);
    answer.report.reset();
    answer.several = "recordings";
  }
  if (!known) answer.result.status = Status::inconclusive;
  if (rejected) answer.result.status = Status::failed;
  return answer;
}

}  // namespace draftgauge
