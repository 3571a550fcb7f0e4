#pragma once
#include <string>

#include "sim/base/error.h"

namespace draftgauge::testing {

/// What the call says when it throws an error of this kind, or "(no error)". Errors of another kind pass through.
template <class Expected = UsageError>
std::string message(auto const& call) {
  try {
    call();
  } catch (Expected const& error) {
    return error.what();
  }
  return "(no error)";
}

/// What is to be done, of such an error: it stands apart from the problem.
template <class Expected = UsageError>
std::string hint(auto const& call) {
  try {
    call();
  } catch (Expected const& error) {
    return std::string(error.hint());
  }
  return "(no error)";
}

}  // namespace draftgauge::testing
