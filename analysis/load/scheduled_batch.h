#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/load/batch_costs.h"
#include "analysis/stats/interval.h"
#include "sim/schedules/schedules.h"

/// What a schedule of verification gains: batches of requests that go along texts of which it is known how likely a
/// draft of each token is accepted. Estimates behind a rejected draft are those of the text, where an engine has those
/// of what was drafted.
namespace draftgauge {

/// A text as requests read it, one number a token.
struct ScheduledText {
  std::vector<double> accepted;  ///< P(a draft of this token is accepted | text): min(1, q/p) for the token rule
  std::vector<double> estimate;  ///< what schedules are told of it before the token is known
};

/// The time of a batch's rounds.
struct ScheduledCosts {
  double plain_ms;  ///< of a plain step of the batch
  Costs costs;      ///< in such steps
  std::int64_t batch;
  /// [slots + 1] of passes that verify so many slots, where times are known by all tokens of a pass; or empty.
  std::vector<double> pass_ms = {};

  /// Milliseconds of a round with so many steps of the draft, and a pass over one token a sequence and so many slots;
  /// between whole numbers of tokens a sequence on a straight line.
  double round_ms(int drafted, int slots) const;
};

struct ScheduledAsked {
  int gamma = 8;  ///< the most drafts of a request's round; how many are drafted is chosen for each schedule
  std::uint64_t seed = 1;
  double confidence = .95;
  int replicates = 32;                   ///< batches of resampled texts, of which the intervals are made
  std::int64_t request_rounds = 16'384;  ///< of each
};

/// What one schedule gives. Intervals are over texts, by Student's t with one degree of freedom fewer than there are; of one
/// text over what is drawn alone.
struct ScheduleRow {
  std::string schedule;
  Interval tokens_per_second;
  Interval speedup;  ///< over plain decoding of the same batch
  Interval gain;     ///< over the best fixed length, less 1
  std::optional<int>
      drafted;  ///< drafts of a request's round, the best of what was tried; none where what is verified is known before
  double tokens;    ///< emitted by a request's round
  double verified;  ///< slots of a request's round
  double wasted;    ///< share of them that were rejected, or stood behind a rejected one
  double ms_per_token;
};

/// Schedules beside plain decoding (the first row, length 0), the best fixed length (the second, where it is another), and
/// what one could do that knew beforehand which drafts are accepted (the last).
struct ScheduleRows {
  std::int64_t batch = 1;
  int best_fixed = 0;
  std::optional<int> first_step = {};  ///< as first_step says it
  std::vector<ScheduleRow> rows = {};
};

/// Throws UsageError for more requests than a batch holds, and InputError where no text has a token.
ScheduleRows compare_schedules(std::vector<ScheduledText> const& texts, ScheduledCosts const& costs,
                               std::vector<Call> const& schedules, ScheduledAsked const& asked);

/// Whether times are convex in the number of slots, so that the best budget of a round is lossless (docs/schedules.md);
/// if not, the first number of slots at which they are not.
std::optional<int> first_step(ScheduledCosts const& costs, int gamma);

}  // namespace draftgauge
