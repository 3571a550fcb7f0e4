#include "sim/chance/entropy.h"

#include <cmath>

namespace draftgauge {

template <>
double inverse_perplexity(std::vector<double> const& p) {
  double sum = 0;
  for (double probability : p)
    if (probability > 0) sum += probability * std::log(probability);
  return std::exp(sum);
}

}  // namespace draftgauge
