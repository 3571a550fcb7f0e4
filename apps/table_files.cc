#include "apps/table_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "sim/error.h"

namespace draftgauge {
namespace {

/// In the order of Format.
constexpr std::string_view endings[] = {".txt", ".md", ".csv", ".json", ".tex"};

Format format_of_file(std::string const& path) {
  auto const* const found = std::ranges::find(endings, std::filesystem::path(path).extension().string());
  if (found == std::end(endings))
    throw UsageError(fmt::format(
        "{} does not say in which format it is to be written (its ending is none of {}) give one of these, "
        "or --format; a folder ends in a slash",
        path, fmt::join(endings, ", ")));
  return static_cast<Format>(found - std::begin(endings));
}

}  // namespace

std::string TableFiles::path_of(std::string_view name) const {
  if (folder.empty()) return file;
  std::string_view const ending = endings[static_cast<std::size_t>(format)];
  return (std::filesystem::path(folder) / fmt::format("{}{}", name, ending)).string();
}

TableFiles table_files(std::string const& output, std::optional<Format> asked, std::size_t tables) {
  std::error_code error;
  if (tables > 1 || output.ends_with('/') || std::filesystem::is_directory(output, error))
    return {output, {}, asked.value_or(Format::text)};
  return {{}, output, asked ? *asked : format_of_file(output)};
}

}  // namespace draftgauge
