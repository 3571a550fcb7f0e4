#include "analysis/ranks/leader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>
#include <future>
#include <nlohmann/json.hpp>
#include <ranges>
#include <thread>

#include "analysis/ranks/words.h"
#include "analysis/recordings/json_records.h"
#include "sim/base/error.h"
#include "sim/play/trial.h"

namespace draftgauge {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;
using rank_words::message;

constexpr std::chrono::milliseconds leader_pause(1);  // between looks for messages: a core is not for that
constexpr std::chrono::seconds together(5);           // is how long the ranks wait for each other at the beginning
constexpr std::chrono::milliseconds patience(300);  // with ranks that were told to stop; a launcher may kill all soon

double seconds_now() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

std::string_view const same_program = "start the same program with the same options on all ranks";

[[noreturn]] void nonsense(int rank) {
  throw InputError(fmt::format("rank {} sent what no rank of this program sends (its tally cannot be trusted)", rank),
                   same_program);
}

[[noreturn]] void failed(int rank, std::string_view text) {
  Json const said = Json::parse(text, nullptr, false);
  auto const field = [&](char const* name) { return text_or_empty(member(said, {name})); };
  throw InputError(fmt::format("rank {}", rank), Error(field("problem"), field("hint")));
}

/// A row as a rank sends it, and how long its trials took.
struct Arrived {
  StoreRow row;
  double seconds = 0;
};

Arrived arrived(int rank, std::string_view text) {
  Arrived got;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), got.seconds);
  std::size_t const used = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || used >= text.size() || !(got.seconds >= 0)) nonsense(rank);
  auto rows = read_rows(fmt::format("rank {}", rank), text.substr(used + 1));
  if (rows.size() != 1) nonsense(rank);
  got.row = std::move(rows.front());
  return got;
}

}  // namespace

struct Leader::Timed {
  Played played;
  double seconds;
};

Leader::Leader(Communicator& ranks, std::string const& how, Simulation const& simulation, StoredTask of,
               std::string_view version, Backend const& backend, int threads, std::function<bool()> const& waits)
    : ranks_(ranks),
      number_(++ranks.roll().tasks),
      version_(version),
      of_(std::move(of)),
      layout_(simulation.plan().tally),
      ready_(static_cast<std::size_t>(ranks.size())),
      busy_(static_cast<std::size_t>(ranks.size())) {
  // The others make theirs ready at the same time.
  std::string const task =
      message(rank_words::task, Json{{"version", version}, {"how", how}, {"number", number_}}.dump());
  ranks.roll().overdue.resize(ready_.size());
  for (int rank = 1; rank < ranks.size(); ++rank) ranks.send(rank, task);
  engine_.emplace(simulation, backend, threads);
  ready_.front() = true;
  await_ready(waits);
}

Leader::~Leader() { stop_all(); }

void Leader::stop_all() {
  stop_here_ = true;
  for (int rank = 1; rank < ranks_.size(); ++rank)
    if (busy_[static_cast<std::size_t>(rank)]) ranks_.send(rank, message(rank_words::stop));
}

void Leader::await_ready(std::function<bool()> const& waits) {
  auto const start = Clock::now();
  std::vector<bool>& overdue = ranks_.roll().overdue;  // who was not there for the last task holds up no other one
  auto const is_here = [&](std::size_t rank) { return ready_[rank] || overdue[rank]; };
  while (!std::ranges::all_of(std::views::iota(std::size_t{0}, ready_.size()), is_here) && waits() &&
         Clock::now() - start < together) {
    auto const got = ranks_.poll();
    if (!got) {
      std::this_thread::sleep_for(leader_pause);
      continue;
    }
    auto const [word, rest] = rank_words::split(got->text);
    if (word == rank_words::row) continue;  // of an earlier simulation
    if (word == rank_words::failed) failed(got->from, rest);
    if (word != rank_words::ready) nonsense(got->from);
    admit(got->from, rest);
  }
  for (std::size_t rank = 0; rank < ready_.size(); ++rank) overdue[rank] = !ready_[rank];
}

void Leader::admit(int rank, std::string_view ready) {
  Json const said = Json::parse(ready, nullptr, false);
  if (!said.is_object()) nonsense(rank);
  ranks_.roll().overdue[static_cast<std::size_t>(rank)] = false;
  auto const version = said.find("version");
  auto const differs = [&](char const* name, Json const& ours) { return !said.contains(name) || said[name] != ours; };
  if (differs("version", version_))
    throw InputError(
        fmt::format("rank {} is draftgauge {}, rank 0 is {} (their rounds may differ)", rank,
                    version != said.end() && version->is_string() ? version->get<std::string>() : "of none",
                    version_),
        same_program);
  if (differs("number", number_)) return;  // of an earlier simulation, which it was late for
  if (differs("seed", of_.seed))
    throw InputError(fmt::format("rank {} has seed {}, rank 0 has {} (their trials are not of one sample)", rank,
                                 said.value("seed", Json()).dump(), of_.seed),
                     same_program);
  if (differs("id", of_.id))
    throw InputError(fmt::format("rank {} has another task than rank 0 (what is read there differs from here)", rank),
                     "give all ranks the same files");
  ready_[static_cast<std::size_t>(rank)] = true;
}

/// A range while it is played.
struct Leader::Playing {
  Playing(Leader& by, Range range) : leader(by), pieces(range, by.ranks_.size(), seconds_now()) {
    leader.stop_here_ = false;
  }
  ~Playing() { leader.stop_here_ = true; }  // before the future's destructor waits for it
  Playing(Playing const&) = delete;
  Playing& operator=(Playing const&) = delete;

  /// Whether the rank got a piece.
  bool give(int rank);
  void receive(RankMessage const& got, Keep const& keep);
  /// What ranks have played by now, this one too. Returns whether any has.
  bool collect(Keep const& keep);
  void ask(std::function<Order(std::uint64_t)> const& told);
  void pause() const { here.valid() ? void(here.wait_for(leader_pause)) : std::this_thread::sleep_for(leader_pause); }

  Leader& leader;
  Pieces pieces;
  Order order = Order::go_on;
  std::future<Timed> here;
  std::optional<double> give_up;  ///< on gaps, after finish
};

bool Leader::Playing::give(int rank) {
  auto const at = static_cast<std::size_t>(rank);
  if (order == Order::stop || !leader.ready_[at] || (rank == 0 ? here.valid() : leader.busy_[at])) return false;
  double const now = seconds_now();
  auto const piece = order == Order::finish ? pieces.copy_for(rank, now) : pieces.next(rank, now);
  if (!piece) return false;
  if (rank > 0) {
    leader.ranks_.send(rank, message(rank_words::piece, fmt::format("{} {}", piece->begin, piece->end)));
    leader.busy_[at] = true;
  } else {
    here = std::async(std::launch::async, [&by = leader, asked = *piece] {
      double const start = seconds_now();
      Played played = by.engine_->play(asked, [&by](std::uint64_t) { return !by.stop_here_; });
      return Timed{std::move(played), seconds_now() - start};
    });
  }
  return true;
}

void Leader::Playing::receive(RankMessage const& got, Keep const& keep) {
  auto const [word, rest] = rank_words::split(got.text);
  if (word == rank_words::failed) failed(got.from, rest);
  if (word == rank_words::ready) return leader.admit(got.from, rest);
  if (word != rank_words::row) nonsense(got.from);
  leader.busy_[static_cast<std::size_t>(got.from)] = false;
  if (!pieces.has_piece(got.from)) return;  // of an earlier range
  Arrived const sent = arrived(got.from, rest);
  if (!sent.row.of.same(leader.of_) || sent.row.of.contexts.vocab != leader.of_.contexts.vocab) nonsense(got.from);
  try {
    if (!pieces.took(got.from, sent.row.range, sent.seconds)) return;
  } catch (std::invalid_argument const&) {
    nonsense(got.from);
  }
  Played part{Tally(leader.layout_), sent.row.range};
  add({&sent.row, 1}, part.tally);
  keep(part);
}

bool Leader::Playing::collect(Keep const& keep) {
  bool any = false;
  while (auto const got = leader.ranks_.poll()) {
    receive(*got, keep);
    any = true;
  }
  if (here.valid() && here.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    Timed const done = here.get();
    if (pieces.took(0, done.played.range, done.seconds)) keep(done.played);
    any = true;
  }
  return any;
}

void Leader::Playing::ask(std::function<Order(std::uint64_t)> const& told) {
  if (order == Order::go_on) order = told(pieces.played());
  if (order == Order::finish && told(pieces.played()) == Order::stop) order = Order::stop;
  if (order != Order::finish) return;
  if (!give_up) give_up = seconds_now() + pieces.patience();
  if (pieces.played() > 0 && seconds_now() > *give_up) order = Order::stop;  // trials may take long: one at least
}

void Leader::play(Range range, std::function<Order(std::uint64_t)> const& told, Keep const& keep) {
  Playing playing(*this, range);
  std::optional<Clock::time_point> stopped;
  while (!playing.pieces.complete()) {
    bool moved = playing.collect(keep);
    playing.ask(told);
    for (int rank = 0; rank < ranks_.size(); ++rank) moved |= playing.give(rank);
    if (playing.order == Order::stop && !stopped) {
      stopped = Clock::now();
      stop_all();
    }
    if (playing.order != Order::go_on && playing.pieces.idle()) break;
    if (stopped && Clock::now() - *stopped > patience) break;
    if (!moved) playing.pause();
  }
  stop_all();  // of ranks that play what another was first with
}

void dismiss(Communicator& ranks, std::chrono::duration<double> patience) noexcept {
  try {
    for (int rank = 1; rank < ranks.size(); ++rank) ranks.send(rank, message(rank_words::end));
    auto const start = Clock::now();
    for (int missing = ranks.size() - 1; missing > 0;) {
      if (auto const got = ranks.poll()) {
        missing -= rank_words::split(got->text).first == rank_words::bye;
      } else if (Clock::now() - start > patience) {
        return ranks.abandon();
      } else {
        std::this_thread::sleep_for(leader_pause);
      }
    }
  } catch (std::exception const&) {  // what the run has found is not lost with the way to the ranks
    ranks.abandon();
  }
}

}  // namespace draftgauge
