#include <fmt/format.h>

#include <cmath>

#include "analysis/rule_acceptance.h"
#include "analysis/tables/cards.h"
#include "sim/error.h"

namespace draftgauge {
namespace {

constexpr double most_exact_work = 1e4;  ///< terms of a sum in fractions
constexpr std::size_t longest_fraction = 24;

std::vector<double> numbers(std::vector<Rational> const& law) {
  std::vector<double> all;
  for (Rational const& x : law) all.push_back(static_cast<double>(x));
  return all;
}

/// "lenient:lenience=1/2": the rule with its standard parameters.
std::string called(RuleCard const& card, Parameters& standard) {
  for (std::size_t i = 0; i < card.parameters.size(); ++i) standard.value[i] = card.parameters[i].standard;
  return call_text({card.name, card.parameters}, standard);
}

/// What no lossless rule can exceed with drafts from q: optimal transport (Sun et al. 2023, arXiv 2310.15141).
void add_bounds(Table& rounded, Table& fractions, Acceptance<double> const& laws, Acceptance<Rational> const& exact,
                std::vector<int> const& candidates, std::uint32_t vocab) {
  for (bool const distinct : {false, true}) {
    std::vector<Cell> row{std::string("(the most possible)"), std::string(distinct ? "sample-without" : "sample"),
                          true};
    std::vector<Cell> exact_row = row;
    for (int const k : candidates) {
      bool const possible = !distinct || static_cast<std::uint32_t>(k) <= vocab;
      auto const of = [&](auto const& a) { return distinct ? a.optimal_without(k) : a.optimal(k); };
      row.push_back(possible ? Cell(Number{of(laws), 6}) : Cell());
      std::string const fraction = possible ? of(exact).str() : std::string();
      bool const fits = possible && fraction.size() <= longest_fraction;
      exact_row.push_back(fits ? Cell(Exact{fraction}) : Cell());
    }
    rounded.add(std::move(row));
    fractions.add(std::move(exact_row));
  }
}

PaperTable make(TableInput const& input) {
  bool const given = !input.p.empty() || !input.q.empty();
  auto const law = [&](std::vector<Rational> const& of, std::initializer_list<int> tenths) {
    if (given) return of;
    std::vector<Rational> all;
    for (int const t : tenths) all.emplace_back(t, 10);
    return all;
  };
  std::vector<Rational> const p = law(input.p, {3, 4, 3}), q = law(input.q, {6, 3, 1});
  Acceptance<Rational> const exact(p, q);
  Acceptance<double> const laws(numbers(p), numbers(q));
  auto const vocab = static_cast<std::uint32_t>(p.size());
  std::vector<int> const candidates = input.candidates.empty() ? std::vector{1, 2, 3} : input.candidates;

  std::vector<Column> columns{
      {"rule", "rule", Align::left}, {"drafter", "drafts", Align::left}, {"lossless", "lossless", Align::left}};
  for (int const k : candidates) columns.push_back({fmt::format("k{}", k), fmt::format("k = {}", k)});
  Table rounded(columns), fractions(columns);
  for (AcceptanceFormula const& formula : acceptance_formulas()) {
    RuleCard const& card = rule_card(formula.rule);
    if (card.exhibit) continue;
    Parameters standard;
    std::vector<Cell> row{called(card, standard), std::string(formula.drafter), card.lossless}, exact_row = row;
    bool any = false;
    for (int const k : candidates) {
      bool const covered = formula.covers(k, vocab);
      any = any || covered;
      row.push_back(covered ? Cell(Number{formula.accepted(laws, k, standard), 6}) : Cell());
      std::string fraction;
      if (covered && formula.work(k, vocab) <= most_exact_work) fraction = formula.exact(exact, k, standard).str();
      bool const short_enough = !fraction.empty() && fraction.size() <= longest_fraction;
      exact_row.push_back(short_enough ? Cell(Exact{fraction}) : Cell());
    }
    if (!any) continue;
    rounded.add(std::move(row));
    fractions.add(std::move(exact_row));
  }
  add_bounds(rounded, fractions, laws, exact, candidates, vocab);
  auto const words = [](std::vector<Rational> const& of) {
    constexpr std::size_t most_shown = 6;
    std::string text;
    for (std::size_t x = 0; x < of.size() && x < most_shown; ++x) text += (x == 0 ? "" : ", ") + of[x].str();
    return "(" + text + (of.size() > most_shown ? ", …)" : ")");
  };
  return {fmt::format("What each rule accepts at a position with k drafts, p = {}, q = {}", words(p), words(q)),
          {{"Acceptance probability",
            std::move(rounded),
            {"P(one of a position's k drafts is accepted), in closed form: arXiv 2211.17192, 2305.09781, 2310.15141, "
             "2401.10774, 2402.12374, 2406.16858, 2411.05289, 2502.18779."}},
           {"The same in fractions",
            std::move(fractions),
            {"Left empty: irrational, as k-SEQ's with its least lossless ρ, too long to print or to sum, or a rule "
             "that does not take so many drafts."}}}};
}

}  // namespace

constinit TableCard const rule_acceptances{
    "acceptance", "every rule's acceptance for given laws, with 1, 2, 3 drafts", "", false, make};

}  // namespace draftgauge
