#include "apps/simulate/play.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <random>

#include "apps/output/interruption.h"

namespace draftgauge {
namespace {

using namespace std::chrono_literals;

TEST_CASE("deadline: time is up from its end on, and never without a limit") {
  std::chrono::steady_clock::time_point now{};
  auto const clock = [&] { return now; };
  Deadline limited(1s, clock), unlimited(std::nullopt, clock);
  CHECK_FALSE(limited.reached());
  now += 999ms;
  CHECK_FALSE(limited.reached());
  CHECK(limited.ending(Ending::rounds) == Ending::rounds);
  now += 1ms;
  CHECK(limited.reached());
  CHECK(limited.ending(Ending::rounds) == Ending::time);
  CHECK_FALSE(unlimited.reached());
}

TEST_CASE("deadline: rounds that take long are not preferred or avoided") {
  // N is 1 in a second or 5 in twenty, equally likely, and ten seconds are given: E[N] = 3. Some 40 000 rounds in all
  // have a standard error of .01, so a correct deadline is off by .06 with probability below 1e-8. One that leaves out
  // the round in which the time runs out sees no 5 at all.
  std::mt19937 random(3);
  double tokens = 0, rounds = 0;
  for (int run = 0; run < 20'000; ++run) {
    std::chrono::steady_clock::time_point now{};
    Deadline deadline(10s, [&] { return now; });
    do {
      bool const long_one = random() % 2 == 0;
      now += long_one ? 20s : 1s;
      tokens += long_one ? 5 : 1;
      ++rounds;
    } while (!deadline.reached());
  }
  CHECK(tokens / rounds == Approx(3).margin(.06));
}

TEST_CASE("shared time: equal shares of what is left") {
  std::chrono::steady_clock::time_point now{};
  SharedTime time(12s, 5, [&] { return now; });
  time.skip();
  CHECK(time.next() == 3s);
  now += 3s;
  CHECK(time.next() == 3s);
  now += 1s;  // it needed no more
  CHECK(time.next() == 4s);
  now += 9s;  // and it took more
  CHECK(time.next() == 0s);
  SharedTime unlimited(std::nullopt, 2);
  CHECK_FALSE(unlimited.next());
}

TEST_CASE("deadline: Ctrl-C ends it while an interruption is noted, and is forgotten by the next one") {
  {
    Interruption const noting;
    Deadline deadline(std::nullopt);
    CHECK_FALSE(deadline.reached());
    std::raise(SIGINT);
    CHECK(Interruption::asked());
    CHECK(deadline.reached());
    CHECK(deadline.ending(Ending::rounds) == Ending::interrupt);
  }
  Interruption const next;
  CHECK_FALSE(Interruption::asked());
}

TEST_CASE("interruption: none while files are written") {
  Interruption const noting;
  {
    Uninterrupted const now;
    std::raise(SIGINT);
  }
  CHECK_FALSE(Interruption::asked());
  std::raise(SIGINT);
  CHECK(Interruption::asked());
}

TEST_CASE("interruption: its last words are true, also once files are written") {
  for (bool const writes : {false, true}) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    pid_t const child = ::fork();
    if (child == 0) {
      ::dup2(ends[1], STDERR_FILENO);
      EndOnInterruption const ending("draftgauge x", false);
      if (writes) Uninterrupted{};
      std::raise(SIGINT);
      ::_exit(0);
    }
    ::close(ends[1]);
    std::string said(200, ' ');
    said.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(ends[0], said.data(), said.size()))));
    ::close(ends[0]);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 130);
    CHECK(said == (writes ? "draftgauge x: interrupted: files were written, each of them whole\n"
                          : "draftgauge x: interrupted: nothing was written\n"));
  }
}

TEST_CASE("interruption: what was done about SIGINT before is done again afterwards") {
  struct sigaction before = {}, after = {};
  ::sigaction(SIGINT, nullptr, &before);
  {
    Interruption const noting;
  }
  ::sigaction(SIGINT, nullptr, &after);
  CHECK(before.sa_handler == after.sa_handler);
}

}  // namespace
}  // namespace draftgauge
