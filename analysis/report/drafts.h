#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/choose/draft_choice.h"
#include "analysis/counters/two_lengths.h"
#include "analysis/report/counted.h"
#include "analysis/report/field.h"

/// Which of several drafts is the fastest, each at its own costs and best γ.
namespace draftgauge {

/// How P(best) is shown; no column where it is not said.
inline FieldForm const p_best_form{.optional = true, .table_only = true, .kind = NumberKind::chance};

/// A recorded draft beside the best.
struct StandingReport {
  struct Lead {
    Interval difference;
    double holm;
    bool paired;
  };
  std::string name;
  double cost;
  int gamma;
  Estimated speedup;
  std::optional<double> wins;
  std::optional<Lead> lead;  ///< of the best
};
Described<StandingReport> const& describe(StandingReport const* standing);
struct PairReport {
  std::string first, second;
  TextComparison found;
};
Described<PairReport> const& describe(PairReport const* pair);
struct FastestReport {
  std::string best;
  std::optional<double> plain_wins;
  std::vector<StandingReport> standings;
  std::vector<PairReport> comparisons;
};
Described<FastestReport> const& describe(FastestReport const* report);

/// A draft that an engine counted, beside the best.
struct CountedStandingReport {
  std::string name;
  double cost;
  std::int64_t gamma;
  double mean_tokens;
  Estimated speedup;
  std::optional<double> wins;
  double behind;  ///< S of the best less S of this
  std::optional<Interval> lead;
  bool best, paired;
  std::string over;
  CountedReport counted;
};
Described<CountedStandingReport> const& describe(CountedStandingReport const* standing);
/// Two runs whose drafts have different lengths.
struct TwoLengthsReport {
  std::string longer, shorter;
  TwoLengths found;
};
Described<TwoLengthsReport> const& describe(TwoLengthsReport const* report);
Described<TwoLengths::Figure> const& describe(TwoLengths::Figure const* figure);
struct CountedDraftsReport {
  std::optional<std::string> best;
  std::optional<double> plain_wins;
  std::vector<CountedStandingReport> standings;
  std::optional<TwoLengthsReport> two_lengths;
};
Described<CountedDraftsReport> const& describe(CountedDraftsReport const* report);
/// The document of `measure` and of `gamma`.
struct DraftsByCounters {
  CountedDraftsReport counted_drafts;
  std::vector<std::string> notes;
};
Described<DraftsByCounters> const& describe(DraftsByCounters const* report);

}  // namespace draftgauge
