#include "apps/why/why_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "analysis/counters/measured_rounds.h"
#include "analysis/counters/ordered.h"
#include "analysis/open/open_text.h"
#include "analysis/open/opened.h"
#include "analysis/recordings/costs/cost_file.h"
#include "analysis/recordings/format_names.h"
#include "analysis/recordings/text_file.h"
#include "analysis/texts/whole_rounds.h"
#include "analysis/theory/closed_form.h"
#include "analysis/why/counted_tokens.h"
#include "analysis/why/recording_tokens.h"
#include "apps/cli/settings_words.h"
#include "apps/counters/counters_input.h"
#include "apps/gamma/accepted_lists.h"
#include "apps/measure/engine_report.h"
#include "apps/measure/engine_rule.h"
#include "apps/options/confidence.h"
#include "apps/options/curve_options.h"
#include "apps/options/number_options.h"
#include "apps/options/recording_options.h"
#include "apps/options/speed_option.h"
#include "sim/base/error.h"
#include "sim/recordings/row_file.h"

namespace draftgauge {
namespace {

struct Files {
  std::vector<std::string> counters, recording;
};

Files files_of(Invocation const& args) {
  Files files;
  for (std::string const& path : args.texts("FILE"))
    (holds_counters(path) ? files.counters : files.recording).push_back(path);
  return files;
}

std::optional<double> speed(Invocation const& args, char const* name) {
  if (!args.has(name)) return std::nullopt;
  return ms_per_token(name, args.text(name));
}

/// --cost, of which a time or a rate is put in units of a plain step.
std::string cost_in_steps(Invocation const& args, std::optional<double> plain_ms) {
  std::string const cost = cost_given(args);
  auto const ms = args.has("--cost") ? speed_with_unit("--cost", cost) : std::nullopt;
  if (!ms) return cost;
  if (!plain_ms)
    throw UsageError(fmt::format("--cost {} is a time (c is a share of a plain step of the target)", cost),
                     "add --plain, the target's speed without drafts");
  return fmt::format("{}", *ms / *plain_ms);
}

/// The plain step that a --verify-cost FILE measured.
std::optional<double> verify_file_seconds(Invocation const& args) {
  if (!names_file(args, "--verify-cost")) return std::nullopt;
  std::string const& path = args.text("--verify-cost");
  TextFile const file(path);
  return plain_seconds_of(read_costs(path, file.text()), args.text_given("--cost-target"));
}

/// Milliseconds of the plain steps that c and v(n) are shares of, where a file measured them; none of ratios that the
/// user gave, which are shares of whatever a plain step takes.
struct FilePlain {
  std::optional<double> of_c, of_v;

  std::optional<double> either() const { return of_c ? of_c : of_v; }
};

FilePlain file_plain(Invocation const& args, std::optional<double> cost_seconds,
                     std::optional<double> verify_seconds) {
  auto const ms = [](std::optional<double> seconds) {
    return seconds ? std::optional(*seconds * 1000) : std::nullopt;
  };
  return {.of_c = ms(cost_seconds), .of_v = ms(args.has("--verify-cost") ? verify_seconds : cost_seconds)};
}

/// Costs in plain steps of `plain_ms`: times of the draft and of longer passes that a file measured stay what they
/// were.
void rescale(Costs& costs, FilePlain const& measured, double plain_ms) {
  if (measured.of_c) costs.draft *= *measured.of_c / plain_ms;
  if (!measured.of_v) return;
  for (auto& [n, cost] : costs.verify)
    if (n > 1) cost *= *measured.of_v / plain_ms;
}

/// InputError for what is neither rows nor a text that is known.
void require_recording(std::string const& path) {
  if (row_file_kind(path)) return;
  TextFile const file(path);
  static_cast<void>(text_kind(path, file.text()));
}

/// recording: the files whose rounds are asked about.
std::int64_t drafts_of(Invocation const& args, std::optional<EngineCounters> const& counted,
                       std::vector<std::string> const& recording) {
  if (counted)
    if (auto const length = ran_length(*counted)) return *length;
  if (args.has("--gamma")) return at_most("--gamma", args.count("--gamma"), longest_gamma);
  if (args.has("--survival")) return std::ssize(numbers_of(args, "--survival"));
  for (std::string const& file : recording) require_recording(file);  // of what is none, γ is not asked
  throw UsageError("nothing says how many tokens a round drafts (the ideal is as many and one more)",
                   "add --gamma, as the engine was set");
}

/// Estimator of what runs; none where nobody says it, or where nothing along the target's text is its rounds.
Known<Estimator> engine_rounds(Invocation const& args, Study const& study) {
  if (!args.has("--engine")) return {.from = "no engine is named or counted"};
  EngineRun const& card = engine_run(args.text("--engine"));
  if (!card.lossless && study.recorded.trace.temperature != 0.)
    return {.from = fmt::format("{} is not lossless: nothing along the text is its rounds", card.name)};
  return {.value = engine_estimator(args)};
}

Study study_of(Invocation const& args, std::vector<std::string> const& files, std::int64_t gamma, double confidence) {
  std::vector<Recorded> recorded = recordings_from(args, files);
  if (recorded.size() != 1)
    throw UsageError(fmt::format("{} recordings are given (one is explained at a time)", recorded.size()),
                     "give one, at one temperature");
  return Study(std::move(recorded.front()), {.confidence = confidence,
                                             .estimates = EstimateOptions::of_these(
                                                 {static_cast<int>(gamma)}, !args.has("--no-bonus"), args.seed())});
}

/// What says v(n), or else --cost: "--overhead .02", "--cost costs.jsonl".
std::string cost_source(Invocation const& args, char const* own) {
  char const* const option = args.has(own) ? own : "--cost";
  return fmt::format("{} {}", option, file_name(args.text(option)));
}

/// Sequences at once, and who says so.
struct Batch {
  std::int64_t sequences;
  std::string from;
};

/// By --batch, else by the counters; none where neither says it.
std::optional<Batch> batch_said(Invocation const& args, std::optional<EngineCounters> const& counted) {
  if (args.has("--batch")) return Batch{args.count("--batch"), fmt::format("--batch {}", args.count("--batch"))};
  if (!counted || !counted->at_once) return std::nullopt;
  SequencesAtOnce const& at_once = *counted->at_once;
  return Batch{std::max<std::int64_t>(1, std::llround(at_once.mean())),
               fmt::format("{}: {} {:.3g}", file_name(counted->file), at_once.name, at_once.mean())};
}

/// Drafts, verification, overhead and batch, each where an option or a counter says it.
void add_costs(WhyAsked& asked, Invocation const& args, PricedRound const& round, bool rescaled,
               std::optional<Batch> const& batch, DraftLengths const& lengths) {
  WaterfallInput& input = asked.input;
  Costs const& costs = round.costs;
  /// Whether a pass of so many tokens is a guess, which is noted once it is used.
  auto const carried_on = [&](std::int64_t tokens) {
    bool const beyond = costs.extrapolates(tokens);
    if (beyond)
      asked.notes.push_back(
          fmt::format("v({}) is carried on from v({}), the last that was measured.", tokens, costs.last_measured()));
    return beyond;
  };
  std::int64_t const longest = lengths.rbegin()->first + 1;
  auto const counted = asked.counted ? counted_draft_seconds(*asked.counted) : std::nullopt;
  auto const passes = asked.counted ? counted_target_seconds(*asked.counted) : std::nullopt;
  if (args.has("--cost"))
    input.drafts = {draft_time(costs, lengths), cost_source(args, "--cost")};
  else if (counted && asked.plain_ms)
    input.drafts = {*counted * 1000 / *asked.plain_ms, file_name(asked.counted->file) + ": time of the draft model"};
  else
    input.drafts.from = counted ? "no --plain to compare it with" : "no --cost";
  if (!costs.verify.empty())
    input.verification = {verification_time(costs, lengths), cost_source(args, "--verify-cost"), carried_on(longest)};
  else if (passes && asked.plain_ms)
    input.verification = {*passes * 1000 / *asked.plain_ms - 1,
                          file_name(asked.counted->file) + ": time of the target, less the prompt's"};
  else
    input.verification.from = passes ? "no --plain to compare it with" : "no --verify-cost";
  if (args.has("--overhead"))
    input.overhead = {costs.overhead, cost_source(args, "--overhead")};
  else
    input.overhead.from = "no --overhead";
  if (!batch) {
    input.batch.from = "no --batch";
    return;
  }
  std::int64_t const sequences = batch->sequences;
  if (sequences == 1) {
    input.batch = {0, batch->from};
    return;
  }
  if (!args.has("--batch") && (costs.verify.empty() || rescaled)) {
    input.batch.from = batch->from + (rescaled ? ", and --plain beside a file of costs" : ", and no --verify-cost");
    return;
  }
  if (costs.verify.empty())
    throw UsageError(
        fmt::format("--batch {} has no meaning without v(n) (which passes of more tokens cost)", sequences),
        "add --verify-cost, or a file of costs");
  if (rescaled)
    throw UsageError(
        "--batch has no meaning where --plain stands beside a file of costs (which of the two is a plain step of the "
        "batch?)",
        "leave --plain out");
  Costs together = asked.priced.costs;
  together.extra_draft_passes = costs.extra_draft_passes;
  input.batch = {batch_time(costs, together, sequences, lengths), batch->from, carried_on(sequences * longest)};
}

void add_measured(WhyAsked& asked, Invocation const& args) {
  Known<double>& measured = asked.input.measured;
  auto const given = speed(args, "--measured");
  if (given) {
    if (!asked.plain_ms)
      throw UsageError("--measured has no meaning without the time of a plain step (what would it be compared with?)",
                       "add --plain, the target's speed without drafts, or a file of costs");
    measured = {*given / *asked.plain_ms, fmt::format("--measured {}", args.text("--measured"))};
    return;
  }
  measured.from = asked.counted && asked.counted->seconds
                      ? "no --measured, and the time in the counters is of all sequences together"
                      : "no --measured, and no time of decoding in counters";
  if (!asked.counted) return;
  if (auto const time = counted_token_time(*asked.counted)) {
    if (asked.plain_ms)
      measured = {time->seconds * 1000 / *asked.plain_ms,
                  fmt::format("{}: {}", file_name(asked.counted->file), time->name)};
    else
      measured.from = fmt::format("{} has the {}, and without --plain there is nothing to compare it with",
                                  file_name(asked.counted->file), time->name);
  }
}

constexpr char const* accepted_ways[] = {"FILE",          "--alpha",          "--survival",
                                         accepted_either, accepted_histogram, accepted_rounds};

/// Which option says what is accepted; empty where FILEs do.
std::string_view accepted_way(Invocation const& args) {
  std::string_view const way = one_way(args, accepted_ways);
  if (way.empty())
    throw UsageError(fmt::format("nothing says what is accepted (one of {} does)", joined(accepted_ways)),
                     "try draftgauge why --alpha .8 --gamma 4 --cost .05");
  return way == "FILE" ? std::string_view() : way;
}

/// Counts of rounds that an option gives; none of α and survival.
std::optional<EngineCounters> counters_of_option(Invocation const& args, std::string_view way) {
  if (way == "--alpha" || way == "--survival") return std::nullopt;
  if (way == accepted_rounds) {
    EngineCounters counters = rounds_given(args);
    if (counters.file.empty()) counters.file = way;
    return counters;
  }
  AcceptedCounts const accepted = accepted_counts(args, way);
  EngineCounters counters = counters_of_histograms(accepted.rows, accepted.by_request);
  counters.file = way;
  return counters;
}

/// Tokens per round by α, or by survival, which are taken as exact.
WaterfallInput tokens_of_option(Invocation const& args, std::string_view way, std::int64_t gamma) {
  WaterfallInput input{.gamma = gamma};
  std::string const from = fmt::format("{} {}", way, args.text(way));
  input.independent.from = input.dependent.from = input.ended.from = input.engine.from = from + ": it does not tell";
  if (way == "--alpha") {
    input.independent = {RoundTokens{theory::expected_tokens(number_of(args, way), gamma)}, from};
    return input;
  }
  std::vector<double> const survival = numbers_of(args, way);
  if (std::cmp_less(survival.size(), gamma))
    throw UsageError(fmt::format("--gamma is {}, and --survival has {} numbers (one for each draft)", gamma, survival.size()),
                     "give as many");
  double const tokens = theory::expected_tokens(std::span(survival).first(static_cast<std::size_t>(gamma)));
  input.independent = {RoundTokens{tokens}, from};
  input.dependent.from = from + ": in the step before";
  return input;
}

}  // namespace

OptionGroup accepted_options_of_why() {
  OptionGroup group{"What is accepted, without a FILE",
                    {{.name = "--alpha", .kind = Kind::probability, .summary = "acceptance rate of independent drafts"},
                     survival_option()}};
  for (Option& option : accepted_count_options()) group.options.push_back(std::move(option));
  return group;
}

OptionGroup why_options() {
  OptionGroup group{
      "What ran, and how fast",
      {{.name = "--gamma",
        .kind = Kind::count,
        .summary = "tokens that a round drafts at most, as the engine was set; where counters do not say it",
        .least = 1},
       {.name = "--draft-length",
        .kind = Kind::count,
        .summary = "the same, of an engine's counters, as the other commands call it",
        .least = 1},
       {.name = "--plain",
        .kind = Kind::text,
        .value = "SPEED",
        .summary = "the target's speed without drafts: 52.5t/s or 19ms a token; a file of costs says it, too"},
       {.name = "--measured",
        .kind = Kind::text,
        .value = "SPEED",
        .summary = fmt::format("the speed with drafts, of one sequence; counters may say it, too ({})",
                               counter_formats_with_times())},
       {.name = "--batch",
        .kind = Kind::count,
        .summary = "sequences decoded together; what that costs is not known if not given",
        .least = 1},
       confidence_option()}};
  for (Option const& option : engine_options().options)
    if (option.name == "--engine") group.options.push_back(option);
  return group;
}

WhyAsked why_asked(Invocation const& args, double confidence) {
  WhyAsked asked;
  refuse_lone_units(args, {"--plain", "--measured"});
  std::string_view const way = accepted_way(args);
  Files const files = files_of(args);
  std::optional<std::int64_t> length;
  char const* option = "--gamma";
  if (args.has(option)) length = args.count(option);
  if (args.has("--draft-length")) {
    if (files.counters.empty() && way != accepted_rounds)
      throw UsageError("--draft-length has no meaning without an engine's counters (a recording has any length)",
                       fmt::format("write --gamma {}", args.count("--draft-length")));
    if (length && *length != args.count("--draft-length"))
      throw UsageError(fmt::format("--gamma is {}, --draft-length is {} (both say how many tokens a round drafts)",
                                   *length, args.count("--draft-length")),
                       "give one of them");
    length = args.count(option = "--draft-length");
  }
  if (!files.counters.empty())
    asked.counted = counters_of(files.counters, length, option, args.text_given("--draft-key"));
  if (!way.empty()) asked.counted = counters_of_option(args, way);
  if (!asked.counted) refuse_settings(args);
  if (files.recording.empty())
    require_no_text(args,
                    {recording_options(), fold_options(), {"", {{.name = "--no-bonus"}, {.name = "--engine"}}}});
  std::int64_t const gamma = drafts_of(args, asked.counted, files.recording);
  if (!files.recording.empty()) asked.study = study_of(args, files.recording, gamma, confidence);

  auto const plain = speed(args, "--plain");
  auto const verify_seconds = verify_file_seconds(args);
  RoundCosts const given(args,
                         cost_in_steps(args, plain ? plain : file_plain(args, std::nullopt, verify_seconds).of_v));
  PricedRound round = given.of(asked.study ? asked.study->recorded.trace : TokenTrace{});
  FilePlain const measured = file_plain(args, round.plain_seconds, verify_seconds);
  asked.plain_ms = plain ? plain : measured.either();
  bool const rescaled = plain && measured.either();
  if (rescaled) rescale(round.costs, measured, *plain);
  asked.priced = round;
  // The steps and what is to be set are of one batch.
  auto const batch = batch_said(args, asked.counted);
  asked.batched = batch && batch->sequences > 1;
  if (batch && batch->sequences > 1 && !round.costs.verify.empty() && !rescaled) {
    asked.priced_batch = batch->sequences;
    asked.priced = given.of(asked.study ? asked.study->recorded.trace : TokenTrace{}, asked.priced_batch);
  }
  if (args.has("--engine"))
    round = as_run_by(std::move(round), &engine_run(args.text("--engine")));
  else if (asked.counted)
    round = as_counted(std::move(round), *asked.counted);

  if (asked.study) {
    Known<Estimator> const engine = engine_rounds(args, *asked.study);
    asked.input = recording_tokens(*asked.study, gamma, engine);
    if (asked.counted) {
      TextEstimates const& texts = asked.study->parts ? *asked.study->parts : asked.study->estimates;
      auto const rounds = whole_rounds(texts, Estimator::replay, static_cast<int>(gamma));
      add_counted(asked.input, *asked.counted, rounds ? std::optional(rounds->past) : std::nullopt,
                  static_cast<double>(asked.study->estimates.tokens()) /
                      static_cast<double>(asked.study->estimates.texts()),
                  confidence);
    }
    for (std::string& note : engine_notes(args)) asked.notes.push_back(std::move(note));
    asked.argmax_drafts = engine.value && engine.value->card->drafts_argmax;
  } else {
    asked.input = asked.counted ? counted_tokens(*asked.counted, gamma, confidence) : tokens_of_option(args, way, gamma);
  }
  asked.input.bonus = !args.has("--no-bonus");
  DraftLengths lengths = asked.counted ? counted_lengths(*asked.counted) : DraftLengths{};
  if (lengths.empty()) lengths[gamma] = 1;
  if (args.has("--cost") || args.has("--verify-cost"))
    asked.notes.insert(asked.notes.end(), round.notes.begin(), round.notes.end());
  add_costs(asked, args, round, rescaled, batch, lengths);
  add_measured(asked, args);
  if (asked.counted) asked.notes.insert(asked.notes.end(), asked.counted->notes.begin(), asked.counted->notes.end());
  return asked;
}

}  // namespace draftgauge
