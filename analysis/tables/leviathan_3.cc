#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/tables/cards.h"
#include "analysis/tables/measured_pairs.h"
#include "analysis/tables/published.h"
#include "analysis/theory/closed_form.h"

namespace draftgauge {
namespace {

/// S as γ → ∞ where drafts cost nothing: the most that this α can give.
Recomputed limit(Printed const& alpha) {
  return recomputed(std::array{alpha}, [](double a) { return theory::expected_tokens_limit(a); });
}

/// "α is higher at T = 0": as printed, or for numbers that are printed so.
Agreement sharper_is_higher(Printed const& t0, Printed const& t1) {
  if (t0.value >= t1.value) return Agreement::follows;
  return t0.high >= t1.low ? Agreement::within_rounding : Agreement::does_not_follow;
}

/// Whether Tables 2 and 4 print the same α for this pair; none where they do not have it.
std::optional<bool> agrees_with_speeds(std::string const& target, std::string const& draft, Printed const& t0,
                                       Printed const& t1) {
  std::optional<bool> agrees;
  for (MeasuredPair const& pair : measured_pairs())
    if (target == "T5-XXL " + pair.task && draft == pair.draft)
      agrees = agrees.value_or(true) && pair.alpha.value == (pair.temperature == "0" ? t0 : t1).value;
  return agrees;
}

auto const& row_of(std::string const& target, std::string const& draft) {
  auto const& rows = published("leviathan-3").rows;
  auto const found = std::ranges::find_if(
      rows, [&](auto const& row) { return row.at("target") == target && row.at("draft") == draft; });
  if (found == rows.end()) throw std::logic_error("Table 3 has no " + draft + " for " + target);
  return *found;
}

PaperTable make_leviathan_3(TableInput const&) {
  Table table{{"target", "target", Align::left},
              {"draft", "draft", Align::left},
              {"alpha_t0", "α, T=0"},
              {"limit_t0", "S ≤"},
              {"alpha_t1", "α, T=1"},
              {"limit_t1", "S ≤"},
              {"same_in_tables_2_and_4", "as in 2, 4", Align::left},
              {"higher_at_t0", "α higher at T=0", Align::left}};
  std::vector<std::string> errata;
  for (auto const& row : published("leviathan-3").rows) {
    Printed const t0 = printed(row.at("t0")), t1 = printed(row.at("t1"));
    auto const same = agrees_with_speeds(row.at("target"), row.at("draft"), t0, t1);
    table.add({row.at("target"), row.at("draft"), shown(t0), Number{limit(t0).value, 3}, shown(t1),
               Number{limit(t1).value, 3}, same ? Cell(*same) : Cell(), verdict_cell(sharper_is_higher(t0, t1))});
    if (t0.value < t1.value)
      errata.push_back(fmt::format(
          "Section 4.2 says that α is higher the sharper the distribution, for all models; {} by {} has {} at T = 0 "
          "and {} at T = 1{}.",
          row.at("target"), row.at("draft"), row.at("t0"), row.at("t1"),
          t0.high >= t1.low ? fmt::format(". Rounding allows both to be {:.{}f}, no more", t0.high, t0.decimals + 1)
                            : std::string()));
  }
  Table said(recomputed_columns({{"quantity", "quantity", Align::left}}, {"speedup", "S"}));
  for (auto const& row : published("leviathan-3-speed").rows) {
    auto const& rates = row_of(row.at("target"), row.at("draft"));
    Printed const alpha = printed(rates.at("t0")), cost = chosen(row.at("c")), speed = printed(row.at("speed"));
    std::int64_t const gamma = chosen_count(row.at("gamma"));
    auto const add = [&](std::string words, Recomputed const& again) {
      said.add(recomputed_cells({std::move(words)}, speed, again, {}));
    };
    add(fmt::format("{} by {}, α = {}, c = {}, γ = {}", row.at("target"), row.at("draft"), rates.at("t0"),
                    row.at("c"), row.at("gamma")),
        recomputed(std::array{alpha}, [&](double a) { return theory::speedup(a, gamma, cost.value); }));
    if (cost.value == 0) add("the same as γ grows", limit(alpha));
  }
  return {"Measured acceptance rates of several pairs",
          {{"Measured, and what follows",
            std::move(table),
            {"α is measured: quoted, not recomputed. S ≤ 1/(1−α) is the most that an α can give, at c = 0 as γ "
             "grows; drafting pays only where c < α (Corollary 3.9). as in 2, 4: those tables print the same α.",
             "α higher at T=0: the paper's \"for all models, the sharper the adjusted distribution, the higher\" "
             "(Section 4.2); rows that are equal count for it."}},
           {"The speed that is printed for a trivial draft", std::move(said), {}}},
          std::move(errata)};
}

}  // namespace

constinit TableCard const leviathan_3{"leviathan-3", "measured α of several pairs, and what follows from it",
                                      "Leviathan et al. 2023 (arXiv 2211.17192), Table 3", false, make_leviathan_3};

}  // namespace draftgauge
