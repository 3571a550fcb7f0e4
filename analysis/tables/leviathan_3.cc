#include <optional>
#include <string>

#include "analysis/closed_form.h"
#include "analysis/tables/cards.h"
#include "analysis/tables/measured_pairs.h"
#include "analysis/tables/published.h"

namespace draftgauge {
namespace {

/// S as γ → ∞ where drafts cost nothing: the most that this α can give.
Recomputed limit(Printed const& alpha) {
  return recomputed(std::array{alpha}, [](double a) { return theory::expected_tokens_limit(a); });
}

/// "α is higher at T = 0": as printed, or for numbers that are printed so.
Finding sharper_is_higher(Printed const& t0, Printed const& t1) {
  if (t0.value >= t1.value) return Finding::follows;
  return t0.high >= t1.low ? Finding::within_rounding : Finding::does_not_follow;
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

PaperTable make(TableInput const&) {
  Table table{{"target", "target", Align::left},
              {"draft", "draft", Align::left},
              {"alpha_t0", "α, T=0"},
              {"limit_t0", "S ≤"},
              {"alpha_t1", "α, T=1"},
              {"limit_t1", "S ≤"},
              {"same_in_tables_2_and_4", "as in 2, 4", Align::left},
              {"higher_at_t0", "α higher at T=0", Align::left}};
  for (auto const& row : published("leviathan-3").rows) {
    Printed const t0 = printed(row.at("t0")), t1 = printed(row.at("t1"));
    auto const same = agrees_with_speeds(row.at("target"), row.at("draft"), t0, t1);
    table.add({row.at("target"), row.at("draft"), shown(t0), Number{limit(t0).value, 3}, shown(t1),
               Number{limit(t1).value, 3}, same ? Cell(*same) : Cell(),
               std::string(words(sharper_is_higher(t0, t1)))});
  }
  // Sections 3.6 and 4.2 print a speed for one of the rows.
  Printed const bigram = printed("0.20"), speed = printed("1.25");
  Table said{{"quantity", "quantity", Align::left},
             {"printed", "printed"},
             {"speedup", "S"},
             {"low", "least"},
             {"high", "most"},
             {"verdict", "verdict", Align::left}};
  Recomputed const at_3 = recomputed(std::array{bigram}, [](double a) { return theory::speedup(a, 3, 0); });
  said.add({"EnDe by bigrams, α = 0.20, c = 0, γ = 3", shown(speed), Number{at_3.value, 4}, Number{at_3.low, 4},
            Number{at_3.high, 4}, std::string(words(finding_on(speed, at_3)))});
  said.add({"the same as γ grows", shown(speed), Number{limit(bigram).value, 4}, Number{limit(bigram).low, 4},
            Number{limit(bigram).high, 4}, std::string(words(finding_on(speed, limit(bigram))))});
  return {
      "Measured acceptance rates of several pairs",
      {{"Measured, and what follows",
        std::move(table),
        {"α is measured: quoted, not recomputed. S ≤ 1/(1−α) is the most that an α can give, at c = 0 as γ grows; "
         "drafting pays only where c < α (Corollary 3.9). as in 2, 4: those tables print the same α.",
         "α higher at T=0: the paper's \"for all models, the sharper the adjusted distribution, the higher\" "
         "(Section 4.2); rows that are equal count for it."}},
       {"The speed that is printed for a trivial draft", std::move(said), {}}},
      {"Section 4.2 says that α is higher the sharper the law, for all models; the table's GPT-like 6M has 0.88 at "
       "T = 0 and 0.89 at T = 1. Rounding allows both to be 0.885, no more."}};
}

}  // namespace

constinit TableCard const leviathan_3{"leviathan-3", "measured α of several pairs, and what follows from it",
                                      "Leviathan et al. 2023 (arXiv 2211.17192), Table 3", false, make};

}  // namespace draftgauge
