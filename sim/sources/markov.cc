#include <algorithm>

#include "sim/sources/families.h"
#include "sim/sources/keys.h"
#include "sim/sources/source.h"

namespace draftgauge {
namespace {

Source build_markov(Keys const& keys, SourceOptions const& options) {
  std::uint32_t const vocab = keys.count32("vocab");
  check_memory(vocab, vocab, options.memory_limit, "take a smaller vocab");
  std::uint64_t const seed = keys.count("seed");
  double const concentration = keys.number("concentration"), noise = keys.number("noise");
  RowList rows;
  rows.add_rows(vocab, vocab, options.threads, [&] {
    return [=](std::uint64_t i, std::span<double> p, std::span<double> q) {
      auto const row = static_cast<std::uint32_t>(i);
      std::ranges::copy(log_gamma_variables(vocab, concentration, {seed, row, 0}), p.begin());
      std::ranges::copy(normal_variables(vocab, {seed, row, 1}), q.begin());
      for (std::uint32_t x = 0; x < vocab; ++x) q[x] = p[x] + noise * q[x];
      softmax(p, 1);
      softmax(q, 1);
    };
  });
  return {keys.description(), PairTables(rows.take(), Follow::token, options.threads), rows.rounding()};
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
