#include "bench/race.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

namespace draftgauge::bench {
namespace {

double process_time() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A contender's rate on stretches that grow to a quarter of a slice. Each is tried twice: a first time pays for cold
/// caches.
double first_rate(Contender const& contender, double slice) {
  for (std::uint64_t amount = contender.least;; amount *= 2) {
    double const took = std::min(contender.seconds(amount), contender.seconds(amount));
    if (took >= slice / 4) return static_cast<double>(amount) / took;
  }
}

}  // namespace

double cpu_seconds(std::function<void()> const& work) {
  double const start = process_time();
  work();
  return process_time() - start;
}

double wall_seconds(std::function<void()> const& work) {
  auto const start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Contender contender(std::string name, Stopwatch watch, std::function<void(std::uint64_t)> work, std::uint64_t least) {
  return {.name = std::move(name),
          .seconds = [watch, work = std::move(work)](std::uint64_t amount) { return watch([&] { work(amount); }); },
          .least = least};
}

void race(std::span<Contender> contenders, RaceLength const& length) {
  std::vector<double> expected;
  for (Contender const& each : contenders) expected.push_back(first_rate(each, length.slice));
  for (int turn = 0; turn < length.turns; ++turn)
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      Contender& each = contenders[i];
      auto const amount = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(expected[i] * length.slice));
      each.rate = std::max(each.rate, static_cast<double>(amount) / each.seconds(amount));
      expected[i] = std::max(expected[i], each.rate);  // a first rate may have been that of a bad moment
    }
}

}  // namespace draftgauge::bench
