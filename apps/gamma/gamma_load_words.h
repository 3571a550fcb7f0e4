#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/choose/gamma_choice.h"
#include "analysis/load/batch_choice.h"
#include "analysis/load/rate_choice.h"
#include "analysis/report/field.h"
#include "analysis/stats/interval.h"
#include "apps/gamma/gamma_report.h"

namespace draftgauge {

struct RateAnswer {
  Requests requests;
  std::vector<RateRow> rows;
  RateRow best;
};

/// How sure the best γ of a batch size that was measured is.
struct BatchDoubt {
  BatchPoint of;
  std::vector<GammaRange> set;      ///< γ that the data do not show to be worse
  std::optional<double> regret;     ///< what the best of them is expected to lose, as a share of S
  std::optional<Interval> speedup;  ///< none of plain decoding, whose S is 1
};

/// What `gamma` found of batches.
struct LoadAnswer {
  LoadTable const& table;
  BatchCosts const& costs;
  double confidence;  ///< of `doubts`
  BatchChoice choice = {};
  std::int64_t at = 1;                     ///< the batch size that is looked at closer
  std::int64_t longest = 0;                ///< γ that is shown
  std::optional<double> concurrency = {};  ///< that was asked for, or that the engine says
  std::string concurrency_from = {};       ///< "--concurrency", or the engine's word
  std::string concurrency_over = {};       ///< what the engine's is a mean over
  std::optional<Interval> speedup = {};    ///< of the best γ there
  std::vector<BatchPoint> points = {};     ///< every γ there
  std::vector<BatchDoubt> doubts = {};     ///< of each of choice.measured; empty where nothing says how sure they are
  std::optional<std::int64_t> cap = {};    ///< the longest γ looked at, where it is best somewhere
  /// The longest γ of which anything is known, where it is best somewhere, and a longer one might be better.
  std::optional<std::int64_t> edge = {};
  std::optional<RateAnswer> rate = {};
  std::optional<std::int64_t> wait_tokens = {};
  std::vector<WaitRow> waits = {};
  std::vector<std::string> notes = {};
};


/// best: the one that is marked.
Fields<BatchPoint> point_fields(BatchPoint const* best = nullptr);
Fields<BatchDoubt> doubt_fields();
Fields<RateRow> rate_fields(RateAnswer const& rate);
Fields<WaitRow> wait_fields();

/// Of `points` the answer: at a rate of requests the γ that is best at its own concurrency, else the one of greatest
/// speed-up.
BatchPoint const& best_point(LoadAnswer const& answer);

/// The answer with its tables before what `base` says of one batch size; the document is base's with "load".
GammaAnswer load_result(LoadAnswer const& answer, GammaAnswer base);

}  // namespace draftgauge
