#include "analysis/theory/draft_orders.h"

#include <fmt/format.h>

#include "sim/base/error.h"

namespace draftgauge {

void throw_too_many_orders(std::size_t k, std::size_t tokens, double orders, double most) {
  throw UsageError(fmt::format("`candidates` {} of {} tokens without replacement (their first {} have {:.2g} orders, "
                               "each a term of the sum, and {:.2g} are the most)",
                               k, tokens, k - 1, orders, most),
                   "give fewer candidates, or simulate");
}

}  // namespace draftgauge
