#include "analysis/theory/expectation.h"

#include <algorithm>
#include <Eigen/Core>
#include <map>
#include <numeric>
#include <utility>

#include "analysis/exact/chain_rounds.h"
#include "analysis/exact/exact.h"
#include "analysis/exact/path_rounds.h"
#include "analysis/theory/closed_form.h"
#include "analysis/theory/markov.h"
#include "analysis/theory/rule_acceptance.h"
#include "sim/play/round.h"
#include "sim/task/record.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

constexpr std::uint32_t max_matrix_contexts = 512;  // matrices over contexts cost O(γ·contexts³)
constexpr double max_chain_steps = 0x1p31;          // of sums over transitions: a few seconds

Follow follow_of(Simulation const& simulation) { return simulation.tables().contexts().follow; }

Eigen::VectorXd start_law(Simulation const& simulation) {
  Eigen::VectorXd law = Eigen::VectorXd::Zero(simulation.tables().rows());
  for (std::uint32_t row : simulation.starts()) law[row] += 1.0 / static_cast<double>(simulation.starts().size());
  return law;
}

PathRounds path_rounds(Simulation const& simulation) {
  PairTables const& tables = simulation.tables();
  std::vector<double> beta;
  std::vector<std::uint32_t> reach;
  for (std::uint32_t row = 0; row < tables.rows(); ++row) {
    beta.push_back(tables.beta(row));
    reach.push_back(tables.reach(row));
  }
  RoundShape const& shape = simulation.task().shape;
  return {std::move(beta), std::move(reach), shape.gamma, shape.bonus};
}

double tokens_per_round(PathRounds::Expected const& expected) { return expected.tokens / expected.rounds; }

/// A round of the chain of contexts: E[N | x] and the law of the context that it leads to, by enumeration.
double exact_chain_tokens(Simulation const& simulation, ExactModel const& model, std::uint64_t max_paths) {
  Contexts const contexts = model.contexts();
  Eigen::VectorXd mean(contexts.rows);
  Eigen::MatrixXd kernel = Eigen::MatrixXd::Zero(contexts.rows, contexts.rows);
  for (std::uint32_t x = 0; x < contexts.rows; ++x) {
    ExactRound const round = exact_round(simulation.task(), model, x, max_paths / contexts.rows);
    mean[x] = static_cast<double>(round.mean_tokens());
    for (auto const& [tokens, probability] : round.emitted) {
      std::uint32_t after = x;
      for (Token const token : tokens) after = contexts.after(after, token);
      kernel(x, after) += static_cast<double>(probability);
    }
  }
  Eigen::RowVectorXd context = start_law(simulation).transpose();
  double tokens = 0;
  for (std::uint32_t r = 0; r < simulation.task().rounds_per_trial; ++r) {
    tokens += context * mean;
    context = context * kernel;
  }
  return tokens / simulation.task().rounds_per_trial;
}

/// A task of one position, with so many drafts.
Task one_position(Task task, int branching) {
  task.tree = {};
  task.shape = {1, branching, false};
  return task;
}

/// Node rules over independent contexts: a node accepts the child of a rank with the same probability wherever it
/// stands, so that the enumeration of one node for each number of children gives the law of N on every tree.
class OneNode {
 public:
  OneNode(Task const& task, ExactModel const& model, std::uint64_t max_paths)
      : task_(task), model_(model), max_paths_(max_paths), law_(static_cast<std::size_t>(task.shape.gamma) + 1) {}

  std::vector<Rational> law_of_tokens() {
    // In an even tree ranks need not be told apart, and nodes are as many as k^γ.
    if (!task_.shape.tree.listed())
      descend_evenly();
    else
      descend(0, 0, 1);
    if (!task_.shape.bonus) law_.pop_back();
    return law_;
  }

 private:
  /// [children] acceptance by rank, or of all ranks together where they are not told apart.
  std::vector<Rational> const& accepted(int children) {
    auto const [found, is_new] = accepted_.try_emplace(children);
    if (is_new) {
      ExactRound const round = exact_round(one_position(task_, children), model_, 0, max_paths_);
      found->second = round.passed.empty() ? std::vector<Rational>{1, round.acceptance()} : round.passed;
    }
    return found->second;
  }
  void end(int depth, bool leaf, Rational const& probability) {
    // Without a bonus a round that accepts a draft without children emits as many tokens as one that stops above it.
    law_[static_cast<std::size_t>(leaf && !task_.shape.bonus ? depth - 1 : depth)] += probability;
  }
  void descend(std::uint32_t node, int depth, Rational const& reached) {
    TreeNode const children = task_.shape.children(node, depth);
    if (children.count == 0) return end(depth, true, reached);
    auto const& ranks = accepted(static_cast<int>(children.count));
    Rational stays = reached;
    for (std::uint32_t i = 0; i < children.count; ++i) {
      Rational const below = reached * ranks[i + 1];
      stays -= below;
      descend(children.first + i, depth + 1, below);
    }
    end(depth, false, stays);
  }
  void descend_evenly() {
    auto const& ranks = accepted(task_.shape.branching);
    Rational const a = std::accumulate(ranks.begin() + 1, ranks.end(), Rational(0));
    Rational reached = 1;
    for (int depth = 0; depth < task_.shape.gamma; ++depth) {
      end(depth, false, reached * (1 - a));
      reached *= a;
    }
    end(task_.shape.gamma, true, reached);
  }

  Task const& task_;
  ExactModel const& model_;
  std::uint64_t max_paths_;
  std::vector<Rational> law_;  ///< entry n − 1 is P(N = n)
  std::map<int, std::vector<Rational>> accepted_;
};

/// The law of N and how much of the round was enumerated for it.
struct EnumeratedLaw {
  std::vector<Rational> law;
  char const* origin;
};

bool is_node_rule(Simulation const& simulation) {
  bool node_rule = false;
  Drafting const drafting = drafting_of(simulation.task());
  with_rule(simulation.rule_called(),
            [&]<class Rule>(Rule const&) { node_rule = walks<Rule>(drafting, simulation.task().shape); });
  return node_rule;
}

/// Whether every position of a round is verified like any other with as many drafts: a node rule's, with drafts at
/// all of them.
bool positions_are_alike(Simulation const& simulation) {
  return is_node_rule(simulation) && simulation.task().policy == "fixed";
}

/// What takes the place of α in Eq. (1) for a rule other than the token rule, at each level of a round's tree. Empty
/// where that is not known, or not the same all over a level.
std::vector<double> rule_alphas(Simulation const& simulation) {
  if (follow_of(simulation) != Follow::independent || !positions_are_alike(simulation)) return {};
  std::map<int, double> known;
  std::vector<double> alphas;
  Task const& task = simulation.task();
  std::vector<int> const levels =
      task.shape.tree.listed() ? children_by_level(task.tree).value_or(std::vector<int>())
                               : std::vector<int>(static_cast<std::size_t>(task.shape.gamma), task.shape.branching);
  for (int const children : levels) {
    if (!known.contains(children)) {
      auto const alpha = mean_rule_acceptance(simulation, children);
      if (!alpha) return {};
      known[children] = *alpha;
    }
    alphas.push_back(known[children]);
  }
  return alphas;
}

/// Rounds on a tree whose levels are passed with these probabilities: those along a text with one at each position.
PathRounds level_rounds(std::vector<double> const& alphas, bool bonus) {
  auto const levels = static_cast<std::uint32_t>(alphas.size());
  return {alphas, {levels + 1}, static_cast<int>(levels), bonus};
}

std::optional<EnumeratedLaw> enumerated_law(Simulation const& simulation, std::uint64_t max_paths) {
  Follow const follow = follow_of(simulation);
  PairTables const& tables = simulation.tables();
  Task const& task = simulation.task();
  if (follow != Follow::independent && follow != Follow::prefix) return std::nullopt;
  // Each path begins with the draft of a token: a vocabulary so large is beyond reach before a fraction is made.
  if (std::uint64_t{tables.vocab()} * tables.rows() > max_paths) return std::nullopt;
  ExactModel const model = exact_model(tables);
  try {
    auto law = exact_round(task, model, 0, max_paths).tokens_law();
    law.erase(law.begin());
    if (!task.shape.bonus) law.pop_back();
    return EnumeratedLaw{std::move(law), "enumeration"};
  } catch (NotEnumerable const&) {
  }
  if (follow != Follow::independent || !positions_are_alike(simulation)) return std::nullopt;
  try {
    return EnumeratedLaw{OneNode(task, model, max_paths).law_of_tokens(), "one position"};
  } catch (NotEnumerable const&) {
    return std::nullopt;
  }
}

}  // namespace

double mean_beta(PairTables const& tables) {
  double sum = 0;
  for (std::uint32_t row = 0; row < tables.rows(); ++row) sum += tables.beta(row);
  return sum / tables.rows();
}

bool plays_token_rule(Simulation const& simulation) {
  Task const& task = simulation.task();
  bool same = false;
  with_rule(simulation.rule_called(), [&]<class Rule>(Rule const& rule) {
    same = same_law<Rule, rules::TokenRule>(rule, task.shape.branching);
  });
  return same && task.drafter == rules::TokenRule::card.drafter && task.policy == "fixed";
}

bool keeps_at_least_token_rule(Simulation const& simulation) {
  Task const& task = simulation.task();
  bool known = false;
  with_rule(simulation.rule_called(), [&]<class Rule>(Rule const& rule) {
    known = known_at_least<Rule, rules::TokenRule>(rule, task.shape.branching);
  });
  return known && !task.shape.tree.listed() && task.drafter == rules::TokenRule::card.drafter &&
         task.policy == "fixed";
}

std::optional<Expectation> closed_form_tokens(Simulation const& simulation) {
  if (plays_token_rule(simulation)) return token_rule_tokens(simulation);
  auto const alphas = rule_alphas(simulation);
  if (alphas.empty()) return std::nullopt;
  RoundShape const& shape = simulation.task().shape;
  if (!shape.tree.listed())
    return Expectation{theory::expected_tokens(alphas.front(), shape.gamma, shape.bonus), "Eq. (1), rule's α"};
  return Expectation{level_rounds(alphas, shape.bonus).mean_tokens(0), "products of levels' α"};
}

std::optional<Expectation> token_rule_tokens(Simulation const& simulation) {
  Task const& task = simulation.task();
  PairTables const& tables = simulation.tables();
  switch (follow_of(simulation)) {
    case Follow::independent:
      return Expectation{theory::expected_tokens(mean_beta(tables), task.shape.gamma, task.shape.bonus), "Eq. (1)"};
    case Follow::token:
    case Follow::state: {
      double const steps =
          static_cast<double>(task.rounds_per_trial) * task.shape.gamma * tables.rows() * tables.vocab();
      if (steps > max_chain_steps) return std::nullopt;
      return Expectation{chain_tokens_per_round(tables, task.shape, simulation.starts(), task.rounds_per_trial),
                         follow_of(simulation) == Follow::token ? "Markov pair" : "automaton"};
    }
    case Follow::next_row:
      return Expectation{tokens_per_round(path_rounds(simulation).trial(simulation.starts(), task.rounds_per_trial)),
                         "products of β"};
    case Follow::prefix: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::vector<double>> closed_form_tokens_law(Simulation const& simulation) {
  Task const& task = simulation.task();
  if (plays_token_rule(simulation) && follow_of(simulation) == Follow::independent)
    return theory::tokens_law(mean_beta(simulation.tables()), task.shape.gamma, task.shape.bonus);
  auto const alphas = rule_alphas(simulation);
  if (alphas.empty()) return std::nullopt;
  return level_rounds(alphas, task.shape.bonus).tokens_law(0);
}

std::optional<std::vector<double>> exact_tokens_law(Simulation const& simulation, std::uint64_t max_paths) {
  if (policy_card(simulation.task().policy).adapts && simulation.task().rounds_per_trial > 1) return std::nullopt;
  auto const exact = enumerated_law(simulation, max_paths);
  if (!exact) return std::nullopt;
  std::vector<double> law;
  for (Rational const& probability : exact->law) law.push_back(static_cast<double>(probability));
  return law;
}

std::optional<Expectation> exact_tokens(Simulation const& simulation, std::uint64_t max_paths) {
  // What is enumerated is a trial's first round, which is like the others where lengths do not depend on them.
  if (policy_card(simulation.task().policy).adapts && simulation.task().rounds_per_trial > 1) return std::nullopt;
  // Where such a rule starts its next rounds, rows alone do not say.
  if (keeps_state(simulation.rule_called()) && simulation.tables().contexts().states > 1) return std::nullopt;
  if (PairTables const& tables = simulation.tables(); is_chain(follow_of(simulation))) {
    if (tables.rows() > max_matrix_contexts || std::uint64_t{tables.rows()} * tables.vocab() > max_paths)
      return std::nullopt;
    try {
      return Expectation{exact_chain_tokens(simulation, exact_model(tables), max_paths), "enumeration"};
    } catch (NotEnumerable const&) {
      return std::nullopt;
    }
  }
  auto const exact = enumerated_law(simulation, max_paths);
  if (!exact) return std::nullopt;
  Rational mean = 0;
  for (std::size_t n = 1; n <= exact->law.size(); ++n) mean += exact->law[n - 1] * n;
  return Expectation{static_cast<double>(mean), exact->origin};
}

std::optional<std::vector<double>> exact_first_law(Simulation const& simulation, std::uint64_t max_paths) {
  PairTables const& tables = simulation.tables();
  if (follow_of(simulation) != Follow::independent) return std::nullopt;
  if (std::uint64_t{tables.vocab()} * tables.rows() > max_paths) return std::nullopt;
  Task task = simulation.task();
  if (positions_are_alike(simulation))
    task = one_position(std::move(task), static_cast<int>(task.shape.children(0, 0).count));
  try {
    std::vector<double> law(tables.vocab(), 0);
    for (auto const& [tokens, probability] : exact_round(task, exact_model(tables), 0, max_paths).emitted)
      law[tokens.front()] += static_cast<double>(probability);
    return law;
  } catch (NotEnumerable const&) {
    return std::nullopt;
  }
}

std::optional<double> long_run_tokens(PairTables const& tables, std::int64_t gamma, bool bonus) {
  if (!is_chain(tables.contexts().follow) || tables.rows() > max_matrix_contexts) return std::nullopt;
  return MarkovRounds::of(tables, gamma, bonus).tokens_per_round();
}

}  // namespace draftgauge
