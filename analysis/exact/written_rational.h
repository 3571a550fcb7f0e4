#pragma once
#include <string_view>

#include "analysis/exact/rational.h"

namespace draftgauge {

/// What parse_written reads, exactly, whatever the number of digits: 5e-324 is 5 over 10^324. Throws Error as
/// parse_written does, and for more than 2000 characters, all of which would count.
Rational parse_rational(std::string_view text);

}  // namespace draftgauge
