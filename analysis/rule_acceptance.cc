#include "analysis/rule_acceptance.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/acceptance.h"

namespace draftgauge {
namespace {

using Formula = double (*)(Acceptance<double> const&, int candidates, Parameters const&);

/// A formula for a rule with a drafter; `orders`: it sums over the orders of k − 1 drafts.
struct Known {
  std::string_view rule, drafter;
  Formula accepted;
  bool orders = false;
};

double number(Ratio const& ratio) { return static_cast<double>(ratio.num) / ratio.den; }

constexpr Known known[] = {
    {"token", "sample", [](auto const& a, int, Parameters const&) { return a.token(); }},
    {"chen", "sample", [](auto const& a, int, Parameters const&) { return a.token(); }},
    {"recursive", "sample", [](auto const& a, int k, Parameters const&) { return a.recursive(k); }},
    {"recursive-without", "sample-without",
     [](auto const& a, int k, Parameters const&) { return a.recursive_without(k); }, true},
    {"k-seq", "sample", [](auto const& a, int k, Parameters const&) { return a.k_seq(k); }},
    {"spechub", "top-then-sample", [](auto const& a, int k, Parameters const&) { return a.greedy_drafts(k); }},
    {"naive-set", "sample", [](auto const& a, int k, Parameters const&) { return a.naive_set(k); }},
    {"naive-set", "top", [](auto const& a, int k, Parameters const&) { return a.top_set(k); }},
    {"naive-set-without", "sample-without",
     [](auto const& a, int k, Parameters const&) { return a.naive_set_without(k); }, true},
    {"top-set", "top", [](auto const& a, int k, Parameters const&) { return a.top_set(k); }},
    {"one-hot", "top", [](auto const& a, int, Parameters const&) { return a.one_hot(); }},
    {"coupled", "sample", [](auto const& a, int, Parameters const&) { return a.coupled(); }},
    {"coupled", "top", [](auto const& a, int, Parameters const&) { return a.one_hot(); }},
    {"greedy", "top", [](auto const& a, int, Parameters const&) { return a.greedy(); }},
    {"lenient", "sample",
     [](auto const& a, int, Parameters const& values) { return a.lenient(number(values.value[0])); }},
};

constexpr double most_work = 1e8;  // entries of rows, times orders

}  // namespace

std::optional<double> mean_rule_acceptance(Simulation const& simulation) {
  Task const& task = simulation.task();
  Laws const& laws = simulation.laws();
  int const k = task.shape.candidates;
  auto const* const found = std::ranges::find_if(known, [&](Known const& entry) {
    return entry.rule == simulation.rule().name && entry.drafter == task.drafter;
  });
  if (found == std::end(known)) return std::nullopt;
  if (found->rule == "greedy" && k > 1) return std::nullopt;  // its formula is that of one draft
  double const orders = found->orders ? std::pow(laws.vocab(), k - 1) : 1;
  if (orders > Acceptance<double>::most_orders || orders * laws.rows() * laws.vocab() > most_work) return std::nullopt;
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
