#include "sim/sources/families.h"
#include "sim/sources/keys.h"
#include "sim/sources/source.h"

namespace draftgauge {
namespace {

Source build(Keys const& keys, SourceOptions const& options) {
  std::uint32_t const vocab = keys.count32("vocab");
  check_memory(vocab, vocab, options.memory_limit, "take a smaller vocab");
  RowList rows;
  for (std::uint32_t row = 0; row < vocab; ++row) {
    auto p = log_gamma_variables(vocab, keys.number("concentration"), {keys.count("seed"), row, 0});
    auto q = normal_variables(vocab, {keys.count("seed"), row, 1});
    for (std::uint32_t x = 0; x < vocab; ++x) q[x] = p[x] + keys.number("noise") * q[x];
    softmax(p, 1);
    softmax(q, 1);
    rows.add(p, q);
  }
  return {keys.description(), Laws(rows.rows(), Follow::token), rows.rounding()};
}

}  // namespace

SourceCard markov_source() {
  return {.name = "markov",
          .summary = "two V×V matrices: the next context is the token emitted",
          .laws = "each row: p ~ Dirichlet(concentration, …), q ∝ p·exp(noise·N(0,1)) per token",
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
          .build = build};
}

}  // namespace draftgauge
