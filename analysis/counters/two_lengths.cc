#include "analysis/counters/two_lengths.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analysis/choose/replay_gamma.h"
#include "analysis/counters/kept.h"
#include "analysis/counters/ordered.h"
#include "analysis/sequence/count_bracket.h"
#include "analysis/stats/tails.h"
#include "analysis/texts/text_lead.h"

namespace draftgauge {
namespace {

using Answer = TwoLengths::Answer;

/// The length that all rounds drafted but for a tenth, as those at the ends of texts are shorter.
std::optional<std::int64_t> usual_length(EngineCounters const& counters) {
  if (auto const length = set_length(counters)) return length;
  CounterSums const& sums = counters.sums;
  auto const length = ran_length(counters);
  if (!length || !sums.drafted || !sums.rounds) return std::nullopt;
  double const most = static_cast<double>(*length) * static_cast<double>(*sums.rounds);
  return static_cast<double>(*sums.drafted) >= .9 * most ? length : std::nullopt;
}

/// Σ of / Σ by over units, `times` of each; errors are of chance among them.
struct RatioUnit {
  double of, by, times = 1;
};
struct Ratio {
  double value, error, degrees;
  std::vector<double> influence = {};  ///< [request]; empty of rounds

  explicit Ratio(std::vector<RatioUnit> const& units) {
    double of = 0, by = 0, n = 0, squares = 0;
    for (RatioUnit const& each : units) of += each.times * each.of, by += each.times * each.by, n += each.times;
    value = of / by;
    for (RatioUnit const& each : units) {
      double const off = (each.of - value * each.by) / by;
      squares += each.times * off * off;
      influence.push_back(off);
    }
    error = std::sqrt(squares * n / (n - 1));
    degrees = n - 1;
    if (n > static_cast<double>(units.size())) influence.clear();
  }
  explicit Ratio(TextEstimate const& estimate)
      : value(estimate.value),
        error(estimate.standard_error()),
        degrees(estimate.degrees()),
        influence(estimate.influence) {}

  Ratio at(double other) const {
    Ratio moved = *this;
    moved.value = other;
    return moved;
  }
};

/// What a run counted of its own rounds.
struct OwnRounds {
  std::vector<std::string> names;  ///< of requests, where units are these
  std::vector<RatioUnit> tokens, first;
};

bool has_rounds(CountedRequest const& request) {
  return !request.texts.empty() || request.sums.rounds.value_or(0) > 0;
}

std::optional<OwnRounds> own_rounds(EngineCounters const& counters) {
  OwnRounds own;
  if (are_requests(counters))
    for (CountedRequest const& request : counters.requests) {
      if (!has_rounds(request)) continue;
      double rounds = 0, accepted = 0, first = 0;
      for (OrderedRounds const& text : request.texts)
        for (OrderedRound const& round : text)
          ++rounds, accepted += static_cast<double>(round.accepted), first += round.accepted > 0;
      CounterSums const& sums = request.sums;
      if (request.texts.empty()) {
        if (!sums.accepted || sums.by_position.empty()) return std::nullopt;
        rounds = static_cast<double>(*sums.rounds);
        accepted = static_cast<double>(*sums.accepted);
        first = static_cast<double>(sums.by_position.front());
      }
      own.names.push_back(request.name);
      own.tokens.push_back({rounds + accepted, rounds});
      own.first.push_back({first, rounds});
    }
  if (own.names.size() > 1) return own;
  own = {};
  for (auto const& [drafted, histogram] : counters.sums.histograms)
    for (std::size_t k = 0; k < histogram.size(); ++k) {
      auto const times = static_cast<double>(histogram[k]);
      own.tokens.push_back({static_cast<double>(k + 1), 1, times});
      own.first.push_back({k > 0 ? 1. : 0., 1, times});
    }
  if (counters.sums.rounds.value_or(0) < 2 || own.tokens.empty()) return std::nullopt;
  return own;
}

/// What the rounds of longer drafts say of shorter ones.
struct Expected {
  Ratio low, high;
};
struct ExpectedRounds {
  std::vector<std::string> names;
  Expected tokens;
  std::optional<Expected> first = {};
};

std::optional<ExpectedRounds> by_order(EngineCounters const& longer, std::int64_t gamma) {
  OrderedCounts const ordered = ordered_counts(longer);
  if (ordered.requests.size() < 2) return std::nullopt;
  ReplayedRounds const there = replayed_rounds(ordered.requests, gamma);
  Ratio const tokens(there.tokens), first(there.first);
  ExpectedRounds found{
      .names = {},
      .tokens = {tokens.at(std::max(there.low, tokens.value * (1 - replay_bias))),
                 tokens.at(std::min(there.high, tokens.value * (1 + replay_bias)))},
      .first = Expected{first.at(first.value * (1 - replay_bias)), first.at(first.value * (1 + replay_bias))}};
  found.names = names_with_rounds(longer);
  return found;
}

std::optional<ExpectedRounds> by_counts(EngineCounters const& longer, std::int64_t gamma) {
  ExpectedRounds found{.names = {}, .tokens = {Ratio({{1, 1}, {1, 1}}), Ratio({{1, 1}, {1, 1}})}};
  std::vector<RatioUnit> low, high;
  auto const add = [&](std::map<std::int64_t, std::vector<std::int64_t>> const& histograms, double times) {
    auto const bracket = CountBrackets<std::int64_t>(histograms).at(gamma);
    auto const tokens = static_cast<double>(bracket.tokens);
    low.push_back({tokens, static_cast<double>(bracket.most_rounds), times});
    high.push_back({tokens, static_cast<double>(bracket.fewest_rounds), times});
  };
  if (kept_counts(longer).requests.size() > 1) {
    for (CountedRequest const& request : longer.requests) {
      if (!has_rounds(request)) continue;
      found.names.push_back(request.name);
      add(request.sums.histograms, 1);
    }
  } else {
    for (auto const& [drafted, histogram] : longer.sums.histograms)
      for (std::size_t k = 0; k < histogram.size(); ++k) {
        if (histogram[k] == 0) continue;
        std::vector<std::int64_t> one(histogram.size());
        one[k] = 1;
        add({{drafted, std::move(one)}}, static_cast<double>(histogram[k]));
      }
    if (longer.sums.rounds.value_or(0) < 2) return std::nullopt;
  }
  if (low.empty()) return std::nullopt;
  found.tokens = {Ratio(low), Ratio(high)};
  return std::isfinite(found.tokens.high.value) ? std::optional(std::move(found)) : std::nullopt;
}

struct ErrorOfBoth {
  double error, degrees;
};
ErrorOfBoth error_of(Ratio const& expected, Ratio const& counted, std::vector<std::size_t> const& pairs) {
  if (pairs.size() > 1) {
    double squares = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      double const off = expected.influence[i] - counted.influence[pairs[i]];
      squares += off * off;
    }
    auto const n = static_cast<double>(pairs.size());
    return {std::sqrt(squares * n / (n - 1)), n - 1};
  }
  double const a = expected.error * expected.error, b = counted.error * counted.error;
  return {std::sqrt(a + b), (a + b) * (a + b) / (a * a / expected.degrees + b * b / counted.degrees)};
}

/// of: how many figures are looked at together. undrafted: what the count is where no draft is accepted.
TwoLengths::Figure figure_of(Expected const& expected, Ratio const& counted, std::vector<std::size_t> const& pairs,
                             double of, double undrafted) {
  constexpr double missed = .2, rounding = 1e-9;
  bool const above = counted.value > expected.high.value;
  double const outside = std::max({0., counted.value - expected.high.value, expected.low.value - counted.value});
  auto const [error, degrees] = error_of(above ? expected.high : expected.low, counted, pairs);
  TwoLengths::Figure found{counted.value, expected.low.value, expected.high.value, 1, HUGE_VAL};
  if (!(error >
        rounding * counted.value)) {  // nothing says how far chance moves it, and nothing need where both agree
    if (outside <= rounding * counted.value) found.detectable = 0;
    return found;
  }
  if (outside > 0) found.p_value = std::min(1., 2 * student_tail(outside / error, degrees));
  double const by_chance =
      error * (student_quantile(unexplained_below / 2 / of, degrees) + student_quantile(missed, degrees));
  found.detectable = (expected.high.value - expected.low.value + by_chance) / (counted.value - undrafted);
  return found;
}

}  // namespace

std::vector<std::string> names_with_rounds(EngineCounters const& counters) {
  std::vector<std::string> names;
  for (CountedRequest const& request : counters.requests)
    if (has_rounds(request)) names.push_back(request.name);
  return names;
}

std::vector<std::size_t> pairing(std::vector<std::string> const& one, std::vector<std::string> const& other) {
  std::map<std::string_view, std::size_t> at;
  for (std::size_t i = 0; i < other.size(); ++i)
    if (other[i].empty() || !at.emplace(other[i], i).second) return {};
  std::vector<std::size_t> places;
  for (std::string const& name : one) {
    auto const found = at.find(name);
    if (found == at.end()) return {};
    places.push_back(found->second);
    at.erase(found);
  }
  return at.empty() ? places : std::vector<std::size_t>();
}

std::optional<TwoLengths> compare_lengths(EngineCounters const& one, EngineCounters const& other) {
  auto const length = usual_length(one), other_length = usual_length(other);
  if (!length || !other_length || *length == *other_length) return std::nullopt;
  std::size_t const longer = *length > *other_length ? 0 : 1;
  EngineCounters const &from = longer == 0 ? one : other, &to = longer == 0 ? other : one;
  std::int64_t const gamma = std::min(*length, *other_length);
  auto const own = own_rounds(to);
  auto expected = by_order(from, gamma);
  bool const ordered = expected.has_value();
  if (!expected) expected = by_counts(from, gamma);
  if (!own || !expected) return std::nullopt;
  std::vector<std::size_t> const pairs = pairing(expected->names, own->names);
  double const of = ordered ? 2 : 1;
  TwoLengths found{.longer = longer,
                   .gamma = gamma,
                   .of_gamma = std::max(*length, *other_length),
                   .by_order = ordered,
                   .paired = pairs.size() > 1,
                   .tokens = figure_of(expected->tokens, Ratio(own->tokens), pairs, of, 1)};
  if (expected->first) found.first = figure_of(*expected->first, Ratio(own->first), pairs, of, 0);
  found.p_value = std::min(1., of * std::min(found.tokens.p_value, found.first ? found.first->p_value : 1));
  auto const few = [](EngineCounters const& counters) {
    return !enough_rounds(static_cast<std::uint64_t>(counters.sums.rounds.value_or(0)));
  };
  double const overlooked = std::min(found.tokens.detectable, found.first ? found.first->detectable : HUGE_VAL);
  found.answer = few(from) || few(to)                ? Answer::inconclusive
                 : found.p_value < unexplained_below ? Answer::unexplained
                 : overlooked > most_overlooked      ? Answer::inconclusive
                                                     : Answer::explained;
  return found;
}

}  // namespace draftgauge
