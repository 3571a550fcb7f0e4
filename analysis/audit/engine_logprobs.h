#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/stats/token_trace.h"

namespace draftgauge {

/// What an engine may report in place of a token's log-probability.
enum class LogprobFault {
  zero,            ///< 0, of drafts that it accepted
  draft,           ///< the draft model's
  raw,             ///< before temperature and truncation
  no_temperature,  ///< truncated, at temperature 1
  no_truncation,   ///< at the temperature, before truncation
  early,           ///< that of the token after it
  late             ///< that of the token before it
};

/// Other log-probabilities of the text's tokens, [texts][tokens]; empty where nobody knows them.
using TextLogprobs = std::vector<std::vector<double>>;
struct LogprobAlternative {
  LogprobFault fault;
  TextLogprobs values;
};

/// An engine's log-probabilities beside scored ones.
struct EngineLogprobs {
  /// The share of differing tokens that a fault must account for to be named.
  static constexpr double named_from = .9;

  struct Place {
    std::size_t text, token;  ///< from 0
    double engine, scored;
  };

  double tolerance;  ///< nats
  std::uint64_t tokens = 0;
  std::uint64_t differing = 0;      ///< beyond the tolerance
  double largest = 0;               ///< difference, in nats; infinite where one excludes the token
  std::optional<Place> first = {};  ///< that differs
  std::optional<LogprobFault> fault = {};
  std::uint64_t explained = 0;  ///< of the differing tokens, by the fault that explains most
  double mean_ratio = 1;        ///< of p scored over p reported, which is 1 of right ones; of finite logarithms
  double largest_log_ratio = 0;

  bool right() const { return differing == 0; }
};

/// engine: of the trace's texts, in its order. A token differs where the two are more than `tolerance` nats apart.
/// Early, late, zero and the draft's are tried by the trace itself. Domain: the trace has log_p.
EngineLogprobs check_engine_logprobs(TokenTrace const& scored, TextLogprobs const& engine,
                                     std::vector<LogprobAlternative> const& alternatives, double tolerance);

/// The largest difference between two recordings' log_p of one text, in nats.
double largest_difference(TextLogprobs const& one, TextLogprobs const& other);

}  // namespace draftgauge
