#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "analysis/stats/tails.h"
#include "analysis/texts/request_counts.h"
#include "sim/chance/layout.h"

namespace draftgauge {
namespace {

constexpr std::uint32_t permuted_draw = 3;  ///< of layout::resampled; those before it are bootstraps'
constexpr std::uint64_t most_permuted = 500'000;
constexpr double fewest_events = 50;

/// Rounds of one request, or of several that are looked at together.
struct Group {
  double rounds = 0, kept = 0;
};

/// Requests of one γ.
struct Stratum {
  std::vector<std::vector<std::int64_t> const*> requests;  ///< that have a round
  double rounds = 0, mean = 0, variance = 0;               ///< of drafts kept a round
  double kurtosis = 0;                                     ///< its fourth moment over its variance squared
};

std::vector<Stratum> strata_of(RequestCounts const& counts) {
  std::map<std::size_t, Stratum> by_gamma;
  for (auto const& request : counts)
    if (std::ranges::any_of(request, [](std::int64_t count) { return count > 0; }))
      by_gamma[request.size()].requests.push_back(&request);
  std::vector<Stratum> strata;
  for (auto& [size, stratum] : by_gamma) {
    std::vector<double> all(size);
    for (auto const* request : stratum.requests)
      for (std::size_t i = 0; i < size; ++i) all[i] += static_cast<double>((*request)[i]);
    stratum.rounds = std::accumulate(all.begin(), all.end(), 0.);
    for (std::size_t i = 0; i < size; ++i) stratum.mean += all[i] * static_cast<double>(i) / stratum.rounds;
    double squares = 0, fourths = 0;
    for (std::size_t i = 0; i < size; ++i) {
      double const off = std::pow(static_cast<double>(i) - stratum.mean, 2);
      squares += all[i] * off;
      fourths += all[i] * off * off;
    }
    if (stratum.requests.size() < 2 || !(squares > 0)) continue;
    stratum.variance = squares / (stratum.rounds - 1);
    stratum.kurtosis = fourths * stratum.rounds / (squares * squares);
    strata.push_back(std::move(stratum));
  }
  return strata;
}

Group group_of(std::vector<std::int64_t> const& request) {
  Group group;
  for (std::size_t i = 0; i < request.size(); ++i) {
    group.rounds += static_cast<double>(request[i]);
    group.kept += static_cast<double>(request[i]) * static_cast<double>(i);
  }
  return group;
}

/// (K_r − n_r k̄)²/n_r over the variance of a round; all orders of one stratum have one k̄.
double spread(Stratum const& of, Group const& group) {
  return std::pow(group.kept - group.rounds * of.mean, 2) / group.rounds / of.variance;
}

/// Requests together until each group's sum is near normal. In a term of n rounds the square has variance 2 + (κ − 3)/n
/// for a normal limit's 2, κ the kurtosis of a round; where few rounds reject κ is 1 over their share, and n/κ the
/// rounds that a group expects of them. Which requests are together depends on their rounds alone, not on what these
/// kept.
std::vector<Group> near_normal(Stratum const& of) {
  double const enough = fewest_events * of.kurtosis;
  std::vector<Group> groups;
  Group open;
  for (auto const* request : of.requests) {
    Group const next = group_of(*request);
    open.rounds += next.rounds;
    open.kept += next.kept;
    if (open.rounds < enough) continue;
    groups.push_back(std::exchange(open, {}));
  }
  if (groups.empty()) return {};
  groups.back().rounds += open.rounds;
  groups.back().kept += open.kept;
  return groups;
}

std::optional<double> chi_square(std::vector<Stratum> const& strata) {
  double sum = 0, degrees = 0;
  for (Stratum const& stratum : strata) {
    auto const groups = near_normal(stratum);
    if (groups.size() < 2) continue;
    for (Group const& group : groups) sum += spread(stratum, group);
    degrees += static_cast<double>(groups.size() - 1);
  }
  if (degrees == 0) return std::nullopt;
  return chi_squared_tail(sum, degrees);
}

/// The rounds of a stratum one by one, to be dealt to its requests.
struct Dealt {
  Stratum const* stratum;
  std::vector<std::int32_t> kept;
  std::vector<std::size_t> ends;  ///< where each request's rounds end

  explicit Dealt(Stratum const& of) : stratum(&of) {
    for (auto const* request : of.requests) {
      for (std::size_t i = 0; i < request->size(); ++i)
        kept.insert(kept.end(), static_cast<std::size_t>((*request)[i]), static_cast<std::int32_t>(i));
      ends.push_back(kept.size());
    }
  }

  double spread() const {
    double sum = 0;
    std::size_t at = 0;
    for (std::size_t const end : ends) {
      Group group{static_cast<double>(end - at), 0};
      for (; at < end; ++at) group.kept += kept[at];
      sum += draftgauge::spread(*stratum, group);
    }
    return sum;
  }
};

/// Fisher and Yates, by ⌊U·n⌋ of digits of 32 bits.
void shuffle(std::vector<std::int32_t>& kept, std::uint64_t seed, std::uint64_t order, std::uint32_t& used) {
  Philox::Words words{};
  for (std::size_t left = kept.size(); left > 1; --left, ++used) {
    if (used % 4 == 0 || left == kept.size())
      words = layout::Address::of(seed, order, used / 4).words(layout::resampled, permuted_draw);
    std::swap(kept[left - 1], kept[static_cast<std::size_t>(std::uint64_t{words.word[used % 4]} * left >> 32)]);
  }
}

/// Var(E[N]) at the longest γ if rounds were independent: of each rate r̂ the variance is r(1 − r)/reached, and the
/// rates are uncorrelated (Greenwood's argument). ∂E[N]/∂r_i = Σ_{j ≥ i} survival_j / r_i.
double variance_of_independent(KaplanMeier const& pooled) {
  double total = 0, deeper = 0;
  for (std::size_t i = pooled.survival.size(); i-- > 0;) {
    deeper += pooled.survival[i];
    auto const reached = static_cast<double>(pooled.reached[i]);
    double const rate = 1 - static_cast<double>(pooled.rejected[i]) / reached;
    if (rate > 0) total += deeper * deeper / (rate * rate) * rate * (1 - rate) / reached;
  }
  return total;
}

}  // namespace

std::optional<RoundDependence> round_dependence(RequestCounts const& counts, RequestSurvival const& survival,
                                                std::uint64_t seed) {
  if (survival.requests() < 2) return std::nullopt;
  TextEstimate const tokens = tokens_over_requests(survival.survival, true).back();
  double const independent = variance_of_independent(survival.pooled);
  if (!(independent > 0)) return std::nullopt;
  RoundDependence found{1, 0, std::pow(tokens.standard_error(), 2) / independent};

  std::vector<Stratum> const strata = strata_of(counts);
  if (strata.empty()) return std::nullopt;
  if (survival.pooled.rounds > most_permuted) {
    auto const p_value = chi_square(strata);
    if (!p_value) return std::nullopt;
    found.p_value = *p_value;
    return found;
  }
  std::vector<Dealt> all(strata.begin(), strata.end());
  auto const total = [&] {
    return std::accumulate(all.begin(), all.end(), 0.,
                           [](double sum, Dealt const& one) { return sum + one.spread(); });
  };
  double const seen = total();
  constexpr double rounding = 1e-9;
  found.permutations = static_cast<int>(std::clamp<std::uint64_t>(20'000'000 / survival.pooled.rounds, 199, 999));
  int as_far = 0;
  for (int order = 0; order < found.permutations; ++order) {
    std::uint32_t used = 0;
    for (Dealt& one : all) shuffle(one.kept, seed, static_cast<std::uint64_t>(order), used);
    as_far += total() >= seen * (1 - rounding);
  }
  found.p_value = (1. + as_far) / (1. + found.permutations);
  return found;
}

}  // namespace draftgauge
