#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/choose/alarm.h"
#include "analysis/report/json.h"
#include "analysis/table.h"
#include "sim/base/error.h"

namespace draftgauge {

/// The program's exit status. `interrupted` is what a shell calls a program that Ctrl-C (signal 2) has ended.
enum class Status { done = 0, failed = 1, usage = 2, input = 3, inconclusive = 4, interrupted = 130 };

/// The status of two checks together: wrong usage and bad input before interrupted before failed before inconclusive
/// before done.
Status both(Status a, Status b);

enum class Format { text, md, csv, json, latex };
/// What people read about a format, and the ending of its files.
struct FormatCard {
  std::string_view name, ending, summary;
};
/// In the order of Format.
inline constexpr FormatCard format_cards[] = {
    {"text", ".txt", "aligned columns for a terminal"},
    {"md", ".md", "GitHub's Markdown"},
    {"csv", ".csv", "RFC 4180, all digits: one table, which --table names; all with -o FOLDER/"},
    {"json", ".json", "one object: the fields that docs/schema describes"},
    {"latex", ".tex", "booktabs tables, to be pasted into a paper"}};

/// A piece of what the reader sees; parts that are empty are not printed. CSV has the tables alone.
struct Section {
  std::string heading = {};
  std::vector<std::string> paragraphs = {};
  Table table = {};
  std::vector<std::string> code = {};   ///< lines to be printed as they are
  std::vector<std::string> notes = {};  ///< below the table: what the numbers mean, what was left out
  bool detail = false;                  ///< left out where a reader wants the answer alone

  /// Adds a note; none where it says nothing.
  void note(std::string words) {
    if (!words.empty()) notes.push_back(std::move(words));
  }
  void note(std::vector<std::string> const& more) { notes.insert(notes.end(), more.begin(), more.end()); }
};

/// A file that a result depends on.
struct Input {
  std::string path;
  std::string sha256;
};

/// The input at the path, hashed. Throws InputError where it cannot be read.
Input input_from(std::string const& path);

/// What a command found: a document for programs (`--format json`) and sections for people (the other formats).
struct Result {
  Status status = Status::done;
  /// The command's own fields; the envelope (schema, version, command, seed, backend, inputs) is put around them.
  Json document = Json::object();
  /// The backend that ran, where random rounds were run: the resolved name, never "auto".
  std::optional<std::string> backend = {};
  /// What kept it from being whole, said once it is printed; the exit status is that of bad input.
  std::optional<InputError> failure = {};
  std::vector<Input> inputs = {};
  std::optional<std::uint64_t> seed = {};  ///< the seed of what is shown, where --seed does not say it
  std::vector<Alarm> alarms = {};          ///< what is said before the title
  std::string title = {};
  std::vector<Section> sections = {};
  /// What the text format prints as it is, in place of the sections: a result that is a file's text.
  std::string verbatim = {};
};

/// What the envelope says beside the result.
struct Origin {
  std::string command;
  std::string version;
  std::int64_t seed;
};

/// How a text looks where it is read.
struct Look {
  std::size_t width = 100;  ///< of tables, in columns
  bool colour = false;      ///< the first line and the verdicts stand out
};

/// The word of a verdict in results, and the status that it ends with.
std::string_view word(Verdict verdict);
Status status_of(Verdict verdict);

/// What a reader sees who wants the answer alone: without details, and a line that says so where there were any.
Result brief(Result result);

/// CSV is one table a file: of several the first.
std::string render(Result const& result, Format format, Origin const& origin, Look const& look = {});

}  // namespace draftgauge
