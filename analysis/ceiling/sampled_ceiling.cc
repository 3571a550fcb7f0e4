#include "analysis/ceiling/sampled_ceiling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "analysis/ceiling/drafted_sets.h"
#include "analysis/stats/tails.h"
#include "sim/draft/draft_tree.h"
#include "sim/model/bit_chance.h"
#include "sim/model/model.h"
#include "sim/play/trial.h"

namespace draftgauge {
namespace {

/// Which prefixes share a price. Of few tokens: each after its row and at its depth. Of many: those of one depth and
/// of about one running ratio, min(1, running·p/q) being that of a prefix as in block verification (Sun et al. 2024,
/// arXiv 2403.10444), in steps of a grid, so that all that classes need of a row is its p by steps of p/q.
class Classes {
 public:
  Classes(PairTables const& tables, int depth)
      : tables_(tables), by_token_(static_cast<double>(tables.rows()) * tables.vocab() * depth <= most_by_token) {
    at_depth_ = by_token_ ? std::size_t{tables.rows()} * tables.vocab() : steps_down + steps_up + 2;
    size_ = at_depth_ * static_cast<std::size_t>(depth);
  }

  std::size_t size() const { return size_; }
  /// Of the prefix that `token` ends after one of this depth, row and running ratio.
  std::size_t of(int depth, std::uint32_t row, int running, Token token) const {
    return static_cast<std::size_t>(depth) * at_depth_ + within(step_of(row, token), running);
  }
  /// The running ratio, in steps from 1 down, of a prefix of this class.
  int running(std::size_t number) const {
    if (by_token_) return 0;
    std::size_t const within = number % at_depth_;
    return within == at_depth_ - 1 ? 0 : std::min(0, static_cast<int>(within) - steps_down);
  }
  /// Σ_y p(y|Y)·μ(Yy) after a prefix of this depth, row and running ratio.
  double earned(int depth, std::uint32_t row, int running) {
    if (static_cast<std::size_t>(depth) * at_depth_ >= size_) return 0;
    auto const [found, is_new] = earned_.try_emplace({depth, row, running}, 0);
    if (is_new)
      each_class(depth, row, running, [&](std::size_t number, double p) { found->second += p * prices_[number]; });
    return found->second;
  }
  /// The gradient of earned().
  void add_earned(int depth, std::uint32_t row, int running, double times, std::vector<double>& gradient) {
    if (static_cast<std::size_t>(depth) * at_depth_ < size_)
      each_class(depth, row, running, [&](std::size_t number, double p) { gradient[number] += times * p; });
  }
  std::vector<double> const& prices() const { return prices_; }
  void set(std::vector<double> prices) {
    prices_ = std::move(prices);
    earned_.clear();
  }

 private:
  static constexpr double most_by_token = 256;  ///< far fewer than drafts to fit their prices to
  static constexpr int per_octave = 8, steps_down = 8 * per_octave, steps_up = 4 * per_octave;
  static constexpr int no_q = 1 << 20;  ///< the step of a token that q excludes

  int step_of(std::uint32_t row, Token token) const {
    if (by_token_) return static_cast<int>(row * tables_.vocab() + token);
    auto const p = static_cast<double>(tables_.p(row)[token]), q = static_cast<double>(tables_.q(row)[token]);
    return q > 0 ? static_cast<int>(std::floor(per_octave * std::log2(std::max(p / q, 1e-30)))) : no_q;
  }
  std::size_t within(int step, int running) const {
    if (by_token_) return static_cast<std::size_t>(step);
    if (step == no_q) return at_depth_ - 1;
    return static_cast<std::size_t>(std::clamp(step + running, -steps_down, steps_up) + steps_down);
  }
  template <class With>
  void each_class(int depth, std::uint32_t row, int running, With const& with) {
    auto const [found, is_new] = masses_.try_emplace(row);
    if (is_new)
      for (Token x = 0; x < tables_.vocab(); ++x)
        if (tables_.p(row)[x] > 0) found->second[step_of(row, x)] += tables_.target_probability(row, x);
    for (auto const& [step, p] : found->second)
      with(static_cast<std::size_t>(depth) * at_depth_ + within(step, running), p);
  }

  PairTables const& tables_;
  bool by_token_;
  std::size_t at_depth_, size_;
  std::vector<double> prices_;
  std::map<std::uint32_t, std::map<int, double>> masses_;         ///< by row: p of the tokens of each step
  std::map<std::tuple<int, std::uint32_t, int>, double> earned_;  ///< at these prices
};

/// A prefix in a draft; parents come first.
struct Prefix {
  std::uint32_t parent, row;
  int depth, running;
  std::size_t priced;  ///< its class
};
using Draft = std::vector<Prefix>;

Draft drawn(Simulation const& simulation, std::uint64_t trial, Classes const& classes) {
  TrialPlan const& plan = simulation.plan();
  SimulatedModel const model(plan.tables);
  BitChance chance(layout::Address::of(plan.seed, trial, 0), plan.tables.table_bits);
  std::uint32_t const start =
      plan.tables.start_count > 0 ? plan.tables.starts[chance.start(plan.tables.start_count)] : 0;
  DraftNodes nodes;
  DraftTree tree(plan.drafting, model, plan.shape, chance, plan.tables.contexts.first(chance, start), nodes);
  Draft draft{{0, tree.row(0), 0, 0, 0}};
  PrefixNumbers numbers;
  number_prefixes(tree, numbers, [&](std::uint32_t parent, std::uint32_t child) {
    Prefix const above = draft[parent];
    std::size_t const priced = classes.of(above.depth, above.row, above.running, tree.token(child));
    draft.push_back({parent, tree.row(child), above.depth + 1, classes.running(priced), priced});
  });
  return draft;
}

/// The greatest c(X) of a draft, and at which X.
class Scores {
 public:
  double best(Draft const& draft, Classes& classes) {
    score_.resize(draft.size());
    at_ = 0;
    for (std::size_t i = 0; i < draft.size(); ++i) {
      Prefix const& x = draft[i];
      score_[i] = classes.earned(x.depth, x.row, x.running);
      if (i > 0) score_[i] += score_[x.parent] + 1 - classes.prices()[x.priced];
      if (score_[i] > score_[at_]) at_ = i;
    }
    return score_[at_];
  }
  void add_gradient(Draft const& draft, double times, Classes& classes, std::vector<double>& gradient) const {
    for (std::size_t i = at_;; i = draft[i].parent) {
      classes.add_earned(draft[i].depth, draft[i].row, draft[i].running, times, gradient);
      if (i == 0) return;
      gradient[draft[i].priced] -= times;
    }
  }

 private:
  std::vector<double> score_;
  std::size_t at_ = 0;
};

/// Descends along subgradients, each coordinate at its own pace (AdaGrad: Duchi, Hazan and Singer, JMLR 12, 2011),
/// and keeps the best of the prices on the way and their mean over the later half.
void fit(std::vector<Draft> const& drafts, Classes& classes, int steps) {
  std::vector<double> prices(classes.size()), mean = prices, best = prices, squares(classes.size(), 1e-8), gradient;
  double least = std::numeric_limits<double>::infinity();
  Scores scores;
  auto const try_prices = [&](std::vector<double> const& tried) {
    classes.set(tried);
    gradient.assign(classes.size(), 0);
    double sum = 0;
    for (Draft const& draft : drafts) {
      sum += scores.best(draft, classes);
      scores.add_gradient(draft, 1 / static_cast<double>(drafts.size()), classes, gradient);
    }
    if (!(sum < least)) return;
    least = sum;
    best = tried;
  };
  for (int step = 0; step < steps; ++step) {
    try_prices(prices);
    for (std::size_t i = 0; i < prices.size(); ++i) {
      squares[i] += gradient[i] * gradient[i];
      prices[i] = std::max(0., prices[i] - gradient[i] / std::sqrt(squares[i]));
      if (2 * step >= steps) mean[i] += prices[i] * 2 / steps;
    }
  }
  try_prices(mean);
  classes.set(best);
}

/// Of independent numbers, with the normal limit's interval.
class Mean {
 public:
  void add(double value) {
    ++count_;
    sum_ += value;
    squares_ += value * value;
  }
  Interval interval(double confidence) const {
    double const mean = sum_ / count_, variance = std::max(0., squares_ / count_ - mean * mean);
    double const radius = normal_quantile((1 + confidence) / 2) * std::sqrt(variance / (count_ - 1));
    return symmetric(mean, radius, confidence);
  }

 private:
  double count_ = 0, sum_ = 0, squares_ = 0;
};

}  // namespace

SampledCeiling sampled_ceiling(Simulation const& simulation, SampledCeilingOptions const& options) {
  Classes classes(simulation.tables(), simulation.task().shape.gamma);
  std::vector<Draft> drafts;
  for (std::uint64_t i = 0; i < options.fitted; ++i) drafts.push_back(drawn(simulation, i, classes));
  fit(drafts, classes, options.steps);
  Scores scores;
  Mean priced, deepest;  // without prices a draft's longest path is its bound
  for (std::uint64_t i = 0; i < options.drafts; ++i) {
    Draft const draft = drawn(simulation, options.fitted + i, classes);
    priced.add(scores.best(draft, classes));
    deepest.add(std::ranges::max(draft, {}, &Prefix::depth).depth);
  }
  Interval const by_prices = priced.interval(options.confidence), by_depth = deepest.interval(options.confidence);
  return {by_prices.value < by_depth.value ? by_prices : by_depth, options.drafts};
}

}  // namespace draftgauge
