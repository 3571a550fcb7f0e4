#include "apps/verify/verify_play.h"

#include <catch2/catch.hpp>

#include "apps/cli/values.h"
#include "sim/sources/source.h"

namespace draftgauge {
namespace {

using namespace std::chrono_literals;

TEST_CASE("verify play: trials of several rounds have as many up to 16M, and a 64th of what is beyond") {
  for (std::uint64_t const rounds : {0, 1, 15'999'999, 16'000'000}) CHECK(rounds_of_texts(rounds) == rounds);
  CHECK(rounds_of_texts(16'000'001) == 16'000'000);
  CHECK(rounds_of_texts(16'000'063) == 16'000'000);
  CHECK(rounds_of_texts(16'000'064) == 16'000'001);
  CHECK(rounds_of_texts(32'000'000) == 16'250'000);
  CHECK(rounds_of_texts(~std::uint64_t{0}) == 16'000'000 + (~std::uint64_t{0} - 16'000'000) / 64);
}

TEST_CASE("verify play: texts have an eighth of --time, and single rounds all that is left of it") {
  std::chrono::steady_clock::time_point now{};
  auto const clock = [&] { return now; };
  TaskTime exact(8s, clock);
  CHECK(exact.texts() == 1s);
  now += 1s;
  CHECK(exact.rounds() == 7s);
  TaskTime soon_done(8s, clock);
  CHECK(soon_done.texts() == 1s);
  now += 500ms;
  CHECK(soon_done.rounds() == 7500ms);
  TaskTime late(8s, clock);
  CHECK(late.texts() == 1s);
  now += 9s;
  CHECK(late.rounds() == 0s);
  TaskTime unlimited(std::nullopt, clock);
  CHECK_FALSE(unlimited.texts());
  CHECK_FALSE(unlimited.rounds());
}

TEST_CASE("verify play: a plan counts on the time that single rounds have") {
  Source const source = source_of_row(parse_numbers("1/2,1/2"), parse_numbers("1/3,2/3"));
  Task task;
  CHECK(share_of_first_tokens(task, source.tables) == .875);
  task.rounds_per_trial = 3;
  CHECK(share_of_first_tokens(task, source.tables) == 1);
}

}  // namespace
}  // namespace draftgauge
