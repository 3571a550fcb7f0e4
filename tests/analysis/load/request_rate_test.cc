#include "analysis/load/request_rate.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "tests/message.h"

using namespace draftgauge;

namespace {

/// t(b) for b = 1 … 16: nearly flat, then by the number of sequences.
std::vector<double> times() {
  std::vector<double> ms;
  for (int b = 1; b <= 16; ++b) ms.push_back(10 + .3 * b + (b > 8 ? 2. * (b - 8) : 0));
  return ms;
}

constexpr double request_tokens = 100;

/// Requests of so many tokens, each of so many parts of a step that they flow.
std::vector<RequestTime> fluid(std::vector<double> const& ms) {
  std::vector<RequestTime> all;
  for (double const each : ms) all.push_back({request_tokens * 1e9, each / 1e9});
  return all;
}
ServedRate serve_fluid(std::vector<double> const& ms, double tokens_per_second) {
  return serve(fluid(ms), tokens_per_second / request_tokens, request_tokens);
}

/// t at any number of sequences, by its definition.
double time_at(std::vector<double> const& ms, double b) {
  if (b <= 1) return ms[0];
  auto const below = static_cast<std::size_t>(b);
  double const share = b - static_cast<double>(below);
  return ms[below - 1] + (share > 0 ? share * (ms[below] - ms[below - 1]) : 0);
}

}  // namespace

TEST_CASE("at a rate of requests concurrency and time per token agree by Little's law") {
  std::vector<double> const ms = times();
  for (double const asked : {20., 90., 300., 500., 620.}) {
    CAPTURE(asked);
    ServedRate const served = serve_fluid(ms, asked);
    REQUIRE(served.concurrency);
    CHECK(*served.ms_per_token == Approx(time_at(ms, *served.concurrency)));
    CHECK(*served.concurrency == Approx(asked * *served.ms_per_token / 1e3));
    // The smallest such: by steps from an idle server on.
    double b = 0;
    for (int i = 0; i < 100'000; ++i) b += .05 * (asked * time_at(ms, std::min(b, 16.)) / 1e3 - b);
    CHECK(*served.concurrency == Approx(b).epsilon(1e-6));
  }
}

TEST_CASE("a request waits for half a step, where the server is not idle, and takes whole rounds") {
  // One request a second of 5 rounds, 20 ms each: the server is busy a tenth of the time.
  RequestTime const alone[] = {{5, 20}, {5, 20}, {5, 20}};
  ServedRate const few = serve(alone, 1, 8);
  CHECK((*few.concurrency == Approx(.1) && *few.ms_per_token == Approx((100 + .1 * 10) / 8)));
  CHECK(few.most_requests_per_second == Approx(30));
  // A step that does not grow leaves E[B] of a fluid, and what is there counts those that wait.
  std::vector<RequestTime> const flat(64, {5, 20});
  ServedRate const served = serve(flat, 100, 8);
  double const busy = 1 - std::exp(-10.);
  CHECK(*served.poisson_ms_per_token == Approx((100 + busy * 10) / 8));
  CHECK(*served.poisson_concurrency == Approx(10 + busy));
  CHECK(*served.ms_per_token == Approx(110 / 8.));
}

TEST_CASE("a rate beyond what any batch makes is not served") {
  std::vector<double> const ms = times();
  double most = 0;
  for (std::size_t b = 1; b <= ms.size(); ++b) most = std::max(most, 1e3 * static_cast<double>(b) / ms[b - 1]);
  CHECK(serve_fluid(ms, 1).most_requests_per_second == Approx(most / request_tokens));
  CHECK(serve_fluid(ms, most * .999).concurrency);
  ServedRate const beyond = serve_fluid(ms, most * 1.001);
  CHECK((!beyond.concurrency && !beyond.ms_per_token && !beyond.poisson_concurrency));
  CHECK(testing::message([] { serve({}, 1, 1); }) == "a rate of requests needs times above 0 and tokens above 0");
}

TEST_CASE("load: requests that come by chance: the mean number of them, as when they are played") {
  // Jobs of exponential length share the server, no more than the largest batch at once: by their jumps.
  std::vector<double> const ms = times();
  constexpr double asked = 480, length = request_tokens;
  std::mt19937_64 bits(7);
  std::uniform_real_distribution<double> uniform;
  double time = 0, area = 0, waiting = 0;
  std::size_t jobs = 0;
  for (int i = 0; i < 4'000'000; ++i) {
    double const arrivals = asked / length;
    std::size_t const running = std::min(jobs, ms.size());
    double const leaves = jobs == 0 ? 0 : 1e3 * static_cast<double>(running) / ms[running - 1] / length;
    double const wait = -std::log1p(-uniform(bits)) / (arrivals + leaves);
    time += wait;
    area += wait * static_cast<double>(jobs);
    if (jobs > ms.size()) waiting += wait;
    jobs = uniform(bits) * (arrivals + leaves) < arrivals ? jobs + 1 : jobs - 1;
  }
  ServedRate const served = serve_fluid(ms, asked);
  CHECK(*served.poisson_concurrency == Approx(area / time).epsilon(.03));
  CHECK(*served.poisson_concurrency == Approx(asked * *served.poisson_ms_per_token / 1e3));
  CHECK(*served.poisson_concurrency > *served.concurrency);
  CHECK(waiting / time > .02);
  CHECK(*served.poisson_waiting == Approx(waiting / time).epsilon(.1));
  // The largest batch makes fewer tokens than a smaller one, and does not come down from there.
  CHECK((serve_fluid(ms, 560).concurrency && !serve_fluid(ms, 560).poisson_concurrency));
  // One speed for any number of jobs is M/M/1: ρ/(1 − ρ).
  std::vector<double> linear;
  for (int b = 1; b <= 4; ++b) linear.push_back(10. * b);
  CHECK(*serve_fluid(linear, 60).poisson_concurrency == Approx(.6 / .4));
  CHECK(*serve_fluid(linear, 60).poisson_waiting == Approx(std::pow(.6, 5)));
  CHECK(serve_fluid(times(), 1).busiest == 8);
}
