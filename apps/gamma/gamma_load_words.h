#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/load/batch_choice.h"
#include "analysis/load/request_rate.h"
#include "analysis/stats/interval.h"
#include "apps/output/result.h"

namespace draftgauge {

/// One γ at a rate of requests; none: the best γ of each batch size.
struct RateRow {
  std::optional<std::int64_t> gamma;
  ServedRate served;
};

struct RateAnswer {
  double requests_per_second, tokens_per_request;
  std::vector<RateRow> rows;
  RateRow best;
};

/// A batch of texts that begin together: it is done with the longest.
struct WaitRow {
  std::int64_t batch, gamma;
  double rounds, rounds_alone;  ///< E of the longest's, and of one text's
  double ms, plain_ms;          ///< until all are written
};

/// What `gamma` found of batches.
struct LoadAnswer {
  LoadTable const& table;
  BatchCosts const& costs;
  bool lockstep;
  BatchChoice choice = {};
  std::int64_t at = 1;                     ///< the batch size that is looked at closer
  std::int64_t longest = 0;                ///< γ that is shown
  std::optional<double> concurrency = {};  ///< that was asked for
  std::optional<Interval> speedup = {};    ///< of the best γ there
  std::vector<BatchPoint> points = {};     ///< every γ there
  std::optional<std::int64_t> cap = {};    ///< the longest γ looked at, where it is best somewhere
  std::optional<RateAnswer> rate = {};
  std::optional<std::int64_t> wait_tokens = {};
  std::vector<WaitRow> waits = {};
  std::vector<std::string> notes = {};
};

/// Of `points` the answer: at a rate of requests the γ that is best at its own concurrency, else the one of greatest speed-up.
BatchPoint const& best_point(LoadAnswer const& answer);

/// The answer with its tables before what `base` says of one batch size; the document is base's with "load".
Result load_result(LoadAnswer const& answer, Result base);

}  // namespace draftgauge
