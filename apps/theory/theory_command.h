#pragma once
#include "apps/output/fields.h"

namespace draftgauge {

/// A row's fields.
FieldCards theory_cards();

}  // namespace draftgauge
