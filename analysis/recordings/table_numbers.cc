#include "analysis/recordings/table_numbers.h"

#include <algorithm>

#include "sim/base/letters.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

constexpr std::string_view minus_sign = "\xe2\x88\x92";
/// Blank, no-break blank in UTF-8 and Latin-1, figure, thin and narrow no-break blank, apostrophe and its curly form.
constexpr std::string_view thousands_marks[] = {
    " ", "\xc2\xa0", "\xa0", "\xe2\x80\x87", "\xe2\x80\x89", "\xe2\x80\xaf", "\xe2\x80\x99", "'"};

/// Takes `start` off the text, if it begins so.
bool take(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

std::string_view take_digits(std::string_view& text) {
  std::string_view const digits =
      text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

std::string take_sign(std::string_view& text) {
  if (take(text, "-") || take(text, minus_sign)) return "-";
  take(text, "+");
  return {};
}

/// The mark between thousands that the text begins with; empty where it begins with none.
std::string_view thousands_mark(std::string_view text, std::string_view grouping) {
  if (text.starts_with(grouping)) return grouping;
  for (std::string_view const each : thousands_marks)
    if (text.starts_with(each)) return each;
  return {};
}

/// "1.234.567" as 1234567: one mark throughout, three digits behind each, and no 0 before the first.
std::string take_whole_part(std::string_view& text, std::string_view grouping) {
  std::string whole(take_digits(text));
  if (whole.empty() || whole.size() > 3 || whole.front() == '0') return whole;
  std::string_view const mark = thousands_mark(text, grouping);
  while (!mark.empty() && text.starts_with(mark)) {
    std::string_view rest = text.substr(mark.size());
    std::string_view const group = take_digits(rest);
    if (group.size() != 3) break;
    whole += group;
    text = rest;
  }
  return whole;
}

bool both_readings(std::string_view cell) {
  return plain_number(cell, DecimalMark::point) && plain_number(cell, DecimalMark::comma);
}

/// What the cells of a column tell.
struct Evidence {
  bool comma = false, point = false;                  ///< as the decimal mark
  bool unclear_comma = false, unclear_point = false;  ///< before three digits
};

void look_at(std::string_view cell, Evidence& seen) {
  if (cell.find_first_of(".,") == cell.npos) return;
  bool const comma = plain_number(cell, DecimalMark::comma).has_value(),
             point = plain_number(cell, DecimalMark::point).has_value();
  seen.comma |= comma && !point;
  seen.point |= point && !comma;
  bool const has_comma = cell.find(',') != cell.npos;
  seen.unclear_comma |= comma && point && has_comma;
  seen.unclear_point |= comma && point && !has_comma;
}

/// Whether f(fields) holds of a line; the lines without `sign` are passed over, where one is given.
bool each_row(TableHeader const& header, Lines rest, auto const& f, char sign = 0) {
  std::vector<std::string_view> fields;
  while (rest.next()) {
    std::string_view const line = rest.line();
    if (sign != 0 && line.find(sign) == line.npos) continue;
    if (trimmed(line).empty() || trimmed(line).front() == '#') continue;
    if (split(line, header.delimiter, header.names.size(), fields) != Quotes::sound) continue;
    if (fields.size() == header.names.size() && f(fields)) return true;
  }
  return false;
}

DecimalMark mark_of(Evidence const& column, Evidence const& table, char delimiter) {
  if (column.comma != column.point) return column.comma ? DecimalMark::comma : DecimalMark::point;
  if (column.comma) return DecimalMark::unclear;
  if (!column.unclear_comma && !column.unclear_point) return DecimalMark::point;
  if (table.comma != table.point) return table.comma ? DecimalMark::comma : DecimalMark::point;
  if (!column.unclear_comma) return DecimalMark::point;
  return delimiter == ',' || table.point || column.unclear_point ? DecimalMark::unclear : DecimalMark::comma;
}

}  // namespace

std::vector<DecimalMark> decimal_marks(TableHeader const& header, Lines rest) {
  // Between commas a field with one has quotes around it.
  char const sign = header.delimiter == ',' ? '"' : ',';
  auto const has_comma = [](std::string_view cell) {
    return cell.find(',') != cell.npos &&
           (plain_number(cell, DecimalMark::comma) || plain_number(cell, DecimalMark::point));
  };
  bool const some = each_row(
      header, rest, [&](auto const& fields) { return std::ranges::any_of(fields, has_comma); }, sign);
  if (!some) return {};
  std::vector<Evidence> columns(header.names.size());
  each_row(header, rest, [&](std::vector<std::string_view> const& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) look_at(fields[i], columns[i]);
    return false;
  });
  Evidence table;
  for (Evidence const& each : columns) table.comma |= each.comma, table.point |= each.point;
  std::vector<DecimalMark> marks;
  for (Evidence const& each : columns) marks.push_back(mark_of(each, table, header.delimiter));
  return marks;
}

std::optional<std::string> plain_number(std::string_view cell, DecimalMark mark) {
  if (mark == DecimalMark::unclear && cell.find(',') != cell.npos) return {};
  bool const comma = mark == DecimalMark::comma;
  std::string_view rest = trimmed(cell);
  std::string number = take_sign(rest);
  std::string const whole = take_whole_part(rest, comma ? "." : ",");
  number += whole;
  std::string_view fraction;
  if (take(rest, comma ? "," : ".")) {
    fraction = take_digits(rest);
    number.append(".").append(fraction);
  }
  if (whole.empty() && fraction.empty()) return {};
  if (take(rest, "e") || take(rest, "E")) {
    number += "e" + take_sign(rest);
    std::string_view const exponent = take_digits(rest);
    if (exponent.empty()) return {};
    number += exponent;
  }
  if (rest.ends_with('%')) {
    rest.remove_suffix(1);
    take(rest, thousands_mark(rest, " "));
    number += '%';
  }
  return rest.empty() ? std::optional(std::move(number)) : std::nullopt;
}

std::optional<double> TableNumbers::real(std::size_t column, std::string_view cell, bool share) const {
  if (mark(column) != DecimalMark::comma)
    if (auto const value = parse_real(cell)) return value;
  std::string const number = plain(column, cell);
  if (!share || !number.ends_with('%')) return parse_real(number);
  auto const percent = parse_real(std::string_view(number).substr(0, number.size() - 1));
  return percent ? std::optional(*percent / 100) : std::nullopt;
}

std::optional<std::int64_t> TableNumbers::integer(std::size_t column, std::string_view cell) const {
  if (auto const value = parse_integer(cell)) return value;
  return parse_integer(plain(column, cell));
}

std::string TableNumbers::plain(std::size_t column, std::string_view cell) const {
  return plain_number(cell, mark(column)).value_or(std::string(cell));
}

std::string in_quotes_with_doubt(std::string_view cell) {
  if (cell.find(',') == cell.npos || !both_readings(cell)) return in_quotes(cell);
  return in_quotes(cell) + ", which may be " + *plain_number(cell, DecimalMark::comma) + " or " +
         *plain_number(cell, DecimalMark::point);
}

std::string number_hint(std::string_view cell, std::string_view otherwise) {
  bool const number = plain_number(cell, DecimalMark::point) || plain_number(cell, DecimalMark::comma);
  if (cell.find(',') == cell.npos || !number) return std::string(otherwise);
  return "write all numbers with decimal points, and nothing between thousands: 1234.5";
}

}  // namespace draftgauge
