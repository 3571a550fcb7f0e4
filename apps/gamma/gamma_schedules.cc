#include "apps/gamma/gamma_schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/recordings/text_file.h"
#include "analysis/report/schedules.h"
#include "analysis/scheduling/engine_tables.h"
#include "analysis/stats/counted.h"
#include "apps/cli/written_values.h"
#include "apps/gamma/schedule_tables.h"
#include "apps/gamma/schedule_texts.h"
#include "apps/options/number_options.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

constexpr int standard_slots = 8, most_slots = 32;
constexpr double worth_while = .005;  ///< a gain that is told of

/// The schedules that --schedule names, each once; `all`: those that need no number of slots.
std::vector<ScheduleCall> schedules_from(Invocation const& args) {
  std::vector<ScheduleCall> calls;
  for (std::string const& text : args.texts("--schedule")) {
    if (text == "all") {
      for (char const* const name : {"descent", "lagged", "argmax", "threshold", "average"})
        add_once(calls, schedule_call(name));
      continue;
    }
    ScheduleCall const call =
        is_there(text) ? read_vllm_lengths(text, TextFile(text).text()) : schedule_call(text);
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

bool is_argmax(ScheduleRow const& row) { return row.schedule == "argmax"; }

/// Whether argmax is lossy there: it looks past a step at estimates that depend on tokens. Of one draft a request none
/// depends on a token of this round.
bool lossy_argmax(ScheduleRows const& found) {
  return found.first_step && std::ranges::any_of(found.rows, [](ScheduleRow const& row) {
           return is_argmax(row) && sees_tokens(row.estimates) && row.drafted.value_or(0) > 1;
         });
}

/// These columns, behind that of estimates where a schedule takes any.
Table columns_of(ScheduleRows const& found, std::vector<std::string_view> columns) {
  if (std::ranges::any_of(found.rows, [](ScheduleRow const& row) { return !row.estimates.empty(); }))
    columns.insert(columns.begin(), "estimates");
  columns.insert(columns.begin(), "schedule");
  return described_rows(found.rows).table().only(columns);
}

Section batch_section(ScheduleRows const& found, bool alone) {
  Section section{.heading = fmt::format("With {}", counted(static_cast<std::uint64_t>(found.batch), "sequence")),
                  .table = columns_of(found, alone ? std::vector<std::string_view>{"tokens_per_second", "gain", "regret"}
                                                   : std::vector<std::string_view>{"tokens_per_second", "gain",
                                                                                   "verified", "ms_per_token_p99"})};
  if (lossy_argmax(found))
    section.note(
        fmt::format("argmax is lossy here with Algorithm 1: pass times have a step at {} (docs/schedules.md). Set "
                    "lagged or descent.",
                    counted(static_cast<std::uint64_t>(*found.first_step), "verified draft")));
  return section;
}

/// What a round does under each schedule, and how long a request waits for its tokens.
Section rounds_section(ScheduleRows const& found) {
  Section section{.heading = "Its rounds",
                  .table = columns_of(found, {"drafted", "verified", "wasted", "mean_tokens", "ms_per_token",
                                              "ms_per_token_p99"})};
  section.note(fmt::format("p99: 99 % of all stretches of {} tokens of a request take at most so long per token.",
                           stretch_tokens));
  return section;
}

std::string served_text(ServedSchedules const& served) {
  std::string const at = fmt::format("At {:g} requests/s of {}{} tokens", served.requests.per_second,
                                     served.requests.lengths == TextLengths::geometric ? "a mean of " : "",
                                     served.requests.tokens);
  ServedSchedule const* best = nullptr;
  for (auto row = served.rows.begin(); row + 1 != served.rows.end(); ++row)
    if (row->ms_per_token && !(best && best->ms_per_token->value <= row->ms_per_token->value)) best = &*row;
  if (!best) return at + " requests pile up under every schedule";
  std::string const fixed = served.best_fixed == 0 ? "plain decoding" : fmt::format("the best fixed length, {}", served.best_fixed);
  if (best->gain && best->gain->low > worth_while)
    return fmt::format("{} {} takes {:.1f} % [{:.1f}, {:.1f}] less time per token than {}", at, best->schedule,
                       100 * best->gain->value, 100 * best->gain->low, 100 * best->gain->high, fixed);
  return fmt::format("{} no schedule surely takes half a percent less time per token than {}", at, fixed);
}

Section served_section(ServedSchedules const& served) {
  Section section{.heading = fmt::format("Requests that arrive at random, at most {} at once", served.most_batch),
                  .table = described_rows(served.rows).table()};
  section.note(
      "A server is played round by round: requests join between rounds, and leave when they have their tokens. Time is "
      "from arrival to the last token. Prompts take time, too, which is not counted.");
  return section;
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
            "verified, at most --most (8); all, one or more of `list schedules`, or a file with vLLM's lengths by batch size",
        .many = true},
       {.name = "--estimates",
        .kind = Kind::text,
        .value = "LIST",
        .summary = "a draft's chance to be accepted, as schedules believe it: right (Σ min(p, q)), max-q, calibrated "
                   "(max-q made right on the average), mean, or a file of SGLang's temperatures, applied to max-q; "
                   "several compare what they are worth",
        .standard = "right"},
       {.name = "--write-table",
        .kind = Kind::text,
        .value = "KIND=FILE",
        .summary = fmt::format("with --schedule: write a table that an engine loads for its schedule ({})", table_kinds()),
        .many = true}}};
}

Result gamma_of_schedules(Invocation const& args, std::string_view asked, Load const& load, GammaAsked const& how,
                          EngineCounters const* counters) {
  if (!how.bonus)
    throw UsageError(
        "--no-bonus has no meaning with --schedule (a request with no draft verified gets a token all the same)",
        "leave it out");
  std::vector<TableToWrite> const tables = tables_to_write(args);
  KnownTexts known = known_texts(args, asked, how, counters);
  require_for_tables(args, tables, known);
  std::vector<ScheduleCall> schedules = schedules_from(args);
  if (any_of_times(tables)) add_once(schedules, schedule_call("lagged"));  // whose gain the tables are priced by
  int const slots = static_cast<int>(at_most("--most", how.most.value_or(standard_slots), most_slots));
  bool const at_rate = args.has("--request-rate");
  std::vector<std::int64_t> const batches = at_rate ? std::vector<std::int64_t>() : batches_asked(args, load, known.notes);
  std::size_t ways = 2;  // fixed lengths, and who knows what is accepted
  for (ScheduleCall const& call : schedules) ways += uses_estimates(schedule_card(call)) ? known.kinds.size() : 1;
  auto bar = args.progress(fmt::format("{}, schedules", known.name), ways * std::max<std::size_t>(batches.size(), 1), "ways");
  std::size_t played = 0;
  ScheduledAsked const play{.gamma = slots,
                            .seed = how.seed,
                            .confidence = how.confidence,
                            .threads = args.threads(),
                            .played = [&] { bar.at(++played); }};
  SchedulesReport report{known.name,       known.size(), play.gamma, known.kinds.front().estimates, {},
                         play.confidence, known.notes};
  for (EstimatedTexts const& kind : known.kinds) report.all_estimates.push_back(kind.estimates);
  Result result;
  if (at_rate) {
    Requests const requests{
        .per_second = number_of(args, "--request-rate"),
        .tokens = args.count("--tokens-per-request"),
        .lengths = args.text("--request-lengths") == "geometric" ? TextLengths::geometric : TextLengths::equal};
    std::int64_t const most = std::min<std::int64_t>(load.costs.batches().back(), max_requests);
    report.served = serve_schedules(known.kinds, load.costs, most, requests, schedules, play);
    result.sections.push_back(served_section(*report.served));
    result.title = served_text(*report.served);
  }
  for (std::int64_t const batch : batches) {
    ScheduleRows const& found = report.batches.emplace_back(
        compare_schedules(known.kinds, scheduled_costs(load.costs, batch, play.gamma), schedules, play));
    result.sections.push_back(batch_section(found, batches.size() == 1));
    if (batches.size() == 1) result.sections.push_back(rounds_section(found));
  }
  if (!at_rate) {
    auto const most = std::ranges::max_element(
        report.batches, {}, [&](ScheduleRows const& found) { return fastest(found, lossy_argmax(found)).gain.low; });
    result.title = answer_of(*most, lossy_argmax(*most));
  }
  if (known.size() == 1 && asked != "--alpha")
    result.title = "One text alone, whose own chance is unknown: " + result.title;
  write_tables(result, report, tables, load, known);
  Section& last = result.sections.back();
  last.note(
      "\"accepted drafts known\" is told beforehand which drafts are accepted: about the most that a schedule can "
      "gain.");
  last.note(
      fmt::format("From {}: {} in {}; per request and round at most {} are drafted (the best number for each "
                  "schedule). {:g} % intervals over {}.",
                  known.from, known.name, counted(known.size(), "text"), play.gamma, 100 * play.confidence,
                  known.size() > 1 ? "texts" : "what is drawn"));
  last.note(known.notes);
  last.note(load.table.notes);
  result.document = document_of(report);
  return result;
}

}  // namespace draftgauge
