#pragma once
#include <cstdint>
#include <Eigen/Core>
#include <optional>
#include <span>

#include "sim/model/pair_tables.h"

namespace draftgauge {

/// The token rule where contexts form a chain, exactly: a Markov pair, p(y|x) and q(y|x) as V×V matrices with
/// row = previous token x, or a finite automaton of S contexts, p and q as S×V matrices, whose token y leads from
/// context x to another.
///
/// With A = min(p, q) and R = (p − q)₊, one draft in context x is accepted as y with probability A(x, y), and is
/// rejected and replaced by y with probability R(x, y): the rejection's probability Σ R(x, ·) times the residual law.
/// A + R = p says that a step is lossless. For an automaton A, R and p are summed over the tokens that lead from x to
/// the same context, which makes them matrices over contexts; every quantity below is a sum of their products.
/// Without the bonus token a round ends at the γ-th accepted draft.
class MarkovRounds {
 public:
  /// target, draft: V×V, V ≥ 1, entries ≥ 0, rows summing to 1 (to 1e-9), else InputError naming the row.
  /// gamma ≥ 0, or ≥ 1 without the bonus token, else UsageError.
  /// Time O(γ V³), less where the recursions reach their fixed point before γ; memory O(V²).
  MarkovRounds(Eigen::MatrixXd const& target, Eigen::MatrixXd const& draft, std::int64_t gamma, bool bonus = true);

  /// An automaton: target, draft S×V as above, and transitions[x·V + y] < S, else InputError. In what follows V is S.
  MarkovRounds(Eigen::MatrixXd const& target, Eigen::MatrixXd const& draft,
               std::span<std::uint32_t const> transitions, std::int64_t gamma, bool bonus = true);

  /// Either of them, as tables have it. Domain: is_chain(tables.contexts().follow).
  static MarkovRounds of(PairTables const& tables, std::int64_t gamma, bool bonus = true);

  /// E[N | x] = Σ_k (A^k 1)(x) over k ≤ γ (k < γ without the bonus token), [V].
  Eigen::VectorXd const& mean_tokens() const { return mean_; }

  /// The chain of contexts at round starts: (x, y) is the probability that a round started after x ends with y.
  /// Σ_{k<γ} A^k R + A^γ p, or A^γ in place of A^γ p without the bonus token.
  Eigen::MatrixXd const& kernel() const { return kernel_; }

  /// The long-run share of rounds that start in each context, [V]: the limit of averages over rounds, which exists
  /// for periodic chains too. None where the chain has several closed classes: it depends on the first context.
  std::optional<Eigen::VectorXd> stationary_law() const;

  /// Long-run tokens per round, the limit of Σt/Σr along one sequence: stationary law · E[N | x].
  std::optional<double> tokens_per_round() const;

 private:
  void sum(Eigen::MatrixXd const& target, Eigen::MatrixXd const& replace, std::int64_t gamma, bool bonus);

  Eigen::MatrixXd accept_;  // A
  Eigen::VectorXd mean_;
  Eigen::MatrixXd kernel_;
};

}  // namespace draftgauge
