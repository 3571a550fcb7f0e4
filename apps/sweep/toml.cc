#include "apps/sweep/toml.h"

#define TOML_HEADER_ONLY 1  // nothing of it is linked
#include <fmt/format.h>

#include <toml++/toml.h>
#include <regex>
#include <sstream>

#include "sim/base/error.h"

namespace draftgauge {
namespace {

Json json_of(toml::node const& node) {
  Json result;
  node.visit([&](auto const& value) {
    using Node = std::remove_cvref_t<decltype(value)>;
    if constexpr (toml::is_table<Node>) {
      result = Json::object();
      for (auto const& [key, each] : value) result[std::string(key.str())] = json_of(each);
    } else if constexpr (toml::is_array<Node>) {
      result = Json::array();
      for (auto const& each : value) result.push_back(json_of(each));
    } else if constexpr (toml::is_date<Node> || toml::is_time<Node> || toml::is_date_time<Node>) {
      std::ostringstream text;
      text << value.get();
      result = text.str();
    } else {
      result = value.get();
    }
  });
  return result;
}

/// Its beginning.
std::string line_of(std::string_view text, std::size_t number) {
  for (; number > 1; --number) text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
  constexpr std::size_t most = 200;  // letters, which is enough to see what was meant
  return std::string(text.substr(0, std::min(text.find('\n'), most)));
}

/// What may mend a line that is no TOML; empty where nobody knows.
std::string hint_for(std::string const& line) {
  auto const has = [&](char const* pattern) { return std::regex_search(line, std::regex(pattern)); };
  if (has("^\\s*(---|- |[\\w-]+\\s*:)")) return "it looks like YAML: TOML has name = value, and lists in [ ]";
  if (!has("\\.\\.") && has("[=,\\[]\\s*[-+]?(\\.\\d|\\d+\\.(?!\\d))"))
    return "numbers of TOML have a digit on both sides of the point: 0.1, 1.0";
  if (has("[=,\\[]\\s*([A-Za-z]|\\d+[A-Za-z]|\\d+\\.\\.)"))
    return "texts stand in quotes, and so do ranges and units: \"block\", \"1..8\", \"10k\"";
  return {};
}

}  // namespace

Json json_of_toml(std::string_view text) {
  try {
    return json_of(toml::parse(text));
  } catch (toml::parse_error const& error) {
    std::size_t const line = error.source().begin.line;
    throw Error(fmt::format("line {}: {}", line, error.description()), hint_for(line_of(text, line)));
  }
}

}  // namespace draftgauge
