#pragma once
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/apps/answers.h"
#include "tests/apps/shipped_files.h"
#include "tests/sim/temporary_file.h"

/// `draftgauge gamma` as the tests of its several kinds of input run it.
namespace draftgauge {

/// What `gamma` answers as JSON, its keys in no order of their own.
inline nlohmann::json gamma_answer(std::string const& line) { return document("gamma " + line); }

inline std::string gamma_refusal(std::string const& line, int status) {
  return refusal(run_line("gamma " + line), status);
}
}  // namespace draftgauge
