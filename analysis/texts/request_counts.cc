#include "analysis/texts/request_counts.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/json_text.h"

namespace draftgauge {
namespace {

struct RowWords {
  char const *why, *hint;
  std::size_t fewest;  ///< numbers in a row
};
constexpr RowWords of_counts = {"a row holds the counts of one request",
                                "expected counts of rounds that kept 0, 1, … γ drafts, such as 30,20,10,40", 2},
                   of_rounds = {"a row holds what each round of one request accepted",
                                "write what each round accepted, such as 3,0,4,1", 1};

/// A file of rows, as errors name it.
struct RowsFile {
  std::string_view name;
  RowWords const& words;

  [[noreturn]] void refuse(std::size_t line, std::string const& found) const {
    throw InputError(fmt::format("{}: line {}: {} ({})", name, line, found, words.why), words.hint);
  }
  [[noreturn]] void refuse_count(std::size_t line, std::string_view count) const {
    refuse(line, fmt::format("has the count {}, and {} is the most", count, most_rounds));
  }
};

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

/// What stands there.
std::string written(nlohmann::json const& found) {
  return found.is_structured() ? std::string(found.type_name()) : found.dump();
}

nlohmann::json document_of(RowsFile const& file, std::size_t line, std::string_view text) {
  try {
    return parse_json(text, {.why = file.words.why, .hint = file.words.hint});
  } catch (Error const& error) {
    throw InputError(fmt::format("{}: line {}", file.name, line), error);
  }
}

std::vector<std::int64_t> counts_of_json(RowsFile const& file, std::size_t line, std::string_view text) {
  nlohmann::json const parsed = document_of(file, line, text);
  auto const field = parsed.is_object() ? parsed.find("accepted") : parsed.end();
  if (parsed.is_object() && field == parsed.end()) file.refuse(line, "has no field \"accepted\"");
  nlohmann::json const& list = parsed.is_object() ? *field : parsed;
  std::vector<std::int64_t> counts;
  if (!list.is_array()) file.refuse(line, fmt::format("has {} for a list", written(list)));
  for (nlohmann::json const& each : list) {
    if (!each.is_number_unsigned()) file.refuse(line, fmt::format("has the count {}", written(each)));
    if (each.get<std::uint64_t>() > std::uint64_t{most_rounds}) file.refuse_count(line, each.dump());
    counts.push_back(each.get<std::int64_t>());
  }
  return counts;
}

/// A first cell that is no number.
bool begins_with_word(std::vector<std::string_view> const& cells) {
  std::string_view const first = cells.front();
  return !first.empty() && first.find_first_of("0123456789.-+") != 0 && !parse_real(first);
}

/// Words: in the first cell, or behind the numbers of kept drafts, as "0,1,2 or more". Bare 0, 1, 2, … are not: a
/// request may have them, too.
bool is_heading(std::vector<std::string_view> const& cells) {
  constexpr std::string_view digits = "0123456789";
  if (begins_with_word(cells)) return true;
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

/// Of a heading above rounds: whether the first column names their requests.
bool names_requests_of_rounds(RowsFile const& file, std::size_t line, std::vector<std::string_view> const& heading) {
  std::string_view const first = heading.front();
  if (first.starts_with("request") || first.starts_with("prompt")) return true;
  if (heading.size() > 1) file.refuse(line, fmt::format("has the columns {}", fmt::join(heading, ", ")));
  return false;
}

/// The numbers of a line of JSON, or behind the first `skipped` cells of another.
std::vector<std::int64_t> row_of(RowsFile const& file, std::size_t line, std::string_view text,
                                 std::vector<std::string_view> const& cells, std::size_t skipped) {
  std::vector<std::int64_t> row;
  if (cells.empty()) row = counts_of_json(file, line, text);
  for (std::size_t k = skipped; k < cells.size(); ++k) {
    auto const count = parse_integer(cells[k]);
    if (!count || *count < 0) file.refuse(line, fmt::format("'{}' is no count", cells[k]));
    if (*count > most_rounds) file.refuse_count(line, cells[k]);
    row.push_back(*count);
  }
  if (row.size() < file.words.fewest) file.refuse(line, fmt::format("has {}", row.empty() ? "no count" : "one count"));
  return row;
}

/// take(number, line, cells) of each line that holds something; of JSON no cells.
void each_line(std::string_view text, auto const& take) {
  for (Lines lines(text); lines.next();) {
    std::string_view line = lines.line();
    while (line.ends_with(' ')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    bool const json = line.front() == '[' || line.front() == '{';
    take(lines.number(), line, json ? std::vector<std::string_view>() : cells_of(line));
  }
}

}  // namespace

RequestCounts read_request_counts(std::string_view name, std::string_view text) {
  RowsFile const file{name, of_counts};
  RequestCounts counts;
  std::size_t skipped = 0, ambiguous = 0;
  bool first = true;
  each_line(text, [&](std::size_t number, std::string_view line, std::vector<std::string_view> const& cells) {
    if (std::exchange(first, false) && !cells.empty()) {
      if (is_heading(cells)) {
        skipped = names_requests(cells) ? 1 : 0;
        return;
      }
      if (cells.size() > 1 && numbers_drafts(cells)) ambiguous = number;
    }
    counts.push_back(row_of(file, number, line, cells, cells.empty() ? 0 : skipped));
  });
  if (counts.empty())
    throw InputError(fmt::format("{}: holds no request (there is nothing to count)", name), of_counts.hint);
  if (ambiguous > 0 && counts.size() > 1)
    throw InputError(
        fmt::format("{}: line {} can be read in two ways (0, 1, 2, … may be a heading, or the counts of a request)",
                    name, ambiguous),
        "put # before a heading, or the line 'counts' above counts");
  auto const has_round = [](auto const& row) { return std::ranges::any_of(row, [](auto n) { return n > 0; }); };
  if (std::ranges::none_of(counts, has_round))
    throw InputError(fmt::format("{}: all counts are 0 (there is no round to estimate from)", name), of_counts.hint);
  return counts;
}

RequestRounds read_request_rounds(std::string_view name, std::string_view text) {
  RowsFile const file{name, of_rounds};
  RequestRounds rounds;
  std::map<std::string, std::size_t, std::less<>> at;  // of each request that is named
  bool first = true, named = false, column = true;
  each_line(text, [&](std::size_t number, std::string_view line, std::vector<std::string_view> const& cells) {
    if (std::exchange(first, false) && !cells.empty() && begins_with_word(cells)) {
      named = names_requests_of_rounds(file, number, cells);
      return;
    }
    bool const by_name = named && !cells.empty();
    auto row = row_of(file, number, line, cells, by_name);
    column = column && !by_name && cells.size() == 1;
    auto const [place, is_new] =
        by_name ? at.try_emplace(std::string(cells.front()), rounds.size()) : std::pair(at.end(), true);
    if (is_new)
      rounds.push_back(std::move(row));
    else
      rounds[place->second].insert(rounds[place->second].end(), row.begin(), row.end());
  });
  if (rounds.empty()) throw InputError(fmt::format("{}: holds no round", name), of_rounds.hint);
  if (!column) return rounds;
  RequestRounds one(1);
  for (auto const& row : rounds) one.front().push_back(row.front());
  return one;
}

bool could_be_rounds(std::vector<std::int64_t> const& row) {
  constexpr std::int64_t longest_usual = 16;
  std::int64_t const most = row.empty() ? 0 : std::ranges::max(row);
  return most >= 1 && most <= longest_usual && std::cmp_greater(row.size(), most + 1);
}

}  // namespace draftgauge
