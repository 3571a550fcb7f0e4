#include "apps/measure/engine_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "analysis/audit/audit.h"
#include "analysis/counters/measured_rounds.h"
#include "analysis/counters/read_engine_log.h"
#include "analysis/open/opened.h"
#include "analysis/recordings/text_file.h"
#include "analysis/replay/rule_replay.h"
#include "analysis/report/field.h"
#include "analysis/texts/whole_rounds.h"
#include "apps/measure/audit_report.h"
#include "apps/measure/engine_rule.h"
#include "apps/measure/measure_report.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"
#include "sim/task/task.h"

namespace draftgauge {
namespace {

EngineLog log_from(Invocation const& args) {
  std::vector<std::string> const paths = args.texts("--log");
  if (paths.size() > 2)
    throw UsageError(
        fmt::format("--log names {} files (one log, or two scrapes of one server's metrics)", paths.size()),
        "give one or two");
  if (paths.size() == 1) return read_engine_log(paths[0], TextFile(paths[0]).text());
  return engine_log_of(counters_of(paths, std::nullopt, "--log"));
}

EngineRun const& engine_of(Invocation const& args, EngineLog const& log) {
  if (args.has("--engine")) return engine_run(args.text("--engine"));
  return engine_run(log.writers.empty() ? published_algorithm : log.writers.front());
}

void require_one_temperature(EngineLog const& log, Recorded const& recorded) {
  if (log.temperature && recorded.target && recorded.target->temperature != *log.temperature)
    throw InputError(fmt::format("{}: the engine ran at T = {:g} and rows are measured at T = {:g} (an engine is "
                                 "judged by its own distribution)",
                                 log.file, *log.temperature, recorded.target->temperature),
                     fmt::format("give --temperature {:g}", *log.temperature));
}

// Who said at which temperature the engine ran, where only one did.
std::string temperature_note(EngineLog const& log, Recorded const& recorded) {
  auto const of_recording = temperature_of(recorded);
  if (log.temperature.has_value() == of_recording.has_value()) return {};
  return log.temperature ? fmt::format("The recording does not say its temperature: taken as the log's, T = {:g}.",
                                       *log.temperature)
                         : fmt::format("The log does not say its temperature: taken as the recording's, T = {:g}.",
                                       *of_recording);
}

StopRule stop_rule(std::string const& text) {
  using Kind = StopRule::Kind;
  for (StopCard const& card : stop_cards)
    if (text == card.name && card.kind != Kind::maxnew) return {card.kind};
  constexpr std::string_view limit = "maxnew=";
  if (text.starts_with(limit) && text.size() > limit.size() && text.size() < limit.size() + 10 &&
      text.find_first_not_of("0123456789", limit.size()) == std::string::npos)
    if (StopRule const stop{Kind::maxnew, std::stoll(text.substr(limit.size()))}; stop.maxnew > 0) return stop;
  auto const names = names_in(stop_cards);
  throw UsageError(
      fmt::format("--stop is '{}' (it says what ends a text)", text),
      fmt::format("give {} or {}", fmt::join(names.begin(), std::prev(names.end()), ", "), names.back()));
}

AuditOptions audit_options(Invocation const& args, MeasuredRecording const& one) {
  AuditOptions options;
  EngineRun const& engine = engine_run(args.has("--engine") ? args.text("--engine") : published_algorithm);
  AlongText const* known = running(args, engine, temperature_of(one.recorded));
  if (!known)
    throw UsageError(fmt::format("--engine {} runs {} above temperature 0 ({})", engine.name, engine.rule,
                                 engine.lossless ? "rounds of its drafts are not replayed"
                                                 : "its output is not the target's distribution, so that its rounds "
                                                   "do not follow from its text"),
                     "audit another rule with --rule");
  options.rule = known->replay;
  options.temperature = temperature_of(one.recorded);
  options.bonus = !args.has("--no-bonus");
  if (args.has("--until")) options.until = args.count("--until");
  if (args.has("--stop")) options.stop = stop_rule(args.text("--stop"));
  return options;
}

/// Columns that are the wrong way round convict an honest engine. One that q wrote the text for looks like that as
/// well, but its rounds are no rule's of the exchanged columns either.
bool only_exchanged(EngineLog const& log, MeasuredRecording const& one, AuditOptions const& options) {
  auto const& causes = one.text_check.causes;
  if (!contains(causes, TextCause::Kind::exchanged, &TextCause::kind)) return false;
  return std::ranges::any_of(std::array{Exchange::all, Exchange::logs}, [&](Exchange which) {
    TokenTrace const other = exchanged(one.recorded.trace, which);
    bool const known = !rule_replay_named(options.rule).of_matches || all_have(other, &TextTrace::argmax_match);
    return !known || audit(other, log, options).verdict != Verdict::fails;
  });
}

EngineFinding add_audit(Result& result, MeasureReport& report, Invocation const& args, EngineLog const& log, MeasuredRecording const& one) {
  require_one_temperature(log, one.recorded);
  AuditOptions const options = audit_options(args, one);
  Audit audited = audit(one.recorded.trace, log, options);
  if (audited.verdict == Verdict::fails && only_exchanged(log, one, options)) {
    audited.exchanged = true;
    audited.verdict = Verdict::inconclusive;
  }
  Section section = audit_section(audited);
  section.note(temperature_note(log, one.recorded));
  if (audited.rounds && args.has("--gamma") && args.counts("--gamma") != std::vector{audited.rounds->most})
    section.note("--gamma is of the estimates: the audit goes by the drafts that the log's rounds had.");
  result.sections.insert(result.sections.begin(), std::move(section));
  result.status = both(result.status, status_of(audited.verdict));
  std::string const accusation = accusation_text(audited);
  report.audit = {audited, verdict_text(audited)};
  return {
      fmt::format("The engine's rounds: {}{}{}", verdict_text(audited), accusation.empty() ? "" : "; ", accusation),
      true, !accusation.empty(),
      audited.rounds && audited.rounds->fewest == audited.rounds->most
          ? std::optional(static_cast<int>(audited.rounds->most))
          : std::nullopt};
}

// Tokens per round over the log's texts, which are independent; of sums the value alone.
TextEstimate measured_estimate(EngineLog const& log, EngineRun const& engine, MeasuredRounds const& counted) {
  std::vector<MeasuredRounds> texts = measured_by_text(log, engine);
  if (texts.empty()) texts.push_back(counted);
  std::vector<double> tokens, rounds;
  for (MeasuredRounds const& text : texts) {
    tokens.push_back(text.tokens);
    rounds.push_back(text.rounds);
  }
  auto const sample = std::make_shared<TextSample const>(tokens, 0, 0);
  return mean_over_texts(tokens, sample) / mean_over_texts(rounds, sample);
}

// γ of every round, where all have the same.
std::optional<std::int64_t> gamma_of(EngineLog const& log) {
  if (log.gamma || log.rounds.empty()) return log.gamma;
  std::int64_t const first = log.rounds.front().gamma;
  bool const one = std::ranges::all_of(log.rounds, [&](EngineRound const& round) { return round.gamma == first; });
  return one ? std::optional(first) : std::nullopt;
}

// What a recording says of tokens per round of the engine, and by which way.
struct Prediction {
  Estimator estimator;
  std::optional<WholeRounds> rounds;
  std::string why_not = {};  ///< where there is none
  std::string note = {};     ///< what to know of it
};

Prediction predict(Invocation const& args, EngineRun const& engine, MeasuredRecording const& one,
                   EstimateOptions const& at) {
  TokenTrace const& trace = one.recorded.trace;
  AlongText const* known = running(args, engine, temperature_of(one.recorded));
  if (known || args.has("--estimator")) {
    Estimator const estimator = args.has("--estimator") ? one.main : known->estimator;
    TextEstimates const estimates(trace, at);
    return {estimator, whole_rounds(estimates, estimator, at.gammas.front()), estimates.why_not(estimator)};
  }
  if (engine.lossless) return {Estimator::iid, {}, engine.name + "'s rounds are not replayed above temperature 0"};
  auto const tests = argmax_draft_tests(trace);
  if (!tests) return {Estimator::iid, {}, fmt::format("{} needs p(argmax q) and max q of every token", engine.rule)};
  TextEstimates const estimates(*tests, at);
  return {Estimator::iid,
          whole_rounds(estimates, Estimator::iid, at.gammas.front()),
          {},
          fmt::format("An approximation: Eq. (1) at α = {:.4f}, the mean of min(1, p/q) at argmax q. What {} emits "
                      "is not drawn from p, so that nothing along the target's text is exact for it.",
                      estimates.alpha()->value, engine.name)};
}

// Measured less predicted, and whether chance explains it: by an interval of the difference, or where the log has no
// interval of its own by whether the prediction's holds what was measured. An interval that would hold anything says
// nothing by holding this, and of a few rounds nothing is said where their own luck is in no interval.
struct Comparison {
  double value;
  std::optional<Interval> interval;
  std::optional<bool> covered;
  std::string_view covered_by;            ///< "difference" or "prediction"
  double logged;                          ///< tokens of the log
  double resolution = 0;                  ///< half of that interval's width, relative to what is predicted
  static constexpr double coarsest = .1;  ///< resolution above which nothing is said to agree

  Comparison(TextEstimate const& predicted, TextEstimate const& measured, double tokens, double confidence)
      : value(measured.value - predicted.value),
        interval(unpaired_interval(predicted, measured, confidence)),
        logged(tokens) {
    auto const judge = [&](Interval const& by, double at) {
      covered = by.covers(at);
      resolution = (by.high - by.low) / 2 / predicted.value;
    };
    if (interval) {
      judge(*interval, 0);
      covered_by = "difference";
    } else if (auto const alone = delta_interval(predicted, confidence)) {
      judge(*alone, measured.value);
      covered_by = "prediction";
    }
  }
  bool few_tokens() const { return covered && !interval && logged < fewest_tokens; }
  bool too_little() const { return few_tokens() || (covered && *covered && resolution > coarsest); }
  std::string_view verdict() const { return too_little() ? "inconclusive" : *covered ? "agree" : "differ"; }
  std::string finding() const {
    if (too_little()) return "too little text to tell";
    if (interval) return *covered ? "they agree" : "they differ";
    return *covered ? "within the prediction's interval" : "outside the prediction's interval";
  }
  std::string words() const {
    if (!covered) return "One text in the recording: nothing says how much of the difference is luck.";
    if (few_tokens())
      return fmt::format(
          "Too little text to tell: the log is of {:g} tokens without an interval of their own ({} is the least).",
          logged, fewest_tokens);
    if (too_little())
      return fmt::format(
          "Too little text to tell: a difference of {:.0f} % would look like luck ({:.0f} % is the most at which it "
          "is said that the two agree).",
          100 * resolution, 100 * coarsest);
    if (interval)
      return *covered ? "The two agree: the interval of the difference holds 0."
                      : "The two differ by more than chance explains at this confidence.";
    return fmt::format(
        "The log is of one text, or has counters only, and so no interval of its own. What it measured lies {} the "
        "prediction's{}.",
        *covered ? "within" : "outside", *covered ? "" : "; the log's own luck is not in that");
  }
};

// Tokens of the log's texts on average; of unknown texts as if they were one.
double text_length(EngineLog const& log, MeasuredRounds const& counted, TextEstimate const& measured) {
  auto const texts = static_cast<double>(measured.texts());
  return counted.tokens / std::max(1., measured.texts() > 1 ? texts : log.requests.value_or(texts));
}

// How far it matters whether the last rounds of the log's texts are whole or cut, where that shows.
std::string last_rounds_note(WholeRounds const& rounds, double length) {
  std::string const whole = fmt::format("{:.3f}", rounds.tokens.value),
                    cut = fmt::format("{:.3f}", rounds.cut_at(length).value);
  if (whole == cut) return {};
  return fmt::format(
      "The log does not say whether its texts' last rounds are whole or cut. Whole ones give {} tokens per round, cut "
      "ones {}; we compare the nearest value between them.",
      whole, cut);
}

bool names_texts(EngineLog const& log, TokenTrace const& trace) {
  std::set<std::string_view> names;
  for (TextTrace const& text : trace.texts) names.insert(text.name);
  return std::ranges::any_of(log.rounds, [&](EngineRound const& round) { return names.contains(round.text); });
}

// Why an engine that ran at another temperature is not judged by this recording; empty where it did not.
std::string other_temperature(EngineLog const& log, MeasuredRecording const& one) {
  auto const of_tables = temperature_of(one.recorded);
  if (!log.temperature || !of_tables || *log.temperature == *of_tables) return {};
  return fmt::format("Not judged: the engine ran at T = {:g}, and what is predicted is for T = {:g}.",
                     *log.temperature, *of_tables);
}

// What a reader must know of the log beside its figures.
std::vector<std::string> notes_on(Invocation const& args, EngineLog const& log, EngineRun const& engine,
                                  MeasuredRecording const& one) {
  std::vector<std::string> notes;
  notes.push_back(args.has("--rule") ? fmt::format("Taken as the {} rule.", args.text("--rule"))
                                     : fmt::format("{}: {}.", engine.name, engine.summary));
  if (names_texts(log, one.recorded.trace) && texts_that_fit(one.recorded.trace, log) == 0)
    notes.emplace_back("Its texts have the recording's names and other lengths: a log of other text.");
  if (auto const& names = log.writers;
      !names.empty() && engine_run(names.front()).rule != "token" && !args.has("--engine") && !args.has("--rule"))
    notes.push_back(fmt::format("By its log this is {}: give --engine {} to have speed-up and best γ for it.",
                                fmt::join(names, " or "), names.front()));
  if (!running(args, engine, temperature_of(one.recorded)))
    notes.push_back(fmt::format("Speed-up and best γ are the token rule's, not {}'s.", engine.name));
  notes.insert(notes.end(), log.notes.begin(), log.notes.end());
  return notes;
}

std::string add_prediction(Result& result, MeasureReport& report, Invocation const& args, EngineLog const& log,
                           MeasuredRecording const& one, StudyOptions const& options) {
  EngineRun const& engine = engine_of(args, log);
  std::string const rule(args.has("--rule") ? args.text("--rule") : engine.rule);
  MeasuredRounds const rounds_of = measured_rounds(log, engine);
  std::optional<std::int64_t> const drafts = gamma_of(log);
  if (!drafts && options.estimates.gammas.size() != 1)
    throw UsageError(
        fmt::format(
            "{}: the log does not say how many tokens a round drafts, or they differ (the prediction is for one γ)",
            log.file),
        "give --gamma with one number");
  EstimateOptions at = options.estimates;
  if (drafts) at.gammas = {static_cast<int>(*drafts)};
  int const gamma = at.gammas.front();
  Limits const limits = tokens_in_round(gamma, options.estimates.bonus);
  Prediction const predicted = predict(args, engine, one, at);
  TextEstimate const measured = measured_estimate(log, engine, rounds_of);
  std::optional<Comparison> compared;
  double const length = text_length(log, rounds_of, measured);
  std::optional<WholeRounds::Nearest> nearest;
  if (predicted.rounds) {
    nearest = predicted.rounds->nearest(measured.value, length);
    compared.emplace(nearest->tokens, measured, rounds_of.tokens, options.confidence);
  }
  std::string const unlike = other_temperature(log, one);
  bool const concludes = compared && compared->covered && unlike.empty();
  if (!unlike.empty() || (concludes && compared->too_little()))
    result.status = both(result.status, Status::inconclusive);
  report.engine = {.name = engine.name,
                   .rule = rule,
                   .drafter = std::string(args.has("--rule") ? along_text_of(rule)->drafter : engine.drafter),
                   .gamma = gamma,
                   .rounds = rounds_of.rounds,
                   .tokens = rounds_of.tokens,
                   .as_counted = rounds_of.as_counted,
                   .texts = measured.texts(),
                   .measured = uncertain(measured, options.confidence, limits),
                   .estimator = std::string(predicted.estimator.card->name)};
  if (compared) {
    report.engine->predicted = uncertain(nearest->tokens, options.confidence, limits);
    report.engine->difference = {compared->value, compared->interval, options.confidence};
    report.engine->last_rounds_whole = nearest->whole;
  }
  if (concludes) {
    report.engine->covered = *compared->covered;
    report.engine->covered_by = compared->covered_by;
    report.engine->resolution = compared->resolution;
    report.engine->verdict = compared->verdict();
  }
  std::string const who =
      args.has("--rule") && !args.has("--engine") ? fmt::format("The {} rule", rule) : std::string(engine.name);
  Section section{.heading = fmt::format("{}, by its own log", who),
                  .table = Table{{"what", "tokens per round", Align::left}, {"value", fmt::format("γ = {}", gamma)}}};
  section.table.add({measured.texts() > 1
                         ? fmt::format("measured, {:g} rounds in {} texts", rounds_of.rounds, measured.texts())
                         : fmt::format("measured, {:g} rounds", rounds_of.rounds),
                     estimate_cell(measured, options.confidence, 3, limits)});
  section.table.add({"as the engine counts it", Number{rounds_of.as_counted, 3}});
  if (compared) {
    section.table.add({fmt::format("predicted by {} from this recording", predicted.estimator.card->name),
                       estimate_cell(nearest->tokens, options.confidence, 3, limits)});
    section.table.add({"measured less predicted", cell_of(Estimated{compared->value, compared->interval}, 3)});
    section.note(unlike.empty() ? compared->words() : unlike);
    section.note(last_rounds_note(*predicted.rounds, length));
    section.note(predicted.note);
  } else {
    section.note(fmt::format("Not predicted: {}.", predicted.why_not));
  }
  section.note(notes_on(args, log, engine, one));
  result.sections.insert(result.sections.begin(), std::move(section));
  auto const words = [&](TextEstimate const& estimate) {
    return estimate_text(estimate, options.confidence, 3, limits);
  };
  std::string headline = fmt::format("{} measured {} tokens per round at γ = {}", who, words(measured), gamma);
  if (std::size_t const all = one.recorded.trace.texts.size(), fit = texts_that_fit(one.recorded.trace, log); fit > 0)
    headline = fmt::format("Not audited: of {} texts {} missing from the log, or cut there. {}", all,
                           all - fit == 1 ? "1 is" : fmt::format("{} are", all - fit), headline);
  if (compared)
    headline += fmt::format(", {} predicted by {} from {}", words(nearest->tokens), predicted.estimator.card->name,
                            one.estimates.name());
  if (concludes) headline += fmt::format(": {}", compared->finding());
  return headline;
}

}  // namespace

EngineFinding add_engine_log(Result& result, MeasureReport& report, Invocation const& args,
                             MeasuredRecording const& one, StudyOptions const& options) {
  EngineLog const log = log_from(args);
  // An audit is meant where the texts are the same, and where only an audit has a use for what is asked.
  if (args.has("--until") || args.has("--stop") || rounds_fit(one.recorded.trace, log))
    return add_audit(result, report, args, log, one);
  return {add_prediction(result, report, args, log, one, options), false, false};
}

}  // namespace draftgauge
