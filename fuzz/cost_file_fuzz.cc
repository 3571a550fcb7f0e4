#include <cstdlib>

#include "analysis/recordings/costs/cost_file.h"
#include "sim/base/error.h"

namespace {

using namespace draftgauge;

/// Costs of any number of tokens are above 0.
void use(Costs const& costs) {
  for (std::int64_t const n : {1, 2, 3, 5, 17, 1'000'000})
    if (!(costs.verify_pass(n) > 0)) std::abort();
}

}  // namespace

// Any text as measured times, and as a list of costs.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const text(reinterpret_cast<char const*>(data), size);
  try {
    use({.verify = parse_verify_cost(text)});
  } catch (Error const&) {
  }
  try {
    CostTable const table = read_costs("input", text);
    for (auto const& [target, ignored] : table.models) {
      try {
        use(costs_of(table, target, table.models.begin()->first));
      } catch (Error const&) {
      }
    }
    use(costs_of(table, "", ""));
  } catch (Error const&) {
  }
  return 0;
}
