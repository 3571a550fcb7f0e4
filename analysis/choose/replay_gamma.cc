#include "analysis/choose/replay_gamma.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "analysis/adapting/gains.h"
#include "analysis/sequence/count_bracket.h"
#include "analysis/sequence/replay.h"
#include "analysis/stats/kaplan_meier.h"
#include "analysis/texts/one_text.h"
#include "analysis/texts/text_lead.h"
#include "analysis/texts/text_limits.h"
#include "analysis/theory/draft_policies.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// A request in parts has so many parts and tokens, or no interval: of 1500 tokens, 75 a part, 95 % intervals hold the truth in .88
/// to .91 of runs where difficulty persists for 33 tokens (tests/statistics/replayed_rounds.py).
constexpr std::size_t fewest_parts = 15, fewest_tokens_in_parts = 2560;

/// Where fillings take more, ends of brackets say which γ may be the best: a set that is no smaller.
constexpr std::size_t most_steps_of_fillings = std::size_t{1} << 22;

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
    cut_into_pieces();
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

  /// E[N] of rounds that are played, of one text a request.
  TextEstimate tokens_at(std::int64_t gamma, std::span<AcceptedFrom const> accepted) const {
    std::vector<double> rounds;
    for (AcceptedFrom const& text : accepted)
      rounds.push_back(static_cast<double>(rounds_to_cover(text, gamma, bonus_)));
    return tokens_ / mean_over_texts(rounds, sample_);
  }
  /// E[N] with the holes at their rate.
  TextEstimate tokens_at(std::int64_t gamma) const {
    return tokens_ / with_holes([&](double rate) {
             return by_pieces(
                 [&](AcceptanceSequence const& piece) { return expected_rounds(piece, gamma, rate, bonus_); });
           });
  }
  /// P(the first draft is kept) in rounds of γ.
  TextEstimate first_at(std::int64_t gamma) const {
    return with_holes([&](double rate) {
      auto const kept = [&](std::size_t i) {
        return by_pieces([&](AcceptanceSequence const& piece) {
          std::vector<double> own(static_cast<std::size_t>(gamma) + 1);
          add_kept(piece, rate, bonus_, own);
          return own[i];
        });
      };
      return kept(1) / kept(0);
    });
  }
  double tokens_at(std::int64_t gamma, Outcome holes) const {
    return tokens_.value / by_pieces([&](AcceptanceSequence const& piece) {
                             return static_cast<double>(rounds_to_cover(piece, gamma, holes, bonus_));
                           }).value;
  }
  /// Whether some filling of the holes makes rounds of one γ as fast as those of another: they cover the same tokens, piece
  /// by piece.
  bool may_be_as_fast(GammaRow const& one, GammaRow const& other, std::size_t& steps) const {
    std::vector<double> times(pieces_.size());
    for (auto const& request : times_)
      for (auto const& [piece, count] : request) times[piece] += count;
    double most = 0;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      auto const found = most_between(pieces_[i], {other.gamma, one.gamma}, {other.time, one.time}, bonus_, steps);
      if (!found) return true;
      most += times[i] * *found;
    }
    return most >= -1e-9;
  }
  /// What policies of at most `most` drafts gain, holes at their rate.
  std::vector<PolicyRow> policies(Costs const& costs, std::int64_t best, std::int64_t most,
                                  CountedAsked const& asked) const {
    std::vector<std::vector<double>> accepted;
    AdaptingTexts texts{.requests = std::vector<std::vector<AdaptingText>>(sequences_.size()),
                        .costs = costs,
                        .best = best,
                        .most = most,
                        .bonus = bonus_,
                        .holes = holes_ > 0,
                        .seed = asked.seed};
    for (std::size_t r = 0; r < sequences_.size(); ++r)
      for (AcceptanceSequence const& text : sequences_[r]) {
        std::vector<double>& chances = accepted.emplace_back();
        for (Outcome const outcome : text)
          chances.push_back(outcome == Outcome::hole ? hole_.value : outcome == Outcome::accepted);
        texts.requests[r].push_back({.accepted = chances});
      }
    std::vector<PolicyRow> rows = adapting_rows(texts, sample_, asked.confidence);
    TextEstimate const fixed = fixed_speedup(texts, sample_);
    for (DraftPolicy const policy : {DraftPolicy::stop_at_rejection, DraftPolicy::exact}) {
      TextEstimate const speedup = oracle_speedup(policy, texts, sample_);
      rows.push_back({.words = words_of(policy),
                      .speedup = speedup.value,
                      .interval = interval_within(speedup, asked.confidence, positive),
                      .over_best = delta_interval(speedup - fixed, asked.confidence)});
    }
    return rows;
  }
  /// [i − 1] P(the first i are kept) in a round of γ.
  std::vector<double> survival_at(std::int64_t gamma) const {
    std::vector<double> kept(static_cast<std::size_t>(gamma) + 1), times(pieces_.size());
    for (auto const& request : times_)
      for (auto const& [piece, count] : request) times[piece] += count;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      std::vector<double> own(kept.size());
      add_kept(pieces_[i], hole_.value, bonus_, own);
      for (std::size_t k = 0; k < kept.size(); ++k) kept[k] += times[i] * own[k];
    }
    std::vector<double> survival;
    for (std::size_t i = 1; i < kept.size(); ++i) survival.push_back(kept[i] / kept[0]);
    return survival;
  }

 private:
  void cut_into_pieces() {
    std::unordered_map<std::string_view, std::size_t> known;
    std::vector<double> times;  // of each piece, in one request
    for (auto const& texts : sequences_) {
      std::vector<std::size_t> own;
      for (AcceptanceSequence const& text : texts)
        for (auto from = text.begin(); from != text.end();) {
          auto to = std::find(from, text.end(), Outcome::rejected);
          if (to != text.end()) ++to;
          std::string_view const bytes(reinterpret_cast<char const*>(std::to_address(from)),
                                       static_cast<std::size_t>(to - from));
          auto const [at, is_new] = known.try_emplace(bytes, pieces_.size());
          if (is_new) {
            pieces_.emplace_back(from, to);
            times.push_back(0);
          }
          if (times[at->second]++ == 0) own.push_back(at->second);
          from = to;
        }
      auto& counted = times_.emplace_back();
      for (std::size_t const piece : own) counted.emplace_back(piece, std::exchange(times[piece], 0));
    }
  }

  /// A figure at the holes' rate, whose own error goes in by the figure's slope in it.
  TextEstimate with_holes(auto const& at) const {
    constexpr double step = .01;
    double const h = hole_.value, above = std::min(1., h + step), below = std::max(0., h - step);
    TextEstimate const there = at(h);
    if (sample_->size() < 2 || holes_ == 0) return there;
    return there + (hole_ + -h) * ((at(above).value - at(below).value) / (above - below));
  }

  /// The mean over requests of the sums over their pieces.
  TextEstimate by_pieces(auto const& of) const {
    std::vector<double> values, sums;
    for (AcceptanceSequence const& piece : pieces_) values.push_back(of(piece));
    for (auto const& request : times_) {
      double& sum = sums.emplace_back(0);
      for (auto const& [piece, count] : request) sum += count * values[piece];
    }
    return mean_over_texts(sums, sample_);
  }

  bool bonus_;
  std::vector<std::vector<AcceptanceSequence>> sequences_;
  /// What lies between rejected tokens, with the one at its end. There a round of any γ ends, so that the rounds of a text are
  /// those of its pieces, few of which differ: time goes with these, not with tokens times γ.
  std::vector<AcceptanceSequence> pieces_;
  std::vector<std::vector<std::pair<std::size_t, double>>> times_;  ///< [request] of each piece
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

/// [i − 1] P(the first i are kept) in the rounds of γ that are played along the texts.
std::vector<double> survival_of(std::span<AcceptedFrom const> texts, std::int64_t gamma) {
  std::vector<double> survival(static_cast<std::size_t>(gamma));
  double rounds = 0;
  for (AcceptedFrom const& text : texts)
    for (auto const& [accepted, drafted] : play_from(text, gamma)) {
      ++rounds;
      for (std::size_t i = 0; std::cmp_less(i, accepted); ++i) ++survival[i];
    }
  for (double& kept : survival) kept /= rounds;
  return survival;
}

std::uint64_t tokens_of(std::vector<OrderedRounds> const& texts) {
  std::uint64_t tokens = 0;
  for (OrderedRounds const& rounds : texts)
    for (auto const& [accepted, drafted] : rounds) tokens += static_cast<std::uint64_t>(accepted) + 1;
  return tokens;
}

/// The parts of a request, for batch means (texts/one_text.h). Each ends behind a rejected draft, where a round of any γ ends,
/// so that E[N] of all parts together is that of the request. Empty where it is too short.
std::vector<std::vector<OrderedRounds>> parts_of(std::vector<OrderedRounds> const& texts, std::int64_t deepest) {
  std::uint64_t const all = tokens_of(texts);
  std::vector<std::vector<OrderedRounds>> parts;
  if (all < fewest_tokens_in_parts) return parts;
  auto const ends = ends_of_parts(all, static_cast<int>(deepest));
  if (ends.size() < fewest_parts) return parts;
  std::size_t tokens = 0;
  bool begin = true;  // a part
  for (OrderedRounds const& text : texts) {
    if (!begin) parts.back().emplace_back();
    for (OrderedRound const& round : text) {
      if (std::exchange(begin, false)) parts.push_back({{}});
      parts.back().back().push_back(round);
      tokens += static_cast<std::size_t>(round.accepted) + 1;
      begin = round.accepted < round.drafted && parts.size() < ends.size() && tokens >= ends[parts.size() - 1];
    }
  }
  return parts.size() < fewest_parts ? std::vector<std::vector<OrderedRounds>>() : parts;
}

/// The requests, where one has more than half of the tokens in its parts; empty where none has, or it is too short.
struct InParts {
  std::vector<std::vector<OrderedRounds>> units = {};
  std::size_t parts = 0;
};
InParts in_parts(std::vector<std::vector<OrderedRounds>> const& requests, std::int64_t deepest) {
  std::uint64_t all = 0;
  for (auto const& texts : requests) all += tokens_of(texts);
  auto const longest = std::ranges::find_if(requests, [&](auto const& texts) { return 2 * tokens_of(texts) > all; });
  if (longest == requests.end()) return {};
  InParts found{.units = parts_of(*longest, deepest)};
  found.parts = found.units.size();
  if (found.parts == 0) return found;
  for (auto each = requests.begin(); each != requests.end(); ++each)
    if (each != longest) found.units.push_back(*each);
  return found;
}

/// Intervals are of chance alone: a γ whose S reaches the best one's where the same holes are filled in some way may be the
/// best, too, and is not told apart. Where nothing differs between requests there is no set.
void keep_what_holes_allow(CountedGamma& choice, std::vector<ReplayedRow> const& replayed, Replay const& replay) {
  if (!choice.set) return;
  if (choice.best > 0 && !choice.rows[choice.best].interval) {
    choice.claim_no_set();
    return;
  }
  std::vector<TokensBracket> brackets;
  for (ReplayedRow const& row : replayed) brackets.push_back({row.low, row.high});
  std::size_t steps = most_steps_of_fillings;
  choice.widen_set([&](std::size_t gamma) {
    if (!choice.may_reach_best(gamma, brackets)) return false;
    if (gamma == 0 || choice.best == 0) return true;
    return replay.may_be_as_fast(choice.rows[gamma], choice.rows[choice.best], steps);
  });
}

}  // namespace

ReplayedRounds replayed_rounds(std::vector<std::vector<OrderedRounds>> const& requests, std::int64_t gamma) {
  Replay const replay(requests, {.draws = 0});
  return {replay.tokens_at(gamma), replay.first_at(gamma), replay.tokens_at(gamma, Outcome::rejected),
          replay.tokens_at(gamma, Outcome::accepted)};
}

ReplayGamma choose_by_replay(std::vector<std::vector<OrderedRounds>> const& requests, Costs const& costs,
                             CountedAsked const& asked, std::span<AcceptedFrom const> accepted_from) {
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
        found.bounded = found.bounded || accepted < drafted;
      }
  bool const exact = !accepted_from.empty();
  std::int64_t const usual = std::max({found.ran, std::min(2 * found.ran, longest_replay), asked.replay_to});
  std::int64_t depth = asked.most.value_or(std::min<std::int64_t>(usual, most_replayed_gamma));
  if (exact) {
    std::int64_t const known = longest_known(accepted_from);
    depth = std::min<std::int64_t>(asked.most.value_or(most_replayed_gamma), std::max<std::int64_t>(known, 1));
    found.depth.emplace();
    for (AcceptedFrom const& text : accepted_from) *found.depth += depth_test(text, known);
  } else if (!found.bounded) {
    depth = std::min(depth, found.ran);
  }
  require_draws(asked.draws, static_cast<std::size_t>(depth));
  InParts const parts = exact ? InParts() : in_parts(requests, found.ran);
  found.parts = parts.parts;
  Replay const replay(found.parts > 0 ? parts.units : requests, asked);
  found.holes = replay.rate();
  found.hole_count = replay.holes();
  std::vector<double> const cut = truncated(requests, asked.bonus);
  std::vector<TextEstimate> tokens{replay.one()};
  for (std::int64_t gamma = 1; gamma <= depth; ++gamma) {
    TextEstimate const& here =
        tokens.emplace_back(exact ? replay.tokens_at(gamma, accepted_from) : replay.tokens_at(gamma));
    ReplayedRow row{
        .gamma = gamma,
        .tokens = here.value,
        .within = interval_within(here, asked.confidence, tokens_in_round(static_cast<int>(gamma), asked.bonus)),
        .low = exact ? here.value : replay.tokens_at(gamma, Outcome::rejected),
        .high = exact ? here.value : replay.tokens_at(gamma, Outcome::accepted)};
    if (exact) row.replayed = replay.tokens_at(gamma).value;
    if (std::cmp_less_equal(gamma, cut.size())) row.truncated = cut[static_cast<std::size_t>(gamma) - 1];
    found.replayed.push_back(row);
  }
  CountedGamma& choice = found.choice;
  choice = choose_by_tokens(std::move(tokens), static_cast<double>(found.rounds), costs, asked);
  choice.has_errors = choice.set.has_value();
  choice.by_chance = choice.rows[choice.best].interval;
  keep_what_holes_allow(choice, found.replayed, replay);
  if (!enough_rounds(found.rounds)) choice.claim_no_set();
  std::int64_t const there = choice.best > 0 ? static_cast<std::int64_t>(choice.best) : std::min(found.ran, depth);
  choice.survival = exact ? survival_of(accepted_from, there) : replay.survival_at(there);
  if (!asked.thorough || exact) return found;
  choice.policies = replay.policies(costs, static_cast<std::int64_t>(choice.best), depth, asked);
  return found;
}

}  // namespace draftgauge
