#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/field.h"
#include "analysis/stats/tally_ratio.h"
#include "analysis/stats/tree_counts.h"
#include "sim/model/quantise.h"
#include "sim/task/tally.h"
#include "sim/task/task.h"

/// What was counted in rounds, as a result: that of `draftgauge simulate`.
namespace draftgauge {

Described<Rounding> const& describe(Rounding const* rounding);
Described<RankCounts> const& describe(RankCounts const* counts);

/// A tally and all that is said beside it, wherever it was played.
struct Counted {
  Task task;              ///< its defaults filled in
  std::string canonical;  ///< canonical_text
  std::string source;     ///< the distributions, in words for readers
  Contexts contexts;
  Rounding rounding;
  Range range;  ///< from the first trial to behind the last
  Tally tally;
};
/// Draft steps and operations, in steps of the target; of the estimates.
struct StepCosts {
  double draft = 0, operations = 0;
};

/// {begin, end}: trials from the first to before the last.
using TrialsReport = std::vector<std::uint64_t>;
inline TrialsReport trials_of(Range range) { return {range.begin, range.end}; }
std::vector<TrialsReport> trials_of(std::vector<Range> const& ranges);

/// What ended a play.
struct PrecisionReport {
  double half_width;
  bool reached;
  TrialsReport pilot;
};
Described<PrecisionReport> const& describe(PrecisionReport const* precision);
struct StoppingReport {
  std::string ended_by;
  std::optional<double> time = {};
  std::optional<PrecisionReport> precision = {};
};
Described<StoppingReport> const& describe(StoppingReport const* stopping);

/// Where a play's trials came from.
struct StoreUseReport {
  std::string path;
  std::uint64_t trials_stored, trials_played;
  std::optional<std::uint64_t> trials_apart = {};
};
Described<StoreUseReport> const& describe(StoreUseReport const* use);
struct MergedReport {
  std::size_t rows;
  std::vector<TrialsReport> ranges;
};
Described<MergedReport> const& describe(MergedReport const* merged);

struct TallyReport {
  Counted const& counted;
  bool independent_rounds;  ///< intervals are over rounds; else over trials
  std::optional<Interval> acceptance = {}, mean_accepted = {}, mean_tokens = {};  ///< none of one trial alone
  std::optional<Priced<Interval>> costs = {};
  std::vector<RankCounts> by_rank = {};  ///< of trees
  std::optional<std::uint64_t> tables_bytes = {};
  std::optional<int> ranks = {};
  std::optional<std::vector<TrialsReport>> missing = {};
  std::optional<StoppingReport> stopping = {};
  std::optional<StoreUseReport> store = {};
  std::optional<MergedReport> merged = {};

  std::string_view units() const { return independent_rounds ? "rounds" : "trials"; }
};
Described<TallyReport> const& describe(TallyReport const* report);
/// Its estimates, for people; cost, ops_cost: what they are taken at, in words.
Fields<TallyReport> estimate_fields(std::string const& cost, std::string const& ops_cost);
/// `counted` must outlive it.
TallyReport report_of(Counted const& counted, StepCosts const& costs, double confidence);

}  // namespace draftgauge
