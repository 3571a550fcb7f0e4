#pragma once
#include <cstdint>
#include <span>

namespace draftgauge {

/// What TV(P, p) is at least, with probability `confidence`, for the unknown law P of independent draws, half of
/// which were counted in `first` and half in `second`, and p = `law`. Outcomes of which the first half has more than
/// p says (by two standard deviations) are a set A that the second half does not know: P(A) ≥ the lower end of
/// Clopper and Pearson's interval of its count there, and TV ≥ P(A) − p(A). 0 where that says nothing.
double tv_at_least(std::span<std::uint64_t const> first, std::span<std::uint64_t const> second,
                   std::span<double const> law, double confidence);

}  // namespace draftgauge
