#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace draftgauge {

/// The character between the fields of a table, judged by its first line: tab, semicolon or comma, the first of these
/// that is there. A comma where none is.
char delimiter_of(std::string_view header);

/// The fields of a line, without blanks and without the double quotes around a field, between which the delimiter may
/// stand. No more than `most` + 1, so that a line of delimiters takes no memory.
enum class Quotes { sound, open, followed };  ///< one is not closed; other text than blanks stands behind one
Quotes split(std::string_view line, char delimiter, std::size_t most, std::vector<std::string_view>& fields);

/// A table that begins with a line of names. Lines that are blank or begin with # are passed over.
struct TableHeader {
  std::vector<std::string> names;  ///< in lower case
  char delimiter = ',';
};
/// The header that a line is; none for a wrong quote and for more than most_columns.
std::optional<TableHeader> header_in(std::string_view line);
/// The same. Throws InputError that begins with `place` where there is none.
TableHeader read_header(std::string const& place, std::string_view line);
/// The fields of a line under that header. Throws InputError that begins with `place` where there are more or fewer,
/// and for a wrong quote.
void read_fields(std::string const& place, std::string_view line, TableHeader const& header,
                 std::vector<std::string_view>& fields);

}  // namespace draftgauge
