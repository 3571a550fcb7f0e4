#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/written_number.h"

namespace draftgauge {

/// The entries of a list, none of them empty; at most 100 000. Throws Error as values.h says.
std::vector<std::string_view> list_parts(std::string_view text);

/// What parse reads of each of them.
template <class Parse>
auto list_values(std::string_view text, Parse const& parse) {
  std::vector<decltype(parse(text))> values;
  for (std::string_view const part : list_parts(text)) values.push_back(parse(part));
  return values;
}

/// Refuses a number below 0.
[[noreturn]] void refuse_negative(std::string_view text);
/// A number ≥ 0 as parse_written reads it: whatever another program prints of a double. Throws Error as values.h says.
WrittenNumber parse_written_number(std::string_view text);
/// A number in [0, 1].
WrittenNumber parse_written_probability(std::string_view text);
/// Lists of them: `.3,.4,.3`.
std::vector<WrittenNumber> parse_written_numbers(std::string_view text);
std::vector<WrittenNumber> parse_written_probabilities(std::string_view text);

/// How a text is written that may stand for numbers or for a file. The text alone decides, so that the same command
/// means the same in every folder: ./0.1 is a file, 0.1 is not. `more`: what else stands in numbers, such as units.
enum class ValueShape {
  numbers,  ///< digits, points, signs and the like, and nothing else: 0.1, 1e-3,1/3
  points,   ///< a number and a colon first: 1:1,2:1.8
  file,     ///< anything else
};
ValueShape value_shape(std::string_view text, std::string_view more = {});

/// Whether something of that name is there, be it a pipe or a folder: whoever reads it says what is wrong with that.
/// A list that is too long for a name is not.
bool is_there(std::string const& path);
/// Whether something could have that name: a list may be too long for one.
bool could_be_there(std::string_view path);

}  // namespace draftgauge
