#include <algorithm>

#include "sim/sources/families.h"
#include "sim/sources/keys.h"
#include "sim/sources/source.h"

namespace draftgauge {
namespace {

Source build_dirichlet(Keys const& keys, SourceOptions const& options) {
  std::uint32_t const vocab = keys.count32("vocab");
  std::uint32_t const contexts = keys.count32("contexts");
  check_memory(contexts, vocab, options.memory_limit, "take fewer contexts or a smaller vocab");
  std::uint64_t const seed = keys.count("seed");
  double const concentration = keys.number("concentration");
  RowList rows;
  rows.add_rows(contexts, vocab, options.threads, [&] {
    return [=](std::uint64_t i, std::span<double> p, std::span<double> q) {
      auto const row = static_cast<std::uint32_t>(i);
      std::ranges::copy(log_gamma_variables(vocab, concentration, {seed, row, 0}), p.begin());
      std::ranges::copy(log_gamma_variables(vocab, concentration, {seed, row, 1}), q.begin());
      softmax(p, 1);
      softmax(q, 1);
    };
  });
  return {keys.description(), PairTables(rows.take(), Follow::independent, options.threads), rows.rounding()};
}

}  // namespace

SourceCard dirichlet_source() {
  return {.name = "dirichlet",
          .summary = "contexts whose p and q are drawn independently from a symmetric Dirichlet distribution",
          .tables = "p, q ~ Dirichlet(concentration, …, concentration)",
          .keys = {vocab_key("10"),
                   {.name = "concentration",
                    .kind = KeyCard::Kind::number,
                    .meaning = "small: a few tokens have all the mass; large: distributions near uniform",
                    .standard = "1",
                    .least = {1, 1000},
                    .most = 1'000'000},
                   contexts_key(),
                   seed_key()},
          .build = build_dirichlet};
}

}  // namespace draftgauge
