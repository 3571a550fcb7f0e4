#pragma once
#include "analysis/report/field.h"

namespace draftgauge {

/// A row's fields.
FieldCards theory_cards();

}  // namespace draftgauge
