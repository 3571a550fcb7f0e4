#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/limits.h"
#include "sim/base/mapped_file.h"

namespace draftgauge {

/// The characters of a file that should hold text, without the byte order mark of UTF-8. Throws InputError that begins
/// with `file` where it is empty or blank, where it is compressed, where it is UTF-16, and where its beginning has a
/// zero byte.
std::string_view text_of(std::string const& file, std::string_view text);

/// A file that should hold text: its characters as text_of gives them, unpacked before where it is gzip's, up to a
/// gigabyte of them, and no more than limits.h allows for the packed bytes. `most`: another limit.
class TextFile {
 public:
  /// Throws InputError as MappedFile, gunzip and text_of do.
  explicit TextFile(std::string const& path, std::uint64_t most = longest_unpacked_text);

  std::string_view text() const { return text_; }

 private:
  MappedFile file_;
  std::unique_ptr<std::string const> unpacked_;  ///< null: the file holds the text as it is
  std::string_view text_;
};

/// The lines of a text one after the other, with \n or \r\n behind each but perhaps the last.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  /// Goes to the next line; false at the end of the text.
  bool next();
  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }  ///< from 1

 private:
  std::string_view rest_, line_;
  std::size_t number_ = 0;
};

/// Without the blanks at both ends.
std::string_view trimmed(std::string_view text);
/// 'text' for a message, its beginning where it is long.
std::string in_quotes(std::string_view text);
/// The path's last part, without its extension where `stem`.
std::string file_name(std::string_view path, bool stem = false);

/// The number that the whole text writes, blanks around it allowed: decimals, inf and nan in any case, also with a +.
/// Empty for anything else, and for a number beyond the doubles.
std::optional<double> parse_real(std::string_view text);
/// The same for a whole number.
std::optional<std::int64_t> parse_integer(std::string_view text);
/// The number that the text begins with, after blanks; it is taken off the text.
std::optional<double> take_real(std::string_view& text);

}  // namespace draftgauge
