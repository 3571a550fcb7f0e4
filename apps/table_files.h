#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "apps/result.h"

namespace draftgauge {

/// Where tables are written, and how.
struct TableFiles {
  std::string folder;  ///< with a file for each table in it; empty: `file`
  std::string file;    ///< of one table
  Format format;

  /// The file of the table of that name: "out/chen-1.tex".
  std::string path_of(std::string_view name) const;
};

/// output: what -o names; a folder where it ends in a slash, is one, or has several tables to take. A file's ending
/// (.txt, .md, .csv, .json, .tex) chooses the format where `asked` is none. Throws UsageError for another ending.
TableFiles table_files(std::string const& output, std::optional<Format> asked, std::size_t tables);

}  // namespace draftgauge
