#include <algorithm>

#include "sim/sources/keys.h"
#include "sim/sources/source.h"

namespace draftgauge {
namespace {

Source build_exact_alpha(Keys const& keys, SourceOptions const& options) {
  std::uint32_t const vocab = keys.count32("vocab");
  Fraction const alpha = keys.fraction("alpha");
  if (vocab == 1 && alpha < 1)
    throw keys.error("one token cannot be rejected (with vocab=1, p and q are equal)",
                     "take vocab=2 or more, or alpha=1");
  auto const num = static_cast<std::uint64_t>(alpha.num());
  auto const den = static_cast<std::uint64_t>(alpha.den());
  static_assert(quantised_total == std::uint64_t{1} << 46);  // which the message names
  if (den > quantised_total)
    throw keys.error("alpha=" + alpha.text() + " has a denominator above 2^46 (it could not be met exactly)",
                     "write it with at most 13 decimals");
  check_memory(1, vocab, options.memory_limit, "take a smaller vocab");

  // The total is a multiple of alpha's denominator, so that the common part takes exactly alpha of it; within the
  // parts weights are rounded, which cannot change Σ min(p, q), since a and b share no token.
  std::uint64_t const unit = quantised_total / den;
  std::vector<double> by_rank(vocab), even(vocab), odd(vocab);
  double harmonic = 0;
  for (std::uint32_t x = 0; x < vocab; ++x) {
    by_rank[x] = 1.0 / (x + 1);
    (x % 2 == 0 ? even : odd)[x] = 1;
    harmonic += by_rank[x];
  }
  auto const common = apportion(by_rank, num * unit);
  RowPair row{apportion(even, (den - num) * unit), apportion(odd, (den - num) * unit), den * unit};
  std::vector<double> p(vocab), q(vocab);
  double const a = alpha.to_double();
  for (std::uint32_t x = 0; x < vocab; ++x) {
    row.p[x] += common[x];
    row.q[x] += common[x];
    p[x] = a * by_rank[x] / harmonic + (1 - a) * even[x] / ((vocab + 1) / 2);
    q[x] = a * by_rank[x] / harmonic + (1 - a) * odd[x] / std::max(vocab / 2, 1u);
  }
  RowList rows;
  rows.add(row, p, q);
  return {keys.description(), PairTables(rows.take(), Follow::independent, options.threads), rows.rounding()};
}

}  // namespace

SourceCard exact_alpha_source() {
  return {.name = "exact-alpha",
          .summary = "one context that accepts with probability α exactly",
          .tables = "p = α·m + (1−α)·a, q = α·m + (1−α)·b; m ∝ 1/rank, a uniform on even, b on odd tokens",
          .keys = {vocab_key("10"),
                   {.name = "alpha",
                    .kind = KeyCard::Kind::number,
                    .meaning = "α = Σ min(p, q), the acceptance probability",
                    .least = 0,
                    .most = 1,
                    .required = true}},
          .build = build_exact_alpha};
}

}  // namespace draftgauge
