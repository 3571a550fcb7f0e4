#include <fmt/format.h>

#include "analysis/tables/cards.h"
#include "analysis/tables/printed.h"
#include "analysis/tables/published.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {
namespace {

PaperTable make_chen_1(TableInput const&) {
  Table times(recomputed_columns({{"task", "task", Align::left},
                                  {"plain_ms", "plain", Align::right, "ms"},
                                  {"speculative_ms", "speculative", Align::right, "ms"}},
                                 {"speedup", "ratio"}));
  Table implied{
      {"task", "task", Align::left}, {"cost", "c"},          {"gamma", "γ"},           {"alpha", "implied α"},
      {"alpha_low", "least"},        {"alpha_high", "most"}, {"best_gamma", "best γ"}, {"best_speedup", "S there"},
      {"speedup", "S at γ"}};
  PaperTable result{"Chinchilla 70B with a draft of 4B: times, and the acceptance that they imply", {}, {}};
  auto const& rows = published("chen-1").rows;
  for (auto const& row : rows) {
    Printed const plain = printed(row.at("plain_ms")), speculative = printed(row.at("speculative_ms")),
                  draft = printed(row.at("draft_ms")), speed = printed(row.at("speed"));
    std::int64_t const gamma = chosen_count(row.at("gamma"));
    Recomputed const ratio = recomputed(std::array{plain, speculative}, [](double a, double b) { return a / b; });
    times.add(recomputed_cells({row.at("task"), shown(plain), shown(speculative)}, speed, ratio, {}));
    if (agreement(speed, ratio) == Agreement::does_not_follow)
      result.errata.push_back(fmt::format("{}: {} ms over {} ms is {:.3f}, and {}, not {}.", row.at("task"),
                                          row.at("plain_ms"), row.at("speculative_ms"), ratio.value,
                                          nearest_text(speed, ratio), row.at("speed")));
    // A round of γ drafts takes γ·draft + plain ms and emits that over the time per token.
    Recomputed const alpha =
        recomputed(std::array{plain, speculative, draft}, [&](double target, double token, double step) {
          return *theory::implied_alpha((static_cast<double>(gamma) * step + target) / token, gamma);
        });
    double const cost = draft.value / plain.value;
    BestGamma const best = best_gamma({alpha.value, {.draft = cost}});
    implied.add({row.at("task"), Number{cost, 5}, gamma, Number{alpha.value, 4}, Number{alpha.low, 4},
                 Number{alpha.high, 4}, *best.gamma, Number{best.speedup, 4},
                 Number{theory::speedup(alpha.value, gamma, cost), 4}});
  }
  result.parts.push_back({"Times for a token, and their ratio",
                          std::move(times),
                          {"Least and most: what rounding of both times allows."}});
  result.parts.push_back(
      {"The α behind them",
       std::move(implied),
       {fmt::format("Eq. (1) turned round at K = γ = {}: tokens per round are (γ·draft + plain)/speculative, a draft "
                    "step taking {} ms, as if verification cost a plain step and nothing else cost time. Last "
                    "columns: our best γ at that α and c, S there, and S at the paper's γ, which is the ratio again.",
                    rows.front().at("gamma"), rows.front().at("draft_ms"))}});
  return result;
}

}  // namespace

constinit TableCard const chen_1{"chen-1", "Chinchilla 70B: printed speed-ups, and the α that they imply",
                                 "Chen et al. 2023 (arXiv 2302.01318), Table 1", false, make_chen_1};

}  // namespace draftgauge
