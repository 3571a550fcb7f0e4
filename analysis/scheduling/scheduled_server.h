#pragma once
#include <vector>

#include "analysis/load/rate_choice.h"
#include "analysis/scheduling/scheduled_batch.h"

namespace draftgauge {

/// What a schedule gives where requests arrive at random (Poisson), join the batch between rounds while there is a place,
/// and leave it when they have their tokens.
struct ServedSchedule {
  std::string schedule, estimates;  ///< as in ScheduleRow
  double most_requests_per_second;  ///< that a full batch serves
  /// From a request's arrival to its last token, by its tokens: the mean, and what 99 % of requests keep; none where
  /// requests pile up.
  std::optional<Interval> ms_per_token = {};
  std::optional<double> ms_per_token_p99 = {};
  std::optional<double> in_progress = {};  ///< requests decoded or waiting, by Little's law
  std::optional<double> waited = {};       ///< share of requests that found no place
  std::optional<Interval> gain = {};       ///< time per token under that of the best fixed length, as a share
  std::optional<int> drafted = {};
};

/// Plain decoding first, the best fixed length, the schedules, and who knows which drafts are accepted.
struct ServedSchedules {
  Requests requests;
  std::int64_t most_batch;  ///< no more are decoded at once
  int best_fixed = 0;
  std::vector<ServedSchedule> rows = {};
};

/// Plays a server step by step at each number of sequences up to `most_batch`; a round takes what its batch takes.
/// Throws as compare_schedules.
ServedSchedules serve_schedules(std::vector<EstimatedTexts> const& variants, BatchCosts const& costs,
                                std::int64_t most_batch, Requests const& requests,
                                std::vector<ScheduleCall> const& schedules, ScheduledAsked const& asked);

}  // namespace draftgauge
