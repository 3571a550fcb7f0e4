#include <algorithm>

#include "sim/sources/families.h"

namespace draftgauge {
namespace {

Source build_dirichlet(Keys const& keys, SourceOptions const& options) {
  double const concentration = keys.number("concentration");
  auto const weigh = [=](std::span<double> p, std::span<double> q, LawRandom of_p, LawRandom of_q) {
    std::ranges::copy(log_gamma_variables(p.size(), concentration, of_p), p.begin());
    std::ranges::copy(log_gamma_variables(q.size(), concentration, of_q), q.begin());
    softmax(p, 1);
    softmax(q, 1);
  };
  return source_of_random_contexts(keys, options, Follow::independent, weigh);
}

}  // namespace

SourceCard dirichlet_source() {
  return {.name = "dirichlet",
          .summary = "contexts whose p and q are drawn independently from a symmetric Dirichlet distribution",
          .tables = "p, q ~ Dirichlet(concentration, …, concentration)",
          .keys = {vocab_key("10"),
                   concentration_key("1", "small: a few tokens have all the mass; large: distributions near uniform"),
                   contexts_key(), seed_key()},
          .build = build_dirichlet};
}

}  // namespace draftgauge
