#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace draftgauge {

/// Figures as a paper prints them: a file of data/published, which is compiled in. Its comment says of which paper.
struct Published {
  std::vector<std::map<std::string, std::string, std::less<>>> rows;  ///< by the column's name
};

/// A file as it was compiled in.
struct PublishedFile {
  std::string_view name;  ///< "leviathan-3"
  std::string_view text;
};
std::span<PublishedFile const> published_files();

/// The file of that name; all are read once. Throws std::logic_error where there is none, and where one has no rows;
/// InputError where a line of one is not a row.
Published const& published(std::string_view name);

}  // namespace draftgauge
