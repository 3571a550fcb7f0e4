#include "analysis/recordings/json_records.h"

#include <algorithm>
#include <cmath>

#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/json_text.h"
#include "sim/base/limits.h"
#include "sim/base/printable.h"

namespace draftgauge {
namespace {

constexpr std::string_view json_blanks = " \t\r\n";
constexpr std::string_view why = "JSON is expected: an object a line, or a list of objects";
constexpr std::string_view hint = "write it again, or cut off a line that is not finished";

}  // namespace

std::string JsonRecords::place() const { return file_ + ", line " + std::to_string(value_line_); }

bool JsonRecords::looks_like_json(std::string_view text) {
  std::string_view rest = trimmed(text.substr(0, 4096));
  if (!rest.starts_with('[')) return rest.starts_with('{');
  rest = trimmed(rest.substr(1));  // a log's line may begin with [2026-11-21 …]
  return rest.empty() || std::string_view("{[]").find(rest.front()) != std::string_view::npos;
}

void JsonRecords::refuse(std::string const& problem) const {
  throw InputError(place() + ": " + problem + " (" + std::string(why) + ")", hint);
}

void JsonRecords::skip_blanks() {
  std::size_t const end = std::min(rest_.find_first_not_of(json_blanks), rest_.size());
  line_ +=
      static_cast<std::size_t>(std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
  rest_.remove_prefix(end);
}

/// The characters of the value that begins here: to the bracket that closes its first one, or to a comma or blank.
std::string_view JsonRecords::take_value() {
  std::size_t end = 0;
  std::size_t depth = 0;
  bool in_string = false;
  for (; end < rest_.size(); ++end) {
    if (end > longest_record) {
      refuse("a record is longer than " + std::to_string(longest_record >> 20) +
             " MiB; list fewer tokens for each position, or give full rows as .safetensors");
    }
    char const c = rest_[end];
    if (in_string) {
      if (c == '\\') {
        ++end;
      } else {
        in_string = c != '"';
      }
      continue;
    }
    if (depth == 0 && (c == ',' || c == ']' || c == '}' || json_blanks.find(c) != json_blanks.npos)) break;
    in_string = c == '"';
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) {
      ++end;
      break;
    }
  }
  if (depth > 0 || in_string) refuse("the value that begins here is not finished");
  std::string_view const value = rest_.substr(0, end);
  rest_.remove_prefix(value.size());
  line_ += static_cast<std::size_t>(std::ranges::count(value, '\n'));
  return value;
}

/// Goes to where the next value begins, in a list or not; false at the end.
bool JsonRecords::find_value() {
  for (;;) {  // a file may have a million lists that are empty
    skip_blanks();
    value_line_ = line_;
    if (in_list_ && rest_.starts_with(']')) {
      rest_.remove_prefix(1);
      in_list_ = false;
      skip_blanks();
    } else if (in_list_ && !first_in_list_) {
      if (!rest_.starts_with(','))
        refuse(rest_.empty() ? "the list is not finished" : "there is no comma in the list");
      rest_.remove_prefix(1);
      skip_blanks();
    }
    if (rest_.empty()) {
      if (in_list_) refuse("the list is not finished");
      return false;
    }
    value_line_ = line_;
    first_in_list_ = !in_list_ && rest_.starts_with('[');
    if (!first_in_list_) return true;
    in_list_ = true;
    rest_.remove_prefix(1);
  }
}

bool JsonRecords::next() {
  if (!find_value()) return false;
  std::string_view const text = take_value();
  try {
    value_ = parse_json(text, {.why = why, .hint = hint, .python = true});
  } catch (Error const& error) {
    throw InputError(place(), error);
  }
  return true;
}

nlohmann::json const* member(nlohmann::json const& object, std::initializer_list<std::string_view> names) {
  if (!object.is_object()) return nullptr;
  for (std::string_view const name : names) {
    auto const found = object.find(name);
    if (found != object.end() && !found->is_null()) return &*found;
  }
  return nullptr;
}

std::string text_or_empty(nlohmann::json const* value) {
  return value && value->is_string() ? value->get<std::string>() : "";
}

nlohmann::json const* member_at(nlohmann::json const& object, std::initializer_list<std::string_view> path) {
  nlohmann::json const* at = &object;
  for (std::string_view const name : path)
    if (!(at = member(*at, {name}))) return nullptr;
  return at;
}

void refuse_record(std::string const& place, std::string const& problem, std::string const& why,
                   std::string const& what) {
  throw InputError(place + ": " + problem + " (" + why + ")", what);
}

double real_of(std::string const& place, std::string_view name, nlohmann::json const& value) {
  if (!value.is_number())
    throw InputError(place + ": " + std::string(name) + " is " + shown(value) + " (expected: a number)",
                     "correct it");
  return value.get<double>();
}

std::int64_t count_of(std::string const& place, std::string_view name, nlohmann::json const& value) {
  double const number = value.is_number() ? value.get<double>() : -1;
  if (!(number >= 0 && number <= 9007199254740992.0) ||
      number != static_cast<double>(static_cast<std::int64_t>(number))) {
    throw InputError(place + ": " + std::string(name) + " is " + shown(value) + " (expected: a whole number ≥ 0)",
                     "correct it");
  }
  return static_cast<std::int64_t>(number);
}

std::int64_t size_or_count_of(std::string const& place, std::string_view name, nlohmann::json const& value) {
  return value.is_array() ? static_cast<std::int64_t>(value.size()) : count_of(place, name, value);
}

std::string text_or_json(nlohmann::json const& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string shown(nlohmann::json const& value) {
  if (value.is_object()) return "an object of " + keys_of(value);
  if (value.is_array()) return "a list of " + std::to_string(value.size());
  if (value.is_string())  // NaN of Python's, which stood there without quotes
    if (auto const number = parse_real(value.get_ref<std::string const&>()); number && !std::isfinite(*number))
      return in_quotes(value.get_ref<std::string const&>());
  return in_quotes(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string keys_of(nlohmann::json const& value) {
  if (!value.is_object()) return value.is_array() ? "a list" : shown(value);
  std::string keys;
  int count = 0;
  for (auto const& [key, ignored] : value.items()) {
    if (count++ == 10) return keys + ", …";
    // In quotes nobody takes it for an input of the library's.
    bool const has_ticks = key.find('`') != key.npos;
    keys += (keys.empty() ? "" : ", ") + (has_ticks ? in_quotes(key) : shortened(key));
  }
  return keys.empty() ? "no keys" : keys;
}

}  // namespace draftgauge
