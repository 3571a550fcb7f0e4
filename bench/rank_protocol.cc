// Simulates how rank 0 hands a range out to very many ranks, by the same sim/play/pieces.h that a run uses:
//   rank_protocol RANKS SECONDS [SERVICE_US | FOLDER]     a run of that many seconds on equal ranks, in several weathers
// Ranks differ in speed by some per cent; stragglers have a tenth of it; the dead say nothing more. Rank 0 answers one
// message after another, each in SERVICE_US, which is measured first where it is not given: by the leader of a run,
// with so many ranks, each of which holds a piece, and by a store in FOLDER (that for temporary files where none is
// given), whose disk rank 0 waits for. Prints one JSON object a line.
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <queue>
#include <string>
#include <vector>

#include "analysis/ranks/checkpoints.h"
#include "analysis/ranks/leader.h"
#include "analysis/ranks/words.h"
#include "analysis/store/store.h"
#include "sim/chance/philox.h"
#include "sim/play/pieces.h"

namespace {

using namespace draftgauge;

constexpr double latency = 20e-6;        // seconds, one way
constexpr double by_mpi = 10e-6;         // of rank 0's time, to receive a message and send one
constexpr double idle_look = 1e-3;       // rank 0 looks at ranks that wait
constexpr double rounds_a_second = 1e8;  // of a usual rank
constexpr double message_gap = 1e-3;     // seconds, between messages of a run (see sim/play/pieces.h)

struct Weather {
  char const* name;
  double stragglers, dead;  // shares of ranks
};

/// Uniform in (0, 1), a function of its place.
double uniform(std::uint32_t rank, std::uint32_t purpose) {
  auto const words = Philox::bits({rank, 0, 0, purpose}, {1, 0});
  return (words.word[0] + .5) * 0x1p-32;
}

/// CPU time of this thread, in seconds.
double cpu_now() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Ranks that answer at once, one after another, as if they had played a few trials in a second. What they take is
/// counted, so that the rest is the leader's.
class InstantRanks : public Communicator {
 public:
  InstantRanks(int ranks, Simulation const& simulation, StoredTask of)
      : ranks_(ranks), engine_(simulation, serial_backend(), 1), of_(std::move(of)) {}

  int size() const override { return ranks_; }
  void send(int to, std::string_view text) override {
    double const start = cpu_now();
    if (rank_words::split(text).first != rank_words::stop) asked_.push_back({to, std::string(text)});
    seconds_ += cpu_now() - start;
  }
  std::optional<RankMessage> poll() override {
    double const start = cpu_now();
    std::optional<RankMessage> answer;
    // One at a time, as they come: so rank 0 looks at all ranks after each.
    if (std::exchange(spoke_, !spoke_) && !asked_.empty()) {
      // Any of them: pieces come back out of order.
      auto const next = static_cast<std::size_t>(uniform(static_cast<std::uint32_t>(rows_), 5) *
                                                 static_cast<double>(asked_.size()));
      std::swap(asked_[next], asked_.back());
      auto const [to, text] = std::move(asked_.back());
      asked_.pop_back();
      answer = RankMessage{to, answer_to(text)};
    }
    seconds_ += cpu_now() - start;
    return answer;
  }

  double seconds() const { return seconds_; }
  std::uint64_t rows() const { return rows_; }

 private:
  std::string answer_to(std::string_view text) {
    auto const [word, rest] = rank_words::split(text);
    if (word == rank_words::task) {
      using Json = nlohmann::json;
      Json const ready = {{"version", "1"}, {"seed", 1}, {"id", of_.id}, {"number", Json::parse(rest).at("number")}};
      return rank_words::message(rank_words::ready, ready.dump());
    }
    Range range;
    std::sscanf(std::string(rest).c_str(), "%lu %lu", &range.begin, &range.end);
    range.end = std::min(range.end, range.begin + 16);  // as if told to stop: the rest is handed out again
    ++rows_;
    return rank_words::message(rank_words::row, "1 " + line_of(row_of(of_, engine_.play(range), "1", "serial")));
  }

  int ranks_;
  Engine engine_;
  StoredTask of_;
  std::vector<RankMessage> asked_;
  bool spoke_ = false;
  double seconds_ = 0;
  std::uint64_t rows_ = 0;
};

double clock_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A store that is gone when its time is over.
struct PassingStore {
  explicit PassingStore(std::filesystem::path const& folder)
      : path(folder / ("rank_protocol_" + std::to_string(::getpid()) + ".jsonl")), store(path) {}
  ~PassingStore() { std::filesystem::remove(path); }
  std::filesystem::path path;
  Store store;
};

/// What a message takes of rank 0.
struct Service {
  double leader = 0;  ///< seconds of CPU time
  double store = 0;   ///< seconds of the clock, in which rank 0 answers nobody
  double rows = 0;    ///< that the store gets
};

/// In a run with so many ranks, from its beginning on, when checkpoints are nearest to each other.
Service measured_service(int ranks, std::filesystem::path const& folder) {
  Source const source = open_source("markov:vocab=64", {});
  Simulation const simulation({.rule = "block", .shape = {.gamma = 5}, .rounds_per_trial = 1}, source.tables, 1);
  StoredTask const of = stored_task(simulation, source);
  InstantRanks others(ranks, simulation, of);
  Leader leader(others, "", simulation, of, "1", serial_backend(), 1);
  std::uint64_t const before = static_cast<std::uint64_t>(ranks),
                      messages = std::max<std::uint64_t>(10 * before, 20'000);
  PassingStore kept(folder);
  Service all;
  double keeping = 0;  // CPU time
  Checkpoints checkpoints([&](std::vector<Played> const& parts) {
    double const clock = clock_now(), cpu = cpu_now();
    std::vector<StoreRow> rows;
    for (Played const& part : parts) rows.push_back(row_of(of, part, "1", "serial"));
    kept.store.append(rows);
    all.rows += static_cast<double>(rows.size());
    all.store += clock_now() - clock;
    keeping += cpu_now() - cpu;
  });
  double start = 0;
  leader.play(
      {0, std::uint64_t{1} << 50},
      [&](std::uint64_t) {
        double const spent = cpu_now() - others.seconds() - keeping;
        if (others.rows() >= before && start == 0) start = spent;
        if (others.rows() >= before + messages) {
          if (all.leader == 0) all.leader = spent - start;
          return Leader::Order::stop;
        }
        if (start != 0)
          checkpoints.look(Checkpoints::Seconds(message_gap * static_cast<double>(others.rows() - before)));
        return Leader::Order::go_on;
      },
      [&](Played const& part) { checkpoints.add(part); });
  auto const each = static_cast<double>(messages);
  return {all.leader / each, all.store / each, all.rows / each};
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
  std::uint64_t messages = 0, checkpoints_kept = 0, rows = 0;
  Tally const no_counts(tally_layout({.rule = "token", .shape = {.gamma = 1}}, 2));
  Checkpoints checkpoints([&](std::vector<Played> const& parts) {
    ++checkpoints_kept;
    rows += parts.size();
  });
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
      if (pieces.took(event.rank, held[at], static_cast<double>(held[at].size()) / rate[at]))
        checkpoints.add({no_counts, held[at]});
      checkpoints.look(Checkpoints::Seconds(now));
      if (!give(event.rank)) waiting.push_back(event.rank);
    } else {
      now = looked = next_look;
      std::erase_if(waiting, give);
    }
  }
  checkpoints.finish();
  double rank_seconds = 0;  // that there were
  for (std::size_t i = 0; i < n; ++i) rank_seconds += std::min(dies[i], now);
  std::printf(
      "{\"weather\": \"%s\", \"ranks\": %d, \"ideal_s\": %.1f, \"took_s\": %.3f, \"over_ideal\": %.4f, "
      "\"longest_piece_s\": %.2f, \"messages\": %llu, \"messages_per_s\": %.0f, \"rank_0_busy\": %.4f, "
      "\"lost_with_the_dead_rank_s\": %.1f, \"share_lost\": %.5f, \"checkpoints\": %llu, \"rows\": %llu, "
      "\"complete\": %s}\n",
      weather.name, ranks, seconds, now, now / seconds - 1, longest, static_cast<unsigned long long>(messages),
      static_cast<double>(messages) / now, busy / now, lost, lost / rank_seconds,
      static_cast<unsigned long long>(checkpoints_kept), static_cast<unsigned long long>(rows),
      pieces.complete() ? "true" : "false");
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::fprintf(stderr, "usage: rank_protocol RANKS SECONDS [SERVICE_US | FOLDER]\n");
    return 2;
  }
  int const ranks = std::atoi(words[1]);
  double const seconds = std::atof(words[2]);
  bool const is_given = count > 3 && !std::filesystem::is_directory(words[3]);
  double service = is_given ? std::atof(words[3]) * 1e-6 : 0;
  if (ranks < 1 || ranks > 1'000'000 || !(seconds > 0) || !(service >= 0)) {
    std::fprintf(stderr, "rank_protocol: RANKS is 1 to 1000000, SECONDS above 0, SERVICE_US at least 0\n");
    return 2;
  }
  if (!is_given) {
    Service const each =
        measured_service(ranks, count > 3 ? words[3] : std::filesystem::temp_directory_path().string());
    std::printf(
        "{\"ranks\": %d, \"leader_us\": %.1f, \"store_us\": %.1f, \"rows_per_message\": %.4f, \"mpi_us\": %.1f}\n",
        ranks, 1e6 * each.leader, 1e6 * each.store, each.rows, 1e6 * by_mpi);
    service = each.leader + each.store + by_mpi;
  }
  for (Weather const& weather : {Weather{"calm", 0, 0}, Weather{"1 % stragglers", .01, 0}, Weather{"1 % die", 0, .01},
                                 Weather{"1 % stragglers, 1 % die", .01, .01}})
    simulate(weather, ranks, seconds, service);
}
