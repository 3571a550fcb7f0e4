#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/counters/counters.h"

/// Fields of lines that engines log.
namespace draftgauge {

/// What stands behind the first "KEY =" or "KEY:" in the line where KEY is a word of its own; nullopt where none is.
std::optional<std::string_view> behind_key(std::string_view line, std::string_view key);

/// The number behind the first "KEY = X" or "KEY: X" in the line where KEY is a word of its own; empty where there is
/// none.
std::optional<double> value_of(std::string_view line, std::string_view key);

/// The numbers of "KEY: a, b, c" or "KEY = (a, b, c)", the first most_positions + 1 of them: `shares` refuses so many.
std::vector<double> values_of(std::string_view line, std::string_view key);

/// Where a line of a log is, for errors.
struct LogPlace {
  std::string const& file;
  std::size_t number = 0;

  std::string text() const;  ///< "FILE, line N"
  /// Throws InputError "FILE, line N: NAME cannot be read (expected: …)".
  [[noreturn]] void refuse(std::string_view name, std::string const& expected) const;
  /// A whole number ≥ 0 and at most most_rounds.
  std::int64_t count(std::string_view name, std::optional<double> value) const;
  /// The same of what stands behind that key in a line.
  std::int64_t count_in(std::string_view line, std::string_view key) const;
  /// Each of them in [0, 1], to rounding, and at most most_positions.
  std::vector<double> shares(std::string_view name, std::vector<double> values) const;
};

/// Lines that say their time, of which none may stand twice: a log that was pasted twice would count as two.
class TimedLines {
 public:
  /// sign: behind the time. Throws InputError where an earlier line is the same to the character.
  void take(LogPlace const& at, std::string_view line, std::string_view sign);

 private:
  std::map<std::string_view, std::size_t> numbers_;
};

/// Rounds that kept draft i, of shares of `rounds` that were rounded.
std::vector<std::int64_t> counts_of_shares(std::vector<double> const& shares, std::int64_t rounds);

/// The kind of draft that a line "… statistics KIND: …" of llama.cpp is of; empty where it names none.
std::string_view draft_kind_of(std::string_view line);
/// Adds it, where it is not there.
void add_draft_kind(EngineCounters& counters, std::string_view line);

}  // namespace draftgauge
