#include "analysis/theory/markov.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "analysis/theory/closed_form.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double law_slack = 1e-9;

void check_rows(MatrixXd const& rows, std::string_view name) {
  for (Index x = 0; x < rows.rows(); ++x) {
    for (Index y = 0; y < rows.cols(); ++y) {
      if (!(rows(x, y) >= 0) || !std::isfinite(rows(x, y))) {
        throw InputError(
            fmt::format("entry {} of row {} of the {} matrix is {} (rows are distributions of the next token)", y, x,
                        name, rows(x, y)),
            "give finite numbers, 0 or more");
      }
    }
    if (double const sum = rows.row(x).sum(); std::fabs(sum - 1) > law_slack) {
      throw InputError(
          fmt::format("row {} of the {} matrix sums to {} (rows are distributions of the next token)", x, name, sum),
          "divide the row by its sum");
    }
  }
}

/// States that can be reached from `from` (or that can reach it), itself included.
std::vector<bool> reach(MatrixXd const& kernel, Index from, bool backwards) {
  std::vector<bool> seen(static_cast<std::size_t>(kernel.rows()));
  std::vector<Index> open = {from};
  seen[static_cast<std::size_t>(from)] = true;
  while (!open.empty()) {
    Index const x = open.back();
    open.pop_back();
    for (Index y = 0; y < kernel.rows(); ++y) {
      if ((backwards ? kernel(y, x) : kernel(x, y)) > 0 && !seen[static_cast<std::size_t>(y)]) {
        seen[static_cast<std::size_t>(y)] = true;
        open.push_back(y);
      }
    }
  }
  return seen;
}

/// The closed communicating classes of a chain, the sets of states that it never leaves, each sorted.
/// A state is in one exactly where all that it reaches leads back to it; what leads to it needs no look of its own.
/// The entries of a kernel are sums of products of probabilities, so 0 means impossible.
std::vector<std::vector<Index>> closed_classes(MatrixXd const& kernel) {
  auto const states = static_cast<std::size_t>(kernel.rows());
  std::vector<std::vector<Index>> classes;
  std::vector<bool> settled(states);
  for (std::size_t x = 0; x < states; ++x) {
    if (settled[x]) continue;
    std::vector<bool> const ahead = reach(kernel, static_cast<Index>(x), false);
    std::vector<bool> const behind = reach(kernel, static_cast<Index>(x), true);
    std::vector<Index> members;
    bool closed = true;
    for (std::size_t y = 0; y < states; ++y) {
      if (ahead[y]) members.push_back(static_cast<Index>(y));
      closed = closed && (!ahead[y] || behind[y]);
      settled[y] = settled[y] || behind[y];
    }
    if (closed) classes.push_back(std::move(members));
  }
  return classes;
}

/// Stationary law of an irreducible chain by the elimination of Grassmann, Taksar and Heyman (Oper. Res. 33, 1985):
/// states are removed one by one; only sums of positive numbers occur, so nearly decomposable chains lose no digits.
VectorXd irreducible_stationary_law(MatrixXd kernel) {
  Index const states = kernel.rows();
  for (Index n = states - 1; n > 0; --n) {
    kernel.col(n).head(n) /= kernel.row(n).head(n).sum();
    kernel.topLeftCorner(n, n) += kernel.col(n).head(n) * kernel.row(n).head(n);
  }
  VectorXd law(states);
  law(0) = 1;
  for (Index n = 1; n < states; ++n) law(n) = law.head(n).dot(kernel.col(n).head(n));
  return law / law.sum();
}

}  // namespace

MarkovRounds::MarkovRounds(MatrixXd const& target, MatrixXd const& draft, std::int64_t gamma, bool bonus) {
  if (target.rows() == 0 || target.rows() != target.cols() || draft.rows() != target.rows() ||
      draft.cols() != target.cols()) {
    throw InputError(
        fmt::format("the matrices are {}x{} and {}x{} (a Markov pair has one row and one column a token)",
                    target.rows(), target.cols(), draft.rows(), draft.cols()),
        "give two square matrices of one size");
  }
  check_rows(target, "target");
  check_rows(draft, "draft");
  accept_ = target.cwiseMin(draft);
  sum(target, (target - draft).cwiseMax(0), gamma, bonus);
}

MarkovRounds::MarkovRounds(MatrixXd const& target, MatrixXd const& draft, std::span<std::uint32_t const> transitions,
                           std::int64_t gamma, bool bonus) {
  Index const states = target.rows(), vocab = target.cols();
  bool const fits = target.size() > 0 && draft.rows() == states && draft.cols() == vocab &&
                    transitions.size() == static_cast<std::size_t>(target.size()) &&
                    std::ranges::all_of(transitions, [&](std::uint32_t to) { return to < states; });
  if (!fits) {
    throw InputError(
        fmt::format("the matrices are {}x{} and {}x{} with {} transitions (an automaton's have one row a context and "
                    "one column a token, each of which leads to a context)",
                    states, vocab, draft.rows(), draft.cols(), transitions.size()),
        fmt::format("give two matrices of one size and as many transitions as entries, below {}", states));
  }
  check_rows(target, "target");
  check_rows(draft, "draft");
  accept_ = MatrixXd::Zero(states, states);
  MatrixXd next = accept_, replace = accept_;
  for (Index x = 0; x < states; ++x) {
    for (Index y = 0; y < vocab; ++y) {
      auto const to = static_cast<Index>(transitions[static_cast<std::size_t>(x * vocab + y)]);
      next(x, to) += target(x, y);
      accept_(x, to) += std::min(target(x, y), draft(x, y));
      replace(x, to) += std::max(target(x, y) - draft(x, y), 0.0);
    }
  }
  sum(next, replace, gamma, bonus);
}

MarkovRounds MarkovRounds::of(PairTables const& tables, std::int64_t gamma, bool bonus) {
  MatrixXd p(tables.rows(), tables.vocab()), q = p;
  for (std::uint32_t row = 0; row < tables.rows(); ++row)
    for (Token x = 0; x < tables.vocab(); ++x) {
      p(row, x) = tables.target_probability(row, x);
      q(row, x) = tables.draft_probability(row, x);
    }
  if (tables.contexts().follow == Follow::token) return {p, q, gamma, bonus};
  return {p, q, tables.arrays().transitions, gamma, bonus};
}

/// From accept_ on. target: a step of the target's chain of contexts; replace: of a rejection.
void MarkovRounds::sum(MatrixXd const& target, MatrixXd const& replace, std::int64_t gamma, bool bonus) {
  std::int64_t const longest = theory::longest_round(gamma, bonus);
  // One draft more in front of a round: E_{n+1} = 1 + A E_n, K_{n+1} = R + A K_n. A value that repeats stays.
  Index const states = target.rows();
  mean_ = VectorXd::Zero(states);
  for (std::int64_t i = 0; i < longest; ++i) {
    VectorXd next = VectorXd::Ones(states) + accept_ * mean_;
    bool const settled = next == mean_;
    mean_ = std::move(next);
    if (settled) break;
  }
  kernel_ = bonus ? target : MatrixXd::Identity(states, states);
  for (std::int64_t i = 0; i < gamma; ++i) {
    MatrixXd next = replace + accept_ * kernel_;
    bool const settled = next == kernel_;
    kernel_ = std::move(next);
    if (settled) break;
  }
}

std::optional<VectorXd> MarkovRounds::stationary_law() const {
  std::vector<std::vector<Index>> const classes = closed_classes(kernel_);
  if (classes.size() > 1) return std::nullopt;
  VectorXd law = VectorXd::Zero(kernel_.rows());
  law(classes.front()) = irreducible_stationary_law(kernel_(classes.front(), classes.front()));
  return law;
}

std::optional<double> MarkovRounds::tokens_per_round() const {
  auto const law = stationary_law();
  return law ? std::optional(law->dot(mean_)) : std::nullopt;
}

}  // namespace draftgauge
