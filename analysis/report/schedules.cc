#include "analysis/report/schedules.h"

namespace draftgauge {

Described<ScheduleRow> const& describe(ScheduleRow const* /*row*/) {
  static Described<ScheduleRow> const all(
      {.name = "ScheduleRow", .says = "What one schedule of verification gives at one batch size."},
      {{"schedule",
        "schedule",
        &ScheduleRow::schedule,
        {.says = "Its name, with parameters that are not the standard ones."}},
       {"estimates",
        "estimates",
        [](ScheduleRow const& row) { return given(!row.estimates.empty(), row.estimates); },
        {.optional = true, .says = "What it was told of drafts; absent where it looks at none."}},
       {"tokens_per_second",
        "tokens/s",
        &ScheduleRow::tokens_per_second,
        {.decimals = 0, .says = "Of the whole batch.", .least = 0}},
       {"gain",
        "over best fixed",
        &ScheduleRow::gain,
        {.decimals = 1,
         .difference = true,
         .kind = NumberKind::share,
         .says = "Tokens per second over those of the best fixed length, less 1."}},
       {"regret",
        "short of known",
        &ScheduleRow::regret,
        {.decimals = 1,
         .spare = true,
         .difference = true,
         .kind = NumberKind::share,
         .says = "1 less the share of the tokens per second of one that is told which drafts are accepted."}},
       {"drafted",
        "drafted",
        &ScheduleRow::drafted,
        {.spare = true,
         .says = "Tokens that a request's round drafts, the best number of those tried; null where as many are "
                 "drafted as are verified.",
         .least = 0}},
       {"verified",
        "verified",
        &ScheduleRow::verified,
        {.decimals = 2, .says = "Drafts that a request's round verifies.", .least = 0}},
       {"wasted",
        "rejected",
        &ScheduleRow::wasted,
        {.decimals = 0,
         .spare = true,
         .kind = NumberKind::share,
         .says = "Share of them that is not accepted.",
         .least = 0,
         .most = 1}},
       {"mean_tokens",
        "tokens",
        &ScheduleRow::tokens,
        {.decimals = 2, .spare = true, .says = "Tokens that a request's round emits.", .least = 0}},
       {"speedup",
        "speed-up",
        &ScheduleRow::speedup,
        {.decimals = 2, .spare = true, .says = "Over plain decoding of the same batch.", .least = 0}},
       {"ms_per_token",
        "ms per token",
        &ScheduleRow::ms_per_token,
        {.decimals = 2, .spare = true, .says = "What a request waits for a token.", .least = 0}},
       {"ms_per_token_p99",
        "p99",
        [](ScheduleRow const& row) { return given(row.ms_per_token_p99 > 0, row.ms_per_token_p99); },
        {.decimals = 2,
         .spare = true,
         .says = "What 99 % of a request's stretches of 32 tokens take per token at most; null where rounds were too few.",
         .least = 0}}});
  return all;
}

Described<ScheduleRows> const& describe(ScheduleRows const* /*rows*/) {
  static Described<ScheduleRows> const all(
      {.name = "SchedulesOfBatch", .says = "Schedules of verification at one batch size."},
      {{"batch", &ScheduleRows::batch, {.says = "Sequences that are decoded at once.", .least = 1}},
       {"best_fixed",
        &ScheduleRows::best_fixed,
        {.says = "The best length that is the same for all requests and rounds.", .least = 0}},
       {"first_step",
        &ScheduleRows::first_step,
        {.says = "Verified drafts at which pass times are not convex; null where they are.", .least = 1}},
       {"rows",
        &ScheduleRows::rows,
        {.says =
             "Plain decoding, the best fixed length, the schedules, and one that is told which drafts are accepted.",
         .fewest = 2}}});
  return all;
}

Described<ServedSchedule> const& describe(ServedSchedule const* /*row*/) {
  static Described<ServedSchedule> const all(
      {.name = "ServedSchedule", .says = "What one schedule of verification gives at a rate of requests."},
      {{"schedule", "schedule", &ServedSchedule::schedule, {.says = "As in ScheduleRow."}},
       {"estimates",
        "estimates",
        [](ServedSchedule const& row) { return given(!row.estimates.empty(), row.estimates); },
        {.optional = true, .says = "What it was told of drafts; absent where it looks at none."}},
       {"ms_per_token",
        "ms/token",
        &ServedSchedule::ms_per_token,
        {.decimals = 2, .none = "piles up", .says = "From arrival to the last token; null where requests pile up.", .least = 0}},
       {"ms_per_token_p99", "p99", &ServedSchedule::ms_per_token_p99, {.decimals = 2, .says = "Of 99 % of requests at most.", .least = 0}},
       {"gain",
        "less than best fixed",
        &ServedSchedule::gain,
        {.decimals = 1,
         .difference = true,
         .kind = NumberKind::share,
         .says = "Time per token under that of the best fixed length, as a share of it."}},
       {"in_progress",
        "in progress",
        &ServedSchedule::in_progress,
        {.decimals = 1, .spare = true, .says = "Requests that are decoded or wait, on average.", .least = 0}},
       {"waited",
        "waited",
        &ServedSchedule::waited,
        {.decimals = 0, .spare = true, .kind = NumberKind::share, .says = "Share of requests that found no place.", .least = 0, .most = 1}},
       {"drafted", "drafted", &ServedSchedule::drafted, {.spare = true, .says = "As in ScheduleRow.", .least = 0}},
       {"most_requests_per_second",
        "most requests/s",
        &ServedSchedule::most_requests_per_second,
        {.decimals = 2, .says = "That a full batch serves.", .least = 0}}});
  return all;
}

Described<ServedSchedules> const& describe(ServedSchedules const* /*served*/) {
  static Described<ServedSchedules> const all(
      {.name = "ServedSchedules", .says = "Schedules of verification at a rate of requests, which arrive at random."},
      {{"requests_per_second", [](ServedSchedules const& all) { return all.requests.per_second; }, {.says = "Their rate.", .least = 0, .above = true}},
       {"tokens_per_request", [](ServedSchedules const& all) { return all.requests.tokens; }, {.says = "On average.", .least = 1}},
       {"most_batch", &ServedSchedules::most_batch, {.says = "Sequences that are decoded at once, at most.", .least = 1}},
       {"best_fixed", &ServedSchedules::best_fixed, {.says = "The fixed length of least time per token.", .least = 0}},
       {"rows", &ServedSchedules::rows, {.says = "As in SchedulesOfBatch.", .fewest = 2}}});
  return all;
}

Described<WrittenTable> const& describe(WrittenTable const* /*table*/) {
  static Described<WrittenTable> const all(
      {.name = "WrittenTable", .says = "A table that an engine loads for its schedule of verification."},
      {{"kind", &WrittenTable::kind, {.says = "As `write-table` names it."}},
       {"path", &WrittenTable::path, {.says = "The file."}},
       {"worst_error", &WrittenTable::worst_error, {.says = "The largest relative error of its times; null of a table without.", .least = 0}},
       {"step", &WrittenTable::step, {.says = "Whether its times have a step, past which an unlagged budget is lossy; null of a table without."}}});
  return all;
}

Described<SchedulesReport> const& describe(SchedulesReport const* /*report*/) {
  static Described<SchedulesReport> const all(
      {.name = "Schedules", .says = "What schedules of verification gain over a batch.", .document = true},
      {{"estimator", [](SchedulesReport const&) { return "scheduled_batches"; }, {.words = {"scheduled_batches"}}},
       {"name", &SchedulesReport::name, {.says = "What says which drafts are accepted."}},
       {"texts", &SchedulesReport::texts, {.says = "Texts that schedules are played along.", .least = 1}},
       {"gamma", &SchedulesReport::gamma, {.says = "The most drafts of a request's round.", .least = 1}},
       {"estimates",
        &SchedulesReport::estimates,
        {.says = "What schedules believe of a draft: right, calibrated, max-q, mean, or a file of temperatures."}},
       {"all_estimates", &SchedulesReport::all_estimates, {.says = "The same, of every kind that is compared.", .fewest = 1}},
       {"confidence", &SchedulesReport::confidence, {.says = "Of the intervals.", .least = 0, .most = 1}},
       {"notes", &SchedulesReport::notes},
       {"batches", &SchedulesReport::batches, {.says = "Empty at a rate of requests."}},
       {"served", &SchedulesReport::served, {.says = "At a rate of requests; null without."}},
       {"tables", &SchedulesReport::tables, {.says = "Tables that were written for engines."}}});
  return all;
}

}  // namespace draftgauge
