#include "analysis/counters/log_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/counters/json_fields.h"
#include "analysis/recordings/text_file.h"
#include "analysis/stats/kaplan_meier.h"
#include "sim/base/error.h"
#include "sim/base/letters.h"
#include "sim/base/limits.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

/// "16:12:03"
bool has_time(std::string_view text) {
  constexpr std::string_view form = "00:00:00";
  for (std::size_t begin = 0; begin + form.size() <= text.size(); ++begin) {
    bool fits = true;
    for (std::size_t i = 0; fits && i < form.size(); ++i)
      fits = form[i] == ':' ? text[begin + i] == ':' : is_digit(text[begin + i]);
    if (fits) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string_view> behind_key(std::string_view line, std::string_view key) {
  for (std::size_t at = line.find(key); at != line.npos; at = line.find(key, at + 1)) {
    auto const is_word = [](char c) { return is_letter(c) || c == '_'; };
    if (at > 0 && is_word(line[at - 1])) continue;
    std::string_view rest = line.substr(at + key.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (!rest.starts_with('=') && !rest.starts_with(':')) continue;
    rest.remove_prefix(1);
    return rest;
  }
  return std::nullopt;
}

std::optional<double> value_of(std::string_view line, std::string_view key) {
  auto rest = behind_key(line, key);
  return rest ? take_real(*rest) : std::nullopt;
}

std::vector<double> values_of(std::string_view line, std::string_view key) {
  std::vector<double> values;
  auto rest = behind_key(line, key);
  if (!rest) return values;
  rest->remove_prefix(std::min(rest->find_first_not_of(" ("), rest->size()));
  while (values.size() <= most_positions) {
    auto const value = take_real(*rest);
    if (!value) break;
    values.push_back(*value);
    if (!rest->starts_with(',')) break;
    rest->remove_prefix(1);
  }
  return values;
}

std::string LogPlace::text() const { return fmt::format("{}, line {}", file, number); }

void LogPlace::refuse(std::string_view name, std::string const& expected) const {
  throw InputError(fmt::format("{}: {} cannot be read (expected: {})", text(), name, expected), "correct the log");
}

std::int64_t LogPlace::count(std::string_view name, std::optional<double> value) const {
  if (!value || !(*value >= 0) || *value != std::floor(*value)) refuse(name, "a whole number ≥ 0");
  if (*value > static_cast<double>(most_rounds)) refuse(name, fmt::format("at most {}", most_rounds));
  return static_cast<std::int64_t>(*value);
}

std::int64_t LogPlace::count_in(std::string_view line, std::string_view key) const {
  return count(key, value_of(line, key));
}

std::vector<double> LogPlace::shares(std::string_view name, std::vector<double> values) const {
  if (values.size() > most_positions) refuse(name, fmt::format("at most {} numbers", most_positions));
  constexpr double rounding = 1e-9;
  for (double const value : values)
    if (!(value >= 0 && value <= 1 + rounding)) refuse(name, "numbers from 0 to 1");
  return values;
}

void TimedLines::take(LogPlace const& at, std::string_view line, std::string_view sign) {
  if (!has_time(line.substr(0, line.find(sign)))) return;
  auto const [known, is_new] = numbers_.emplace(line, at.number);
  if (!is_new) refuse_twice(at.text(), fmt::format("line {}", known->second));
}

std::string_view draft_kind_of(std::string_view line) {
  constexpr std::string_view key = "statistics ";
  std::size_t const begin = line.find(key);
  if (begin == line.npos) return {};
  line.remove_prefix(begin + key.size());
  std::size_t const colon = line.find(':');
  return colon == line.npos ? std::string_view() : trimmed(line.substr(0, colon));
}

void add_draft_kind(EngineCounters& counters, std::string_view line) {
  std::string_view const kind = draft_kind_of(line);
  if (kind.empty()) return;
  add_once(counters.draft_kinds, kind);
  if (counters.draft_kinds.size() > most_draft_kinds)
    throw InputError(fmt::format("{}: it names more than {} kinds of drafts (a server has a few)", counters.file,
                                 most_draft_kinds),
                     "give the log of one server");
}

std::vector<std::int64_t> counts_of_shares(std::vector<double> const& shares, std::int64_t rounds) {
  std::vector<std::int64_t> counts;
  for (double const share : shares) counts.push_back(std::llround(share * static_cast<double>(rounds)));
  return counts;
}

}  // namespace draftgauge
