#pragma once

namespace draftgauge {

// Boost's functions stand behind these, in one unit: they take seconds to compile.

/// P(Z ≥ z) of the normal distribution; the z of such a tail; and the z below which Z is with probability p.
double normal_tail(double z);
double normal_upper(double tail);
double normal_quantile(double p);

/// P(T ≥ t) of Student's t, which of infinite degrees is the normal; and the t of such a tail.
double student_tail(double t, double degrees);
double student_quantile(double tail, double degrees);

/// P(X ≥ x) and P(X ≤ x) of χ², and the x of such an upper tail. x ≥ 0, also of many degrees.
double chi_squared_tail(double x, double degrees);
double chi_squared_below(double x, double degrees);
double chi_squared_upper(double tail, double degrees);

}  // namespace draftgauge
