#include "analysis/texts/token_means.h"

#include <algorithm>

namespace draftgauge {
namespace {

template <auto column>
std::vector<std::vector<double>> numbers_of(TokenTrace const& trace) {
  std::vector<std::vector<double>> all;
  for (TextTrace const& text : trace.texts) all.emplace_back((text.*column).begin(), (text.*column).end());
  return all;
}

constexpr TokenMean means[] = {
    {"p_of_argmax_q", "an argmax draft is accepted: mean p(argmax q)", share, numbers_of<&TextTrace::p_of_argmax_q>},
    {"argmax_agreement", "argmax p = argmax q", share, numbers_of<&TextTrace::agree>},
    {"entropy_p", "entropy of p in nats", positive, numbers_of<&TextTrace::entropy_p>},
    {"entropy_q", "entropy of q in nats", positive, numbers_of<&TextTrace::entropy_q>},
    {"kl_pq", "KL(p‖q) in nats", positive, numbers_of<&TextTrace::kl_pq>},
    {"kl_qp", "KL(q‖p) in nats", positive, numbers_of<&TextTrace::kl_qp>},
};

}  // namespace

std::span<TokenMean const> token_means() { return means; }

std::optional<TextEstimate> mean_of(TokenTrace const& trace, TextEstimates const& estimates, TokenMean const& what) {
  auto const numbers = what.numbers(trace);
  if (std::ranges::any_of(numbers, &std::vector<double>::empty)) return std::nullopt;
  return estimates.mean_over_tokens(numbers);
}

}  // namespace draftgauge
