#pragma once
#include <string>
#include <string_view>

/// Characters of ASCII; the locale changes none of these answers, unlike those of <cctype>.
namespace draftgauge {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string lower(std::string_view text) {
  std::string low(text);
  for (char& c : low) c = lower_letter(c);
  return low;
}

/// As CSV and sources write what holds their separator: a quote within it stands twice.
inline std::string in_double_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (char const c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

}  // namespace draftgauge
