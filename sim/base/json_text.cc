#include "sim/base/json_text.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/letters.h"
#include "sim/base/printable.h"
#include "sim/base/utf8.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

/// A text of JSON in which each of Python's literals is an empty string, and blanks up to its length: places stay.
class PythonText {
 public:
  explicit PythonText(std::string_view text) {
    if (text.find("NaN") == text.npos && text.find("Infinity") == text.npos) return;
    std::size_t strings = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (in_string) {
        if (text[i] == '\\')
          ++i;
        else
          in_string = text[i] != '"';
      } else if (text[i] == '"') {
        in_string = true;
        ++strings;
      } else if (std::string_view const literal = literal_at(text, i); !literal.empty()) {
        if (text_.empty()) text_ = text;
        text_.replace(i, literal.size(), literal.size(), ' ').replace(i, 2, "\"\"");
        literals_.emplace_back(strings++, literal);
        i += literal.size() - 1;
      }
    }
  }

  std::string_view text_or(std::string_view text) const { return literals_.empty() ? text : text_; }
  /// The literal that the next string or key of the text stands for; empty where it is one itself.
  std::string_view next() {
    bool const here = at_ < literals_.size() && literals_[at_].first == strings_++;
    return here ? literals_[at_++].second : std::string_view();
  }

 private:
  static std::string_view literal_at(std::string_view text, std::size_t at) {
    if (text[at] != 'N' && text[at] != 'I' && text[at] != '-') return {};
    for (std::string_view const each : {"NaN", "Infinity", "-Infinity"}) {
      std::size_t const end = at + each.size();
      bool const word_goes_on = end < text.size() && (is_letter(text[end]) || is_digit(text[end]));
      if (text.substr(at).starts_with(each) && !word_goes_on) return each;
    }
    return {};
  }

  std::string text_;
  std::vector<std::pair<std::size_t, std::string_view>> literals_;  ///< by the number of strings before
  std::size_t strings_ = 0, at_ = 0;
};

/// Builds a value event by event. The library's own way to see keys, a callback, looks at all members of an object at
/// the end of each: n² of n tensors.
class JsonBuilder {
 public:
  JsonBuilder(std::string_view text, JsonText const& expected, PythonText& python)
      : text_(text), expected_(expected), python_(python) {}

  Json take() { return std::move(root_); }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, std::string const&) { return add(value); }
  bool string(std::string& value) {
    std::string_view const literal = python_.next();
    return add(literal.empty() ? std::move(value) : std::string(literal));
  }
  bool binary(Json::binary_t& value) { return add(std::move(value)); }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    if (std::string_view const literal = python_.next(); !literal.empty())
      refuse("has " + std::string(literal) + " as a key");
    auto const [found, added] = open_.back()->get_ref<Json::object_t&>().try_emplace(std::move(name));
    if (!added)
      throw Error(subject() + " has the key '" + shortened(found->first, 40) +
                      "' twice (readers differ in which of them they take)",
                  "keep one");
    member_ = &found->second;
    return true;
  }

  [[noreturn]] bool parse_error(std::size_t at, std::string const&, Json::exception const& error) {
    if (dynamic_cast<Json::out_of_range const*>(&error)) refuse("has a number that is out of range");
    refuse("is not JSON from " + place(std::min(at, text_.size())) + " on");
  }

 private:
  std::string subject() const { return std::string(expected_.subject); }
  [[noreturn]] void refuse(std::string const& problem) const {
    throw Error(subject() + " " + problem + " (" + std::string(expected_.why) + ")", expected_.hint);
  }

  std::string place(std::size_t at) const {
    std::string_view const before = text_.substr(0, at);
    std::size_t const line = before.rfind('\n');
    if (line == before.npos) return "its byte " + std::to_string(at) + " of " + std::to_string(text_.size());
    return "its line " + std::to_string(1 + std::ranges::count(before, '\n')) + ", byte " +
           std::to_string(at - line - 1);
  }

  /// Where the next value stands. What is open lies last in what is around it, and so is not moved.
  Json& put(Json value) {
    if (open_.empty()) return root_ = std::move(value);
    if (open_.back()->is_object()) return *member_ = std::move(value);
    return open_.back()->get_ref<Json::array_t&>().emplace_back(std::move(value));
  }
  bool add(Json value) {
    put(std::move(value));
    return true;
  }
  bool open(Json empty) {
    if (open_.size() == expected_.deepest)
      throw Error(subject() + " is nested deeper than " + std::to_string(expected_.deepest) +
                      " levels (no format that is read is so deep)",
                  "check that it is the right file");
    open_.push_back(&put(std::move(empty)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  JsonText expected_;
  PythonText& python_;
  Json root_;
  std::vector<Json*> open_;  ///< the objects and lists around the next value
  Json* member_ = nullptr;   ///< of the object that is open, the value whose key was read
};

}  // namespace

nlohmann::json parse_json(std::string_view text, JsonText const& expected) {
  PythonText python(expected.python ? text : std::string_view());
  JsonBuilder builder(text, expected, python);
  Json::sax_parse(python.text_or(text), &builder);
  return builder.take();
}

std::string printable_json(std::string_view json) {
  constexpr unsigned del = 0x7f;  // below, writers of JSON leave line breaks between the strings alone
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    auto const [length, point] = first_character(json);
    std::string_view const each = json.substr(0, std::max<std::size_t>(1, length));
    json.remove_prefix(each.size());
    if (point < del || printable(each) == each) {
      out += each;
      continue;
    }
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", point & 0xffff);
    out += escaped;
  }
  return out;
}

}  // namespace draftgauge
