#include "sim/chance/entropy.h"

#include <cmath>

namespace draftgauge {

template <>
double inverse_perplexity(std::vector<double> const& p) {
  return std::exp(-entropy(p));
}

template <>
double entropy(std::vector<double> const& weights) {
  double sum = 0;
  for (double const weight : weights)
    if (weight > 0) sum -= weight * std::log(weight);
  return sum;
}

}  // namespace draftgauge
