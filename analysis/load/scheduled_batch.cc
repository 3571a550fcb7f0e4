#include "analysis/load/scheduled_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/stats/counted.h"
#include "sim/base/error.h"
#include "sim/chance/layout.h"

namespace draftgauge {
namespace {

/// Numbers that belong to a replicate, whichever schedule asks: of a request its texts, and of each of its tokens the
/// coin that decides whether a draft of it is accepted. Differences between schedules then have little noise.
class Replicate {
 public:
  /// resampled: texts are drawn with replacement; else each is there once.
  Replicate(std::uint64_t seed, std::uint32_t number, std::vector<ScheduledText> const& texts, bool resampled)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}}, number_(number) {
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
      drawn_.push_back(resampled ? below(texts.size(), words(0, i, 0).word[0]) : i);
      tokens_.push_back((i == 0 ? 0 : tokens_.back()) + texts[drawn_.back()].accepted.size());
    }
  }

  /// The k-th text of a request.
  std::size_t text(std::uint32_t request, std::uint32_t k) const {
    return drawn_[below(drawn_.size(), words(1, request, k).word[0])];
  }
  /// Where a request begins: at any token of all texts, so that a long one is met as often as it would be midway.
  struct Place {
    std::size_t text, token;
  };
  Place start(std::uint32_t request) const {
    std::size_t const token = below(tokens_.back(), words(2, request, 0).word[0]);
    auto const i = static_cast<std::size_t>(std::ranges::upper_bound(tokens_, token) - tokens_.begin());
    return {drawn_[i], token - (i == 0 ? 0 : tokens_[i - 1])};
  }
  /// In [0, 1), of a request's n-th token.
  double coin(std::uint32_t request, std::uint64_t n) const {
    auto const bits = words(3 + static_cast<std::uint32_t>(n >> 32), request, static_cast<std::uint32_t>(n));
    return (bits.word[0] + .5) * 0x1p-32;
  }

 private:
  static std::size_t below(std::size_t count, std::uint32_t word) {
    return static_cast<std::size_t>(std::uint64_t{word} * count >> 32);
  }
  Philox::Words words(std::uint32_t what, std::uint32_t request, std::uint32_t index) const {
    return Philox::bits({{index, request, number_ << 8 | what, layout::resampled}}, key_);
  }

  Philox::Key key_;
  std::uint32_t number_;
  std::vector<std::size_t> drawn_;
  std::vector<std::size_t> tokens_;  ///< [i] of the first i + 1 of them together
};

/// Sums over a replicate's rounds.
struct Played {
  double tokens = 0, ms = 0, slots = 0, accepted = 0, rounds = 0;  ///< rounds of requests

  double tokens_per_ms() const { return tokens / ms; }
  Played& operator+=(Played const& other) {
    tokens += other.tokens;
    ms += other.ms;
    slots += other.slots;
    accepted += other.accepted;
    rounds += other.rounds;
    return *this;
  }
};

/// Of each request no more than what is accepted, and of that as much as makes most tokens per time.
void decide_knowing(BatchDrafts<double> const& drafts, std::vector<int> const& kept, int* lengths) {
  int all = 0;
  for (int const one : kept) all += one;
  int best = 0;
  double const requests = drafts.requests;
  for (int n = 1; n <= all; ++n)
    if ((requests + best) * drafts.time[n] < (requests + n) * drafts.time[best]) best = n;
  for (int r = 0; r < drafts.requests; ++r) {
    lengths[r] = std::min(kept[static_cast<std::size_t>(r)], best);
    best -= lengths[r];
  }
}

/// How lengths are decided: by a schedule, or by who knows which drafts are accepted.
struct Deciding {
  Deciding() = default;
  explicit Deciding(Call const& call)
      : schedule(AnySchedule(call)), drafts_what_is_verified(schedule_card(call).sight == Sight::past) {}

  std::optional<AnySchedule> schedule = {};
  bool drafts_what_is_verified = false;  ///< since lengths are known before anything is drafted
};

/// A batch of requests that go along texts.
class Batch {
 public:
  Batch(std::vector<ScheduledText> const& texts, ScheduledCosts const& costs, int gamma)
      : texts_(texts), costs_(costs), gamma_(gamma), requests_(static_cast<std::size_t>(costs.batch)) {
    std::size_t const slots = requests_.size() * static_cast<std::size_t>(gamma);
    for (std::size_t n = 0; n <= slots; ++n) times_.push_back(costs.round_ms(gamma, static_cast<int>(n)));
    gammas_.resize(requests_.size());
    lengths_.resize(requests_.size());
    accepted_.resize(requests_.size());
    memory_.resize(requests_.size());
    estimate_.resize(slots);
    token_.resize(slots);
  }

  Played play(Replicate const& replicate, std::int64_t rounds, Deciding const& by) {
    Played sums;
    BatchDrafts<double> const drafts{static_cast<int>(requests_.size()),
                                     gamma_,
                                     gammas_.data(),
                                     token_.data(),
                                     estimate_.data(),
                                     estimate_.data(),
                                     times_.data()};
    start(replicate);
    std::ranges::fill(gammas_, gamma_);
    if (by.schedule) by.schedule->begin(drafts, memory_.data());
    std::vector<int> kept(requests_.size());
    for (std::int64_t round = 0; round < rounds; ++round) {
      for (std::size_t r = 0; r < requests_.size(); ++r) kept[r] = draft(replicate, r);
      if (by.schedule)
        by.schedule->decide(drafts, memory_.data(), lengths_.data());
      else
        decide_knowing(drafts, kept, lengths_.data());
      int slots = 0, longest = 0;
      for (std::size_t r = 0; r < requests_.size(); ++r) {
        slots += lengths_[r];
        longest = std::max(longest, lengths_[r]);
        accepted_[r] = std::min(kept[r], lengths_[r]);
        sums.accepted += accepted_[r];
        sums.tokens += static_cast<double>(advance(replicate, r, static_cast<std::size_t>(accepted_[r]) + 1));
      }
      sums.slots += slots;
      sums.ms +=
          by.drafts_what_is_verified ? costs_.round_ms(longest, slots) : times_[static_cast<std::size_t>(slots)];
      sums.rounds += static_cast<double>(requests_.size());
      if (by.schedule) by.schedule->after(drafts, lengths_.data(), accepted_.data(), memory_.data());
    }
    return sums;
  }

 private:
  struct Request {
    std::size_t text = 0, at = 0;
    std::uint32_t texts = 0;   ///< that it has begun
    std::uint64_t tokens = 0;  ///< before `at`, of all its texts
  };

  void start(Replicate const& replicate) {
    for (std::uint32_t r = 0; r < requests_.size(); ++r) {
      Request& request = requests_[r] = {};
      auto const [text, token] = replicate.start(r);
      request.text = text;
      request.at = token;
      ++request.texts;
    }
  }
  /// What is drafted for a request. Returns how many of these drafts would be accepted, were all verified.
  int draft(Replicate const& replicate, std::size_t r) {
    Request const& request = requests_[r];
    ScheduledText const& text = texts_[request.text];
    int const places =
        static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(gamma_), text.accepted.size() - request.at));
    gammas_[r] = places;
    int kept = 0;
    bool all = true;
    for (int i = 0; i < places; ++i) {
      std::size_t const at = request.at + static_cast<std::size_t>(i);
      estimate_[r * static_cast<std::size_t>(gamma_) + static_cast<std::size_t>(i)] = text.estimate[at];
      all = all && replicate.coin(static_cast<std::uint32_t>(r), request.tokens + static_cast<std::uint64_t>(i)) <
                       text.accepted[at];
      kept += all;
    }
    return kept;
  }
  /// Goes on by so many tokens, or to the text's end, and says how many they were.
  std::size_t advance(Replicate const& replicate, std::size_t r, std::size_t tokens) {
    Request& request = requests_[r];
    std::size_t const left = texts_[request.text].accepted.size() - request.at;
    std::size_t const gone = std::min(tokens, left);
    request.at += gone;
    request.tokens += gone;
    if (gone == left) {
      request.text = replicate.text(static_cast<std::uint32_t>(r), request.texts++);
      request.at = 0;
    }
    return gone;
  }

  std::vector<ScheduledText> const& texts_;
  ScheduledCosts const& costs_;
  int gamma_;
  std::vector<Request> requests_;
  std::vector<double> times_, memory_, estimate_;
  std::vector<Token> token_;
  std::vector<int> gammas_, lengths_, accepted_;
};

/// Of the replicates along the texts as they are, with an interval: by how much those of resampled texts differ, which is
/// short of what texts differ by n/(n − 1); of one text by how much what is drawn differs.
Interval interval_of(std::vector<double> const& each, ScheduledAsked const& asked, std::size_t texts) {
  std::size_t const half = each.size() / 2;
  std::span<double const> const as_they_are(each.data(), half), resampled(each.data() + half, each.size() - half);
  double value = 0;
  for (double const one : as_they_are) value += one / static_cast<double>(half);
  if (texts == 1)
    return student_interval(value, spread_of(each) / std::sqrt(static_cast<double>(each.size())),
                            static_cast<double>(each.size()) - 1, asked.confidence);
  auto const count = static_cast<double>(texts);
  double const degrees = std::min(count, static_cast<double>(resampled.size())) - 1;
  return student_interval(value, spread_of(resampled) * std::sqrt(count / (count - 1)), degrees, asked.confidence);
}

/// A way to decide, played at the number of drafts that suits it best.
struct Candidate {
  std::string name;
  std::optional<int> drafted;
  std::vector<Played> each;  ///< [replicates]
};

Played sum_of(std::vector<Played> const& each) {
  Played sum;
  for (Played const& one : each) sum += one;
  return sum;
}

/// With its parameters, where they are not the standard ones.
std::string name_of(Call const& call) {
  ScheduleCard const& card = schedule_card(call);
  return call.values == standard_values(card.parameters) ? std::string(card.name) : schedule_text(call);
}

/// Replicates by which a number of drafts is chosen.
constexpr std::size_t tried = 4;

}  // namespace

double ScheduledCosts::round_ms(int drafted, int slots) const {
  double const overhead = drafted > 0 ? costs.overhead : 0;
  double const tokens = 1 + static_cast<double>(slots) / static_cast<double>(batch);
  auto const whole = static_cast<std::int64_t>(tokens);
  double const part = tokens - static_cast<double>(whole);
  double pass = costs.verify_pass(whole);
  if (part > 0) pass += part * (costs.verify_pass(whole + 1) - pass);
  double const draft = drafted > 0 ? costs.draft * costs.draft_steps(drafted, whole + (part > 0)) : 0;
  if (!pass_ms.empty()) return plain_ms * (draft + overhead) + pass_ms.at(static_cast<std::size_t>(slots));
  return plain_ms * (draft + pass + overhead);
}

std::optional<int> first_step(ScheduledCosts const& costs, int gamma) {
  int const slots = static_cast<int>(costs.batch) * gamma;
  for (int n = 1; n < slots; ++n) {
    double const before = costs.round_ms(gamma, n) - costs.round_ms(gamma, n - 1);
    double const behind = costs.round_ms(gamma, n + 1) - costs.round_ms(gamma, n);
    if (behind < before - 1e-9 * costs.plain_ms) return n;
  }
  return std::nullopt;
}

ScheduleRows compare_schedules(std::vector<ScheduledText> const& texts, ScheduledCosts const& costs,
                               std::vector<Call> const& schedules, ScheduledAsked const& asked) {
  if (costs.batch > max_requests)
    throw UsageError(fmt::format("{} are more than a schedule is played with ({})",
                                 counted(static_cast<std::uint64_t>(costs.batch), "sequence"), max_requests),
                     fmt::format("ask of a batch of at most {}", max_requests));
  std::vector<ScheduledText> read;
  std::ranges::copy_if(texts, std::back_inserter(read),
                       [](ScheduledText const& text) { return !text.accepted.empty(); });
  if (read.empty()) throw InputError("no text has a token (a schedule is played along texts)", "give longer texts");
  std::int64_t const rounds = std::max<std::int64_t>(16, asked.request_rounds / costs.batch);
  std::vector<Replicate> replicates;
  for (int i = 0; i < asked.replicates; ++i)
    replicates.emplace_back(asked.seed, static_cast<std::uint32_t>(i), read,
                            read.size() > 1 && 2 * i >= asked.replicates);
  std::vector<Batch> batches;  // by the drafts of each request's round
  for (int drafted = 1; drafted <= asked.gamma; ++drafted) batches.emplace_back(read, costs, drafted);

  // The first replicates of a way to decide, at a number of drafts.
  auto const play = [&](Deciding const& deciding, int drafted, std::size_t count) {
    std::vector<Played> each;
    for (std::size_t i = 0; i < count; ++i)
      each.push_back(batches[static_cast<std::size_t>(drafted) - 1].play(replicates[i], rounds, deciding));
    return each;
  };
  auto const at_best = [&](Deciding const& deciding, std::string name) {
    Candidate candidate{std::move(name), {}, {}};
    if (!deciding.drafts_what_is_verified) {
      double most = 0;
      for (int drafted = 1; drafted <= asked.gamma; ++drafted) {
        double const rate = sum_of(play(deciding, drafted, std::min(replicates.size(), tried))).tokens_per_ms();
        if (rate > most) candidate.drafted = drafted;
        most = std::max(most, rate);
      }
    }
    candidate.each = play(deciding, candidate.drafted.value_or(asked.gamma), replicates.size());
    return candidate;
  };
  std::vector<Candidate> fixed;
  std::size_t best = 0;
  for (int length = 0; length <= asked.gamma; ++length) {
    std::string const name = fmt::format("fixed:length={}", length);
    fixed.push_back(at_best(Deciding(schedule_call(name)), name));
    fixed.back().drafted = length;
    if (sum_of(fixed.back().each).tokens_per_ms() > sum_of(fixed[best].each).tokens_per_ms()) best = fixed.size() - 1;
  }
  ScheduleRows found{
      .batch = costs.batch, .best_fixed = static_cast<int>(best), .first_step = first_step(costs, asked.gamma)};
  Candidate const plain = fixed.front(), chosen = fixed[best];
  std::vector<Candidate> candidates = {plain};
  if (best > 0) candidates.push_back(chosen);
  for (Call const& call : schedules) candidates.push_back(at_best(Deciding(call), name_of(call)));
  candidates.push_back(at_best(Deciding(), "accepted drafts known"));

  for (Candidate const& candidate : candidates) {
    std::vector<Played> const as_they_are(
        candidate.each.begin(), candidate.each.begin() + static_cast<std::ptrdiff_t>(candidate.each.size() / 2));
    Played const sum = sum_of(as_they_are);
    std::vector<double> rates, speedups, gains;
    for (std::size_t i = 0; i < candidate.each.size(); ++i) {
      double const rate = candidate.each[i].tokens_per_ms();
      rates.push_back(1e3 * rate);
      speedups.push_back(rate / plain.each[i].tokens_per_ms());
      gains.push_back(rate / chosen.each[i].tokens_per_ms() - 1);
    }
    found.rows.push_back({.schedule = candidate.name,
                          .tokens_per_second = interval_of(rates, asked, read.size()),
                          .speedup = interval_of(speedups, asked, read.size()),
                          .gain = interval_of(gains, asked, read.size()),
                          .drafted = candidate.drafted,
                          .tokens = sum.tokens / sum.rounds,
                          .verified = sum.slots / sum.rounds,
                          .wasted = sum.slots > 0 ? 1 - sum.accepted / sum.slots : 0,
                          .ms_per_token = static_cast<double>(costs.batch) / sum.tokens_per_ms()});
  }
  return found;
}

}  // namespace draftgauge
