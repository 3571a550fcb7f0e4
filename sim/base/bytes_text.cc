#include "sim/base/bytes_text.h"

#include <cstdio>

namespace draftgauge {

std::string bytes_text(std::uint64_t bytes) {
  constexpr char const* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  int unit = 0;
  for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, value < 10000 ? "%.4g %s" : "%.0f %s", value, units[unit]);
  return text;
}

}  // namespace draftgauge
