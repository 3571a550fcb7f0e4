#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/scheduling/scheduled_texts.h"
#include "analysis/stats/interval.h"

/// What a schedule of verification gains over a batch of a fixed size.
namespace draftgauge {

/// The same texts, as one kind of estimates tells them: "right", "max-q".
struct EstimatedTexts {
  std::string estimates;
  std::vector<ScheduledText> texts;
};

struct ScheduledAsked {
  int gamma = 8;  ///< the most drafts of a request's round; how many are drafted is chosen for each schedule
  std::uint64_t seed = 1;
  double confidence = .95;
  int replicates = 32;                   ///< batches of resampled texts, of which the intervals are made
  std::int64_t request_rounds = 16'384;  ///< of each
  int threads = 1;                       ///< no number depends on it
  std::function<void()> played = {};     ///< told when fixed lengths are played, each schedule, and who knows
};

/// Tokens of the stretches of a request whose time is told: about a sentence.
inline constexpr std::size_t stretch_tokens = 32;

/// What one schedule gives. Intervals are over texts, by Student's t with one degree of freedom fewer than there are; of one
/// text over what is drawn alone.
struct ScheduleRow {
  std::string schedule;
  std::string estimates;  ///< that it was told; empty: it takes none
  Interval tokens_per_second;
  Interval speedup;  ///< over plain decoding of the same batch
  Interval gain;     ///< over the best fixed length, less 1
  Interval regret;   ///< share of the tokens per second of who knows which drafts are accepted
  std::optional<int>
      drafted;  ///< drafts of a request's round, the best of what was tried; none where what is verified is known before
  double tokens;    ///< emitted by a request's round
  double verified;  ///< slots of a request's round
  double wasted;    ///< share of them that was rejected, or stood behind a rejected one
  double ms_per_token;
  double ms_per_token_p99;  ///< that 99 % of a request's stretches keep; 0 where rounds were too few for one
};

/// Schedules beside plain decoding (the first row, length 0), the best fixed length (the second, where it is another), and
/// what one could do that knew beforehand which drafts are accepted (the last).
struct ScheduleRows {
  std::int64_t batch = 1;
  int best_fixed = 0;
  std::optional<int> first_step = {};  ///< as first_step says it
  std::vector<ScheduleRow> rows = {};
};

/// With its parameters, where they are not the standard ones.
std::string name_of(ScheduleCall const& call);
/// Whether it looks at estimates at all.
inline bool uses_estimates(ScheduleCard const& card) { return card.sight != Sight::past; }

/// A schedule that takes estimates has a row for each kind. Throws UsageError for more requests than a batch holds, and
/// InputError where no text has a token. Domain: variants is not empty, and tells the same texts.
ScheduleRows compare_schedules(std::vector<EstimatedTexts> const& variants, ScheduledCosts const& costs,
                               std::vector<ScheduleCall> const& schedules, ScheduledAsked const& asked);

}  // namespace draftgauge
