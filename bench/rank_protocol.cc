// Simulates how rank 0 hands a range out to very many ranks, by the same sim/pieces that a run uses:
//   rank_protocol RANKS SECONDS [SERVICE_US]     a run of that many seconds on equal ranks, in several weathers
// Ranks differ in speed by some per cent; stragglers have a tenth of it; the dead say nothing more. Rank 0 answers one
// message after another. Prints one JSON object a line.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <vector>

#include "sim/philox.h"
#include "sim/pieces.h"

namespace {

using namespace draftgauge;

constexpr double latency = 20e-6;        // seconds, one way
constexpr double idle_look = 1e-3;       // rank 0 looks at ranks that wait
constexpr double rounds_a_second = 1e8;  // of a usual rank

struct Weather {
  char const* name;
  double stragglers, dead;  // shares of ranks
};

/// Uniform in (0, 1), a function of its place.
double uniform(std::uint32_t rank, std::uint32_t purpose) {
  auto const words = Philox::bits({rank, 0, 0, purpose}, {1, 0});
  return (words.word[0] + .5) * 0x1p-32;
}

struct Event {
  double time;
  int rank;
  bool operator>(Event const& other) const { return time > other.time; }
};

void simulate(Weather const& weather, int ranks, double seconds, double service) {
  auto const n = static_cast<std::size_t>(ranks);
  std::vector<double> rate(n), dies(n, INFINITY);
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    auto const id = static_cast<std::uint32_t>(i);
    double const normal = std::sqrt(-2 * std::log(uniform(id, 0))) * std::cos(2 * M_PI * uniform(id, 1));
    rate[i] = rounds_a_second * std::exp(.05 * normal);
    if (i > 0 && uniform(id, 2) < weather.stragglers) rate[i] /= 10;
    if (i > 0 && uniform(id, 3) < weather.dead) dies[i] = seconds * uniform(id, 4);
    total += rate[i];
  }
  auto const trials = static_cast<std::uint64_t>(total * seconds);
  Pieces pieces({0, trials}, ranks, 0);
  std::vector<Range> held(n);
  std::vector<double> began(n);
  std::priority_queue<Event, std::vector<Event>, std::greater<>> answers;
  std::vector<int> waiting;
  double now = 0, free = 0, busy = 0, lost = 0, longest = 0;
  std::uint64_t messages = 0;
  auto const give = [&](int rank) {
    auto const at = static_cast<std::size_t>(rank);
    auto const piece = pieces.next(rank, now);
    if (!piece) return false;
    held[at] = *piece;
    began[at] = now + latency;
    double const took = static_cast<double>(piece->size()) / rate[at];
    longest = std::max(longest, took);
    if (began[at] + took < dies[at])
      answers.push({began[at] + took + latency, rank});
    else
      lost += std::max(0., dies[at] - began[at]);
    return true;
  };
  for (int rank = 0; rank < ranks; ++rank) {
    if (!give(rank)) waiting.push_back(rank);
    now += service;
  }
  double looked = 0;
  while (!pieces.complete() && (!answers.empty() || !waiting.empty())) {
    double const next_look = looked + idle_look;
    if (waiting.empty() || (!answers.empty() && answers.top().time < next_look)) {
      Event const event = answers.top();
      answers.pop();
      now = free = std::max(event.time, free) + service;
      busy += service;
      ++messages;
      auto const at = static_cast<std::size_t>(event.rank);
      pieces.took(event.rank, held[at], static_cast<double>(held[at].size()) / rate[at]);
      if (!give(event.rank)) waiting.push_back(event.rank);
    } else {
      now = looked = next_look;
      std::erase_if(waiting, give);
    }
  }
  double rank_seconds = 0;  // that there were
  for (std::size_t i = 0; i < n; ++i) rank_seconds += std::min(dies[i], now);
  std::printf(
      "{\"weather\": \"%s\", \"ranks\": %d, \"ideal_s\": %.1f, \"took_s\": %.3f, \"over_ideal\": %.4f, "
      "\"longest_piece_s\": %.2f, \"messages\": %llu, \"messages_per_s\": %.0f, \"rank_0_busy\": %.4f, "
      "\"lost_with_the_dead_rank_s\": %.1f, \"share_lost\": %.5f, \"complete\": %s}\n",
      weather.name, ranks, seconds, now, now / seconds - 1, longest, static_cast<unsigned long long>(messages),
      static_cast<double>(messages) / now, busy / now, lost, lost / rank_seconds,
      pieces.complete() ? "true" : "false");
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::fprintf(stderr, "usage: rank_protocol RANKS SECONDS [SERVICE_US]\n");
    return 2;
  }
  int const ranks = std::atoi(words[1]);
  double const seconds = std::atof(words[2]), service = (count > 3 ? std::atof(words[3]) : 50) * 1e-6;
  if (ranks < 1 || ranks > 1'000'000 || !(seconds > 0) || !(service >= 0)) {
    std::fprintf(stderr, "rank_protocol: RANKS is 1 to 1000000, SECONDS above 0, SERVICE_US at least 0\n");
    return 2;
  }
  for (Weather const& weather : {Weather{"calm", 0, 0}, Weather{"1 % stragglers", .01, 0}, Weather{"1 % die", 0, .01},
                                 Weather{"1 % stragglers, 1 % die", .01, .01}})
    simulate(weather, ranks, seconds, service);
}
