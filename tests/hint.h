#pragma once
#include <string>

#include "sim/base/error.h"

namespace draftgauge::testing {

/// What the call says is to be done when it throws an error of this kind, which stands apart from the problem; or
/// "(no error)". Errors of another kind pass through.
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
