#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <random>
#include <vector>

#include "analysis/load/rate_choice.h"
#include "analysis/theory/closed_form.h"
#include "tests/analysis/load/fixture.h"

/// A server that decodes a batch step by step, against what is said of it: requests arrive at random, join the batch
/// between steps while there is a place, and go on each by the tokens that its own rounds give.
namespace draftgauge {
namespace {

constexpr double alpha = .8;
constexpr std::uint64_t rounds_played = 10'000'000;  ///< of all requests together
constexpr std::size_t group = 2'000;                 ///< requests whose mean is one for the error

struct Simulated {
  double ms_per_token, relative_error;  ///< one standard error, of means over successive groups
  std::size_t groups;
};

class Server {
 public:
  Server(std::vector<double> round_ms, std::int64_t gamma, Requests const& requests, std::uint64_t seed)
      : round_ms_(std::move(round_ms)), gamma_(gamma), requests_(requests), bits_(seed) {}

  Simulated run() {
    double now = 0, next = wait();
    std::deque<double> waiting;
    for (std::uint64_t played = 0; played < rounds_played; played += batch_.size()) {
      if (batch_.empty() && waiting.empty()) {
        waiting.push_back(now = next);
        next += wait();
      }
      while (!waiting.empty() && batch_.size() < round_ms_.size()) {
        batch_.push_back({waiting.front(), length()});
        waiting.pop_front();
      }
      for (now += round_ms_[batch_.size() - 1]; next <= now; next += wait()) waiting.push_back(next);
      step(now);
    }
    double mean = 0, squares = 0;
    for (double const each : means_) mean += each / static_cast<double>(means_.size());
    for (double const each : means_) squares += (each - mean) * (each - mean);
    auto const n = static_cast<double>(means_.size());
    return {mean / static_cast<double>(requests_.tokens), std::sqrt(squares / (n - 1) / n) / mean, means_.size()};
  }

  /// Requests a second where there always is another one.
  double flooded(std::size_t batch) {
    double now = 0;
    for (std::uint64_t played = 0; played < rounds_played / 4; played += batch) {
      while (batch_.size() < batch) batch_.push_back({now, length()});
      step(now += round_ms_[batch - 1]);
    }
    return ms_per_second * static_cast<double>(group * means_.size() + in_group_) / now;
  }

 private:
  struct Request {
    double since;
    std::int64_t left;
  };

  double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }
  double wait() { return -std::log1p(-uniform()) * ms_per_second / requests_.per_second; }
  std::int64_t length() {
    if (requests_.lengths == TextLengths::equal) return requests_.tokens;
    double const more = std::log1p(-uniform()) / std::log1p(-1 / static_cast<double>(requests_.tokens));
    return 1 + static_cast<std::int64_t>(more);
  }
  void step(double now) {
    for (std::size_t i = 0; i < batch_.size();) {
      --batch_[i].left;
      for (std::int64_t draft = 0; draft < gamma_ && uniform() < alpha; ++draft) --batch_[i].left;
      if (batch_[i].left > 0) {
        ++i;
        continue;
      }
      sum_ += now - batch_[i].since;
      batch_[i] = batch_.back();
      batch_.pop_back();
      if (++in_group_ < group) continue;
      means_.push_back(sum_ / group);
      sum_ = 0;
      in_group_ = 0;
    }
  }

  std::vector<double> round_ms_;  ///< [b − 1]
  std::int64_t gamma_;
  Requests requests_;
  std::mt19937_64 bits_;
  std::vector<Request> batch_;
  std::vector<double> means_;
  double sum_ = 0;
  std::size_t in_group_ = 0;
};

struct Table {
  LoadTable table = testing::load_file("batch_table.csv");
  BatchCosts costs{table, {}, {}, "target"};
  BatchAcceptance accepted = [] {
    std::vector<double> tokens;
    for (std::int64_t gamma = 0; gamma <= 8; ++gamma) tokens.push_back(theory::expected_tokens(alpha, gamma));
    return acceptance_by_tokens(std::move(tokens), true);
  }();

  std::vector<double> round_ms(std::int64_t gamma) const {
    std::vector<double> all;
    for (std::int64_t batch = 1; batch <= costs.batches().back(); ++batch)
      all.push_back(points_in_batch(costs, accepted.tokens, gamma, batch).back().round_ms);
    return all;
  }
  std::vector<RateRow> rows(Requests const& requests) const {
    return serve_by_gamma(costs, accepted, 8, false, requests);
  }
};

std::vector<Requests> requests_of(std::vector<std::pair<double, std::int64_t>> const& all) {
  std::vector<Requests> requests;
  for (auto const& [per_second, tokens] : all)
    for (TextLengths const lengths : {TextLengths::equal, TextLengths::geometric})
      requests.push_back({per_second, tokens, lengths});
  return requests;
}

}  // namespace

TEST_CASE("load: time per token is within .5 % of a simulated server's, from 8 tokens a request to 256") {
  // Seeds 1 … 16. The standard errors of these runs are .01 to .3 %. A formula that is right within .5 % is refused
  // where the simulation is off by 3 of them: .3 % a case. Tokens as a fluid are off by 1 % (256 tokens) to 40 % (8),
  // and are refused in each but the last, 256 tokens of geometric length.
  Table const table;
  std::uint64_t seed = 0;
  for (Requests const& requests :
       requests_of({{64, 8}, {192, 8}, {290, 8}, {21.3, 24}, {64, 24}, {8, 64}, {24, 64}, {2, 256}})) {
    ServedRate const said = table.rows(requests)[3].served;
    Simulated const found = Server(table.round_ms(3), 3, requests, ++seed).run();
    CAPTURE(requests.tokens, requests.per_second, requests.lengths == TextLengths::geometric, found.relative_error,
            found.groups, *said.poisson_ms_per_token / found.ms_per_token - 1);
    CHECK(std::abs(*said.poisson_ms_per_token / found.ms_per_token - 1) < .005 + 3 * found.relative_error);
    CHECK(*said.poisson_concurrency ==
          Approx(requests.per_second * *said.poisson_ms_per_token * static_cast<double>(requests.tokens) / 1e3));
  }
}

TEST_CASE("load: at 8 tokens a request the γ of least time is the simulated server's") {
  // As a fluid γ = 3 was said. The two are 1.3 % apart; the standard errors are .04 %.
  Table const table;
  Requests const requests{192, 8};
  CHECK(best_of(table.rows(requests)).gamma == 2);
  CHECK(Server(table.round_ms(2), 2, requests, 21).run().ms_per_token <
        .995 * Server(table.round_ms(3), 3, requests, 22).run().ms_per_token);
}

TEST_CASE("load: the most requests a second are within .5 % of a simulated server's that always has another one") {
  // 2.5 million rounds: standard errors up to .2 % (geometric lengths: 1/√requests, of 256 tokens 28 000: .6 %).
  Table const table;
  std::uint64_t seed = 30;
  for (Requests const& requests : requests_of({{1, 8}, {1, 24}, {1, 64}, {1, 256}})) {
    ServedRate const said = table.rows(requests)[3].served;
    double const found =
        Server(table.round_ms(3), 3, requests, ++seed).flooded(static_cast<std::size_t>(said.busiest));
    double const error = requests.lengths == TextLengths::equal
                             ? 0
                             : std::sqrt(static_cast<double>(requests.tokens) / 2.952 / (rounds_played / 4.));
    CAPTURE(requests.tokens, requests.lengths == TextLengths::geometric, said.most_requests_per_second / found - 1);
    CHECK(std::abs(said.most_requests_per_second / found - 1) < .005 + 3 * error);
  }
}
}  // namespace draftgauge
