#include "analysis/ranks/follower.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "analysis/ranks/words.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;
using rank_words::message;

constexpr std::chrono::microseconds follower_pause(300);

std::string failure(Error const& error) {
  return message(rank_words::failed, Json{{"problem", error.problem()}, {"hint", error.hint()}}.dump(
                                         -1, ' ', false, Json::error_handler_t::replace));
}

RankMessage wait_for_message(Communicator& ranks) {
  for (;;) {
    if (auto got = ranks.poll()) return *got;
    std::this_thread::sleep_for(follower_pause);
  }
}

Range range_in(std::string_view text) {
  Range range;
  char const* const end = text.data() + text.size();
  auto const first = std::from_chars(text.data(), end, range.begin);
  if (first.ec == std::errc() && first.ptr < end) std::from_chars(first.ptr + 1, end, range.end);
  return range;
}

/// A rank that follows.
class Follower {
 public:
  Follower(Communicator& ranks, std::uint64_t seed, std::string_view version,
           std::function<RankWork(std::string const&)> const& make)
      : ranks_(ranks), seed_(seed), version_(version), make_(make) {}

  void serve() {
    for (;;) {
      RankMessage const got = waiting_.empty() ? wait_for_message(ranks_) : take();
      auto const [word, rest] = rank_words::split(got.text);
      if (word == rank_words::end) return ranks_.send(0, message(rank_words::bye));
      try {
        if (word == rank_words::task && !is_over()) prepare(rest);
        if (word == rank_words::piece) play(range_in(rest));  // a stop of a piece that is played already says nothing
      } catch (Error const& error) {
        ranks_.send(0, failure(error));
      } catch (std::exception const& error) {
        ranks_.send(0, failure(Error(error.what())));
      }
    }
  }

 private:
  RankMessage take() {
    RankMessage first = std::move(waiting_.front());
    waiting_.pop_front();
    return first;
  }

  /// Whether another task has come, or the end: nobody waits for the one that is in hand.
  bool is_over() {
    while (auto got = ranks_.poll()) waiting_.push_back(std::move(*got));
    return std::ranges::any_of(waiting_, [](RankMessage const& each) {
      auto const word = rank_words::split(each.text).first;
      return word == rank_words::task || word == rank_words::end;
    });
  }

  void prepare(std::string_view text) {
    Json const said = Json::parse(text);
    Json answer{{"version", version_}, {"seed", seed_}, {"id", ""}, {"number", said.value("number", 0)}};
    engine_.reset();
    work_ = {};
    if (said.at("version") == version_) {  // else what it says may mean something else
      work_ = make_(said.at("how").get<std::string>());
      engine_.emplace(*work_.simulation, work_.backend, work_.threads);
      answer["id"] = work_.of.id;
    }
    ranks_.send(0, message(rank_words::ready, answer.dump()));
  }

  void play(Range range) {
    auto const start = Clock::now();
    bool stopped = false;
    Played const played = engine_.value().play(range, [&](std::uint64_t) {
      while (auto got = ranks_.poll()) {
        stopped |= rank_words::split(got->text).first != rank_words::piece;
        waiting_.push_back(std::move(*got));
      }
      return !stopped;
    });
    double const seconds = std::chrono::duration<double>(Clock::now() - start).count();
    ranks_.send(
        0, message(rank_words::row,
                   fmt::format("{} {}", seconds, line_of(row_of(work_.of, played, version_, work_.backend.name)))));
  }

  Communicator& ranks_;
  std::uint64_t seed_;
  std::string_view version_;
  std::function<RankWork(std::string const&)> const& make_;
  std::deque<RankMessage> waiting_;  ///< that have come and were not looked at
  RankWork work_;
  std::optional<Engine> engine_;
};

}  // namespace

void follow(Communicator& ranks, std::uint64_t seed, std::string_view version,
            std::function<RankWork(std::string const& how)> const& make) {
  Follower(ranks, seed, version, make).serve();
}

void follow_in_vain(Communicator& ranks, Error const& why) {
  for (;;) {
    RankMessage const got = wait_for_message(ranks);
    auto const word = rank_words::split(got.text).first;
    if (word == rank_words::end) return ranks.send(0, message(rank_words::bye));
    ranks.send(0, failure(why));
  }
}

}  // namespace draftgauge
