#include "analysis/scheduling/scheduled_batch.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/stats/counted.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// Sums over a replicate's rounds.
struct Played {
  double tokens = 0, ms = 0, slots = 0, accepted = 0, rounds = 0;  ///< rounds of requests
  std::vector<double> stretches = {};                              ///< ms per token of each stretch of a request

  double tokens_per_ms() const { return tokens / ms; }
  Played& operator+=(Played const& other) {
    tokens += other.tokens;
    ms += other.ms;
    slots += other.slots;
    accepted += other.accepted;
    rounds += other.rounds;
    stretches.insert(stretches.end(), other.stretches.begin(), other.stretches.end());
    return *this;
  }
};

/// Batches of a size that draft so many tokens a round.
class Batches {
 public:
  Batches(ScheduledCosts const& costs, int gamma) : costs_(costs), gamma_(gamma), times_(pass_times(costs, gamma)) {}

  Played play(std::vector<ScheduledText> const& texts, Replicate const& replicate, std::int64_t rounds,
              Deciding const& by) const {
    auto const size = static_cast<std::size_t>(costs_.batch);
    ScheduledRequests requests(texts, gamma_, size);
    for (std::uint32_t r = 0; r < size; ++r) requests.join(replicate, r, by);
    requests.begin(by);
    Played sums;
    std::vector<double> began(size);
    std::vector<std::size_t> tokens(size);
    for (std::int64_t round = 0; round < rounds; ++round) {
      auto const [slots, longest, accepted] = requests.play(replicate, by, times_);
      sums.slots += slots;
      sums.accepted += accepted;
      sums.ms += by.drafts_what_is_verified ? costs_.round_ms(longest, slots) : times_.ms[static_cast<std::size_t>(slots)];
      sums.rounds += static_cast<double>(size);
      for (std::size_t r = 0; r < size; ++r) {
        sums.tokens += static_cast<double>(requests.emitted(r));
        tokens[r] += requests.emitted(r);
        if (tokens[r] < stretch_tokens) continue;
        sums.stretches.push_back((sums.ms - began[r]) / static_cast<double>(tokens[r]));
        began[r] = sums.ms;
        tokens[r] = 0;
      }
    }
    return sums;
  }

 private:
  ScheduledCosts const& costs_;
  int gamma_;
  PassTimes times_;
};

/// A way to decide, played at the number of drafts that suits it best.
struct Candidate {
  std::string name, estimates;
  std::optional<int> drafted;
  std::vector<Played> each;  ///< [replicates]
};

Played sum_of(std::span<Played const> each) {
  Played sum;
  for (Played const& one : each) sum += one;
  return sum;
}

/// Of the replicates along the texts as they are.
Played as_they_are(Candidate const& candidate) {
  return sum_of(std::span(candidate.each).first(candidate.each.size() / 2));
}

/// Replicates by which a number of drafts is chosen, of those that come near the best by the first one.
constexpr std::size_t tried = 4;
constexpr double near_best = .97;

/// Plays ways to decide along the same texts.
class Comparison {
 public:
  Comparison(std::vector<EstimatedTexts> const& variants, ScheduledCosts const& costs, ScheduledAsked const& asked)
      : asked_(asked), rounds_(std::max<std::int64_t>(16, asked.request_rounds / costs.batch)) {
    for (EstimatedTexts const& variant : variants) texts_.push_back(texts_with_tokens(variant.texts));
    replicates_ = replicates_of(texts_.front(), asked.seed, asked.replicates);
    for (int drafted = 1; drafted <= asked.gamma; ++drafted) batches_.emplace_back(costs, drafted);
  }

  std::size_t texts() const { return texts_.front().size(); }

  /// At the number of drafts that suits it best; variant: of the estimates.
  Candidate at_best(Deciding const& deciding, std::string name, std::size_t variant = 0) const {
    Candidate candidate{std::move(name), {}, {}, {}};
    if (!deciding.drafts_what_is_verified)
      candidate.drafted = best_of(1, tried, [&](int drafted, std::size_t count) {
        return sum_of(play(deciding, variant, drafted, count)).tokens_per_ms();
      });
    candidate.each = play(deciding, variant, candidate.drafted.value_or(asked_.gamma), replicates_.size());
    if (asked_.played) asked_.played();
    return candidate;
  }

  Candidate fixed(int length) const {
    std::string const name = fmt::format("fixed:length={}", length);
    return {name, {}, length, play(Deciding(schedule_call(name)), 0, std::max(length, 1), replicates_.size())};
  }
  int best_fixed() const {
    return best_of(0, replicates_.size(), [&](int length, std::size_t count) {
      Deciding const deciding(schedule_call(fmt::format("fixed:length={}", length)));
      return sum_of(play(deciding, 0, std::max(length, 1), count)).tokens_per_ms();
    });
  }

 private:
  /// The number from `first` to γ of the highest rate, by so many replicates.
  int best_of(int first, std::size_t count, std::function<double(int, std::size_t)> const& rate) const {
    std::vector<double> screened;
    for (int n = first; n <= asked_.gamma; ++n) screened.push_back(rate(n, 1));
    double const near = near_best * *std::ranges::max_element(screened);
    int best = first;
    double most = 0;
    for (int n = first; n <= asked_.gamma; ++n) {
      if (screened[static_cast<std::size_t>(n - first)] < near) continue;
      double const now = rate(n, std::min(replicates_.size(), count));
      if (now > most) best = n;
      most = std::max(most, now);
    }
    return best;
  }
  /// The first replicates of a way to decide, at a number of drafts.
  std::vector<Played> play(Deciding const& deciding, std::size_t variant, int drafted, std::size_t count) const {
    std::vector<Played> each(count);
    in_parallel(count, asked_.threads, [&](std::size_t i) {
      each[i] = batches_[static_cast<std::size_t>(drafted) - 1].play(texts_[variant], replicates_[i], rounds_, deciding);
    });
    return each;
  }

  ScheduledAsked const& asked_;
  std::int64_t rounds_;
  std::vector<std::vector<ScheduledText>> texts_;  ///< [variant] those with a token
  std::vector<Replicate> replicates_;
  std::vector<Batches> batches_;  ///< by the drafts of each request's round
};

}  // namespace

std::string name_of(ScheduleCall const& call) {
  std::string const name(schedule_card(call).name);
  return call == schedule_call(name) ? name : schedule_text(call);
}

ScheduleRows compare_schedules(std::vector<EstimatedTexts> const& variants, ScheduledCosts const& costs,
                               std::vector<ScheduleCall> const& schedules, ScheduledAsked const& asked) {
  if (costs.batch > max_requests)
    throw UsageError(fmt::format("{} are more than a schedule is played with ({})",
                                 counted(static_cast<std::uint64_t>(costs.batch), "sequence"), max_requests),
                     fmt::format("ask of a batch of at most {}", max_requests));
  Comparison const comparison(variants, costs, asked);
  int const best = comparison.best_fixed();
  ScheduleRows found{.batch = costs.batch, .best_fixed = best, .first_step = first_step(costs, asked.gamma)};
  Candidate const plain = comparison.fixed(0), chosen = comparison.fixed(best);
  if (asked.played) asked.played();
  std::vector<Candidate> candidates = {plain};
  if (best > 0) candidates.push_back(chosen);
  for (ScheduleCall const& call : schedules) {
    bool const estimated = uses_estimates(schedule_card(call));
    for (std::size_t i = 0; i < (estimated ? variants.size() : 1); ++i) {
      candidates.push_back(comparison.at_best(Deciding(call), name_of(call), i));
      if (estimated) candidates.back().estimates = variants[i].estimates;
    }
  }
  candidates.push_back(comparison.at_best(Deciding(), "accepted drafts known"));

  for (Candidate const& candidate : candidates) {
    Played const sum = as_they_are(candidate);
    std::vector<double> rates, speedups, gains, regrets;
    for (std::size_t i = 0; i < candidate.each.size(); ++i) {
      double const rate = candidate.each[i].tokens_per_ms();
      rates.push_back(1e3 * rate);
      speedups.push_back(rate / plain.each[i].tokens_per_ms());
      gains.push_back(rate / chosen.each[i].tokens_per_ms() - 1);
      regrets.push_back(1 - rate / candidates.back().each[i].tokens_per_ms());
    }
    auto const interval = [&](std::vector<double> const& each) {
      return interval_over_texts(each, comparison.texts(), asked.confidence);
    };
    found.rows.push_back({.schedule = candidate.name,
                          .estimates = candidate.estimates,
                          .tokens_per_second = interval(rates),
                          .speedup = interval(speedups),
                          .gain = interval(gains),
                          .regret = interval(regrets),
                          .drafted = candidate.drafted,
                          .tokens = sum.tokens / sum.rounds,
                          .verified = sum.slots / sum.rounds,
                          .wasted = sum.slots > 0 ? 1 - sum.accepted / sum.slots : 0,
                          .ms_per_token = static_cast<double>(costs.batch) / sum.tokens_per_ms(),
                          .ms_per_token_p99 = percentile_99(sum.stretches)});
  }
  return found;
}

}  // namespace draftgauge
