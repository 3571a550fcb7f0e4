#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/recordings/costs/time_format.h"
#include "analysis/recordings/delimited.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/table_numbers.h"
#include "analysis/recordings/text_file.h"

namespace draftgauge {

/// The format whose table in Markdown has this line as its head; null for any other line.
TimeFormat const* markdown_format(std::string_view line);

/// What to do with a table in Markdown.
enum class Markdown { refused, read };

/// The lines of a file of measured times: of JSON, or of a table that begins with a line of names, whose fields are text
/// under these in lower case, numbers with decimal points. File and text must live as long.
class MeasuredLines {
 public:
  MeasuredLines(std::string const& file, std::string_view text, Markdown markdown);

  /// Goes to the next line; false at the end. Throws InputError for what is neither, and for Markdown that is refused.
  bool next();
  std::string const& place() const { return place_; }
  nlohmann::json const& row() const { return records_ ? records_->value() : row_; }

 private:
  std::string const& file_;
  Markdown markdown_;
  std::optional<JsonRecords> records_;
  Lines lines_;
  std::optional<TableHeader> header_;
  TableNumbers numbers_;
  nlohmann::json row_;
  std::string place_;
};

}  // namespace draftgauge
