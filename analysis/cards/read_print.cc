#include "analysis/cards/read_print.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/cards/json_path.h"
#include "analysis/recordings/delimited.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/table_numbers.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/letters.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_listed = std::size_t{1} << 20, most_prints = std::size_t{1} << 22;

/// The numbers of "0.805, 0.632", with or without brackets around them.
std::vector<std::string_view> numbers_in(std::string_view text) {
  std::vector<std::string_view> all;
  constexpr std::string_view between = " \t\r\n,;[]()";
  while (all.size() <= most_listed) {
    text.remove_prefix(std::min(text.find_first_not_of(between), text.size()));
    if (text.empty()) break;
    std::size_t const end = std::min(text.find_first_of(between), text.size());
    all.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return all;
}

/// "12,345" without the commas between thousands; any other text as it is.
std::string without_commas(std::string_view digits) {
  std::size_t const end = std::min(digits.find_first_not_of("0123456789,"), digits.size());
  std::string_view const whole = digits.substr(0, end);
  std::size_t const first = whole.find(',');
  if (first == 0 || first > 3 || (whole.size() - first) % 4 != 0) return std::string(digits);
  std::string plain(whole.substr(0, first));
  for (std::size_t at = first; at < whole.size(); at += 4) {
    if (whole[at] != ',' || whole.substr(at + 1, 3).find(',') != whole.npos) return std::string(digits);
    plain += whole.substr(at + 1, 3);
  }
  return plain.append(digits.substr(end));
}

void put(std::vector<PrintedNumber>& list, std::string const& place, std::size_t index, PrintedNumber number) {
  // Histograms leave out what never was. More would let a short text fill the memory.
  constexpr std::size_t most_left_out = 64;
  if (index >= most_listed || index > list.size() + most_left_out)
    refuse_record(place, fmt::format("{} has the index {} behind {} others", number.word, index, list.size()),
                  "no print leaves so many out");
  if (list.size() <= index) list.resize(index + 1);
  list[index] = std::move(number);
}

/// What is printed of a mean or share where nothing was counted.
bool is_no_number(PrintedQuantity quantity, std::string_view text) {
  QuantityCard const& card = quantity_card(quantity);
  if (card.is_text || is_count(quantity)) return false;
  auto const value = parse_real(text);
  return value && std::isnan(*value);
}

/// Of one place, which may hold a number, a list, or an object whose keys are indices.
void take_value(Card const& card, PrintedRecord& record, PrintedQuantity quantity, std::string_view path,
                std::vector<AtPath> const& found) {
  std::string_view named = path.substr(path.starts_with('/') ? 1 : 0);
  while (named.ends_with(".*")) named.remove_suffix(2);
  std::string const word(named.substr(named.rfind('.') + 1));
  auto const number = [&](Json const& value) {
    if (!value.is_number() && !value.is_string())
      refuse_record(record.place, fmt::format("{} is {}", word, value.is_object() ? "an object" : value.dump()),
                    "expected: a number");
    return printed_number(card, quantity, record.place, word,
                          value.is_string() ? value.get_ref<std::string const&>() : value.dump());
  };
  QuantityCard const& meant = quantity_card(quantity);
  if (quantity == PrintedQuantity::each_request) {
    record.numbers[PrintedQuantity::requests] = {static_cast<double>(found.size()), 0, word};
  } else if (quantity == PrintedQuantity::by_draft_length) {
    for (AtPath const& each : found) {
      if (!each.value->is_array() || each.value->size() != each.index + 1)
        refuse_record(record.place, fmt::format("{} is {} at length {}", word, shown(*each.value), each.index),
                      "expected: a list of one more than the length");
      for (Json const& count : *each.value) record.by_length[std::ssize(*each.value) - 1].push_back(number(count));
    }
  } else if (meant.is_text) {
    record.texts[quantity] = text_or_json(*found.front().value);
  } else if (!meant.is_list) {
    Json const& value = *found.front().value;
    if (!value.is_string() || !is_no_number(quantity, value.get_ref<std::string const&>()))
      record.numbers[quantity] = number(value);
  } else {
    std::vector<PrintedNumber>& list = record.lists[quantity];
    std::vector<AtPath> elements = found;
    if (Json const& only = *found.front().value; found.size() == 1 && only.is_array())
      elements = at_path(only, "[*]");
    else if (found.size() == 1 && only.is_object())
      elements = at_path(only, "*");
    std::size_t const first = path.find('*') != path.npos && path.find("[*]") == path.npos
                                  ? static_cast<std::size_t>(card.first_index)
                                  : 0;
    for (AtPath const& each : elements)
      if (each.index >= first) put(list, record.place, each.index - first, number(*each.value));
  }
}

/// Whether something stands at a path, or with "path=text" that text.
bool has_place(Json const& record, std::string_view place) {
  std::size_t const equals = place.find('=');
  auto const found = at_path(record, place.substr(0, equals));
  if (found.empty()) return false;
  return equals == place.npos || text_or_json(*found.front().value) == place.substr(equals + 1);
}

PrintedRecord print_of(Card const& card, std::string place, Json const& whole, Json const& part) {
  PrintedRecord record{.place = std::move(place)};
  record.positions_are_shares = card.positions_are_shares();
  record.is_aside = !card.aside.empty() && has_place(whole, card.aside);
  for (PrintedField const& field : card.fields) {
    for (std::string_view const path : field.places) {
      auto const found = path.starts_with('/') ? at_path(whole, path.substr(1)) : at_path(part, path);
      if (found.empty()) continue;
      take_value(card, record, field.quantity, path, found);
      break;
    }
  }
  return record;
}

/// The columns of a table that the card reads.
std::set<std::size_t> columns_read(Card const& card, TableHeader const& header) {
  Json places = Json::object();
  for (std::size_t i = 0; i < header.names.size(); ++i) places[header.names[i]] = i;
  std::set<std::size_t> all;
  for (PrintedField const& field : card.fields)
    for (std::string const& place : field.places)
      for (AtPath const& each : at_path(places, place)) all.insert(each.value->get<std::size_t>());
  return all;
}

/// Rows as objects, whose members are texts, with decimal points in their numbers.
std::vector<PrintedRecord> rows_of(Card const& card, std::string const& file, std::string_view text) {
  std::vector<PrintedRecord> all;
  Lines lines(text);
  std::optional<TableHeader> header;
  TableNumbers numbers;
  std::set<std::size_t> read;
  std::vector<std::string_view> fields;
  while (lines.next()) {
    if (trimmed(lines.line()).empty()) continue;
    std::string const place = fmt::format("{}, line {}", file, lines.number());
    if (!header) {
      header = read_header(place, lines.line());
      numbers = TableNumbers(*header, lines);
      read = columns_read(card, *header);
      continue;
    }
    read_fields(place, lines.line(), *header, fields);
    Json row = Json::object();
    for (std::size_t const i : read) {
      if (fields[i].empty()) continue;
      std::string cell = numbers.plain(i, fields[i]);
      if (cell.find(',') != cell.npos && plain_number(cell, DecimalMark::comma))
        refuse_record(place, fmt::format("{} is {}", header->names[i], in_quotes_with_doubt(cell)), "expected: a number",
                      number_hint(cell, "correct the table"));
      row[header->names[i]] = std::move(cell);
    }
    all.push_back(print_of(card, place, row, row));
  }
  return all;
}

/// A number that a line of a text has, and where.
struct Found {
  std::size_t at;  ///< in the text, by which prints are told apart
  PrintedLine::Group const* group;
  std::string_view text;
  std::optional<std::size_t> index;
};

/// The length of ",345" or ",345,678", which goes on a number that an expression of digits left there.
std::size_t thousands_behind(std::string_view text, std::size_t at) {
  std::size_t length = 0;
  auto const digit = [&](std::size_t i) { return at + i < text.size() && is_digit(text[at + i]); };
  while (at + length < text.size() && text[at + length] == ',' && digit(length + 1) && digit(length + 2) &&
         digit(length + 3) && !digit(length + 4))
    length += 4;
  return length;
}

void find_all(PrintedLine const& line, std::string_view text, int first_index, std::vector<Found>& found) {
  re2::RE2 const& expression = line.pattern->compiled();
  auto const& numbers = expression.NamedCapturingGroups();
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(expression.NumberOfCapturingGroups()) + 1);
  auto const group_of = [&](std::string const& name) { return groups[static_cast<std::size_t>(numbers.at(name))]; };
  re2::StringPiece const all(text.data(), text.size());
  std::size_t begin = 0;
  while (begin <= text.size() && expression.Match(all, begin, text.size(), re2::RE2::UNANCHORED, groups.data(),
                                                  static_cast<int>(groups.size()))) {
    auto const at = static_cast<std::size_t>(groups[0].data() - text.data());
    std::optional<std::size_t> index;
    if (line.has_index) {
      re2::StringPiece const piece = group_of("index");
      auto const number = parse_integer({piece.data(), piece.size()});
      if (!number || *number < first_index) {
        begin = at + std::max<std::size_t>(groups[0].size(), 1);
        continue;
      }
      index = static_cast<std::size_t>(*number - first_index);
    }
    for (PrintedLine::Group const& group : line.groups) {
      re2::StringPiece const piece = group_of(group.name);
      if (!piece.data()) continue;
      std::string_view number(piece.data(), piece.size());
      auto const place = static_cast<std::size_t>(piece.data() - text.data());
      if (is_count(group.quantity)) number = text.substr(place, number.size() + thousands_behind(text, place + number.size()));
      if (!is_no_number(group.quantity, number)) found.push_back({place, &group, number, index});
    }
    begin = at + std::max<std::size_t>(groups[0].size(), 1);
  }
}

/// Where prints begin, where the card says it; what stands before the first was cut.
std::vector<std::size_t> beginnings(Card const& card, std::string_view text) {
  std::vector<std::size_t> all;
  if (!card.begins) return all;
  re2::StringPiece const bytes(text.data(), text.size());
  re2::StringPiece found;
  for (std::size_t at = 0; at <= text.size() && card.begins->compiled().Match(bytes, at, text.size(), re2::RE2::UNANCHORED,
                                                                             &found, 1);) {
    all.push_back(static_cast<std::size_t>(found.data() - text.data()));
    at = all.back() + std::max<std::size_t>(found.size(), 1);
  }
  return all;
}

/// Whether the number stands in the record already: another print begins with it.
bool is_there(PrintedRecord const& record, Found const& found) {
  PrintedQuantity const quantity = found.group->quantity;
  if (quantity == PrintedQuantity::each_request)  // these stand together, before the sums
    return record.numbers.size() + record.lists.size() > record.numbers.count(PrintedQuantity::requests);
  if (record.texts.contains(quantity) || record.numbers.contains(quantity)) return true;
  auto const list = record.lists.find(quantity);
  if (list == record.lists.end()) return false;
  return !found.index || (*found.index < list->second.size() && !list->second[*found.index].word.empty());
}

std::vector<PrintedRecord> prints_of_text(Card const& card, std::string const& file, std::string_view text) {
  std::vector<Found> found;
  for (PrintedLine const& line : card.lines) find_all(line, text, card.first_index, found);
  std::ranges::stable_sort(found, {}, &Found::at);
  std::vector<std::size_t> const begins = beginnings(card, text);
  auto begin = begins.begin();
  std::vector<PrintedRecord> all;
  std::size_t line_number = 1, counted_to = 0;
  for (Found const& each : found) {
    line_number += static_cast<std::size_t>(std::ranges::count(text.substr(counted_to, each.at - counted_to), '\n'));
    counted_to = each.at;
    bool const begun = begin != begins.end() && *begin <= each.at;
    if (begun) begin = std::ranges::upper_bound(begin, begins.end(), each.at);
    if (all.empty() || begun || is_there(all.back(), each)) {
      if (all.size() >= most_prints)
        throw InputError(fmt::format("{}: it has more than {} prints (a run has fewer)", file, most_prints),
                         "give a part of it");
      all.push_back({.place = fmt::format("{}, line {}", file, line_number)});
      all.back().positions_are_shares = card.positions_are_shares();
      all.back().is_cut = begin == begins.begin() && !begins.empty();
    }
    PrintedRecord& record = all.back();
    auto const& [number, quantity, word] = *each.group;
    QuantityCard const& meant = quantity_card(quantity);
    auto const place = [&] { return fmt::format("{}, line {}", file, line_number); };
    if (quantity == PrintedQuantity::each_request) {
      ++record.numbers[PrintedQuantity::requests].value;
    } else if (meant.is_text) {
      record.texts[quantity] = std::string(each.text);
    } else if (!meant.is_list) {
      record.numbers[quantity] = printed_number(card, quantity, place(), word, each.text);
    } else if (each.index) {
      put(record.lists[quantity], place(), *each.index, printed_number(card, quantity, place(), word, each.text));
    } else {
      std::vector<PrintedNumber>& list = record.lists[quantity];
      for (std::string_view const one : numbers_in(each.text))
        put(list, place(), list.size(), printed_number(card, quantity, place(), word, one));
    }
  }
  return all;
}

/// The same lines as Windows ends them.
std::string with_carriage(std::string const& lines) {
  std::string all;
  for (char const c : lines) all += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return all;
}

/// The record, or what a batch or a proxy wrapped in it, that the signs are of; null where none is.
Json const* print_in(Card::Signs const& signs, Json const& record) {
  for (Json const* at :
       {&record, member(record, {"response"}), member(record, {"body"}), member_at(record, {"response", "body"})})
    if (at && is_recognised(signs, [&](std::string const& place) { return has_place(*at, place); })) return at;
  return nullptr;
}

}  // namespace

PrintedNumber printed_number(Card const& card, PrintedQuantity quantity, std::string const& place, std::string const& word,
                       std::string_view text) {
  std::string const plain = without_commas(trimmed(text));
  std::string_view digits = plain;
  bool const percent = digits.ends_with('%');
  if (percent) digits.remove_suffix(1);
  auto const value = parse_real(digits);
  if (!value || !(*value >= 0) || std::isinf(*value))
    throw InputError(fmt::format("{}: {} is {} (expected: a number ≥ 0)", place, word, in_quotes(text)),
                     "correct the print");
  constexpr double single_precision = 1e-6;  // of numbers with more digits than it has
  double const scale = percent ? .01 : card.unit(quantity).scale;
  // A count is written whole, and so it is.
  bool const counts = is_count(quantity) || (quantity_card(quantity).is_list && !card.unit(quantity).is_share);
  double const half = counts && digits.find('.') == digits.npos ? 0 : last_unit(digits) / 2;
  return {*value * scale, half > 0 ? scale * std::max(half, single_precision * *value) : 0, word};
}

bool is_recognised(Card::Signs const& signs, std::function<bool(std::string const&)> const& is_there) {
  auto const holds = [&](std::string const& sign) {
    return sign.front() == '!' ? !is_there(sign.substr(1)) : is_there(sign);
  };
  return std::ranges::all_of(signs, [&](auto const& either) { return std::ranges::any_of(either, holds); });
}

bool is_print(Card const& card, Json const& record) {
  return card.form == PrintForm::json && print_in(card.recognise, record);
}

bool counts_no_drafts(Card const& card, Json const& record) {
  return !card.without_drafts.empty() && print_in(card.without_drafts, record);
}

bool is_print(Card const& card, std::string_view text) {
  if (card.form == PrintForm::json) return false;
  if (card.form == PrintForm::table) {
    auto const header = header_in(text.substr(0, text.find('\n')));
    return header && is_recognised(card.recognise, [&](std::string const& name) { return contains(header->names, name); });
  }
  return is_recognised(card.recognise, [&](std::string const& sign) {
    return text.find(sign) != text.npos || (sign.find('\n') != sign.npos && text.find(with_carriage(sign)) != text.npos);
  });
}

std::vector<PrintedRecord> prints_of(Card const& card, std::string const& place, Json const& record) {
  Json const* const found = print_in(card.recognise, record);
  Json const& whole = found ? *found : record;
  for (std::string const& path : card.records) {
    std::vector<PrintedRecord> all;
    for (AtPath const& each : at_path(whole, path)) all.push_back(print_of(card, place, whole, *each.value));
    if (!all.empty()) return all;
  }
  return {print_of(card, place, whole, whole)};
}

std::vector<PrintedRecord> prints_of(Card const& card, std::string const& file, std::string_view text) {
  return card.form == PrintForm::table ? rows_of(card, file, text) : prints_of_text(card, file, text);
}

}  // namespace draftgauge
