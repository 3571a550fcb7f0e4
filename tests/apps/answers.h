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

/// A line that ends with that status and, in what it says of it, the message.
inline void check_refused(std::string const& line, int status, std::string const& message) {
  Run const got = run_line(line);
  CAPTURE(line, got.err);
  CHECK(got.status == status);
  CHECK(got.err.find(message) != std::string::npos);
}

}  // namespace draftgauge
