#include "analysis/recordings/python_literal.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace draftgauge {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> words = {
    {{"None", "null"}, {"True", "true"}, {"False", "false"}}};

/// The string behind its opening quote, which is left out of `rest` with the closing one; false where it does not end.
bool take_string(std::string_view& rest, char quote, std::string& json) {
  std::string value;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == quote) {
      rest.remove_prefix(i + 1);
      json += nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      return true;
    }
    if (rest[i] == '\\' && i + 1 < rest.size()) ++i;  // texts are not shown: what was escaped does not matter
    value += rest[i];
  }
  return false;
}

/// Takes a dictionary or list off the text.
std::optional<std::string> take_python(std::string_view& text) {
  std::string json;
  int depth = 0;
  while (!text.empty()) {
    char const c = text.front();
    text.remove_prefix(1);
    if (c == '\'' || c == '"') {
      if (!take_string(text, c, json)) return std::nullopt;
      continue;
    }
    bool word = false;
    for (auto const& [python, other] : words)
      if (c == python.front() && text.starts_with(python.substr(1))) {
        json += other;
        text.remove_prefix(python.size() - 1);
        word = true;
      }
    if (word) continue;
    json += c == '(' ? '[' : c == ')' ? ']' : c;
    depth += (c == '{' || c == '[' || c == '(') - (c == '}' || c == ']' || c == ')');
    if (depth == 0) return json;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> json_of_python(std::string_view text) { return take_python(text); }

std::optional<std::string> json_of_python_text(std::string_view text) {
  constexpr std::string_view between = " \t\r\n";
  std::size_t const first = text.find_first_not_of(" \t\r\n[{");
  if (first == text.npos || first == 0 || text[first] != '\'' || text.substr(0, first).find('{') == text.npos)
    return std::nullopt;
  std::string json;
  for (std::size_t at; (at = text.find_first_not_of(between)) != text.npos;) {
    json += text.substr(0, at);
    text.remove_prefix(at);
    auto const value = take_python(text);
    if (!value) return std::nullopt;
    json += *value;
  }
  return json;
}

}  // namespace draftgauge
