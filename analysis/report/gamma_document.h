#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/choose/replay_gamma.h"
#include "analysis/report/gamma.h"
#include "analysis/texts/request_counts.h"

/// The documents of `draftgauge gamma`.
namespace draftgauge {

struct GammaBatch {
  std::int64_t sequences = 1;  ///< decoded together
};
/// What every one of them says of how it was asked.
struct GammaSetting {
  bool bonus = true;
  GammaBatch batch = {};
  std::vector<std::string> notes = {};
  std::string estimator = {};

  void note(std::vector<std::string> const& more) { notes.insert(notes.end(), more.begin(), more.end()); }
};

/// E[N] of a γ by counts without their order.
struct OrderFreeRow {
  std::int64_t gamma;
  double low, high, truncated;
  /// By more than the ends of texts make.
  bool excluded() const { return truncated < .99 * low || truncated > 1.01 * high; }
};

/// What is said of one α, of counts, or of a recording. What one of these has not is left empty.
struct GammaReport : GammaSetting {
  enum class Of {
    alpha,
    counts,  ///< survival, too
    recording,
    silent,  ///< a recording that does not say, or whose text is rejected
    load,    ///< times by batch size that say what is accepted
  };
  struct Recording {
    std::string name;
    std::size_t texts, tokens;
    std::string policy;
    bool usable;
  };
  struct Engine {
    std::optional<std::string> name;
    std::string format;
    Json counts, rates;
  };

  Of of = Of::counts;
  std::optional<Recording> recording = {};
  std::optional<Costs> costs = {};  ///< none where none are given: each γ is then there with what it yields
  double ops_cost = 0;
  double alpha = 0;
  std::vector<double> survival = {};  ///< [i − 1]
  std::optional<std::uint64_t> rounds = {};
  std::optional<std::uint64_t> requests = {};
  std::optional<RoundDependence> dependence = {};
  bool by_request = false;  ///< so that dependence was asked about
  std::optional<ReplayGamma> replay = {};
  std::optional<std::size_t> gamma_ran = {};
  std::optional<std::int64_t> best_gamma = {};
  std::optional<double> best_speedup = {};
  std::optional<RealGamma> real = {};
  std::vector<GammaRange> near_best = {};
  GammaBreakEven break_even = {};
  GammaPays pays = {};
  std::optional<RunnerUp> runner_up = {};
  std::vector<GammaRange> confidence_set = {};
  std::optional<double> expected_regret = {};
  std::vector<CurveRow> curve = {};
  std::vector<YieldRow> yields = {};
  std::vector<AdaptingRow> policies = {};
  std::optional<std::vector<OrderFreeRow>> order_free = {};
  std::optional<Engine> engine = {};
  std::optional<Json> load = {};
};
/// The fields of a report that has what this one has.
Described<GammaReport> describe_like(GammaReport const& report);
Json document_of(GammaReport const& report);

/// The best γ of several α and c.
struct GammaMapReport : GammaSetting {
  struct Cell {
    double alpha, cost;
    BestGamma best;
  };
  std::vector<Costs> costs = {};
  std::vector<Cell> map = {};
};
Described<GammaMapReport> const& describe(GammaMapReport const* report);

/// An end of an interval of α, and what the γ chosen for all of it loses there.
struct IntervalEnd {
  double alpha;
  BestGamma best;
  double regret;

  double speedup() const { return best.speedup * (1 - regret); }
};
/// gamma: the one chosen.
Described<IntervalEnd> describe_end(std::optional<std::int64_t> gamma);

/// The γ of least worst regret.
struct GammaIntervalReport : GammaSetting {
  Costs costs = {};
  std::optional<std::int64_t> best_gamma = {};
  double regret = 0;
  std::vector<IntervalEnd> ends = {};
};
Described<GammaIntervalReport> const& describe(GammaIntervalReport const* report);

/// All of them, for the schema.
std::vector<Description> gamma_documents();

Described<GammaBatch> const& describe(GammaBatch const* batch);
Described<RoundDependence> const& describe(RoundDependence const* of);
Described<HoleRate> const& describe(HoleRate const* rate);
Described<DepthTest> const& describe(DepthTest const* test);
Described<ReplayedRow> const& describe(ReplayedRow const* row);
Described<ReplayGamma> const& describe(ReplayGamma const* replay);
Described<OrderFreeRow> const& describe(OrderFreeRow const* row);
Described<IntervalEnd> const& describe(IntervalEnd const* end);
Described<GammaMapReport::Cell> const& describe(GammaMapReport::Cell const* cell);

}  // namespace draftgauge
