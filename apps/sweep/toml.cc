#include "apps/sweep/toml.h"

#define TOML_HEADER_ONLY 1  // nothing of it is linked
#include <fmt/format.h>

#include <toml++/toml.h>
#include <sstream>

#include "sim/error.h"

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

}  // namespace

Json json_of_toml(std::string_view text) {
  try {
    return json_of(toml::parse(text));
  } catch (toml::parse_error const& error) {
    throw Error(fmt::format("line {}: {}", error.source().begin.line, error.description()));
  }
}

}  // namespace draftgauge
