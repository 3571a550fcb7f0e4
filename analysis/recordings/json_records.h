#pragma once
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace draftgauge {

/// The JSON values of a text, one at a time: a line each, one after the other however they are broken into lines, or
/// the elements of a list; NaN, Infinity and -Infinity in them are strings of that text (JsonText::python). Memory is for
/// one of them.
class JsonRecords {
 public:
  /// line: of the file, on which the text begins.
  JsonRecords(std::string const& file, std::string_view text, std::size_t line = 1)
      : file_(file), rest_(text), line_(line) {}

  /// Goes to the next value; false at the end. Throws InputError that says where, for what is not JSON, is not
  /// finished, is longer than longest_record, or is refused by parse_json.
  bool next();
  nlohmann::json const& value() const { return value_; }
  std::string place() const;  ///< "FILE, line 3": where the value begins
  std::size_t line() const { return value_line_; }
  /// Whether the text begins like an object, or a list of objects or lists: nothing else holds records.
  static bool looks_like_json(std::string_view text);

 private:
  [[noreturn]] void refuse(std::string const& problem) const;
  void skip_blanks();
  bool find_value();
  std::string_view take_value();

  std::string const& file_;
  std::string_view rest_;
  nlohmann::json value_;
  std::size_t line_;            ///< of the beginning of rest_
  std::size_t value_line_ = 1;  ///< of the beginning of value_
  bool in_list_ = false, first_in_list_ = false;
};

/// The member of the object that has the first of these names that is there and not null, else null. Also for values
/// that are no objects, which have no members.
nlohmann::json const* member(nlohmann::json const& object, std::initializer_list<std::string_view> names);
/// The same along a path of names: member_at(o, {"usage", "prompt_tokens"}).
nlohmann::json const* member_at(nlohmann::json const& object, std::initializer_list<std::string_view> path);
/// The text of a member; empty of any other value, and of null.
std::string text_or_empty(nlohmann::json const* value);

/// Throws InputError "PLACE: PROBLEM (WHY)" with the advice.
[[noreturn]] void refuse_record(std::string const& place, std::string const& problem, std::string const& why,
                                std::string const& what = "correct the log");

/// A JSON number as a double. Throws InputError "PLACE: NAME is X (expected: …)" for anything else.
double real_of(std::string const& place, std::string_view name, nlohmann::json const& value);
/// A whole number ≥ 0, also where it is written as 3.0; no larger than 2^53.
std::int64_t count_of(std::string const& place, std::string_view name, nlohmann::json const& value);
/// The same, or of a list its size.
std::int64_t size_or_count_of(std::string const& place, std::string_view name, nlohmann::json const& value);
/// A name that may be a number: a string's text, of other values their JSON.
std::string text_or_json(nlohmann::json const& value);
/// The value's text for a message, its beginning where it is long.
std::string shown(nlohmann::json const& value);
/// "a, b, c": an object's keys, the first ten of them, or what the value is instead.
std::string keys_of(nlohmann::json const& value);

}  // namespace draftgauge
