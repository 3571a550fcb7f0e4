#include "analysis/recordings/delimited.h"

#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/letters.h"
#include "sim/base/limits.h"

namespace draftgauge {
namespace {

void require_sound(std::string const& place, Quotes quotes) {
  if (quotes == Quotes::open)
    throw InputError(place + ": a double quote is not closed (a field with a line break in it cannot be read)",
                     "leave out the columns of text");
  if (quotes == Quotes::followed)
    throw InputError(
        place + ": text stands behind a closing double quote (which of the two is meant would be a guess)",
        "write a quote within quotes twice");
}

/// "3,2897": such a number is two fields between commas.
bool has_decimal_commas(std::string_view line) {
  if (line.find_first_of("\".") != line.npos) return false;
  for (std::size_t at = 0; (at = line.find(',', at + 1)) != line.npos;)
    if (is_digit(line[at - 1]) && at + 1 < line.size() && is_digit(line[at + 1])) return true;
  return false;
}

}  // namespace

char delimiter_of(std::string_view header) {
  for (char const each : {'\t', ';', ','})
    if (header.find(each) != header.npos) return each;
  return ',';
}

Quotes split(std::string_view line, char delimiter, std::size_t most, std::vector<std::string_view>& fields) {
  fields.clear();
  for (;;) {
    std::size_t const first = line.find_first_not_of(' ');
    if (first != line.npos && line[first] == '"') {
      std::size_t end = first + 1;
      while ((end = line.find('"', end)) != line.npos && end + 1 < line.size() && line[end + 1] == '"') end += 2;
      if (end == line.npos) return Quotes::open;
      fields.push_back(line.substr(first + 1, end - first - 1));
      std::size_t const next = line.find(delimiter, end);
      if (!trimmed(line.substr(end + 1, next == line.npos ? next : next - end - 1)).empty()) return Quotes::followed;
      if (next == line.npos) return Quotes::sound;
      line.remove_prefix(next + 1);
    } else {
      std::size_t const end = line.find(delimiter);
      fields.push_back(trimmed(line.substr(0, end)));
      if (end == line.npos) return Quotes::sound;
      line.remove_prefix(end + 1);
    }
    if (fields.size() > most) return Quotes::sound;
  }
}

std::optional<TableHeader> header_in(std::string_view line) {
  TableHeader header{.names = {}, .delimiter = delimiter_of(line)};
  std::vector<std::string_view> fields;
  if (split(line, header.delimiter, most_columns, fields) != Quotes::sound || fields.size() > most_columns) return {};
  for (std::string_view const name : fields) header.names.push_back(lower(name));
  return header;
}

TableHeader read_header(std::string const& place, std::string_view line) {
  auto header = header_in(line);
  if (!header) {
    std::vector<std::string_view> fields;
    require_sound(place, split(line, delimiter_of(line), most_columns, fields));
    throw InputError(place + ": there are more than " + std::to_string(most_columns) +
                         " columns (this takes a line of numbers for each token)",
                     "give full rows as .safetensors");
  }
  return *std::move(header);
}

void read_fields(std::string const& place, std::string_view line, TableHeader const& header,
                 std::vector<std::string_view>& fields) {
  std::size_t const expected = header.names.size();
  require_sound(place, split(line, header.delimiter, expected, fields));
  if (fields.size() == expected) return;
  bool const more = fields.size() > expected;
  throw InputError(place + ": it has " + (more ? "more" : std::to_string(fields.size())) +
                       " fields where the header has " + std::to_string(expected) +
                       " (which is which would be a guess)",
                   more && header.delimiter == ',' && has_decimal_commas(line)
                       ? "if its numbers have decimal commas, separate the fields by semicolons or tabs"
                       : "cut off a line that is not finished, or write the table again");
}

}  // namespace draftgauge
