#pragma once
#include <vector>

namespace draftgauge {

/// exp(−H(p)), H(p) = −Σ p·ln p in nats, of a normalised law: the inverse of its perplexity, in (0, 1]. Irrational as a
/// rule; for doubles the nearest but for rounding, for fractions from 50 digits (analysis/exact/rational.h).
template <class Number>
Number inverse_perplexity(std::vector<Number> const& p);

template <>
double inverse_perplexity(std::vector<double> const& p);

}  // namespace draftgauge
