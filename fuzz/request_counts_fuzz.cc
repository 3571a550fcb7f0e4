#include <cstdlib>

#include "analysis/texts/request_counts.h"
#include "sim/base/error.h"

// Any text as counts by request. What is read has a round and gives survival over requests that is one.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace draftgauge;
  try {
    RequestCounts const rows = read_request_counts("input", {reinterpret_cast<char const*>(data), size});
    RequestSurvival const found = survival_over_requests(one_length_each(rows), 0, 1);
    for (TextEstimate const& reached : found.survival)
      if (!(reached.value >= 0 && reached.value <= 1 + 1e-9)) std::abort();
    if (found.requests() >= 2 && !found.survival.empty()) static_cast<void>(round_dependence(rows, found, 1));
  } catch (Error const&) {
  }
  return 0;
}
