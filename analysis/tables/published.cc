#include "analysis/tables/published.h"

#include <algorithm>
#include <stdexcept>

#include "analysis/recordings/delimited.h"
#include "sim/error.h"

namespace draftgauge {

Published published(std::string_view name) {
  auto const files = published_files();
  auto const file = std::ranges::find(files, name, &PublishedFile::name);
  if (file == files.end()) throw std::logic_error("there is no data/published/" + std::string(name) + ".tsv");
  Published table;
  TableHeader header;
  std::vector<std::string_view> fields;
  for (std::string_view rest = file->text; !rest.empty();) {
    std::string_view const line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.empty()) continue;
    if (line.starts_with("# ")) {
      table.citation += table.citation.empty() ? "" : " ";
      table.citation += line.substr(2);
      continue;
    }
    if (header.names.empty()) {
      header = read_header(std::string(name), line);
      continue;
    }
    read_fields(std::string(name), line, header, fields);
    auto& row = table.rows.emplace_back();
    for (std::size_t i = 0; i < fields.size(); ++i) row.emplace(header.names[i], fields[i]);
  }
  if (table.rows.empty()) throw std::logic_error("data/published/" + std::string(name) + ".tsv has no rows");
  return table;
}

}  // namespace draftgauge
