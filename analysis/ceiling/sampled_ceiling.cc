#include "analysis/ceiling/sampled_ceiling.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "sim/bit_chance.h"
#include "sim/draft_tree.h"
#include "sim/model.h"
#include "sim/trial.h"

namespace draftgauge {
namespace {

/// Which prefixes share a price: of few tokens each after its row and at its depth, of many those of about one p/q.
class Classes {
 public:
  Classes(Laws const& laws, int depth)
      : laws_(laws), by_token_(static_cast<double>(laws.rows()) * laws.vocab() * depth <= most_by_token) {
    at_depth_ = by_token_ ? std::size_t{laws.rows()} * laws.vocab() : bins;
    size_ = at_depth_ * static_cast<std::size_t>(depth);
  }

  std::size_t size() const { return size_; }
  /// Of the prefix of this depth that `token` after `row` ends. From 1 on.
  std::size_t of(int depth, std::uint32_t row, Token token) const {
    return static_cast<std::size_t>(depth - 1) * at_depth_ + within(row, token);
  }
  /// p of the tokens of each class after a row.
  struct Mass {
    std::size_t within;
    double p;
  };
  std::vector<Mass> const& masses(std::uint32_t row) {
    auto const [found, is_new] = masses_.try_emplace(row);
    if (is_new) {
      std::map<std::size_t, double> sums;
      for (Token x = 0; x < laws_.vocab(); ++x)
        if (laws_.p(row)[x] > 0)
          sums[within(row, x)] += static_cast<double>(laws_.p(row)[x]) / static_cast<double>(laws_.total(row));
      for (auto const& [within, p] : sums) found->second.push_back({within, p});
    }
    return found->second;
  }
  /// Σ_y p(y|Y)·μ(Yy) below a prefix of this depth.
  double earned(int depth, std::uint32_t row) {
    std::size_t const first = static_cast<std::size_t>(depth) * at_depth_;
    if (first >= size_) return 0;
    auto const [found, is_new] = earned_.try_emplace({depth, row}, 0);
    if (is_new)
      for (Mass const& mass : masses(row)) found->second += mass.p * prices_[first + mass.within];
    return found->second;
  }
  std::vector<double> const& prices() const { return prices_; }
  void set(std::vector<double> prices) {
    prices_ = std::move(prices);
    earned_.clear();
  }
  /// The gradient of earned().
  void add_earned(int depth, std::uint32_t row, double times, std::vector<double>& gradient) {
    std::size_t const first = static_cast<std::size_t>(depth) * at_depth_;
    if (first >= size_) return;
    for (Mass const& mass : masses(row)) gradient[first + mass.within] += times * mass.p;
  }

  PriceClass described(std::size_t number, double price) const {
    auto const depth = static_cast<int>(number / at_depth_) + 1;
    std::size_t const within = number % at_depth_;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (by_token_) {
      auto const row = static_cast<std::uint32_t>(within / laws_.vocab());
      Token const x = static_cast<Token>(within % laws_.vocab());
      double const q = static_cast<double>(laws_.q(row)[x]);
      double const ratio = q > 0 ? static_cast<double>(laws_.p(row)[x]) / q : infinite;
      return {depth, ratio, ratio, price};
    }
    auto const edge = [&](std::size_t bin) { return std::exp2((static_cast<double>(bin) - bins / 2.) / 2); };
    if (within == bins - 1) return {depth, infinite, infinite, price};
    return {depth, within == 0 ? 0 : edge(within), within == bins - 2 ? infinite : edge(within + 1), price};
  }

 private:
  static constexpr double most_by_token = 4096;
  static constexpr std::size_t bins = 32;  ///< of half powers of 2, and one of q = 0

  std::size_t within(std::uint32_t row, Token token) const {
    if (by_token_) return std::size_t{row} * laws_.vocab() + token;
    auto const p = static_cast<double>(laws_.p(row)[token]), q = static_cast<double>(laws_.q(row)[token]);
    if (!(q > 0)) return bins - 1;
    double const bin = std::floor(2 * std::log2(std::max(p / q, 1e-300))) + bins / 2.;
    return static_cast<std::size_t>(std::clamp(bin, 0., bins - 2.));
  }

  Laws const& laws_;
  bool by_token_;
  std::size_t at_depth_, size_;
  std::vector<double> prices_;
  std::map<std::pair<int, std::uint32_t>, double> earned_;  ///< at these prices
  std::map<std::uint32_t, std::vector<Mass>> masses_;
};

/// A prefix in a draft; parents come first.
struct Prefix {
  std::uint32_t parent, row;
  int depth;
  std::size_t priced;  ///< its class
};
using Draft = std::vector<Prefix>;

Draft drawn(Simulation const& simulation, std::uint64_t trial, Classes const& classes) {
  TrialPlan const& plan = simulation.plan();
  SimulatedModel const model(plan.laws);
  BitChance chance(layout::Address::of(plan.seed, trial, 0), plan.laws.table_bits);
  std::uint32_t const start = plan.laws.start_count > 0 ? plan.laws.starts[chance.start(plan.laws.start_count)] : 0;
  DraftTree tree(plan.drafting, model, plan.shape, chance, plan.laws.contexts.first(chance, start));
  Draft draft{{0, tree.row(0), 0, 0}};
  std::map<std::pair<std::uint32_t, Token>, std::uint32_t> numbers;  // of a prefix, by its parent and its last token
  std::vector<std::uint32_t> prefix_of(tree.size());
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    TreeNode const children = tree.children(node);
    for (std::uint32_t child = children.first; child < children.first + children.count; ++child) {
      std::uint32_t const parent = prefix_of[node];
      Token const token = tree.token(child);
      auto const [found, is_new] = numbers.try_emplace({parent, token}, static_cast<std::uint32_t>(draft.size()));
      prefix_of[child] = found->second;
      int const depth = draft[parent].depth + 1;
      if (is_new) draft.push_back({parent, tree.row(child), depth, classes.of(depth, draft[parent].row, token)});
    }
  }
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
      score_[i] = classes.earned(x.depth, x.row);
      if (i > 0) score_[i] += score_[x.parent] + 1 - classes.prices()[x.priced];
      if (score_[i] > score_[at_]) at_ = i;
    }
    return score_[at_];
  }
  void add_gradient(Draft const& draft, double times, Classes& classes, std::vector<double>& gradient) const {
    for (std::size_t i = at_;; i = draft[i].parent) {
      classes.add_earned(draft[i].depth, draft[i].row, times, gradient);
      if (i == 0) return;
      gradient[draft[i].priced] -= times;
    }
  }

 private:
  std::vector<double> score_;
  std::size_t at_ = 0;
};

/// Descends along subgradients, each coordinate at its own pace (AdaGrad: Duchi, Hazan and Singer, JMLR 12, 2011), and keeps
/// the best of the prices on the way and their mean over the later half.
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

}  // namespace

SampledCeiling sampled_ceiling(Simulation const& simulation, SampledCeilingOptions const& options) {
  Classes classes(simulation.laws(), simulation.task().shape.gamma);
  std::vector<Draft> drafts;
  for (std::uint64_t i = 0; i < options.fitted; ++i) drafts.push_back(drawn(simulation, i, classes));
  fit(drafts, classes, options.steps);
  Scores scores;
  double sum = 0, squares = 0;
  for (std::uint64_t i = 0; i < options.drafts; ++i) {
    double const best = scores.best(drawn(simulation, options.fitted + i, classes), classes);
    sum += best;
    squares += best * best;
  }
  auto const n = static_cast<double>(options.drafts);
  double const mean = sum / n, variance = std::max(0., squares / n - mean * mean) * n / (n - 1);
  double const radius =
      boost::math::quantile(boost::math::normal(), (1 + options.confidence) / 2) * std::sqrt(variance / n);
  SampledCeiling ceiling{{mean, mean - radius, mean + radius, options.confidence, true}, options.drafts, {}};
  for (std::size_t i = 0; i < classes.size(); ++i)
    if (classes.prices()[i] > 0) ceiling.dual.push_back(classes.described(i, classes.prices()[i]));
  return ceiling;
}

}  // namespace draftgauge
