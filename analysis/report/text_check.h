#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/audit/text_check.h"
#include "analysis/report/field.h"

namespace draftgauge {

/// A sum that drifts nowhere where the target wrote the text.
struct DriftReport {
  std::string name;
  double mean, error, z;
};
Described<DriftReport> const& describe(DriftReport const* drift);

/// Could the target have written the text?
struct TextCheckReport {
  TextCheck const& check;
  std::string cause;  ///< cause_text; of the program with its options as they are typed
};
Described<TextCheckReport> const& describe(TextCheckReport const* report);

}  // namespace draftgauge
