#include "analysis/report/schedules.h"

namespace draftgauge {

Described<ScheduleRow> const& describe(ScheduleRow const* /*row*/) {
  static Described<ScheduleRow> const all(
      {.name = "ScheduleRow", .says = "What one schedule of verification gives at one batch size."},
      {{"schedule",
        "schedule",
        &ScheduleRow::schedule,
        {.says = "Its name, with parameters that are not the standard ones."}},
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
        {.decimals = 2, .spare = true, .says = "What a request waits for a token.", .least = 0}}});
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

Described<SchedulesReport> const& describe(SchedulesReport const* /*report*/) {
  static Described<SchedulesReport> const all(
      {.name = "Schedules", .says = "What schedules of verification gain over a batch.", .document = true},
      {{"estimator", [](SchedulesReport const&) { return "scheduled_batches"; }, {.words = {"scheduled_batches"}}},
       {"name", &SchedulesReport::name, {.says = "What says which drafts are accepted."}},
       {"texts", &SchedulesReport::texts, {.says = "Texts that schedules are played along.", .least = 1}},
       {"gamma", &SchedulesReport::gamma, {.says = "The most drafts of a request's round.", .least = 1}},
       {"estimates",
        &SchedulesReport::estimates,
        {.says = "What schedules believe of a draft.", .words = {"right", "max-q", "mean"}}},
       {"confidence", &SchedulesReport::confidence, {.says = "Of the intervals.", .least = 0, .most = 1}},
       {"notes", &SchedulesReport::notes},
       {"batches", &SchedulesReport::batches, {.fewest = 1}}});
  return all;
}

}  // namespace draftgauge
