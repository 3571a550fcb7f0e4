#pragma once
#include "analysis/counters/formats.h"

namespace draftgauge::formats {

#define FORMAT(name) CounterFormat name();
#include "analysis/counters/list.inc"
#undef FORMAT

}  // namespace draftgauge::formats
