#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/dependence.h"
#include "analysis/report/gamma.h"
#include "analysis/report/text_check.h"
#include "analysis/texts/study.h"
#include "sim/recordings/sampling_parameters.h"

/// What a recording says (analysis/texts/study.h) as a result: that of `draftgauge measure`, and of Python's measure.
namespace draftgauge {

struct TruncationReport {
  std::uint32_t top_k;
  double top_p;
};
Described<TruncationReport> const& describe(TruncationReport const* truncation);

std::string_view order_name(SamplingParameters::Order order);
Described<SamplingParameters> const& describe(SamplingParameters const* sampling);
struct FoldReport {
  std::optional<SamplingParameters> target, draft;
};
Described<FoldReport> const& describe(FoldReport const* fold);

/// Between two estimates, with the interval that both make where there is one.
struct BoundsReport {
  double low, high;
};
Described<BoundsReport> const& describe(BoundsReport const* bounds);
struct AlphaBoundsReport : BoundsReport {
  double mean_low, mean_high;
};
Described<AlphaBoundsReport> const& describe(AlphaBoundsReport const* bounds);
BoundsReport bounds_between(TextEstimates::Bounds const& bounds, double confidence);

/// What a round's time is spent on, as shares.
struct TimeSplit {
  double draft, target, overhead;
};
TimeSplit time_split(Costs const& costs, int gamma);
Described<TimeSplit> const& describe(TimeSplit const* split);

struct InfluenceReport {
  std::string text;  ///< its name, or its number from 1
  double alpha_without;
  bool outlier;
};
Described<InfluenceReport> const& describe(InfluenceReport const* influence);
/// None below three texts, where all agree, and where α is not known.
std::optional<InfluenceReport> influence_of(Study const& study);
/// Its name, or its number from 1.
std::string text_name(Study const& study, std::size_t text);

/// Tokens per round at one γ.
struct TokensReport {
  int gamma;
  std::vector<std::optional<Uncertain>> tokens = {};    ///< by the estimators, in their order
  Estimator leads;                                 ///< which of them is shown with its interval
  Members<std::vector<double>> bootstrap = {};          ///< {low, high} by estimator
  std::optional<BoundsReport> iid_bounds = {};
  std::optional<Uncertain> speedup = {}, break_even_cost = {};
  double round_cost;
  bool verify_extrapolated;
};
Described<TokensReport> const& describe(TokensReport const* row);
TokensReport tokens_report(Study const& study, int gamma, double confidence);

/// Which γ is best at the costs given.
struct BestGammaReport {
  int gamma;
  double speedup;
  Members<double> wins = {};
  std::vector<int> confidence_set = {};
  std::optional<double> expected_regret = {};
  std::optional<TimeSplit> time_split = {};  ///< none of plain decoding
};

struct RecordingReport {
  std::string name, format;
  std::size_t texts, tokens;
  std::optional<double> temperature_of_text = {};
  TruncationReport truncation_of_text;
  FoldReport fold;
  std::string policy;
  bool usable;
  std::optional<Uncertain> alpha = {};
  std::optional<std::string> alpha_estimator = {};
  std::optional<AlphaBoundsReport> alpha_bounds = {};
  std::optional<Uncertain> mean_a = {};
  GivenCosts costs;
  std::string estimator;
  std::vector<TokensReport> tokens_per_round = {};
  std::optional<BestGammaReport> best = {};
  DependenceReport dependence;
  std::vector<std::string> notes = {}, cost_notes = {};
  std::string intervals;
  std::optional<InfluenceReport> influence = {};
  std::optional<std::string> rounds_unknown = {};
  TextCheckReport text_check;
  Members<Uncertain> means = {};
};
/// The fields of a report that has what this one has.
Described<RecordingReport> describe_like(RecordingReport const& report);
Described<RecordingReport> const& describe(RecordingReport const* report);
Json document_of(RecordingReport const& report);
/// The study must outlive it.
RecordingReport report_of(Study const& study, StudyOptions const& options);

/// Tokens per round as people read them: without estimators that the recording does not allow, details those that do
/// not lead.
FieldRows token_rows(std::vector<TokensReport> const& rows, Study const& study);

}  // namespace draftgauge
