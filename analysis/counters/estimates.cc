#include "analysis/counters/estimates.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "analysis/counters/kept.h"
#include "analysis/counters/rates.h"
#include "analysis/engines/engines.h"
#include "analysis/stats/kaplan_meier.h"
#include "analysis/texts/text_estimates.h"
#include "analysis/texts/text_limits.h"
#include "analysis/texts/text_ratio.h"
#include "analysis/theory/closed_form.h"
#include "sim/base/error.h"
#include "sim/base/limits.h"

namespace draftgauge {
namespace {

/// Rounds of one request that tested its i-th draft, and of these the ones that kept it.
struct Tested {
  std::vector<double> reached, kept;
};

Tested tested_of(CounterSums const& sums, std::size_t depth) {
  Tested of{std::vector<double>(depth), std::vector<double>(depth)};
  auto const rows = kept_by_length(sums);
  if (rows.empty()) return of;
  KaplanMeier const found = kaplan_meier(rows);
  for (std::size_t i = 0; i < std::min(depth, found.reached.size()); ++i) {
    of.reached[i] = static_cast<double>(found.reached[i]);
    of.kept[i] = of.reached[i] - static_cast<double>(found.rejected[i]);
  }
  return of;
}

/// The requests that have a round, as a sample.
class Requests {
 public:
  Requests(EngineCounters const& counters, double confidence) : confidence_(confidence) {
    std::vector<double> rounds;
    if (!are_requests(counters)) return;
    for (CountedRequest const& request : counters.requests) {
      if (!request.sums.rounds || !request.sums.accepted) return;
      if (*request.sums.rounds == 0) continue;
      all_.push_back(&request.sums);
      rounds.push_back(static_cast<double>(*request.sums.rounds));
    }
    if (rounds.size() >= 2) sample_ = std::make_shared<TextSample const>(std::move(rounds), 0, 0);
  }

  bool usable() const { return sample_ != nullptr; }
  std::size_t size() const { return all_.size(); }

  std::optional<Interval> tokens_per_round(std::optional<std::int64_t> const& longest) const {
    std::vector<double> tokens;
    for (CounterSums const* sums : all_) tokens.push_back(static_cast<double>(*sums->rounds + *sums->accepted));
    Limits const limits = tokens_in_round(static_cast<int>(longest.value_or(1 << 20)), true);
    return interval_within(mean_over_texts(tokens, sample_) / mean_over_texts(sample_->lengths(), sample_),
                           confidence_, limits);
  }

  /// Of Σ kept over Σ reached, at position i alone, or at all of them.
  std::optional<Interval> rate(std::size_t depth, std::optional<std::size_t> at) const {
    std::vector<double> reached, kept;
    for (CounterSums const* sums : all_) {
      Tested const tested = tested_of(*sums, depth);
      double tried = 0, passed = 0;
      for (std::size_t i = at.value_or(0); i < (at ? *at + 1 : depth); ++i) {
        tried += tested.reached[i];
        passed += tested.kept[i];
      }
      reached.push_back(tried);
      kept.push_back(passed);
    }
    return interval_within(mean_over_texts(kept, sample_) / mean_over_texts(reached, sample_), confidence_, share);
  }

 private:
  double confidence_;
  std::vector<CounterSums const*> all_;
  std::shared_ptr<TextSample const> sample_;
};

/// Of rounds by how many drafts they kept, which hold one that kept some.
std::optional<Interval> over_rounds(std::vector<std::int64_t> const& kept, double value, double confidence,
                                    std::uint64_t seed) {
  if (kept.size() < 2) return std::nullopt;
  // As many as the choice of γ takes by itself, but of drafts that are longer than any engine's.
  std::size_t const draws = std::clamp(most_drawn / kept.size(), fewest_resamples, std::size_t{1000});
  std::vector<double> tokens;
  for (std::vector<double> const& survival : survival_draws(kaplan_meier({&kept, 1}), draws, seed))
    tokens.push_back(theory::expected_tokens(survival));
  return central_interval(std::move(tokens), value, confidence);
}

std::optional<Interval> share_of(double kept, double reached, double confidence) {
  return binomial_interval(static_cast<std::uint64_t>(kept), static_cast<std::uint64_t>(reached), confidence);
}

/// A round's tokens in a stretch of some steps are its mean times its sequences, each step having a round of each.
CountEstimate over_stretches(std::vector<MeanOfStretch> const& stretches, std::optional<std::int64_t> const& longest,
                             double confidence) {
  std::vector<double> rounds, tokens;
  for (MeanOfStretch const& each : stretches) {
    rounds.push_back(each.sequences);
    tokens.push_back(each.sequences * each.tokens_per_round);
  }
  auto const sample = std::make_shared<TextSample const>(std::move(rounds), 0, 0);
  TextEstimate const of = mean_over_texts(tokens, sample) / mean_over_texts(sample->lengths(), sample);
  if (stretches.size() < 2) return {.value = of.value};
  Limits const limits = tokens_in_round(static_cast<int>(longest.value_or(1 << 20)), true);
  return {.value = of.value, .interval = interval_within(of, confidence, limits)};
}

/// Of totals alone: rounds that keep γ drafts or none differ the most of all that keep as many on average.
std::optional<Interval> all_or_nothing(CounterSums const& sums, std::int64_t gamma, double confidence) {
  auto const accepted = static_cast<std::uint64_t>(*sums.accepted), rounds = static_cast<std::uint64_t>(*sums.rounds);
  auto const drafts = static_cast<std::uint64_t>(gamma);
  if (accepted > drafts * rounds) return std::nullopt;
  // Between two whole numbers of rounds the wider of their ends.
  auto const low = binomial_interval(accepted / drafts, rounds, confidence);
  auto const high = binomial_interval((accepted + drafts - 1) / drafts, rounds, confidence);
  if (!low || !high) return std::nullopt;
  auto const tokens = [&](double share) { return 1 + share * static_cast<double>(gamma); };
  double const mean = static_cast<double>(accepted) / static_cast<double>(rounds);
  return Interval{1 + mean, tokens(low->low), tokens(high->high), confidence, true};
}

/// α at the ends of tokens per round, by Eq. (1).
std::optional<Interval> implied(std::optional<Interval> const& tokens, double value, std::int64_t gamma) {
  if (!tokens) return std::nullopt;
  auto const low = theory::implied_alpha(std::max(1., tokens->low), gamma);
  auto const high = theory::implied_alpha(std::min(tokens->high, static_cast<double>(gamma + 1)), gamma);
  if (!low || !high) return std::nullopt;
  return Interval{value, *low, *high, tokens->confidence, true};
}

}  // namespace

CounterEstimates counter_estimates(EngineCounters const& counters, double confidence, std::uint64_t seed) {
  CounterRates const rates = counter_rates(counters);
  CounterEstimates found;
  Requests const requests(counters, confidence);
  found.requests = requests.size();
  bool const by_length = !counters.sums.histograms.empty();
  if (requests.usable())
    found.over = CountedOver::requests;
  else if (by_length || !counters.sums.kept.empty())
    found.over = CountedOver::rounds;
  auto const longest = counters.draft_length ? counters.draft_length : fixed_length(counters);
  if (rates.tokens_per_round) {
    found.tokens_per_round = {.value = *rates.tokens_per_round};
    auto& interval = found.tokens_per_round->interval;
    auto const by_totals = [&] {
      if (auto const length = set_length(counters); length && !by_length) {
        interval = all_or_nothing(counters.sums, *length, confidence);
        if (interval) found.over = CountedOver::totals;
      }
    };
    if (requests.usable()) {
      interval = requests.tokens_per_round(longest);
      if (!interval && counters.sums.kept.empty()) by_totals();  // requests that do not differ have no spread
    } else if (!counters.sums.kept.empty()) {
      interval = over_rounds(counters.sums.kept, *rates.tokens_per_round, confidence, seed);
    } else if (auto const rows = kept_by_length(counters.sums); rows.size() == 1) {
      interval = over_rounds(rows.front(), *rates.tokens_per_round, confidence, seed);
    } else if (auto const kept = kept_by_position(counters.sums); !kept.empty()) {
      interval = over_rounds(kept, *rates.tokens_per_round, confidence, seed);
      found.over = CountedOver::rounds;
    } else {
      by_totals();
    }
    // Where positions are of rounded shares the mean of the histogram is next to that of the counts.
    if (interval) {
      interval->value = *rates.tokens_per_round;
      interval->low = std::max(interval->low, 1.);
      if (longest) interval->high = std::min(interval->high, static_cast<double>(*longest + 1));
    }
  }
  if (!rates.tokens_per_round && !counters.sums.rounds && !counters.stretches.empty()) {
    found.tokens_per_round = over_stretches(counters.stretches, longest, confidence);
    if (found.tokens_per_round->interval) found.over = CountedOver::stretches;
  }
  Tested const tested = tested_of(counters.sums, rates.conditional.size());
  // What some requests do not say by draft length, a sample of the others does not say of all.
  bool const sampled = requests.usable() && by_length;
  double reached = 0, kept = 0;
  for (std::size_t i = 0; i < rates.conditional.size(); ++i) {
    reached += tested.reached[i];
    kept += tested.kept[i];
    found.conditional.push_back(
        {rates.conditional[i], sampled ? requests.rate(rates.conditional.size(), i)
                                       : share_of(tested.kept[i], tested.reached[i], confidence)});
  }
  if (rates.alpha) {
    found.alpha_from = rates.alpha_from;
    found.alpha = {.value = *rates.alpha};
    if (!by_length)
      found.alpha->interval = implied(found.tokens_per_round->interval, *rates.alpha, *set_length(counters));
    else if (sampled)
      found.alpha->interval = requests.rate(rates.conditional.size(), std::nullopt);
    else
      found.alpha->interval = share_of(kept, reached, confidence);
  }
  return found;
}

InputError means_alone(EngineCounters const& counters, std::string_view why, std::string_view hint) {
  return InputError(
      fmt::format("{}: {} has means of some time each and no counts ({})", counters.file, counters.format, why),
      hint);
}

CountEstimate const& tokens_per_round_of(EngineCounters const& counters, CounterEstimates const& estimates) {
  if (auto const& unread = counters.unread_fields; !estimates.tokens_per_round && !unread.empty())
    throw InputError(fmt::format("{}: the card's {} {} nothing in this file, and rounds do not follow from the rest",
                                 counters.file, fmt::join(unread, ", "), unread.size() == 1 ? "matches" : "match"),
                     "correct the paths in the card (docs/cards.md)");
  if (!estimates.tokens_per_round && counters.sums.drafted)
    throw InputError(fmt::format("{}: {} counts draft tokens and no rounds (how many tokens did a round draft?)",
                                 counters.file, counters.format),
                     fmt::format("say it, as the engine was set, with `draft-length`; where drafts end early, {}",
                                 rounds_advice(counters)));
  if (!estimates.tokens_per_round)
    throw means_alone(counters, "an average over rounds cannot be had from them", rounds_advice(counters));
  return *estimates.tokens_per_round;
}

std::string_view to_string(CountedOver over) {
  switch (over) {
    case CountedOver::requests: return "requests";
    case CountedOver::parts: return "parts";
    case CountedOver::rounds: return "rounds";
    case CountedOver::totals: return "totals";
    case CountedOver::stretches: return "stretches";
    case CountedOver::nothing: break;
  }
  return "none";
}

std::string_view rounds_advice(EngineCounters const& counters) {
  std::string_view const advice =
      counters.engine.empty() ? std::string_view() : engine_card(counters.engine).counts_rounds;
  return advice.empty() ? "give the engine's responses, which count rounds" : advice;
}

CountEstimate over_time(CountEstimate tokens, double time) {
  tokens.value /= time;
  if (tokens.interval) {
    tokens.interval = mapped(*tokens.interval, [&](double x) { return x / time; });
    tokens.interval->value = tokens.value;
  }
  return tokens;
}

}  // namespace draftgauge
