#pragma once
#include <catch2/catch.hpp>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "apps/output/result.h"
#include "tests/apps/run.h"

namespace draftgauge {

/// What a run that ends with that status answers as JSON.
inline Json document(Run const& done, int status) {
  INFO(done.err);
  REQUIRE(done.status == status);
  return Json::parse(done.out);
}
inline Json document(std::string const& line, int status = 0) {
  INFO(line);
  return document(run_line(line + " --format json"), status);
}

/// What a command does with words, which may have blanks in them.
inline Run run_command(std::string_view name, std::vector<std::string> const& words) {
  std::vector<std::string_view> all{name};
  all.insert(all.end(), words.begin(), words.end());
  return run(all);
}
inline Json document(std::string_view name, std::vector<std::string> words, int status = 0) {
  words.insert(words.end(), {"--format", "json"});
  return document(run_command(name, words), status);
}

/// Whether a text has these words in it.
inline bool holds(std::string_view text, std::string_view words) { return text.find(words) != text.npos; }

/// Text for people in one line, with one blank between words.
inline std::string in_one_line(std::string const& text) {
  std::string flat;
  std::istringstream in(text);
  for (std::string word; in >> word;) flat += (flat.empty() ? "" : " ") + word;
  return flat;
}

/// Lines of a file, each changed or left out (empty).
inline std::string changed(std::string const& path, std::function<std::string(std::string)> const& change) {
  std::ifstream in(path);
  std::string all;
  for (std::string line; std::getline(in, line);)
    if (std::string const next = change(line); !next.empty()) all += next + "\n";
  return all;
}

/// A number of it.
double number(auto const& json) { return json.template get<double>(); }

/// What is said of a line that ends with that status.
inline std::string complaint(std::string const& line, int status = 2) {
  Run const done = run_line(line);
  CAPTURE(line, done.out);
  CHECK(done.status == status);
  return done.err;
}

/// What a refused run says, without the word before it and the line's end: with this status, and no answer.
inline std::string refusal(Run const& done, int status) {
  CHECK(done.status == status);
  CHECK(done.out.empty());
  std::string const word = "error: ";
  REQUIRE(done.err.starts_with(word));
  REQUIRE(done.err.ends_with('\n'));
  return done.err.substr(word.size(), done.err.size() - word.size() - 1);
}

/// That a line is refused in just these words.
inline void check_refusal(std::string const& line, int status, std::string const& message) {
  INFO(line);
  CHECK(refusal(run_line(line), status) == message);
}

/// A line that ends with that status and, in what it says of it, the message.
inline void check_refused(std::string const& line, int status, std::string const& message) {
  Run const got = run_line(line);
  CAPTURE(line, got.err);
  CHECK(got.status == status);
  CHECK(holds(got.err, message));
}

}  // namespace draftgauge
