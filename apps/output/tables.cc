#include "apps/output/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "sim/base/bytes_text.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

/// The letters of headings that a command line has no key for, each as a word of its own.
constexpr std::pair<std::string_view, std::string_view> greek[] = {
    {"α", "alpha"}, {"β", "beta"}, {"γ", "gamma"}, {"δ", "delta"}, {"τ", "tau"}};

std::string hyphened(std::string_view heading) {
  std::string name;
  auto const part = [&name] {
    if (!name.empty() && name.back() != '-') name += '-';
  };
  while (!heading.empty()) {
    auto const* const letter =
        std::ranges::find_if(greek, [&](auto const& each) { return heading.starts_with(each.first); });
    if (letter != std::ranges::end(greek)) {
      part();
      name.append(letter->second) += '-';
      heading.remove_prefix(letter->first.size());
      continue;
    }
    auto const c = static_cast<unsigned char>(heading.front());
    if (std::isalnum(c))
      name += static_cast<char>(std::tolower(c));
    else
      part();
    heading.remove_prefix(1);
  }
  if (name.ends_with('-')) name.pop_back();
  return name;
}

}  // namespace

std::vector<NamedTable> named_tables(Result const& result, std::string_view command) {
  std::vector<NamedTable> tables;
  auto const taken = [&](std::string const& name) {
    return std::ranges::any_of(tables, [&](NamedTable const& each) { return each.name == name; });
  };
  for (Section const& section : result.sections) {
    if (section.table.columns().empty()) continue;
    std::string const plain = hyphened(section.heading.empty() ? command : section.heading);
    std::string name = plain;
    for (int again = 2; taken(name); ++again) name = fmt::format("{}-{}", plain, again);
    tables.push_back({std::move(name), &section.table});
  }
  return tables;
}

Result with_table_alone(Result result, std::string_view command, std::string_view name) {
  auto const tables = named_tables(result, command);
  auto const found = std::ranges::find(tables, name, &NamedTable::name);
  if (found == tables.end()) {
    result.failure =
        InputError(tables.empty() ? fmt::format("--table {}: this result has no tables (all of it is shown)", name)
                                  : fmt::format("--table {}: there is none of that name (all is shown; known: {})",
                                                name, joined(tables, &NamedTable::name)),
                   "leave --table out to see them with their headings");
    return result;
  }
  Table alone = *found->table;
  result.alarms.clear();
  result.title.clear();
  result.verbatim.clear();
  result.sections = {{.table = std::move(alone)}};
  return result;
}

std::vector<FileText> csv_files(Result const& result, std::string_view command, std::string const& folder) {
  std::vector<FileText> files;
  for (NamedTable const& each : named_tables(result, command))
    files.push_back({(std::filesystem::path(folder) / (each.name + ".csv")).string(), to_csv(*each.table)});
  return files;
}

void show_written(Result& result, std::span<FileText const> files, bool sizes) {
  std::vector<Column> columns{{"file", "written", Align::left}};
  if (sizes) columns.push_back({"size", "size"});
  Table table(std::move(columns));
  Json paths = Json::array();
  for (FileText const& file : files) {
    std::vector<Cell> row{file.path};
    if (sizes) row.push_back(bytes_text(file.text.size()));
    table.add(std::move(row));
    paths.push_back(file.path);
  }
  result.document["files"] = std::move(paths);
  result.sections = {{.table = std::move(table)}};
}

}  // namespace draftgauge
