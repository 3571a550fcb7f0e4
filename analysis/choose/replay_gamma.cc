#include "analysis/choose/replay_gamma.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "analysis/sequence/count_bracket.h"
#include "analysis/sequence/replay.h"
#include "analysis/stats/kaplan_meier.h"
#include "analysis/texts/text_limits.h"
#include "analysis/theory/draft_policies.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// The texts of all requests as sequences, and what is summed of them by request.
class Replay {
 public:
  Replay(std::vector<std::vector<OrderedRounds>> const& requests, CountedAsked const& asked) : bonus_(asked.bonus) {
    std::vector<double> lengths, first, first_tested;
    for (std::vector<OrderedRounds> const& texts : requests) {
      HoleRate own;
      double tokens = 0;
      sequences_.emplace_back();
      for (OrderedRounds const& rounds : texts) {
        own += hole_rate(rounds);
        AcceptanceSequence const& sequence = sequences_.back().emplace_back(sequence_of(rounds));
        tokens += static_cast<double>(sequence.size());
        holes_ += std::ranges::count(sequence, Outcome::hole);
      }
      all_ += own;
      lengths.push_back(tokens);
      first.push_back(static_cast<double>(own.accepted));
      first_tested.push_back(static_cast<double>(own.tested));
    }
    sample_ = std::make_shared<TextSample const>(lengths, asked.draws, asked.seed);
    tokens_ = mean_over_texts(lengths, sample_);
    hole_ = certain(all_.rate<double>(), sample_);
    if (all_.tested == 0) return;
    hole_ = mean_over_texts(first, sample_) / mean_over_texts(first_tested, sample_);
    for (double& resampled : hole_.resampled)
      if (!std::isfinite(resampled)) resampled = hole_.value;  // of requests without a full round
  }

  TextEstimate one() const { return certain(1, sample_); }
  HoleRate const& rate() const { return all_; }
  std::int64_t holes() const { return holes_; }

  /// E[N] with the holes at their rate, whose own error goes in by the slope of the rounds in it.
  TextEstimate tokens_at(std::int64_t gamma) const {
    constexpr double step = .01;
    double const h = hole_.value, above = std::min(1., h + step), below = std::max(0., h - step);
    auto const rounds = [&](double rate) {
      return by_request([&](AcceptanceSequence const& text) { return expected_rounds(text, gamma, rate, bonus_); });
    };
    TextEstimate expected = rounds(h);
    if (sample_->size() > 1 && holes_ > 0) {
      double const slope = (rounds(above).value - rounds(below).value) / (above - below);
      expected = expected + (hole_ + -h) * slope;
    }
    return tokens_ / expected;
  }
  double tokens_at(std::int64_t gamma, Outcome holes) const {
    return tokens_.value / by_request([&](AcceptanceSequence const& text) {
                             return static_cast<double>(rounds_to_cover(text, gamma, holes, bonus_));
                           }).value;
  }
  /// S of a policy of at most `most` drafts, holes at their rate.
  TextEstimate speedup_of(DraftPolicy policy, Costs const& costs, std::int64_t most) const {
    TextPolicyOptions const options{.costs = costs, .most = static_cast<int>(most), .bonus = bonus_};
    return tokens_ / by_request([&](AcceptanceSequence const& text) {
             std::vector<double> keep;
             for (Outcome const outcome : text)
               keep.push_back(outcome == Outcome::hole ? hole_.value : outcome == Outcome::accepted);
             return text_time(policy, keep, options);
           });
  }
  /// [i − 1] P(the first i are kept) in a round of γ.
  std::vector<double> survival_at(std::int64_t gamma) const {
    std::vector<double> kept(static_cast<std::size_t>(gamma) + 1);
    for (auto const& texts : sequences_)
      for (AcceptanceSequence const& text : texts) add_kept(text, hole_.value, bonus_, kept);
    std::vector<double> survival;
    for (std::size_t i = 1; i < kept.size(); ++i) survival.push_back(kept[i] / kept[0]);
    return survival;
  }

 private:
  /// The mean over requests of what `of` says of their texts.
  TextEstimate by_request(auto const& of) const {
    std::vector<double> sums;
    for (auto const& texts : sequences_) {
      double sum = 0;
      for (AcceptanceSequence const& text : texts) sum += of(text);
      sums.push_back(sum);
    }
    return mean_over_texts(sums, sample_);
  }

  bool bonus_;
  std::vector<std::vector<AcceptanceSequence>> sequences_;
  HoleRate all_;
  std::int64_t holes_ = 0;
  std::shared_ptr<TextSample const> sample_;
  TextEstimate tokens_{}, hole_{};
};

/// E[N] by γ of the survival curve that the field cuts off.
std::vector<double> truncated(std::vector<std::vector<OrderedRounds>> const& requests, bool bonus) {
  LengthHistograms all;
  for (auto const& texts : requests)
    for (OrderedRounds const& text : texts) add_rounds(all, text);
  std::vector<std::vector<std::int64_t>> rows;
  for (auto& [drafted, row] : all) rows.push_back(std::move(row));
  std::vector<double> tokens;
  double sum = 1;
  for (double const reached : kaplan_meier(rows).survival) {
    tokens.push_back(sum + (bonus ? reached : 0));
    sum += reached;
  }
  return tokens;
}

/// Intervals are of chance alone: a γ whose S may reach the best one's, holes filled one way or the other, may be the
/// best, too, and is not told apart. Where nothing differs between requests there is no set.
void keep_what_holes_allow(CountedGamma& choice, std::vector<ReplayedRow> const& replayed) {
  if (!choice.set) return;
  if (choice.best > 0 && !choice.rows[choice.best].interval) {
    choice.claim_no_set();
    return;
  }
  std::vector<TokensBracket> brackets;
  for (ReplayedRow const& row : replayed) brackets.push_back({row.low, row.high});
  choice.widen_set(brackets);
}

}  // namespace

ReplayGamma choose_by_replay(std::vector<std::vector<OrderedRounds>> const& requests, Costs const& costs,
                             CountedAsked const& asked) {
  if (asked.most && *asked.most > most_replayed_gamma)
    throw UsageError(
        fmt::format("`most` is {} (rounds are replayed to drafts of {} tokens)", *asked.most, most_replayed_gamma),
        "give less");
  ReplayGamma found{.requests = requests.size()};
  for (auto const& texts : requests)
    for (OrderedRounds const& rounds : texts)
      for (auto const& [accepted, drafted] : rounds) {
        found.rounds += drafted > 0;
        found.tokens += static_cast<std::uint64_t>(accepted) + 1;
        found.ran = std::max(found.ran, drafted);
      }
  Replay const replay(requests, asked);
  found.holes = replay.rate();
  found.hole_count = replay.holes();
  std::int64_t const depth = asked.most.value_or(std::max(found.ran, std::min(2 * found.ran, longest_replay)));
  std::vector<double> const cut = truncated(requests, asked.bonus);
  std::vector<TextEstimate> tokens{replay.one()};
  for (std::int64_t gamma = 1; gamma <= depth; ++gamma) {
    TextEstimate const& here = tokens.emplace_back(replay.tokens_at(gamma));
    ReplayedRow row{
        .gamma = gamma,
        .tokens = here.value,
        .within = interval_within(here, asked.confidence, tokens_in_round(static_cast<int>(gamma), asked.bonus)),
        .low = replay.tokens_at(gamma, Outcome::rejected),
        .high = replay.tokens_at(gamma, Outcome::accepted)};
    if (std::cmp_less_equal(gamma, cut.size())) row.truncated = cut[static_cast<std::size_t>(gamma) - 1];
    found.replayed.push_back(row);
  }
  CountedGamma& choice = found.choice;
  choice = choose_by_tokens(std::move(tokens), static_cast<double>(found.rounds), costs, asked);
  choice.has_errors = choice.set.has_value();
  choice.by_chance = choice.rows[choice.best].interval;
  keep_what_holes_allow(choice, found.replayed);
  choice.survival = replay.survival_at(choice.best > 0 ? static_cast<std::int64_t>(choice.best) : found.ran);
  if (!asked.thorough) return found;
  for (DraftPolicy const policy : {DraftPolicy::heuristic, DraftPolicy::stop_at_rejection, DraftPolicy::exact}) {
    TextEstimate const speedup = replay.speedup_of(policy, costs, depth);
    PolicyRow row{.policy = policy, .speedup = speedup.value};
    row.interval = delta_interval(speedup, asked.confidence);
    if (row.interval) row.interval = cut_to(positive, *row.interval);
    choice.policies.push_back(row);
  }
  return found;
}

}  // namespace draftgauge
