#pragma once
#include <string>

#include "sim/error.h"

namespace draftgauge::testing {

/// What the call says when it throws an Error, or "(no error)".
std::string message(auto const& call) {
  try {
    call();
  } catch (Error const& error) {
    return error.what();
  }
  return "(no error)";
}

}  // namespace draftgauge::testing
