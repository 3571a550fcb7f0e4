#pragma once

namespace draftgauge {

/// P(T ≥ t) of Student's t; and the t of such a tail. Boost's functions stand behind them, in one unit: they take
/// seconds to compile.
double student_tail(double t, double degrees);
double student_quantile(double tail, double degrees);

}  // namespace draftgauge
