#include "analysis/rule_acceptance.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/acceptance.h"

namespace draftgauge {
namespace {

double number(Acceptance<double> const&, Ratio const& ratio) { return static_cast<double>(ratio.num) / ratio.den; }
Rational number(Acceptance<Rational> const&, Ratio const& ratio) { return Rational(ratio.num, ratio.den); }

/// One generic function for both kinds of number.
template <class F>
constexpr AcceptanceFormula formula(std::string_view rule, std::string_view drafter, F accepted,
                                    bool one_draft = false, bool orders = false) {
  return {rule, drafter, accepted, accepted, one_draft, orders};
}

constexpr AcceptanceFormula known[] = {
    formula("token", "sample", [](auto const& a, int, Parameters const&) { return a.token(); }),
    formula("chen", "sample", [](auto const& a, int, Parameters const&) { return a.token(); }),
    formula("recursive", "sample", [](auto const& a, int k, Parameters const&) { return a.recursive(k); }),
    formula(
        "recursive-without", "sample-without",
        [](auto const& a, int k, Parameters const&) { return a.recursive_without(k); }, false, true),
    formula("k-seq", "sample", [](auto const& a, int k, Parameters const&) { return a.k_seq(k); }),
    formula("spechub", "top-then-sample", [](auto const& a, int k, Parameters const&) { return a.greedy_drafts(k); }),
    formula("naive-set", "sample", [](auto const& a, int k, Parameters const&) { return a.naive_set(k); }),
    formula("naive-set", "top", [](auto const& a, int k, Parameters const&) { return a.top_set(k); }),
    formula(
        "naive-set-without", "sample-without",
        [](auto const& a, int k, Parameters const&) { return a.naive_set_without(k); }, false, true),
    formula("top-set", "top", [](auto const& a, int k, Parameters const&) { return a.top_set(k); }),
    formula("one-hot", "top", [](auto const& a, int, Parameters const&) { return a.one_hot(); }),
    formula("coupled", "sample", [](auto const& a, int, Parameters const&) { return a.coupled(); }),
    formula("coupled", "top", [](auto const& a, int, Parameters const&) { return a.one_hot(); }),
    formula(
        "greedy", "top", [](auto const& a, int, Parameters const&) { return a.greedy(); }, true),
    formula("lenient", "sample",
            [](auto const& a, int, Parameters const& values) { return a.lenient(number(a, values.value[0])); }),
    formula(
        "lenient-greedy", "top",
        [](auto const& a, int, Parameters const& values) { return a.lenient_greedy(number(a, values.value[0])); }),
    formula("typical", "top",
            [](auto const& a, int, Parameters const& values) {
              return a.typical(number(a, values.value[0]), number(a, values.value[1]));
            }),
    formula("wrong/argmax-draft", "top", [](auto const& a, int, Parameters const&) { return a.argmax_draft(); }),
};

constexpr double most_work = 1e8;  // entries of rows, times orders

constexpr std::string_view exact_at_one_hot[] = {"lenient", "typical"};

}  // namespace

std::span<AcceptanceFormula const> acceptance_formulas() { return known; }

double AcceptanceFormula::work(int candidates, std::uint32_t vocab) const {
  return vocab * (orders ? std::pow(vocab, candidates - 1) : 1.0);
}

bool AcceptanceFormula::covers(int candidates, std::uint32_t vocab) const {
  RuleCard const& card = rule_card(rule);
  DrafterCard const& drafts = *std::ranges::find(drafter_cards(), drafter, &DrafterCard::name);
  if (candidates > 1 && (!card.many_candidates || one_draft)) return false;
  if (drafts.distinct && static_cast<std::uint32_t>(candidates) > vocab) return false;
  return work(candidates, vocab) <= Acceptance<double>::most_orders * vocab;
}

bool lossless_for(RuleCard const& card, bool one_hot_p) {
  if (!one_hot_p) return card.lossless && card.reference == Reference::target;
  return card.lossless || std::ranges::find(exact_at_one_hot, card.name) != std::end(exact_at_one_hot);
}

std::optional<double> mean_rule_acceptance(Simulation const& simulation, int candidates) {
  Task const& task = simulation.task();
  Laws const& laws = simulation.laws();
  int const k = candidates;
  auto const* const found = std::ranges::find_if(known, [&](AcceptanceFormula const& entry) {
    return entry.rule == simulation.rule().name && entry.drafter == task.drafter;
  });
  if (found == std::end(known)) return std::nullopt;
  if (!found->covers(k, laws.vocab()) || found->work(k, laws.vocab()) * laws.rows() > most_work) return std::nullopt;
  double sum = 0;
  std::vector<double> p(laws.vocab()), q(laws.vocab());
  for (std::uint32_t row = 0; row < laws.rows(); ++row) {
    for (Token x = 0; x < laws.vocab(); ++x) {
      p[x] = static_cast<double>(laws.p(row)[x]) / static_cast<double>(laws.total(row));
      q[x] = static_cast<double>(laws.q(row)[x]) / static_cast<double>(laws.total(row));
    }
    sum += found->accepted(Acceptance<double>(p, q), k, simulation.rule_called().values);
  }
  return sum / laws.rows();
}

}  // namespace draftgauge
