#pragma once
#include <cstdint>
#include <optional>
#include <span>

namespace draftgauge {

/// What a server does at a rate of requests, of which so many tokens a second are asked.
struct ServedRate {
  double most_tokens_per_second;  ///< that it can serve, at the batch size where it is greatest
  std::int64_t busiest = 1;       ///< that batch size
  /// Sequences decoded at once where the server keeps pace, and a sequence's time per token; none where it never does.
  std::optional<double> concurrency = {}, ms_per_token = {};
  /// The same in the mean over time where requests come by chance (Poisson): E[B], those that wait counted in.
  std::optional<double> poisson_concurrency = {}, poisson_ms_per_token = {};
  /// P(more than the largest batch are there, so that some wait).
  std::optional<double> poisson_waiting = {};
};

/// ms_per_token: [b − 1] of each of b sequences, t(b); no more than so many are decoded at once, the others wait.
///
/// Little's law: B = (tokens asked a second)·t(B), which has its smallest solution where b/t(b), the tokens that a
/// batch makes a second, first reaches what is asked; t is taken to be linear between whole b. Below one sequence the
/// server is idle for part of the time. A batch swings about that mean, and t grows with it: where requests come by
/// chance, and are served at once in equal shares, the number B of them has probabilities proportional to Π_{j ≤ B}
/// asked·t(j)/j, exactly for exponential lengths of texts, and for all lengths while no request waits (processor
/// sharing with a speed by the number of jobs: Kelly 1979, Reversibility and Stochastic Networks, Section 3.3; one
/// that waits has no share). Prompts are not counted.
///
/// Domain: not empty, times above 0 and finite, asked above 0 and finite, else UsageError.
ServedRate serve(std::span<double const> ms_per_token, double tokens_per_second);

}  // namespace draftgauge
