#include "apps/table/table_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

std::optional<Format> format_of_file(std::string const& path) {
  auto const* const found =
      std::ranges::find(format_cards, std::filesystem::path(path).extension().string(), &FormatCard::ending);
  if (found == std::end(format_cards)) return {};
  return static_cast<Format>(found - std::begin(format_cards));
}

}  // namespace

std::string TableFiles::path_of(std::string_view name) const {
  std::string_view const ending = format_cards[static_cast<std::size_t>(format)].ending;
  return (std::filesystem::path(folder) / fmt::format("{}{}", name, ending)).string();
}

TableFiles table_files(std::string const& output, std::optional<Format> asked, std::size_t tables) {
  std::optional<Format> const said = format_of_file(output);
  std::error_code error;
  if (output.ends_with('/') || std::filesystem::is_directory(output, error) || (tables > 1 && !said))
    return {output, {}, asked.value_or(Format::text)};
  if (!asked && !said)
    throw UsageError(fmt::format("{} does not say in which format it is to be written (its ending is none of {})",
                                 output, joined(format_cards, &FormatCard::ending)),
                     "give one of these, or --format; a folder ends in a slash");
  return {{}, output, asked ? *asked : *said};
}

}  // namespace draftgauge
