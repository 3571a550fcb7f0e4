#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/greedy/greedy_text.h"
#include "analysis/report/audit.h"
#include "analysis/report/drafts.h"
#include "analysis/report/recording.h"
#include "analysis/report/tokens.h"
#include "analysis/report/tree_replay.h"
#include "analysis/texts/compare.h"

/// The documents of `draftgauge measure`.
namespace draftgauge {

/// How far two recordings of one target over one text are apart.
struct FloorReport {
  std::string estimator;
  Uncertain tv;
};
Described<FloorReport> const& describe(FloorReport const* floor);

/// A token of greedy text that is not argmax p.
struct MismatchReport {
  std::string text;
  std::size_t token;  ///< from 1
  double margin;
  std::optional<bool> tie;
};
Described<MismatchReport> const& describe(MismatchReport const* mismatch);

/// What is said of temperature 0.
struct GreedyReport {
  GreedyText found;
  bool greedy;  ///< whether the text is; else nothing is said of its tokens
  std::vector<std::string> texts;

  bool judges() const { return found.floor && found.floor->plausible(); }  ///< near ties from what is none
};
Described<GreedyReport> const& describe(GreedyReport const* report);
Described<GreedySelfDivergence> const& describe(GreedySelfDivergence const* floor);
/// The KL for which a greedy report says what share of positions no draft model within it could be rejected at.
std::vector<double> const& shown_kl();

/// What a rule's source states of the distribution that is emitted, and where that does not hold.
struct StatedBoundReport {
  std::string words;
  Uncertain broken;
};
Described<StatedBoundReport> const& describe(StatedBoundReport const* bound);

/// What one rule accepts at the recorded positions.
struct RowRuleReport {
  std::string rule, drafter;
  int candidates;
  bool lossless;
  Uncertain acceptance;
  std::optional<Uncertain> tv = {}, wasted = {};  ///< of lossy rules, one draft a position
  std::optional<StatedBoundReport> stated_bound = {};
};
Described<RowRuleReport> const& describe(RowRuleReport const* rule);

/// One recording, with what else was asked of it.
struct MeasureReport : RecordingReport {
  bool of_tree = false;                     ///< --tree
  std::optional<TreeReplayReport> tree = {};  ///< none of a rejected text
  std::optional<std::vector<RowRuleReport>> rules = {};
  std::optional<PredictionReport> engine = {};
  std::optional<AuditReport> audit = {};
  std::optional<LogprobsReport> logprobs = {};
  std::optional<FloorReport> floor = {};
  std::optional<GreedyReport> greedy = {};
  std::optional<std::vector<TokenReport>> tokens_known = {};  ///< --per-position
};
Described<MeasureReport> describe_like(MeasureReport const& report);
Described<MeasureReport> const& describe(MeasureReport const* report);
Json document_of(MeasureReport const& report);

/// Drafts that are looked up in text.
struct LookupReport {
  struct Suffix {
    int longest, shortest;
  };
  std::string name, drafter, looked_in;
  Suffix suffix;
  int draft_tokens;
  std::size_t texts, tokens;
  std::int64_t rounds;
  Uncertain tokens_per_round;
  std::optional<Uncertain> speedup;
  double found, mean_drafts;
  std::vector<std::int64_t> accepted_histogram;
};
Described<LookupReport> const& describe(LookupReport const* report);
Described<LookupReport::Suffix> const& describe(LookupReport::Suffix const* suffix);

struct MeasureOfLookup {
  LookupReport lookup;
  Costs costs;
  std::vector<std::string> notes;
};
Described<MeasureOfLookup> const& describe(MeasureOfLookup const* report);

/// One recording against another.
struct ComparisonReport {
  std::string first, second;
  int gamma;
  std::string estimator;
  TextComparison found;
  bool usable;
};
Described<ComparisonReport> const& describe(ComparisonReport const* comparison);
/// Two recordings that share texts without being over the same.
struct OverlapReport {
  std::string first, second;
  std::size_t texts;
};
Described<OverlapReport> const& describe(OverlapReport const* overlap);

struct MeasureOfSeveral {
  std::vector<MeasureReport> recordings = {};
  std::vector<ComparisonReport> comparisons = {};
  std::optional<std::vector<OverlapReport>> overlaps = {};
  bool asks_fastest = false;  ///< whether each has costs, so that the fastest draft was asked for
  std::optional<FastestReport> fastest = {};
};
Described<MeasureOfSeveral> const& describe(MeasureOfSeveral const* report);
Json document_of(MeasureOfSeveral const& report);

/// What an engine's counters say.
struct MeasureOfCounters {
  CountedReport counted;
  Uncertain mean_tokens;
  std::optional<Uncertain> alpha;
  std::vector<Uncertain> conditional;
  std::optional<std::int64_t> gamma;
  std::optional<Uncertain> speedup;
  std::optional<Costs> costs;
  std::vector<std::string> notes;
};
Described<MeasureOfCounters> const& describe(MeasureOfCounters const* report);
/// The confidence that was asked for, if any, stands where the estimate has no interval.
Uncertain uncertain(CountEstimate const& estimate, std::optional<double> confidence = {});

/// All of them, for the schema.
std::vector<Description> measure_documents();

}  // namespace draftgauge
