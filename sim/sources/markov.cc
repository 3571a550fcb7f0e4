#include <algorithm>

#include "sim/sources/families.h"

namespace draftgauge {
namespace {

Source build_markov(Keys const& keys, SourceOptions const& options) {
  double const concentration = keys.number("concentration"), noise = keys.number("noise");
  auto const weigh = [=](std::span<double> p, std::span<double> q, LawRandom of_p, LawRandom of_q) {
    std::ranges::copy(log_gamma_variables(p.size(), concentration, of_p), p.begin());
    std::ranges::copy(normal_variables(q.size(), of_q), q.begin());
    for (std::size_t x = 0; x < p.size(); ++x) q[x] = p[x] + noise * q[x];
    softmax(p, 1);
    softmax(q, 1);
  };
  return source_of_random_contexts(keys, options, Follow::token, weigh);
}

}  // namespace

SourceCard markov_source() {
  return {.name = "markov",
          .summary = "two V×V matrices: the next context is the token emitted",
          .tables = "each row: p ~ Dirichlet(concentration, …), q ∝ p·exp(noise·N(0,1)) per token",
          .keys = {vocab_key("8"),
                   {.name = "concentration",
                    .kind = KeyCard::Kind::number,
                    .meaning = "small: rows with a few likely tokens, far from each other; large: near uniform",
                    .standard = "0.5",
                    .least = {1, 1000},
                    .most = 1'000'000},
                   {.name = "noise",
                    .kind = KeyCard::Kind::number,
                    .meaning = "how far the draft's log-probabilities are from the target's",
                    .standard = "1",
                    .least = 0,
                    .most = 1000},
                   seed_key()},
          .build = build_markov};
}

}  // namespace draftgauge
