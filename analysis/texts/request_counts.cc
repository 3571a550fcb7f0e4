#include "analysis/texts/request_counts.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/json_text.h"

namespace draftgauge {
namespace {

constexpr char const* expected = "expected counts of rounds that kept 0, 1, … γ drafts, such as 30,20,10,40";

[[noreturn]] void refuse(std::string_view name, std::size_t line, std::string const& found) {
  throw InputError(fmt::format("{}: line {}: {} (a row holds the counts of one request)", name, line, found),
                   expected);
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  bool const blanks = line.find_first_of(",;\t") == line.npos;
  for (;;) {
    std::size_t const end = line.find_first_of(blanks ? " " : ",;\t");
    std::string_view const cell = trimmed(line.substr(0, end));
    if (!blanks || !cell.empty()) cells.push_back(cell);
    if (end == line.npos) return cells;
    line.remove_prefix(end + 1);
  }
}

[[noreturn]] void refuse_count(std::string_view name, std::size_t line, std::string_view count) {
  refuse(name, line, fmt::format("has the count {}, and {} is the most", count, most_rounds));
}

/// What stands there.
std::string written(nlohmann::json const& found) {
  return found.is_structured() ? std::string(found.type_name()) : found.dump();
}

nlohmann::json document_of(std::string_view name, std::size_t line, std::string_view text) {
  try {
    return parse_json(text, {.why = "a row holds the counts of one request", .hint = expected});
  } catch (Error const& error) {
    throw InputError(fmt::format("{}: line {}", name, line), error);
  }
}

std::vector<std::int64_t> counts_of_json(std::string_view name, std::size_t line, std::string_view text) {
  nlohmann::json const parsed = document_of(name, line, text);
  auto const field = parsed.is_object() ? parsed.find("accepted") : parsed.end();
  if (parsed.is_object() && field == parsed.end()) refuse(name, line, "has no field \"accepted\"");
  nlohmann::json const& list = parsed.is_object() ? *field : parsed;
  std::vector<std::int64_t> counts;
  if (!list.is_array()) refuse(name, line, fmt::format("has {} for a list", written(list)));
  for (nlohmann::json const& each : list) {
    if (!each.is_number_unsigned()) refuse(name, line, fmt::format("has the count {}", written(each)));
    if (each.get<std::uint64_t>() > std::uint64_t{most_rounds}) refuse_count(name, line, each.dump());
    counts.push_back(each.get<std::int64_t>());
  }
  return counts;
}

/// Words: in the first cell, or behind the numbers of kept drafts, as "0,1,2 or more". Bare 0, 1, 2, … are not: a
/// request may have them, too.
bool is_heading(std::vector<std::string_view> const& cells) {
  constexpr std::string_view digits = "0123456789";
  std::string_view const first = cells.front();
  if (!first.empty() && first.find_first_of("0123456789.-+") != 0) return true;
  bool words = false;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    std::size_t const end = std::min(cells[k].find_first_not_of(digits), cells[k].size());
    if (cells[k].substr(0, end) != std::to_string(k)) return false;
    words = words || end < cells[k].size();
  }
  return words;
}

/// 0, 1, 2, … and nothing else.
bool numbers_drafts(std::vector<std::string_view> const& cells) {
  for (std::size_t k = 0; k < cells.size(); ++k)
    if (cells[k] != std::to_string(k)) return false;
  return true;
}

/// The first column is no count: it has a known name, or the counts' own heading, 0, begins behind it.
bool names_requests(std::vector<std::string_view> const& heading) {
  for (std::string_view const known : {"request", "prompt", "name", "id"})
    if (heading.front() == known) return true;
  return heading.size() > 1 && heading[1].starts_with('0');
}

}  // namespace

RequestCounts read_request_counts(std::string_view name, std::string_view text, std::size_t fewest) {
  RequestCounts counts;
  std::size_t skipped = 0, ambiguous = 0;
  bool first = true;
  for (Lines lines(text); lines.next();) {
    std::size_t const number = lines.number();
    std::string_view line = lines.line();
    while (line.ends_with(' ')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '[' || line.front() == '{') {
      counts.push_back(counts_of_json(name, number, line));
    } else {
      auto const cells = cells_of(line);
      if (std::exchange(first, false)) {
        if (is_heading(cells)) {
          skipped = names_requests(cells) ? 1 : 0;
          continue;
        }
        if (cells.size() > 1 && numbers_drafts(cells)) ambiguous = number;
      }
      std::vector<std::int64_t> row;
      for (std::size_t k = skipped; k < cells.size(); ++k) {
        auto const count = parse_integer(cells[k]);
        if (!count || *count < 0) refuse(name, number, fmt::format("'{}' is no count", cells[k]));
        if (*count > most_rounds) refuse_count(name, number, cells[k]);
        row.push_back(*count);
      }
      counts.push_back(std::move(row));
    }
    first = false;
    if (counts.back().size() < fewest)
      refuse(name, number, fmt::format("has {}", counts.back().empty() ? "no count" : "one count"));
  }
  if (counts.empty())
    throw InputError(fmt::format("{}: holds no request (there is nothing to count)", name), expected);
  if (ambiguous > 0 && counts.size() > 1)
    throw InputError(
        fmt::format("{}: line {} can be read in two ways (0, 1, 2, … may be a heading, or the counts of a request)",
                    name, ambiguous),
        "put # before a heading, or the line 'counts' above counts");
  auto const has_round = [](auto const& row) { return std::ranges::any_of(row, [](auto n) { return n > 0; }); };
  if (std::ranges::none_of(counts, has_round))
    throw InputError(fmt::format("{}: all counts are 0 (there is no round to estimate from)", name), expected);
  return counts;
}

bool could_be_rounds(std::vector<std::int64_t> const& row) {
  constexpr std::int64_t longest_usual = 16;
  std::int64_t const most = row.empty() ? 0 : std::ranges::max(row);
  return most >= 1 && most <= longest_usual && std::cmp_greater(row.size(), most + 1);
}

}  // namespace draftgauge
