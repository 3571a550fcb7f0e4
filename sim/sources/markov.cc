#include <algorithm>

#include "sim/sources/families.h"

namespace draftgauge {
namespace {

Source build_markov(Keys const& keys, SourceOptions const& options) {
  double const concentration = keys.number("concentration"), noise = keys.number("noise");
  auto const weigh = [=](std::span<double> p, std::span<double> q, LawRandom of_p, LawRandom of_q) {
    std::ranges::copy(log_gamma_variables(p.size(), concentration, of_p), p.begin());
    softmax_with_noise(p, q, noise, of_q);
  };
  return source_of_random_contexts(keys, options, Follow::token, weigh);
}

}  // namespace

SourceCard markov_source() {
  return {.name = "markov",
          .summary = "two V×V matrices: the next context is the token emitted",
          .tables = "each row: p ~ Dirichlet(concentration, …), q ∝ p·exp(noise·N(0,1)) per token",
          .keys = {vocab_key("8"),
                   concentration_key(
                       "0.5", "small: rows with a few likely tokens, far from each other; large: near uniform"),
                   number_key("noise", "1", "how far the draft's log-probabilities are from the target's", 0, 1000),
                   seed_key()},
          .build = build_markov};
}

}  // namespace draftgauge
