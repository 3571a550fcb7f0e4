#include "analysis/recordings/text_file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "analysis/recordings/python_literal.h"
#include "analysis/recordings/wrapped_log.h"
#include "sim/base/error.h"
#include "sim/base/limits.h"
#include "sim/base/printable.h"
#include "sim/base/shell_word.h"
#include "sim/recordings/gzip.h"
#include "sim/recordings/row_file.h"

namespace draftgauge {
namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

template <class Number>
std::optional<Number> parse_all(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return {};
  }
  Number value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

/// First bytes of what packs files, its name, and how it is unpacked.
struct Packer {
  std::string_view bytes, name, command;
};
constexpr Packer packers[] = {{"\x1f\x8b", "gzip", "gunzip"},
                              {"PK\3\4", "zip", "unzip"},
                              {"BZh", "bzip2", "bunzip2"},
                              {"\xfd"
                               "7zXZ",
                               "xz", "unxz"},
                              {"\x28\xb5\x2f\xfd", "zstd", "unzstd"}};

void refuse_packed(std::string const& file, std::string_view text) {
  for (Packer const& packer : packers) {
    if (!text.starts_with(packer.bytes)) continue;
    throw InputError(file + ": it is compressed by " + std::string(packer.name) + " (text is read as it is)",
                     "unpack it first: " + std::string(packer.command) + " " + shell_file(file));
  }
}

bool is_binary(std::string_view text) { return text.substr(0, 4096).find('\0') != text.npos; }

}  // namespace

std::string_view text_of(std::string const& file, std::string_view text) {
  refuse_packed(file, text);
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw InputError(file + ": it is UTF-16 (text is read as UTF-8)", "save it as UTF-8");
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.find_first_not_of(blanks) == text.npos)
    throw InputError(file + ": it is empty (a tool that fails leaves an empty file)",
                     file == "/dev/stdin"
                         ? "run by itself what is piped into it: a server that is not there says nothing"
                         : "make it again");
  if (is_binary(text)) {
    throw InputError(file + ": it is binary (this place takes text: a table, JSON, a log)",
                     "give rows as one of " + row_file_names());
  }
  return text;
}

TextFile::TextFile(std::string const& path, std::uint64_t most) : file_(path) {
  if (begins_gzip(file_.bytes())) {
    unpacked_ = std::make_unique<std::string const>(
        gunzip(path, file_.bytes(), std::min(most, most_unpacked(file_.bytes().size()))));
    file_.put_aside(file_.bytes());
    if (is_binary(*unpacked_))
      throw InputError(path + ": what it packs is binary (only text is read packed)",
                       "unpack it: gunzip " + shell_file(path));
  }
  text_ = text_of(path, unpacked_ ? std::string_view(*unpacked_) : file_.text());
  auto plain = unwrapped_log(path, text_);
  if (!plain) plain = json_of_python_text(text_);
  if (!plain) plain = unquoted(text_);
  if (plain) {
    unpacked_ = std::make_unique<std::string const>(*std::move(plain));
    text_ = text_of(path, *unpacked_);
  }
}

bool Lines::next() {
  if (rest_.empty()) return false;
  std::size_t const end = rest_.find('\n');
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  ++number_;
  return true;
}

std::string_view trimmed(std::string_view text) {
  std::size_t const first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string in_quotes(std::string_view text) { return "'" + shortened(text) + "'"; }

std::string file_name(std::string_view path, bool stem) {
  std::filesystem::path const whole(path);
  return (stem ? whole.stem() : whole.filename()).string();
}

std::optional<double> parse_real(std::string_view text) { return parse_all<double>(text); }
std::optional<std::int64_t> parse_integer(std::string_view text) { return parse_all<std::int64_t>(text); }

std::optional<double> take_real(std::string_view& text) {
  std::string_view const rest = text.substr(std::min(text.find_first_not_of(blanks), text.size()));
  double value = 0;
  auto const [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc()) return {};
  text = rest.substr(static_cast<std::size_t>(end - rest.data()));
  return value;
}

}  // namespace draftgauge
