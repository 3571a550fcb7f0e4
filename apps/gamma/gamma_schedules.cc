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
  std::vector<std::string> notes = {};
};

double mean_of(std::vector<std::vector<double>> const& lists) {
  double sum = 0;
  std::size_t count = 0;
  for (auto const& list : lists) {
    for (double const one : list) sum += one;
    count += list.size();
  }
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

KnownTexts texts_of_alpha(Invocation const& args) {
  auto const alphas = numbers_of(args, "--alpha");
  if (alphas.size() != 1) throw UsageError("several α are given with --schedule (its answer is of one)", "give one");
  ScheduledText const text{std::vector<double>(text_of_alpha, alphas.front()),
                           std::vector<double>(text_of_alpha, alphas.front())};
  return {
      {text},
      fmt::format("α = {}", args.text("--alpha")),
      "an acceptance rate",
      {"With one α every draft is as likely: no estimate can tell them apart, and a schedule has little to gain."}};
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
  KnownTexts known{{}, trace.name, "a recording"};
  bool const beta = asked.kind == EstimateText::Kind::right && all_have(trace, &TextTrace::beta);
  bool const largest = asked.kind == EstimateText::Kind::largest_q && all_have(trace, &TextTrace::max_q);
  if (asked.kind == EstimateText::Kind::largest_q && !largest)
    throw InputError(fmt::format("{} does not have the largest q of each place", trace.name),
                     "leave --estimates out, or record full rows");
  for (std::size_t i = 0; i < acceptance.size(); ++i)
    known.texts.push_back({acceptance[i].a, beta      ? acceptance[i].beta
                                            : largest ? trace.texts[i].max_q
                                                      : std::vector<double>()});
  if (!beta && !largest) {
    std::vector<std::vector<double>> all;
    for (ScheduledText const& text : known.texts) all.push_back(text.accepted);
    double const mean = mean_of(all);
    for (ScheduledText& text : known.texts) text.estimate.assign(text.accepted.size(), mean);
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
  KnownTexts known{{}, "rounds", "rounds in their order"};
  std::vector<std::vector<double>> all;
  for (auto const& request : ordered.requests) {
    std::vector<double> accepted;
    for (OrderedRounds const& rounds : request)
      for (Outcome const outcome : sequence_of(rounds))
        accepted.push_back(outcome == Outcome::hole ? hole : outcome == Outcome::accepted ? 1 : 0);
    all.push_back(std::move(accepted));
  }
  double const mean = mean_of(all);
  for (auto& accepted : all) known.texts.push_back({accepted, std::vector<double>(accepted.size(), mean)});
  known.notes.push_back(
      "Counts of rounds say nothing of a draft before it is verified: every draft is estimated at the mean "
      "acceptance.");
  return known;
}

/// The schedules that --schedule names; `all`: every right one, `top` with as many slots as the best fixed length has.
std::vector<Call> schedules_from(Invocation const& args) {
  std::vector<Call> calls;
  for (std::string const& text : args.texts("--schedule")) {
    if (text == "all") {
      for (char const* const name : {"descent", "lagged", "argmax", "threshold", "average"})
        calls.push_back(schedule_call(name));
      continue;
    }
    Call const call = schedule_call(text);
    if (schedule_card(call).sight == Sight::tokens)
      throw UsageError(fmt::format("{} is faulty (nobody should set it)", text), "name another");
    calls.push_back(call);
  }
  return calls;
}

/// The schedule that makes most tokens, of those that one can run.
ScheduleRow const& fastest(ScheduleRows const& found) {
  return *std::max_element(found.rows.begin(), found.rows.end() - 1, [](ScheduleRow const& a, ScheduleRow const& b) {
    return a.tokens_per_second.value < b.tokens_per_second.value;
  });
}

std::string answer_of(ScheduleRows const& found) {
  ScheduleRow const& best = fastest(found);
  std::string const at = counted(static_cast<std::uint64_t>(found.batch), "sequence");
  ScheduleRow const& fixed = found.rows[1];
  if (best.gain.low > worth_while)
    return fmt::format(
        "With {} {} makes {:.1f} % [{:.1f}, {:.1f}] more tokens per second than the best fixed length, {}", at,
        best.schedule, 100 * best.gain.value, 100 * best.gain.low, 100 * best.gain.high, found.best_fixed);
  return fmt::format(
      "With {} no schedule surely beats the best fixed length, {}, by half a percent ({:.2f}× as fast as plain)", at,
      found.best_fixed, fixed.speedup.value);
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
  KnownTexts const known = counters             ? texts_of_rounds(*counters)
                           : asked == "--alpha" ? texts_of_alpha(args)
                           : asked == "FILE"
                               ? texts_of_recording(args, how, estimates)
                               : throw UsageError(fmt::format("{} says what is accepted on the whole (a schedule "
                                                              "is played along texts)",
                                                              asked),
                                                  "give --alpha, a recording, or rounds in their order");
  std::vector<Call> const schedules = schedules_from(args);
  int const slots = static_cast<int>(at_most("--most", how.most.value_or(standard_slots), most_slots));
  ScheduledAsked const play{.gamma = slots, .seed = how.seed, .confidence = how.confidence};
  std::vector<std::int64_t> batches = load.costs.batches();
  std::erase_if(batches, [](std::int64_t batch) { return batch > max_requests; });
  if (args.has("--concurrency"))
    batches = {std::max<std::int64_t>(1, std::llround(number_of(args, "--concurrency")))};

  SchedulesReport report{known.name, known.texts.size(), play.gamma, said, play.confidence, known.notes};
  Result result;
  bool const argmax =
      std::ranges::any_of(schedules, [](Call const& call) { return schedule_card(call).sight == Sight::estimates; });
  auto bar = args.progress(fmt::format("{}, schedules", known.name), batches.size(), "batch sizes");
  for (std::int64_t const batch : batches) {
    ScheduledCosts const costs{load.costs.plain_ms(batch).value, load.costs.at(batch), batch};
    ScheduleRows const& found = report.batches.emplace_back(compare_schedules(known.texts, costs, schedules, play));
    Section section{.heading = fmt::format("With {}", counted(static_cast<std::uint64_t>(batch), "sequence")),
                    .table = described_rows(found.rows).table()};
    if (argmax && found.first_step)
      section.note(fmt::format(
          "argmax is lossy here: pass times have a step at {} (docs/schedules.md). Set lagged or descent.",
          counted(static_cast<std::uint64_t>(*found.first_step), "verified draft")));
    result.sections.push_back(std::move(section));
    bar.at(report.batches.size());
  }
  auto const most =
      std::ranges::max_element(report.batches, {}, [](ScheduleRows const& found) { return fastest(found).gain.low; });
  result.title = answer_of(*most);
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
