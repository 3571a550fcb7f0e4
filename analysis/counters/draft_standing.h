#pragma once
#include <optional>
#include <span>
#include <vector>

#include "analysis/counters/counted_curve.h"

namespace draftgauge {

/// What an engine counted of a draft, and what rounds with it cost.
struct CountedDraft {
  EngineCounters counters;
  Costs costs;
};

/// Drafts by what engines counted of them, each at the length that is best for it at its own costs.
struct CountedChoice {
  struct Standing {
    CountedCurve curve;
    /// P(best): how often it is the fastest of all, each at the γ that ran in a draw of its own, of which each may stand
    /// beside each of the others'; drafts that are as fast share it. None where one of them does not decide anything,
    /// or was counted over fewer than fewest_for_chances requests.
    std::optional<double> p_best = {};
    double speedup() const { return curve.rows[curve.best].speedup; }
    std::optional<Interval> const& interval() const { return curve.rows[curve.best].interval; }
  };
  std::vector<Standing> drafts;        ///< as they were given
  std::size_t best;                    ///< place of the greatest speed-up
  std::optional<double> plain_p_best;  ///< how often no draft is faster than plain decoding
  bool few_requests;                   ///< one of them was counted over too few to say these
  /// S of the best less S of each, which all cover together. Of the same requests by the differences between them
  /// (Student's t); else of runs that are independent of each other, from both intervals (Zou and Donner, Stat. Med. 27,
  /// 2008). Of the best itself 0. None where one of the two has none.
  std::vector<std::optional<Interval>> leads;
  std::vector<bool> paired;  ///< which are by the differences
};

/// Throws InputError for counters of which no curve can be had. At least two drafts; what is said of one does not
/// hang on the others.
CountedChoice choose_counted(std::span<CountedDraft const> drafts, CountedAsked const& asked);

}  // namespace draftgauge
