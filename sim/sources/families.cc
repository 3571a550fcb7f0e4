#include "sim/sources/families.h"

#include <algorithm>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>

namespace draftgauge {

void softmax(std::span<double> logits, double temperature) {
  auto const largest = std::ranges::max_element(logits);
  if (temperature == 0) {
    auto const place = largest - logits.begin();
    std::ranges::fill(logits, 0.0);
    logits[static_cast<std::size_t>(place)] = 1;
    return;
  }
  double const top = *largest;
  for (double& z : logits) z = std::exp((z - top) / temperature);
}

std::vector<double> log_gamma_variables(std::size_t vocab, double concentration, LawRandom random) {
  // Gamma(a) is Gamma(a + 1) · U^(1/a) in law (Marsaglia and Tsang, ACM TOMS 26 (2000), section 6).
  boost::random::gamma_distribution<double> gamma(concentration + 1);
  boost::random::uniform_01<double> uniform;
  std::vector<double> out(vocab);
  for (double& x : out) {
    x = std::log(gamma(random));
    x += std::log1p(-uniform(random)) / concentration;
  }
  return out;
}

std::vector<double> normal_variables(std::size_t vocab, LawRandom random) {
  boost::random::normal_distribution<double> normal;
  std::vector<double> out(vocab);
  for (double& x : out) x = normal(random);
  return out;
}

void softmax_with_noise(std::span<double> p, std::span<double> q, double noise, LawRandom of_q, double temperature) {
  std::ranges::copy(normal_variables(q.size(), of_q), q.begin());
  for (std::size_t x = 0; x < p.size(); ++x) q[x] = p[x] + noise * q[x];
  softmax(p, temperature);
  softmax(q, temperature);
}

Source source_of_random_contexts(Keys const& keys, SourceOptions const& options, Follow follow,
                                 WeighContext const& weigh) {
  bool const independent = follow == Follow::independent;
  std::uint32_t const vocab = keys.count32("vocab"), contexts = independent ? keys.count32("contexts") : vocab;
  check_memory(contexts, vocab, options.memory_limit,
               independent ? "take fewer contexts or a smaller vocab" : "take a smaller vocab");
  std::uint64_t const seed = keys.count("seed");
  RowList rows;
  rows.add_rows(contexts, vocab, options.threads, [&] {
    return [&weigh, seed](std::uint64_t i, std::span<double> p, std::span<double> q) {
      auto const row = static_cast<std::uint32_t>(i);
      weigh(p, q, {seed, row, 0}, {seed, row, 1});
    };
  });
  return {keys.description(), PairTables(rows.take(), follow, options.threads), rows.rounding()};
}

}  // namespace draftgauge
