#include "analysis/tables/published.h"

#include <stdexcept>

#include "analysis/recordings/delimited.h"
#include "analysis/recordings/text_file.h"

namespace draftgauge {

namespace {

Published read(PublishedFile const& file) {
  std::string const name(file.name);
  Published table;
  TableHeader header;
  std::vector<std::string_view> fields;
  for (Lines lines(file.text); lines.next();) {
    std::string_view const line = lines.line();
    if (line.empty() || line.starts_with("# ")) continue;
    if (header.names.empty()) {
      header = read_header(name, line);
      continue;
    }
    read_fields(name, line, header, fields);
    auto& row = table.rows.emplace_back();
    for (std::size_t i = 0; i < fields.size(); ++i) row.emplace(header.names[i], fields[i]);
  }
  if (table.rows.empty()) throw std::logic_error("data/published/" + name + ".tsv has no rows");
  return table;
}

std::map<std::string_view, Published> read_all() {
  std::map<std::string_view, Published> tables;
  for (PublishedFile const& file : published_files()) tables.emplace(file.name, read(file));
  return tables;
}

}  // namespace

Published const& published(std::string_view name) {
  static std::map<std::string_view, Published> const tables = read_all();
  auto const found = tables.find(name);
  if (found == tables.end()) throw std::logic_error("there is no data/published/" + std::string(name) + ".tsv");
  return found->second;
}

}  // namespace draftgauge
