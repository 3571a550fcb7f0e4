#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/recordings/costs/measured_row.h"

namespace draftgauge {

struct LoadReading;  // analysis/load/load_reading.h

/// What a line says of passes over so many tokens of each sequence: `seconds` for `passes` of them.
struct TimedPass {
  std::string model = {};  ///< empty: the file names none
  std::int64_t tokens = 1;
  double seconds;
  double passes = 1;
  bool generation = false;  ///< a generated token's time, which counts before that of a prompt of one
  std::optional<double> parameters = {};
  std::string_view caveat = {};  ///< what a reader must know of it
};

/// Of a table in Markdown, which holds rates of few digits: what writes it, and what makes that program write numbers in
/// full.
struct MarkdownTable {
  std::string_view program, instead;
};

/// A format of measured times, by the fields that all its lines have.
struct TimeFormat {
  std::string_view name;
  std::vector<std::string_view> fields;
  std::string_view time = {};  ///< for messages, what stands beside these under one name or another
  bool cost = false;           ///< whether --cost takes it
  bool load = false;  ///< whether --load takes it by batch size; else it is read as --cost does, of one sequence
  bool (*is)(nlohmann::json const& record) = nullptr;  ///< what else its lines have, of JSON alone
  /// None for a line that is passed over, with a note where that may surprise. Null: by take_load.
  std::optional<TimedPass> (*pass)(MeasuredRow const&, std::vector<std::string>& notes) = nullptr;
  std::string_view batch = {};                 ///< the field with the number of sequences; empty: one
  std::optional<MarkdownTable> markdown = {};  ///< its line of names is one of such a table; of --load alone
  // For --cost: a batch of n stands for a pass of n tokens; or these fields, if there, must be the same in all lines.
  bool batch_as_tokens = false;
  std::vector<std::string_view> constant = {};
  // For --load, of what else than passes it holds:
  void (*take_load)(MeasuredRow const&, LoadReading&) = nullptr;
  bool whole_rounds = false;
  bool accepted_elsewhere = false;  ///< of whole rounds, what is accepted in them stands in some of such files only

  /// Whether such a file says all that a choice of γ takes.
  bool says_acceptance() const { return whole_rounds && !accepted_elsewhere; }
};
std::span<TimeFormat const> time_formats();

namespace time_forms {

#define FORMAT(name) TimeFormat name();
#include "analysis/recordings/costs/list.inc"
#undef FORMAT

}  // namespace time_forms
}  // namespace draftgauge
