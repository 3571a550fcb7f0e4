#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "apps/output/result.h"

namespace draftgauge {

/// Where tables are written, and how.
struct TableFiles {
  std::string folder;  ///< with a file for each table in it; empty: `file`
  std::string file;    ///< of all tables
  Format format;

  /// The file in the folder for the table of that name: "out/chen-1.tex".
  std::string path_of(std::string_view name) const;
};

/// output: what -o names; a folder where it ends in a slash, is one, or has several tables to take and no ending of
/// format_cards, by which a file says its format where `asked` is none. Throws UsageError for a file with another ending.
TableFiles table_files(std::string const& output, std::optional<Format> asked, std::size_t tables);

}  // namespace draftgauge
