#pragma once
#include "analysis/adapting/policy.h"

namespace draftgauge::adapting {

#define ADAPTING(name) AdaptingPolicy name();
#include "analysis/adapting/policies/list.inc"
#undef ADAPTING

}  // namespace draftgauge::adapting
