#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/fraction.h"

namespace draftgauge {

/// A number as someone wrote it: the double nearest to it, and the number itself where it fits a Fraction. What other
/// programs print of a double has up to 17 digits anywhere between 1e-324 and 1e309, of which a Fraction holds a part.
struct WrittenNumber {
  double value = 0;
  std::optional<Fraction> exact = {};

  /// As it can be read again: the fraction, else the fewest digits that tell the double.
  std::string text() const;
};

/// Reads what parse_fraction does (`0.25`, `.3`, `1e-3`, `-2`, `1/3`), and decimals and ratios of decimals that fit no
/// Fraction, too. Throws Error that quotes the text for what is no number, and for one beyond the doubles: above
/// 1.8e308 or, if it is not 0, below 4.9e-324.
WrittenNumber parse_written(std::string_view text);

}  // namespace draftgauge
