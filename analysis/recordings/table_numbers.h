#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/recordings/delimited.h"
#include "analysis/recordings/text_file.h"

namespace draftgauge {

/// How a column of a table marks fractions: programs write a point, spreadsheets what the machine's language has.
enum class DecimalMark { point, comma, unclear };

/// The mark of each column under that header, by all lines that follow it; empty: points everywhere. "-1,2043" says a
/// comma and "1.5" a point, but "1,234" is either 1.234 or 1234: such a column goes by the others, then a comma counts as
/// decimal where tabs or semicolons stand between fields. `unclear` where that does not decide either.
std::vector<DecimalMark> decimal_marks(TableHeader const& header, Lines rest);

/// The number that a cell writes, as parse_real reads it: with a decimal point, "-" for U+2212, and nothing between
/// thousands, where spreadsheets have blanks of several widths, apostrophes, or the mark that is not the decimal one. A %
/// behind it stays. None where the cell is no such number.
std::optional<std::string> plain_number(std::string_view cell, DecimalMark mark);

/// The columns of a table that hold numbers.
class TableNumbers {
 public:
  TableNumbers() = default;
  TableNumbers(TableHeader const& header, Lines rest) : marks_(decimal_marks(header, rest)) {}

  /// As parse_real and parse_integer, of a cell of that column. share: 77.8 % is .778.
  std::optional<double> real(std::size_t column, std::string_view cell, bool share = false) const;
  std::optional<std::int64_t> integer(std::size_t column, std::string_view cell) const;
  /// The cell as plain_number has it, or as it is.
  std::string plain(std::size_t column, std::string_view cell) const;

 private:
  DecimalMark mark(std::size_t column) const { return marks_.empty() ? DecimalMark::point : marks_[column]; }

  std::vector<DecimalMark> marks_;
};

/// 'cell' for a message, with both numbers that it may mean; and what to do about a cell that was refused.
std::string in_quotes_with_doubt(std::string_view cell);
std::string number_hint(std::string_view cell, std::string_view otherwise);

}  // namespace draftgauge
