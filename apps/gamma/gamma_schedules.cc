#include "apps/gamma/gamma_schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/counters/ordered.h"
#include "analysis/load/scheduled_batch.h"
#include "analysis/report/schedules.h"
#include "analysis/stats/counted.h"
#include "apps/options/number_options.h"
#include "apps/options/recording_options.h"
#include "apps/recording/measured_recording.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"
#include "sim/schedules/estimates.h"

namespace draftgauge {
namespace {

constexpr int standard_slots = 8, most_slots = 32;
constexpr double worth_while = .005;         ///< a gain that is told of
constexpr std::size_t text_of_alpha = 4096;  ///< tokens, which are all alike

/// Texts as schedules are played along them, and what to say of them.
struct KnownTexts {
  std::vector<ScheduledText> texts;
  std::string name, from;
  std::string estimates = {};  ///< those that are used
  bool sees_tokens = false;    ///< whether an estimate depends on the tokens before it
  std::vector<std::string> notes = {};
};

/// Where nothing tells one draft from another: every one is estimated at the mean acceptance.
void estimate_at_mean(KnownTexts& known) {
  double sum = 0;
  std::size_t count = 0;
  for (ScheduledText const& text : known.texts) {
    for (double const one : text.accepted) sum += one;
    count += text.accepted.size();
  }
  for (ScheduledText& text : known.texts)
    text.estimate.assign(text.accepted.size(), count > 0 ? sum / static_cast<double>(count) : 0);
  known.estimates = "mean";
}

KnownTexts texts_of_alpha(Invocation const& args) {
  auto const alphas = numbers_of(args, "--alpha");
  if (alphas.size() != 1) throw UsageError("several α are given with --schedule (its answer is of one)", "give one");
  ScheduledText const text{std::vector<double>(text_of_alpha, alphas.front()),
                           std::vector<double>(text_of_alpha, alphas.front())};
  return {.texts = {text},
          .name = fmt::format("α = {}", args.text("--alpha")),
          .from = "an acceptance rate",
          .estimates = "mean",
          .notes = {"With one α every draft is as likely: no estimate can tell them apart, and a schedule has little "
                    "to gain."}};
}

KnownTexts texts_of_recording(Invocation const& args, GammaAsked const& how, EstimateText const& asked) {
  std::vector<Recorded> const recordings = recordings_from(args);
  if (recordings.size() != 1)
    throw UsageError("several recordings are given with --schedule (its answer is of one)", "give one");
  TokenTrace const& trace = recordings.front().trace;
  TextEstimates const estimates(trace, EstimateOptions::of_these({1}, how.bonus, how.seed));
  std::vector<TextAcceptance> const& acceptance = estimates.acceptance();
  if (acceptance.front().a.empty())
    throw InputError(fmt::format("{}: {} (a schedule is played along its tokens)", trace.name, estimates.why_no_a()),
                     "give a recording with log p and log q of each token");
  KnownTexts known{.texts = {}, .name = trace.name, .from = "a recording"};
  bool const beta = asked.kind == EstimateText::Kind::right && all_have(trace, &TextTrace::beta);
  bool const largest = asked.kind == EstimateText::Kind::largest_q && all_have(trace, &TextTrace::max_q);
  if (asked.kind == EstimateText::Kind::largest_q && !largest)
    throw InputError(fmt::format("{} does not have the largest q of each place", trace.name),
                     "leave --estimates out, or record full rows");
  for (std::size_t i = 0; i < acceptance.size(); ++i)
    known.texts.push_back({acceptance[i].a, beta      ? acceptance[i].beta
                                            : largest ? trace.texts[i].max_q
                                                      : std::vector<double>()});
  known.estimates = beta ? "right" : "max-q";
  known.sees_tokens = beta || largest;
  if (!known.sees_tokens) {
    estimate_at_mean(known);
    if (asked.kind == EstimateText::Kind::right)
      known.notes.push_back(
          "The recording has no Σ min(p, q) of its places: every draft is estimated at the mean acceptance.");
  }
  return known;
}

KnownTexts texts_of_rounds(EngineCounters const& counters) {
  OrderedCounts const ordered = ordered_counts(counters);
  if (ordered.requests.empty())
    throw UsageError(ordered.why_not.empty()
                         ? std::string("the counters do not list the rounds of each request in their order "
                                       "(a schedule is played along them)")
                         : ordered.why_not,
                     "give a recording, --alpha, or responses that list each round");
  HoleRate holes;
  for (auto const& request : ordered.requests)
    for (OrderedRounds const& rounds : request) holes += hole_rate(rounds);
  auto const hole = holes.rate<double>();
  KnownTexts known{.texts = {}, .name = "rounds", .from = "rounds in their order"};
  for (auto const& request : ordered.requests) {
    std::vector<double>& accepted = known.texts.emplace_back().accepted;
    for (OrderedRounds const& rounds : request)
      for (Outcome const outcome : sequence_of(rounds))
        accepted.push_back(outcome == Outcome::hole ? hole : outcome == Outcome::accepted ? 1 : 0);
  }
  estimate_at_mean(known);
  known.notes.push_back(
      "Counts of rounds say nothing of a draft before it is verified: every draft is estimated at the mean "
      "acceptance.");
  return known;
}

/// The schedules that --schedule names, each once; `all`: those that need no number of slots.
std::vector<Call> schedules_from(Invocation const& args) {
  std::vector<Call> calls;
  for (std::string const& text : args.texts("--schedule")) {
    if (text == "all") {
      for (char const* const name : {"descent", "lagged", "argmax", "threshold", "average"})
        add_once(calls, schedule_call(name));
      continue;
    }
    Call const call = schedule_call(text);
    if (schedule_card(call).sight == Sight::tokens)
      throw UsageError(fmt::format("{} is faulty (nobody should set it)", text), "name another");
    add_once(calls, call);
  }
  return calls;
}

/// The schedule that makes most tokens, of those that one can run; lossy: argmax is none of them.
ScheduleRow const& fastest(ScheduleRows const& found, bool lossy) {
  ScheduleRow const* best = &found.rows.front();
  for (auto row = found.rows.begin(); row + 1 != found.rows.end(); ++row)
    if (!(lossy && row->schedule == "argmax") && row->tokens_per_second.value > best->tokens_per_second.value)
      best = &*row;
  return *best;
}

std::string answer_of(ScheduleRows const& found, bool lossy) {
  ScheduleRow const& best = fastest(found, lossy);
  std::string const at = counted(static_cast<std::uint64_t>(found.batch), "sequence");
  std::string const fixed =
      found.best_fixed == 0 ? "plain decoding" : fmt::format("the best fixed length, {}", found.best_fixed);
  if (best.gain.low > worth_while)
    return fmt::format("With {} {} makes {:.1f} % [{:.1f}, {:.1f}] more tokens per second than {}", at, best.schedule,
                       100 * best.gain.value, 100 * best.gain.low, 100 * best.gain.high, fixed);
  return fmt::format("With {} no schedule surely gains half a percent over {}", at, fixed);
}

/// The batch sizes that are asked about: --concurrency, else all that were measured and that a schedule is played with.
std::vector<std::int64_t> batches_asked(Invocation const& args, Load const& load, std::vector<std::string>& notes) {
  if (args.has("--concurrency")) {
    double const asked = number_of(args, "--concurrency");
    if (!(asked <= max_requests))
      throw UsageError(
          fmt::format("--concurrency {} is out of range (a schedule is played with at most {} sequences)",
                      args.text("--concurrency"), max_requests));
    return {std::max<std::int64_t>(1, std::llround(asked))};
  }
  std::vector<std::int64_t> batches = load.costs.batches();
  if (std::erase_if(batches, [](std::int64_t batch) { return batch > max_requests; }) > 0)
    notes.push_back(
        fmt::format("Schedules are played with at most {} sequences: larger batches are left out.", max_requests));
  if (batches.empty())
    throw UsageError(fmt::format("no batch of at most {} sequences was measured", max_requests), "add --concurrency");
  return batches;
}

ScheduledCosts costs_of(Load const& load, std::int64_t batch, int gamma) {
  ScheduledCosts costs{load.costs.plain_ms(batch).value, load.costs.at(batch), batch};
  if (load.costs.by_tokens())
    for (std::int64_t n = 0; n <= batch * gamma; ++n) costs.pass_ms.push_back(load.costs.plain_ms(batch + n).value);
  return costs;
}

}  // namespace

OptionGroup gamma_schedule_options() {
  return {
      "Which drafts of a batch are verified",
      {{.name = "--schedule",
        .kind = Kind::text,
        .value = "NAME",
        .summary =
            "with --load: what schedules gain that decide over the whole batch how many drafts of each request are "
            "verified, at most --most (8); all, or one or more of `list schedules`",
        .many = true},
       {.name = "--estimates",
        .kind = Kind::choice,
        .summary = "a draft's chance to be accepted, as schedules believe it: right (Σ min(p, q)), max-q, or mean",
        .standard = "right",
        .choices = {"right", "max-q", "mean"}}}};
}

Result gamma_of_schedules(Invocation const& args, std::string_view asked, Load const& load, GammaAsked const& how,
                          EngineCounters const* counters) {
  if (!how.bonus)
    throw UsageError(
        "--no-bonus has no meaning with --schedule (a request with no draft verified gets a token all the same)",
        "leave it out");
  std::string const& said = args.text("--estimates");
  EstimateText const estimates = said == "mean" ? EstimateText{EstimateText::Kind::by_place} : parse_estimates(said);
  if (counters || asked != "FILE")
    args.refuse({"--estimates"}, "has no meaning without a recording (nothing else tells one draft from another)");
  if (!counters && asked != "--alpha" && asked != "FILE")
    throw UsageError(fmt::format("{} says what is accepted on the whole (a schedule is played along texts)", asked),
                     "give --alpha, a recording, or rounds in their order");
  KnownTexts known = counters             ? texts_of_rounds(*counters)
                     : asked == "--alpha" ? texts_of_alpha(args)
                                          : texts_of_recording(args, how, estimates);
  std::vector<Call> const schedules = schedules_from(args);
  int const slots = static_cast<int>(at_most("--most", how.most.value_or(standard_slots), most_slots));
  ScheduledAsked const play{.gamma = slots, .seed = how.seed, .confidence = how.confidence};
  std::vector<std::int64_t> const batches = batches_asked(args, load, known.notes);

  SchedulesReport report{known.name, known.texts.size(), play.gamma, known.estimates, play.confidence, known.notes};
  Result result;
  bool const argmax =
      std::ranges::any_of(schedules, [](Call const& call) { return schedule_card(call).sight == Sight::estimates; });
  // Of one draft a request no estimate depends on a token of this round.
  auto const lossy = [&](ScheduleRows const& found) {
    auto const row = std::ranges::find(found.rows, "argmax", &ScheduleRow::schedule);
    return known.sees_tokens && found.first_step && row != found.rows.end() && row->drafted.value_or(0) > 1;
  };
  auto bar = args.progress(fmt::format("{}, schedules", known.name), batches.size(), "batch sizes");
  for (std::int64_t const batch : batches) {
    ScheduleRows const& found = report.batches.emplace_back(
        compare_schedules(known.texts, costs_of(load, batch, play.gamma), schedules, play));
    Section section{.heading = fmt::format("With {}", counted(static_cast<std::uint64_t>(batch), "sequence")),
                    .table = described_rows(found.rows).table()};
    if (argmax && lossy(found))
      section.note(
          fmt::format("argmax is lossy here with Algorithm 1: pass times have a step at {} (docs/schedules.md). Set "
                      "lagged or descent.",
                      counted(static_cast<std::uint64_t>(*found.first_step), "verified draft")));
    result.sections.push_back(std::move(section));
    bar.at(report.batches.size());
  }
  auto const most = std::ranges::max_element(
      report.batches, {}, [&](ScheduleRows const& found) { return fastest(found, lossy(found)).gain.low; });
  result.title = answer_of(*most, lossy(*most));
  if (known.texts.size() == 1 && asked != "--alpha")
    result.title = "One text alone, whose own chance is unknown: " + result.title;
  Section& last = result.sections.back();
  last.note(
      "\"accepted drafts known\" is told beforehand which drafts are accepted: about the most that a schedule can "
      "gain.");
  last.note(
      fmt::format("From {}: {} in {}; per request and round at most {} are drafted (the best number for each "
                  "schedule). {:g} % intervals over {}.",
                  known.from, known.name, counted(known.texts.size(), "text"), play.gamma, 100 * play.confidence,
                  known.texts.size() > 1 ? "texts" : "what is drawn"));
  last.note(known.notes);
  last.note(load.table.notes);
  result.document = document_of(report);
  return result;
}

}  // namespace draftgauge
