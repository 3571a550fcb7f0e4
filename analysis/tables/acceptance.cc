#include <fmt/format.h>

#include <optional>

#include "analysis/tables/cards.h"
#include "analysis/theory/rule_acceptance.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

constexpr double most_exact_work = 1e4;  ///< terms of a sum in fractions
constexpr std::size_t longest_fraction = 24;

std::vector<double> numbers(std::vector<Rational> const& law) {
  std::vector<double> all;
  for (Rational const& x : law) all.push_back(static_cast<double>(x));
  return all;
}

Cell exact_cell(std::optional<Rational> const& value) {
  if (!value) return {};
  std::string text = value->str();
  return text.size() <= longest_fraction ? Cell(Exact{std::move(text)}) : Cell();
}

/// What no lossless rule can exceed with drafts from q: optimal transport (Sun et al. 2023, arXiv 2310.15141).
void add_bounds(Table& rounded, Table& fractions, Acceptance<double> const& tables, Acceptance<Rational> const& exact,
                std::vector<int> const& branching, std::uint32_t vocab) {
  for (bool const distinct : {false, true}) {
    std::vector<Cell> row{std::string("(the most possible)"), std::string(distinct ? "sample-without" : "sample"),
                          true};
    std::vector<Cell> exact_row = row;
    for (int const k : branching) {
      // Of different drafts it is a sum over their orders.
      bool const possible = !distinct || (static_cast<std::uint32_t>(k) <= vocab && takes_terms(true, k, vocab));
      bool const summed = possible && terms_of_row(distinct, k, vocab) <= most_exact_work;
      auto const of = [&](auto const& a) { return distinct ? a.optimal_without(k) : a.optimal(k); };
      row.push_back(possible ? Cell(Number{of(tables), 6}) : Cell());
      exact_row.push_back(summed ? exact_cell(of(exact)) : Cell());
    }
    rounded.add(std::move(row));
    fractions.add(std::move(exact_row));
  }
}

PaperTable make_acceptance(TableInput const& input) {
  bool const given = !input.p.empty() || !input.q.empty();
  auto const law = [&](std::vector<Rational> const& of, std::initializer_list<int> tenths) {
    if (given) return of;
    std::vector<Rational> all;
    for (int const t : tenths) all.emplace_back(t, 10);
    return all;
  };
  std::vector<Rational> const p = law(input.p, {3, 4, 3}), q = law(input.q, {6, 3, 1});
  Acceptance<Rational> const exact(p, q);
  Acceptance<double> const tables(numbers(p), numbers(q));
  auto const vocab = static_cast<std::uint32_t>(p.size());
  bool const one_hot = contains(p, Rational(1));
  std::vector<int> const branching = input.branching.empty() ? std::vector{1, 2, 3} : input.branching;

  std::vector<Column> columns{
      {"rule", "rule", Align::left}, {"drafter", "drafts", Align::left}, {"lossless", "lossless", Align::left}};
  for (int const k : branching) columns.push_back({fmt::format("k{}", k), fmt::format("k = {}", k)});
  Table rounded(columns), fractions(columns);
  for (AcceptanceFormula const& formula : acceptance_formulas()) {
    RuleCard const& card = rule_card(formula.rule);
    if (card.counterexample) continue;
    Parameters const standard = standard_values(card.parameters);
    std::vector<Cell> row{call_text({card.name, card.parameters}, standard), std::string(formula.drafter),
                          lossless_for(card.name, standard, one_hot)};
    std::vector<Cell> exact_row = row;
    bool any = false;
    for (int const k : branching) {
      bool const covered = formula.covers(k, vocab);
      any = any || covered;
      row.push_back(covered ? Cell(Number{formula.accepted(tables, k, standard), 6}) : Cell());
      bool const summed = covered && formula.work(k, vocab) <= most_exact_work;
      exact_row.push_back(summed ? exact_cell(formula.exact(exact, k, standard)) : Cell());
    }
    if (!any) continue;
    rounded.add(std::move(row));
    fractions.add(std::move(exact_row));
  }
  add_bounds(rounded, fractions, tables, exact, branching, vocab);
  auto const words = [](std::vector<Rational> const& of) {
    constexpr std::size_t most_shown = 6;
    return "(" + first_joined(of, most_shown, [](Rational const& x) { return x.str(); }) + ")";
  };
  return {fmt::format("What each rule accepts at a position with k drafts, p = {}, q = {}", words(p), words(q)),
          {{"Acceptance probability",
            std::move(rounded),
            {"P(one of a position's k drafts is accepted), in closed form: arXiv 2211.17192, 2305.09781, 2310.15141, "
             "2401.10774, 2402.12374, 2406.16858, 2411.05289, 2502.18779.",
             "Left empty: a rule that does not take so many drafts, or a sum over their orders that is too long."}},
           {"The same in fractions",
            std::move(fractions),
            {"Left empty beside: too long to print or to sum, and k-SEQ's where its least lossless ρ is known to "
             "2⁻⁴⁰ only, as an irrational one is."}}}};
}

}  // namespace

constinit TableCard const rule_acceptances{
    "acceptance",  "every rule's acceptance for given distributions, with 1, 2, 3 drafts", "", false, make_acceptance,
    {.laws = true}};

}  // namespace draftgauge
