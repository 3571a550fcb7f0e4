// vectors FILE SUBJECT...: what the library answers to the cases of these subjects.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/vectors/subjects.h"

namespace draftgauge::vectors {
namespace {

std::map<std::string_view, Json (*)(Json const&)> const subjects = {
#define SUBJECT(name) {#name, name},
#include "tests/vectors/subjects.inc"
#undef SUBJECT
};

bool is_rounded(std::string const& text) {
  std::size_t const point = text.find('.');
  return point != text.npos && text.size() - point > 25;
}

bool agree(Json const& right, Json const& found) {
  if (right.is_null() || found.is_null() || right.is_boolean()) return right == found;
  if (right.is_array()) return found.is_array() && std::ranges::equal(right, found, agree);
  if (right.is_object()) {
    if (!found.is_object() || right.size() != found.size()) return false;
    for (auto const& [key, value] : right.items())
      if (!found.contains(key) || !agree(value, found[key])) return false;
    return true;
  }
  if (found.is_array() || found.is_object()) return false;
  if (!(right.is_string() && is_rounded(right.get<std::string>())) && !found.is_number_float())
    return number(right) == number(found);
  auto const real = [](Json const& value) {
    return value.is_number_float() ? value.get<double>() : static_cast<double>(number(value));
  };
  return std::abs(real(right) - real(found)) <= 1e-12 * std::max(1., std::abs(real(right)));
}

/// The keys of a case that are wrong, each with both answers.
std::vector<std::string> wrong(Json const& each) {
  std::vector<std::string> words;
  try {
    Json inputs = each.at("inputs");
    for (char const* const key : {"T", "stream_T"})  // how much text is asked about, which stands among the answers
      if (each.at("answers").contains(key)) inputs[key] = each["answers"][key];
    Json const found = subjects.at(each.at("subject").get<std::string>())(inputs);
    for (auto const& [key, right] : each.at("answers").items()) {
      Json const answer = found.contains(key) ? found[key] : Json("no answer");
      if (!found.contains(key) || !agree(right, answer))
        words.push_back(fmt::format("{}: {} in place of {}", key, answer.dump(), right.dump()));
    }
  } catch (std::exception const& error) {
    words.emplace_back(error.what());
  }
  return words;
}

int run(std::string const& file, std::vector<std::string> const& asked) {
  for (std::string const& subject : asked)
    if (!subjects.contains(subject)) {
      fmt::print(stderr, "error: unknown subject '{}' (known:", subject);
      for (auto const& [name, of] : subjects) fmt::print(stderr, " {}", name);
      fmt::print(stderr, ")\n");
      return 2;
    }
  std::ifstream in(file);
  if (!in) {
    fmt::print(stderr, "error: {} cannot be read\n", file);
    return 2;
  }
  Json const document = Json::parse(in);
  std::size_t cases = 0, failed = 0;
  for (Json const& each : document.at("cases")) {
    if (std::ranges::find(asked, each.at("subject").get<std::string>()) == asked.end()) continue;
    ++cases;
    auto const words = wrong(each);
    failed += !words.empty();
    for (std::string const& line : words)
      fmt::print("{} ({}): {}\n", each.at("id").get<std::string>(), each.at("name").get<std::string>(), line);
  }
  fmt::print("{} cases, {} wrong\n", cases, failed);
  return failed > 0 || cases == 0;
}

}  // namespace
}  // namespace draftgauge::vectors

int main(int count, char** words) {
  if (count < 3) {
    fmt::print(stderr, "usage: {} FILE SUBJECT...\n", words[0]);
    return 2;
  }
  try {
    return draftgauge::vectors::run(words[1], {words + 2, words + count});
  } catch (std::exception const& error) {
    fmt::print(stderr, "error: {}: {}\n", words[1], error.what());
    return 2;
  }
}
