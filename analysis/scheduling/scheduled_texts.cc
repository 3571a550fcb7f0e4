#include "analysis/scheduling/scheduled_texts.h"

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/chance/layout.h"
#include "sim/play/shared_range.h"

namespace draftgauge {
namespace {

/// What a replicate's numbers are for.
enum Numbers : std::uint32_t { of_drawn, of_next_text, of_start, of_coin, of_arrival = 254, of_length = 255 };

std::size_t below_count(std::size_t count, std::uint32_t word) {
  return static_cast<std::size_t>(std::uint64_t{word} * count >> 32);
}
double unit(std::uint32_t word) { return (word + .5) * 0x1p-32; }

/// Of each request no more than what is accepted, and of that as much as makes most tokens per time.
void decide_knowing(BatchDrafts<double> const& drafts, std::vector<int> const& kept, int* lengths) {
  int all = 0;
  for (int r = 0; r < drafts.requests; ++r) all += kept[static_cast<std::size_t>(r)];
  int best = 0;
  double const requests = drafts.requests;
  for (int n = 1; n <= all; ++n)
    if (below((requests + best) * drafts.time[n], (requests + n) * drafts.time[best])) best = n;
  for (int r = 0; r < drafts.requests; ++r) {
    lengths[r] = std::min(kept[static_cast<std::size_t>(r)], best);
    best -= lengths[r];
  }
}

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

ScheduledCosts scheduled_costs(BatchCosts const& costs, std::int64_t batch, int gamma) {
  ScheduledCosts of{costs.plain_ms(batch).value, costs.at(batch), batch};
  if (costs.by_tokens())
    for (std::int64_t n = 0; n <= batch * gamma; ++n) of.pass_ms.push_back(costs.plain_ms(batch + n).value);
  return of;
}

PassTimes pass_times(ScheduledCosts const& costs, int gamma) {
  PassTimes times;
  for (int n = 0; n <= static_cast<int>(costs.batch) * gamma; ++n) times.ms.push_back(costs.round_ms(gamma, n));
  std::vector<std::size_t> corners;  // of the lower convex hull
  for (std::size_t n = 0; n < times.ms.size(); ++n) {
    auto const slope = [&](std::size_t from, std::size_t to) {
      return (times.ms[to] - times.ms[from]) / static_cast<double>(to - from);
    };
    while (corners.size() > 1 && slope(corners.end()[-2], corners.back()) >= slope(corners.back(), n))
      corners.pop_back();
    corners.push_back(n);
  }
  times.envelope.assign(1, times.ms.front());
  for (std::size_t i = 1; i < corners.size(); ++i)
    for (std::size_t n = corners[i - 1] + 1; n <= corners[i]; ++n)
      times.envelope.push_back(std::lerp(times.ms[corners[i - 1]], times.ms[corners[i]],
                                         static_cast<double>(n - corners[i - 1]) /
                                             static_cast<double>(corners[i] - corners[i - 1])));
  return times;
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

Replicate::Replicate(std::uint64_t seed, std::uint32_t number, std::vector<ScheduledText> const& texts,
                     bool resampled)
    : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}}, number_(number) {
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    drawn_.push_back(resampled ? below_count(texts.size(), words(of_drawn, i, 0).word[0]) : i);
    tokens_.push_back((i == 0 ? 0 : tokens_.back()) + texts[drawn_.back()].accepted.size());
  }
}

std::size_t Replicate::text(std::uint32_t request, std::uint32_t k) const {
  return drawn_[below_count(drawn_.size(), words(of_next_text, request, k).word[0])];
}

Replicate::Place Replicate::start(std::uint32_t request) const {
  std::size_t const token = below_count(tokens_.back(), words(of_start, request, 0).word[0]);
  auto const i = static_cast<std::size_t>(std::ranges::upper_bound(tokens_, token) - tokens_.begin());
  return {drawn_[i], token - (i == 0 ? 0 : tokens_[i - 1])};
}

double Replicate::coin(std::uint32_t request, std::uint64_t n) const {
  return unit(words(of_coin + static_cast<std::uint32_t>(n >> 32), request, static_cast<std::uint32_t>(n)).word[0]);
}
double Replicate::arrival(std::uint32_t request) const { return unit(words(of_arrival, request, 0).word[0]); }
double Replicate::length(std::uint32_t request) const { return unit(words(of_length, request, 0).word[0]); }

Philox::Words Replicate::words(std::uint32_t what, std::uint32_t request, std::uint32_t index) const {
  return Philox::bits({{index, request, number_ << 8 | what, layout::resampled}}, key_);
}

std::vector<ScheduledText> texts_with_tokens(std::vector<ScheduledText> const& texts) {
  std::vector<ScheduledText> read;
  std::ranges::copy_if(texts, std::back_inserter(read),
                       [](ScheduledText const& text) { return !text.accepted.empty(); });
  if (read.empty()) throw InputError("no text has a token (a schedule is played along texts)", "give longer texts");
  return read;
}

std::vector<Replicate> replicates_of(std::vector<ScheduledText> const& texts, std::uint64_t seed, int count) {
  std::vector<Replicate> replicates;
  for (int i = 0; i < count; ++i)
    replicates.emplace_back(seed, static_cast<std::uint32_t>(i), texts, texts.size() > 1 && 2 * i >= count);
  return replicates;
}

Interval interval_over_texts(std::vector<double> const& replicates, std::size_t texts, double confidence) {
  std::size_t const half = replicates.size() / 2;
  std::span<double const> const as_they_are(replicates.data(), half),
      resampled(replicates.data() + half, replicates.size() - half);
  double value = 0;
  for (double const one : as_they_are) value += one / static_cast<double>(half);
  if (texts == 1)
    return student_interval(value, spread_of(replicates) / std::sqrt(static_cast<double>(replicates.size())),
                            static_cast<double>(replicates.size()) - 1, confidence);
  auto const count = static_cast<double>(texts);
  double const degrees = std::min(count, static_cast<double>(resampled.size())) - 1;
  return student_interval(value, spread_of(resampled) * std::sqrt(count / (count - 1)), degrees, confidence);
}

double percentile_99(std::vector<double> values) {
  if (values.empty()) return 0;
  auto const at = values.begin() + static_cast<std::ptrdiff_t>(values.size() * 99 / 100);
  std::ranges::nth_element(values, at);
  return *at;
}

void in_parallel(std::size_t count, int threads, std::function<void(std::size_t)> const& f) {
  struct Worker {
    std::function<void(std::size_t)> const& f;
    void play(Range range) const {
      for (std::uint64_t i = range.begin; i < range.end; ++i) f(i);
    }
  };
  share({0, count}, threads, [&] { return Worker{f}; });
}

ScheduledRequests::ScheduledRequests(std::vector<ScheduledText> const& texts, int gamma, std::size_t most)
    : texts_(texts),
      gamma_(gamma),
      memory_(most),
      estimate_(most * static_cast<std::size_t>(gamma)),
      token_(estimate_.size()),
      gammas_(most, gamma),
      lengths_(most),
      kept_(most),
      accepted_(most),
      emitted_(most) {}

BatchDrafts<double> ScheduledRequests::drafts(PassTimes const& times) const {
  return {.requests = static_cast<int>(requests_.size()),
          .stride = gamma_,
          .gamma = gammas_.data(),
          .token = token_.data(),
          .own = estimate_.data(),
          .estimate = estimate_.data(),
          .time = times.ms.data(),
          .envelope = times.envelope.data()};
}

void ScheduledRequests::join(Replicate const& replicate, std::uint32_t id, Deciding const& by) {
  auto const [text, token] = replicate.start(id);
  requests_.push_back({.id = id, .text = text, .at = token, .texts = 1});
  gammas_[requests_.size() - 1] = gamma_;
  if (by.schedule)
    by.schedule->joined(drafts({}), static_cast<int>(requests_.size()) - 1, memory_.data());
}

void ScheduledRequests::leave(std::size_t r, Deciding const& by) {
  requests_[r] = requests_.back();
  emitted_[r] = emitted_[requests_.size() - 1];
  if (by.schedule) by.schedule->moved(static_cast<int>(requests_.size()) - 1, static_cast<int>(r), memory_.data());
  requests_.pop_back();
}

void ScheduledRequests::begin(Deciding const& by) {
  if (by.schedule) by.schedule->begin(drafts({}), memory_.data());
}

ScheduledRequests::Round ScheduledRequests::play(Replicate const& replicate, Deciding const& by,
                                                 PassTimes const& times) {
  for (std::size_t r = 0; r < requests_.size(); ++r) kept_[r] = draft(replicate, r);
  BatchDrafts<double> const drafted = drafts(times);
  if (by.schedule)
    by.schedule->decide(drafted, memory_.data(), lengths_.data());
  else
    decide_knowing(drafted, kept_, lengths_.data());
  Round round;
  for (std::size_t r = 0; r < requests_.size(); ++r) {
    accepted_[r] = std::min(kept_[r], lengths_[r]);
    round.slots += lengths_[r];
    round.longest = std::max(round.longest, lengths_[r]);
    round.accepted += accepted_[r];
  }
  if (by.schedule) by.schedule->after(drafted, lengths_.data(), accepted_.data(), memory_.data());
  for (std::size_t r = 0; r < requests_.size(); ++r)
    emitted_[r] = advance(replicate, r, static_cast<std::size_t>(accepted_[r]) + 1);
  return round;
}

/// What is drafted for a request. Returns how many of these drafts would be accepted, were all verified.
int ScheduledRequests::draft(Replicate const& replicate, std::size_t r) {
  Request const& request = requests_[r];
  ScheduledText const& text = texts_[request.text];
  int const places =
      static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(gamma_), text.accepted.size() - request.at));
  gammas_[r] = places;
  for (int i = 0; i < places; ++i) {
    auto const place = static_cast<std::size_t>(i);
    std::vector<double> const& told =
        text.by_place.empty() ? text.estimate : text.by_place[std::min(place, text.by_place.size() - 1)];
    estimate_[r * static_cast<std::size_t>(gamma_) + place] = told[request.at + place];
  }
  int kept = 0;
  while (kept < places && replicate.coin(request.id, request.tokens + static_cast<std::uint64_t>(kept)) <
                              text.accepted[request.at + static_cast<std::size_t>(kept)])
    ++kept;
  return kept;
}

/// Goes on by so many tokens, or to the text's end, and says how many they were.
std::size_t ScheduledRequests::advance(Replicate const& replicate, std::size_t r, std::size_t tokens) {
  Request& request = requests_[r];
  std::size_t const left = texts_[request.text].accepted.size() - request.at;
  std::size_t const gone = std::min(tokens, left);
  request.at += gone;
  request.tokens += gone;
  if (gone == left) {
    request.text = replicate.text(request.id, request.texts++);
    request.at = 0;
  }
  return gone;
}

}  // namespace draftgauge
