#include "analysis/recordings/costs/time_format.h"

namespace draftgauge {

std::span<TimeFormat const> time_formats() {
  static TimeFormat const all[] = {
#define FORMAT(name) time_forms::name(),
#include "analysis/recordings/costs/list.inc"
#undef FORMAT
  };
  return all;
}

}  // namespace draftgauge
