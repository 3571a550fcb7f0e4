#include <cstdlib>

#include "analysis/load/batch_choice.h"
#include "sim/base/error.h"

// Any text as times by batch size: read, and where plain steps are in it, a γ chosen at some of them.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace draftgauge;
  std::string_view const text(reinterpret_cast<char const*>(data), size);
  try {
    LoadTable const table = read_load("input", text);
    BatchCosts const costs(table, {}, {});
    auto const tokens = [](std::int64_t gamma, std::int64_t) -> std::optional<double> {
      return 1 + .5 * static_cast<double>(gamma);
    };
    for (std::int64_t const batch : {std::int64_t{1}, costs.batches().back(), most_batch}) {
      BatchPoint const best = best_of(points_in_batch(costs, tokens, 8, batch));
      if (!(best.speedup() >= 1 - 1e-9 && best.ms_per_token() > 0 && best.gamma <= 8)) std::abort();
    }
  } catch (Error const&) {
  }
  return 0;
}
