#include "analysis/scheduling/scheduled_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <ranges>

#include "analysis/stats/counted.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr std::size_t replicates_tried = 4;     // by which a number of drafts is chosen
constexpr double fewest_requests = 64;          // of a replicate
constexpr std::uint32_t warm_up_share = 4;      // of a replicate's requests, the first, that are not counted
constexpr std::int64_t full_batch_rounds = 64;  // by which it is said what a full batch serves

struct ServerRun {
  std::vector<double> ms_per_token = {};  ///< [counted requests]
  double waited = 0;                      ///< of them

  double mean() const {
    double sum = 0;
    for (double const one : ms_per_token) sum += one;
    return sum / static_cast<double>(ms_per_token.size());
  }
};

/// A server whose requests draft at most so many tokens a round.
class Server {
 public:
  Server(BatchCosts const& costs, std::int64_t most_batch, int gamma, Requests const& asked)
      : gamma_(gamma), asked_(asked), wait_ms_(ms_per_second / asked.per_second) {
    for (std::int64_t batch = 1; batch <= most_batch; ++batch) {
      costs_.push_back(scheduled_costs(costs, std::max(batch, costs.batches().front()), gamma));
      costs_.back().batch = batch;
      times_.push_back(pass_times(costs_.back(), gamma));
    }
  }

  ServerRun play(std::vector<ScheduledText> const& texts, Replicate const& replicate, std::uint32_t requests,
                 Deciding const& by) const {
    ScheduledRequests batch(texts, gamma_, times_.size());
    batch.begin(by);
    std::vector<Waiting> begun;
    std::deque<Waiting> waiting;
    ServerRun run;
    std::uint32_t const warm_up = requests / warm_up_share;
    std::uint32_t number = 0;
    double now = 0, next = wait(replicate, 0);
    while (run.ms_per_token.size() < requests - warm_up) {
      if (batch.count() == 0 && waiting.empty()) now = std::max(now, next);
      for (; next <= now; next += wait(replicate, number)) {
        waiting.push_back({number, next, length(replicate, number), batch.count() + waiting.size() >= times_.size()});
        ++number;
      }
      while (!waiting.empty() && batch.count() < times_.size()) {
        batch.join(replicate, waiting.front().id, by);
        begun.push_back(waiting.front());
        waiting.pop_front();
      }
      now += round(batch, replicate, by);
      for (std::size_t r = begun.size(); r-- > 0;) {
        Waiting& one = begun[r];
        one.left -= static_cast<double>(batch.emitted(r));
        if (one.left > 0) continue;
        if (one.id >= warm_up && one.id < requests) {
          run.ms_per_token.push_back((now - one.came) / static_cast<double>(length(replicate, one.id)));
          run.waited += one.found_no_place;
        }
        batch.leave(r, by);
        begun[r] = begun.back();
        begun.pop_back();
      }
    }
    run.waited /= static_cast<double>(run.ms_per_token.size());
    return run;
  }

  /// Requests a second where there always is another one.
  double most(std::vector<ScheduledText> const& texts, Replicate const& replicate, Deciding const& by) const {
    ScheduledRequests batch(texts, gamma_, times_.size());
    batch.begin(by);
    for (std::uint32_t r = 0; r < times_.size(); ++r) batch.join(replicate, r, by);
    double ms = 0, tokens = 0;
    for (std::int64_t i = 0; i < full_batch_rounds; ++i) {
      ms += round(batch, replicate, by);
      for (std::size_t r = 0; r < batch.count(); ++r) tokens += static_cast<double>(batch.emitted(r));
    }
    return ms_per_second * tokens / ms / static_cast<double>(asked_.tokens);
  }

 private:
  struct Waiting {
    std::uint32_t id;
    double came, left;  ///< when; tokens that it still lacks
    bool found_no_place;
  };

  double wait(Replicate const& replicate, std::uint32_t number) const {
    return -wait_ms_ * std::log(replicate.arrival(number));
  }
  double length(Replicate const& replicate, std::uint32_t number) const {
    auto const mean = static_cast<double>(asked_.tokens);
    if (asked_.lengths == TextLengths::equal || asked_.tokens == 1) return mean;
    return 1 + std::floor(std::log(replicate.length(number)) / std::log1p(-1 / mean));
  }
  double round(ScheduledRequests& batch, Replicate const& replicate, Deciding const& by) const {
    std::size_t const at = batch.count() - 1;
    auto const [slots, longest, accepted] = batch.play(replicate, by, times_[at]);
    return by.drafts_what_is_verified ? costs_[at].round_ms(longest, slots)
                                      : times_[at].ms[static_cast<std::size_t>(slots)];
  }

  int gamma_;
  Requests const& asked_;
  double wait_ms_;
  std::vector<ScheduledCosts> costs_;  ///< [sequences − 1]
  std::vector<PassTimes> times_;
};

/// A way to decide, at the number of drafts that serves soonest.
struct ServedCandidate {
  ServedSchedule row;
  std::vector<ServerRun> each = {};  ///< [replicates]; empty where requests pile up
};

}  // namespace

ServedSchedules serve_schedules(std::vector<EstimatedTexts> const& variants, BatchCosts const& costs,
                                std::int64_t most_batch, Requests const& requests,
                                std::vector<ScheduleCall> const& schedules, ScheduledAsked const& asked) {
  if (most_batch > max_requests)
    throw UsageError(fmt::format("{} are more than a schedule is played with ({})",
                                 counted(static_cast<std::uint64_t>(most_batch), "sequence"), max_requests),
                     fmt::format("ask of a batch of at most {}", max_requests));
  std::vector<std::vector<ScheduledText>> texts;
  for (EstimatedTexts const& variant : variants) texts.push_back(texts_with_tokens(variant.texts));
  auto const replicates = replicates_of(texts.front(), asked.seed, asked.replicates);
  auto const count = static_cast<std::uint32_t>(
      std::max(fewest_requests, static_cast<double>(asked.request_rounds) * 2 / static_cast<double>(requests.tokens)));
  std::vector<Server> servers;
  for (int drafted = 1; drafted <= asked.gamma; ++drafted) servers.emplace_back(costs, most_batch, drafted, requests);
  auto const server = [&](int drafted) -> Server const& { return servers[static_cast<std::size_t>(drafted) - 1]; };

  auto const play = [&](Deciding const& by, std::size_t variant, int drafted, std::size_t how_many) {
    std::vector<ServerRun> each(how_many);
    in_parallel(how_many, asked.threads, [&](std::size_t i) {
      each[i] = server(drafted).play(texts[variant], replicates[i], count, by);
    });
    return each;
  };
  // longest: the drafts where all that are drafted are verified.
  auto const soonest = [&](Deciding const& by, std::string name, std::size_t variant = 0, int longest = 0) {
    if (longest == 0) longest = asked.gamma;
    ServedCandidate found{.row = {.schedule = std::move(name), .estimates = {}, .most_requests_per_second = 0}};
    double least = 0;
    int best = 0;
    for (int drafted = by.drafts_what_is_verified ? longest : 1; drafted <= longest; ++drafted) {
      double const most = server(drafted).most(texts[variant], replicates.front(), by);
      found.row.most_requests_per_second = std::max(found.row.most_requests_per_second, most);
      if (most <= requests.per_second) continue;
      double ms = 0;
      if (!by.drafts_what_is_verified)
        for (ServerRun const& one : play(by, variant, drafted, std::min(replicates.size(), replicates_tried)))
          ms += one.mean();
      if (best == 0 || ms < least) best = drafted;
      if (best == drafted) least = ms;
    }
    if (best > 0) found.each = play(by, variant, best, replicates.size());
    if (best > 0 && !by.drafts_what_is_verified) found.row.drafted = best;
    return found;
  };

  ServedSchedules served{.requests = requests, .most_batch = most_batch};
  std::vector<ServedCandidate> fixed;
  auto const mean_of = [](ServedCandidate const& one) {
    double sum = 0;
    for (ServerRun const& run : one.each) sum += run.mean();
    return sum / static_cast<double>(one.each.size());
  };
  std::size_t best = 0;
  for (int length = 0; length <= asked.gamma; ++length) {
    std::string const name = fmt::format("fixed:length={}", length);
    fixed.push_back(soonest(Deciding(schedule_call(name)), name, 0, std::max(length, 1)));
    fixed.back().row.drafted = length;
    ServedCandidate const &now = fixed.back(), &before = fixed[best];
    bool const serves_more = now.row.most_requests_per_second > before.row.most_requests_per_second;
    if (before.each.empty() ? !now.each.empty() || serves_more : !now.each.empty() && mean_of(now) < mean_of(before))
      best = fixed.size() - 1;
  }
  served.best_fixed = static_cast<int>(best);
  auto const done = [&] {
    if (asked.played) asked.played();
  };
  done();
  std::vector<ServedCandidate> candidates{fixed.front()};
  if (best > 0) candidates.push_back(fixed[best]);
  for (ScheduleCall const& call : schedules) {
    bool const estimated = uses_estimates(schedule_card(call));
    for (std::size_t i = 0; i < (estimated ? variants.size() : 1); ++i) {
      candidates.push_back(soonest(Deciding(call), name_of(call), i));
      if (estimated) candidates.back().row.estimates = variants[i].estimates;
      done();
    }
  }
  candidates.push_back(soonest(Deciding(), "accepted drafts known"));
  done();
  for (ServedCandidate& candidate : candidates) {
    ServedSchedule& row = served.rows.emplace_back(std::move(candidate.row));
    if (candidate.each.empty()) continue;
    std::vector<double> means, gains, all;
    double waited = 0;
    for (std::size_t i = 0; i < candidate.each.size(); ++i) {
      ServerRun const& run = candidate.each[i];
      means.push_back(run.mean());
      if (!fixed[best].each.empty()) gains.push_back(1 - run.mean() / fixed[best].each[i].mean());
      if (2 * i >= candidate.each.size()) continue;
      all.insert(all.end(), run.ms_per_token.begin(), run.ms_per_token.end());
      waited += 2 * run.waited / static_cast<double>(candidate.each.size());
    }
    row.ms_per_token = interval_over_texts(means, texts.front().size(), asked.confidence);
    row.ms_per_token_p99 = percentile_99(std::move(all));
    row.in_progress =
        requests.per_second * row.ms_per_token->value * static_cast<double>(requests.tokens) / ms_per_second;
    row.waited = waited;
    if (!gains.empty()) row.gain = interval_over_texts(gains, texts.front().size(), asked.confidence);
  }
  return served;
}

}  // namespace draftgauge
