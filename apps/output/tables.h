#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/output/output.h"
#include "apps/output/result.h"

namespace draftgauge {

/// A table of a result by the name that --table knows it by.
struct NamedTable {
  std::string name;
  Table const* table;
};

/// The tables of a command's result, which must outlive them. A name is the heading in small letters with hyphens,
/// without a heading the command's; one that is taken gets a number behind it.
std::vector<NamedTable> named_tables(Result const& result, std::string_view command);

/// The result with that table alone to be seen. Where there is none of that name all is left, and `failure` names those
/// that are there: what took long to find is not lost to a misspelt name.
Result with_table_alone(Result result, std::string_view command, std::string_view name);

/// Each table as CSV, in files NAME.csv of the folder.
std::vector<FileText> csv_files(Result const& result, std::string_view command, std::string const& folder);

/// The result is that these files were written: readers see their names, and with `sizes` how long they are; the
/// document has them beside its fields, as "files".
void show_written(Result& result, std::span<FileText const> files, bool sizes = false);

}  // namespace draftgauge
