#include "analysis/recordings/row_odds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <vector>

#include "analysis/stats/betting_test.h"

namespace draftgauge {
namespace {

/// T/T' in sixteenths. In arithmetic progression, so that a number costs two exponentials and not 25.
constexpr int first_tempered = 8, last_tempered = 32, same = 16, tempered = last_tempered - first_tempered + 1;

constexpr std::uint32_t most_top_k = 50;
constexpr double most_top_p = .95;
/// Those at a mass from the least on: Truncations goes on from one to the next.
constexpr std::array<SamplingParameters, 7> cuts{{{.top_k = 20},
                                                  {.top_k = 40},
                                                  {.top_k = most_top_k},
                                                  {.top_p = .8},
                                                  {.top_p = .9},
                                                  {.top_p = most_top_p},
                                                  {.min_p = .05}}};

/// ln Σ exp(b z − b max z) at each b. Terms below e^-60 are left out: the largest is 1, and 2^22 of these are less
/// than a rounding of it. So none becomes a denormal number, with which a processor takes many times as long.
std::array<double, tempered> log_sums(std::span<double const> z, double most, double temperature) {
  constexpr std::size_t lanes = 4;  // each goes on without the others, else a term would wait for the one before it
  constexpr double least_log = -60;
  double const step = 1 / (16 * temperature), least = std::exp(least_log);
  std::array<double, (tempered + lanes - 1) / lanes * lanes> sums{};
  for (double const x : z) {
    double const y = (x - most) * step;
    if (y * first_tempered < least_log) continue;
    double const factor = std::exp(y), square = factor * factor, next = square * square;
    double const first = std::exp(y * first_tempered);
    std::array<double, lanes> terms{first, first * factor, first * square, first * square * factor};
    for (std::size_t b = 0; b < sums.size() && terms[0] > least; b += lanes)
      for (std::size_t i = 0; i < lanes; ++i) {
        sums[b + i] += terms[i];
        terms[i] *= next;
      }
  }
  std::array<double, tempered> logs;
  for (std::size_t b = 0; b < tempered; ++b) logs[b] = std::log(sums[b]);
  return logs;
}

/// What the cuts leave of rows, as `truncate` has it. It would make each law of its own from the start, where one
/// token of each is asked for: an exponential of each number and one selection do for all of them.
class Truncations {
 public:
  using Logs = std::array<double, cuts.size()>;

  explicit Truncations(SamplingParameters const& target)
      : temperature_(target.temperature), exactly_k_(target.order == SamplingParameters::Order::llama_cpp) {}

  /// Adds ln p'(x) − log_p of the next row to `sums`, where they are above −∞: p'(x) = 0 is never made good.
  void add(std::span<double const> z, double most, std::size_t x, double log_p, Logs& sums) {
    if (std::ranges::all_of(sums, [](double sum) { return sum == -HUGE_VAL; })) return;
    look_at(z, most);
    std::array<Edge, cuts.size()> edges;
    for (std::size_t c = 0; c < cuts.size(); ++c)
      edges[c] = sums[c] > -HUGE_VAL ? edge_of(cuts[c]) : Edge{HUGE_VAL, 0};
    Logs masses{};
    std::vector<double> const& weights = cut_first() ? weights_ : seen_;
    for (std::size_t i = 0; i < seen_.size(); ++i)
      for (std::size_t c = 0; c < cuts.size(); ++c) masses[c] += seen_[i] > edges[c].least ? weights[i] : 0;
    double const drawn = (z[x] - most) / temperature_;
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      Edge const& edge = edges[c];
      if (edge.equal > 0)
        masses[c] +=
            static_cast<double>(edge.equal) * (cut_first() ? std::pow(edge.least, 1 / temperature_) : edge.least);
      sums[c] += keeps(edge, x) ? drawn - std::log(masses[c]) - log_p : -HUGE_VAL;
    }
  }

 private:
  /// Tokens stay that a cut sees with more than `least`, and the first `equal` of those that have as much.
  struct Edge {
    double least;
    std::uint64_t equal;
  };
  static Edge from(double least) { return {std::nextafter(least, 0), 0}; }

  /// Whether cuts see the row before its temperature, which is not 1.
  bool cut_first() const { return exactly_k_ && temperature_ != 1; }

  /// Weights relative to the largest, 0 where they would be denormal: as cuts see them, and in the law.
  void look_at(std::span<double const> z, double most) {
    auto const exponentials = [&](double temperature, std::vector<double>& out) {
      out.resize(z.size());
      for (std::size_t i = 0; i < z.size(); ++i) {
        double const y = (z[i] - most) / temperature;
        out[i] = y < -700 ? 0 : std::exp(y);
      }
    };
    exponentials(cut_first() ? 1 : temperature_, seen_);
    if (cut_first()) exponentials(temperature_, weights_);
    largest_.clear();
    children_.clear();
  }

  Edge edge_of(SamplingParameters const& cut) {
    if (cut.top_k > 0) return at_rank(cut.top_k);
    return cut.top_p < 1 ? at_mass(cut.top_p) : from(cut.min_p);
  }

  Edge at_rank(std::uint32_t k) {
    if (k >= seen_.size()) return {-1, 0};
    if (largest_.empty()) {
      largest_ = seen_;
      auto const end = largest_.begin() + std::min<std::ptrdiff_t>(most_top_k, std::ssize(seen_));
      std::nth_element(largest_.begin(), end - 1, largest_.end(), std::greater<>());
      largest_.erase(end, largest_.end());
      std::ranges::sort(largest_, std::greater<>());
    }
    double const least = largest_[k - 1];
    if (!exactly_k_) return from(least);
    return {least, static_cast<std::uint64_t>(std::count(largest_.begin(), largest_.begin() + k, least))};
  }

  /// The most likely until they hold this mass, found by halves: what a half holds tells in which one the edge is.
  Edge at_mass(double share) {
    if (children_.empty()) {
      sum_ = std::accumulate(seen_.begin(), seen_.end(), 0.);
      // None below stays: it and the unlikelier ones would hold too little (sim/recordings/sampling_parameters.cc).
      double const least = (1 - most_top_p) * sum_ / static_cast<double>(seen_.size()) * (1 - 1e-9);
      std::ranges::copy_if(seen_, std::back_inserter(children_), [&](double weight) { return weight > least; });
      begin_ = 0;
      above_ = 0;
    }
    auto const at = [&](std::size_t i) { return children_.begin() + static_cast<std::ptrdiff_t>(i); };
    for (std::size_t end = children_.size(); end - begin_ > 1;) {
      std::size_t const middle = begin_ + (end - begin_) / 2;
      std::nth_element(at(begin_), at(middle), at(end), std::greater<>());
      double const half = std::accumulate(at(begin_), at(middle), above_);
      if (half >= share * sum_) {
        end = middle;
      } else {
        begin_ = middle;
        above_ = half;
      }
    }
    double const least = children_[begin_];
    return {least, static_cast<std::uint64_t>(std::count(children_.begin(), at(begin_ + 1), least))};
  }

  bool keeps(Edge const& edge, std::size_t x) const {
    if (seen_[x] != edge.least || seen_[x] == 0) return seen_[x] > edge.least;
    return static_cast<std::uint64_t>(
               std::count(seen_.begin(), seen_.begin() + static_cast<std::ptrdiff_t>(x), edge.least)) < edge.equal;
  }

  double temperature_;
  bool exactly_k_;  ///< in the order that cuts before it applies the temperature, of equal logits the first stay
  std::vector<double> seen_, weights_;
  std::vector<double> largest_;   ///< the most_top_k largest, from the largest on
  std::vector<double> children_;  ///< what at_mass has not put in order yet lies from begin_ on
  std::size_t begin_ = 0;
  double sum_ = 0, above_ = 0;  ///< of all; of the children before begin_
};

}  // namespace

std::optional<RowOdds> row_odds(RowPairs& rows, SamplingParameters const& target, std::uint64_t most) {
  if (rows.tokens.empty() || target.temperature == 0 || target.truncates()) return std::nullopt;
  RowLayout const& layout = rows.target->layout();
  std::uint64_t const count = std::min(layout.rows, std::max<std::uint64_t>(1, most / layout.vocab));
  std::vector<double> z(layout.vocab);
  Truncations truncations(target);
  std::array<double, tempered> by_temperature{};
  Truncations::Logs by_cut{};  // −∞ from a token on that is outside
  for (std::uint64_t row = 0; row < count; ++row) {
    decode_row(layout, rows.target->rows(row, 1), z);
    auto const x = static_cast<std::size_t>(rows.tokens[row]);
    double const peak = *std::ranges::max_element(z);
    double const drawn = (z[x] - peak) / target.temperature;
    if (drawn == -HUGE_VAL) return std::nullopt;
    auto const sums = log_sums(z, peak, target.temperature);
    double const log_p = drawn - sums[same - first_tempered];
    for (int k = 0; k < tempered; ++k)
      by_temperature[static_cast<std::size_t>(k)] +=
          drawn * (first_tempered + k) / same - sums[static_cast<std::size_t>(k)] - log_p;
    truncations.add(z, peak, x, log_p, by_cut);
  }
  std::vector<double> logs;
  RowOdds found{0, count, {}};
  double best = -HUGE_VAL;
  auto const add = [&](double log_odds, SamplingParameters const& how) {
    logs.push_back(log_odds);
    if (log_odds <= best) return;
    best = log_odds;
    found.most_likely = how;
    found.most_likely.order = target.order;
  };
  for (int k = 0; k < tempered; ++k)
    if (first_tempered + k != same)
      add(by_temperature[static_cast<std::size_t>(k)],
          {.temperature = target.temperature * same / (first_tempered + k)});
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    SamplingParameters how = cuts[i];
    how.temperature = target.temperature;
    add(by_cut[i], how);
  }
  found.log_odds = log_mean_exp(logs);
  return found;
}

}  // namespace draftgauge
