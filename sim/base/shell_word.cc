#include "sim/base/shell_word.h"

#include <algorithm>

#include "sim/base/letters.h"
#include "sim/base/printable.h"
#include "sim/base/utf8.h"

namespace draftgauge {
namespace {

/// Whether all characters are letters and digits of ASCII, or among those named.
bool consists_of(std::string_view text, std::string_view others) {
  return std::ranges::all_of(
      text, [&](char c) { return is_letter(c) || is_digit(c) || others.find(c) != std::string_view::npos; });
}

std::string in_octal(std::string_view bytes) {
  std::string out;
  for (char const c : bytes) {
    auto const byte = static_cast<unsigned char>(c);
    out += '\\';
    for (int const shift : {6, 3, 0}) out += static_cast<char>('0' + ((byte >> shift) & 7));
  }
  return out;
}

}  // namespace

std::string shell_quoted(std::string_view text) {
  bool const plain = printable(text) == text;
  std::string out = plain ? "'" : "$'";
  while (!text.empty()) {
    std::string_view const each = text.substr(0, std::max<std::size_t>(1, first_character(text).length));
    text.remove_prefix(each.size());
    if (plain)
      out += each == "'" ? "'\\''" : each;
    else
      out += each == "'" || each == "\\" || printable(each) != each ? in_octal(each) : each;
  }
  return out + "'";
}

std::string shell_word(std::string_view text) {
  // zsh replaces =name by the path of a program.
  bool const as_it_is = !text.empty() && !text.starts_with('=') && consists_of(text, "_./,:=+-");
  return as_it_is ? std::string(text) : shell_quoted(text);
}

std::string shell_file(std::string_view path) {
  return shell_word((path.starts_with('-') ? "./" : "") + std::string(path));
}

}  // namespace draftgauge
