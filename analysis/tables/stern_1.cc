#include <array>
#include <cstdint>

#include "analysis/tables/cards.h"
#include "analysis/tables/printed.h"
#include "analysis/tables/published.h"
#include "analysis/theory/closed_form.h"

namespace draftgauge {
namespace {

PaperTable make_stern_1(TableInput const&) {
  Table table{{"k", "k"},
              {"frozen", "frozen"},
              {"frozen_alpha", "implied α"},
              {"tuned", "tuned"},
              {"tuned_alpha", "implied α"},
              {"tuned_low", "least"},
              {"tuned_high", "most"}};
  for (auto const& row : published("stern-1").rows) {
    Printed const k = chosen(row.at("k")), frozen = printed(row.at("frozen")), tuned = printed(row.at("tuned"));
    auto const alpha = [&](Printed const& tokens) {
      return recomputed(std::array{tokens},
                        [&](double n) { return *theory::implied_alpha(n, static_cast<std::int64_t>(k.value) - 1); });
    };
    Recomputed const again = alpha(tuned);
    table.add({shown(k), shown(frozen), Number{alpha(frozen).value, 4}, shown(tuned), Number{again.value, 4},
               Number{again.low, 4}, Number{again.high, 4}});
  }
  return {"Blockwise parallel decoding: the acceptance that block sizes imply",
          {{"",
            std::move(table),
            {"The accepted block size is our E[N]: one token of the model and the hits of k − 1 heads, so that γ = k "
             "− 1 in Eq. (1) of Leviathan et al. 2023, which is turned round here. It falls with k where heads "
             "further out hit less. Least and most: what rounding allows."}}}};
}

}  // namespace

constinit TableCard const stern_1{"stern-1", "blockwise parallel decoding: block sizes, and the α that they imply",
                                  "Stern et al. 2018 (arXiv 1811.03115), Table 1", false, make_stern_1};

}  // namespace draftgauge
