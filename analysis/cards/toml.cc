#include "analysis/cards/toml.h"

#include <fmt/format.h>

#define TOML_HEADER_ONLY 1  // nothing of it is linked
// It asserts that a table's name begins behind "[", and refuses "[\n" a few lines below. The assertion would abort, or with
// NDEBUG tell clang that no such text is.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/limits.h"

namespace draftgauge {
namespace {

/// The end of the text in quotes that begins at `at`: behind the closing quote, or where the line breaks it off.
std::size_t behind_quotes(std::string_view text, std::size_t at) {
  char const quote = text[at];
  std::string const three(3, quote);
  bool const long_one = text.substr(at, 3) == three;
  for (at += long_one ? 3 : 1; at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"') {
      ++at;
    } else if (long_one ? text.substr(at, 3) == three : text[at] == quote || text[at] == '\n') {
      return at + (long_one ? 3 : text[at] == quote ? 1 : 0);
    }
  }
  return text.size();
}

/// Refuses what the library does not: what is nested so deep that it would run out of stack, by brackets or by keys with
/// dots; and letters outside of quotes that are not ASCII, on which its table of blanks has no answer.
void check_text(std::string_view text) {
  std::vector<std::size_t> around;  // of each open bracket the dots of the key before it
  std::size_t dots = 0, depth = 0, line = 1;
  auto const leave = [&] { depth -= std::exchange(dots, 0); };
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  for (std::size_t at = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0; at < text.size();) {
    char const c = text[at];
    if (static_cast<unsigned char>(c) >= 0x80)
      throw Error(fmt::format("line {}: a letter outside of quotes is not ASCII", line),
                  "write \"…\" around keys and texts with such letters, and no special blanks");
    if (c == '"' || c == '\'') {
      std::size_t const end = behind_quotes(text, at);
      line += static_cast<std::size_t>(std::ranges::count(text.substr(at, end - at), '\n'));
      at = end;
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    ++at;
    if (c == '.') ++dots, ++depth;
    if (c == ',' || c == '\n') leave();
    if (c == '\n') ++line;
    if (c == '[' || c == '{') {
      around.push_back(std::exchange(dots, 0));
      ++depth;
    }
    if ((c == ']' || c == '}') && !around.empty()) {
      leave();
      dots = around.back();
      around.pop_back();
      --depth;
    }
    if (depth > deepest_toml)
      throw Error(fmt::format("line {}: keys and brackets are nested deeper than {} levels (a task has two)", line,
                              deepest_toml),
                  "write the keys of a task in one table");
  }
}

nlohmann::json json_of(toml::node const& node) {
  nlohmann::json result;
  node.visit([&](auto const& value) {
    using Node = std::remove_cvref_t<decltype(value)>;
    if constexpr (toml::is_table<Node>) {
      result = nlohmann::json::object();
      for (auto const& [key, each] : value) result[std::string(key.str())] = json_of(each);
    } else if constexpr (toml::is_array<Node>) {
      result = nlohmann::json::array();
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

nlohmann::json json_of_toml(std::string_view text) {
  check_text(text);
  try {
    return json_of(toml::parse(text));
  } catch (toml::parse_error const& error) {
    std::size_t const line = error.source().begin.line;
    throw Error(fmt::format("line {}: {}", line, error.description()), hint_for(line_of(text, line)));
  }
}

}  // namespace draftgauge
