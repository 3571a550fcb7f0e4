#pragma once
#include <catch2/catch.hpp>
#include <string>

#include "apps/output/result.h"
#include "tests/apps/run.h"

namespace draftgauge {

/// What a line answers as JSON.
inline Json document(std::string const& line, int status = 0) {
  Run const got = run_line(line + " --format json");
  INFO(line << ": " << got.err);
  REQUIRE(got.status == status);
  return Json::parse(got.out);
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
  CHECK(got.err.find(message) != std::string::npos);
}

}  // namespace draftgauge
