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

}  // namespace draftgauge
