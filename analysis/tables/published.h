#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace draftgauge {

/// Figures as a paper prints them: a file of data/published, which is compiled in.
struct Published {
  std::string citation;  ///< its comment: paper, arXiv id, what is printed
  std::vector<std::map<std::string, std::string, std::less<>>> rows;  ///< by the column's name
};

/// A file as it was compiled in.
struct PublishedFile {
  std::string_view name;  ///< "leviathan-3"
  std::string_view text;
};
std::span<PublishedFile const> published_files();

/// The file of that name, read. Throws std::logic_error where there is none, or it is not a table.
Published published(std::string_view name);

}  // namespace draftgauge
