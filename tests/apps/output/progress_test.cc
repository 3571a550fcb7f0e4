#include "apps/output/progress.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <utility>

namespace draftgauge {
namespace {

struct FakeClock {
  std::chrono::steady_clock::time_point now{};
  Progress::Clock clock() {
    return [this] { return now; };
  }
  void pass(int milliseconds) { now += std::chrono::milliseconds(milliseconds); }
};

TEST_CASE("the line says how far, how fast, how long, and goes in the end") {
  std::ostringstream terminal;
  FakeClock time;
  {
    Progress progress(&terminal, "token", 1'000'000'000, "rounds", time.clock());
    progress.at(1);
    CHECK(terminal.str().empty());  // too early to say anything
    time.pass(1000);
    progress.at(250'000'000);
    CHECK(terminal.str() == "\rtoken: 25 % of 1G rounds, 250M/s, 3s left");
  }
  constexpr std::size_t width = std::string_view("token: 25 % of 1G rounds, 250M/s, 3s left").size();
  CHECK(terminal.str().ends_with("left\r" + std::string(width, ' ') + "\r"));
}

TEST_CASE("a label cannot speak to the terminal") {
  std::ostringstream terminal;
  FakeClock time;
  Progress progress(&terminal, "\x1b[2J\n", 0, "rounds", time.clock());
  time.pass(1000);
  progress.at(1);
  CHECK(terminal.str() == "\r\\x1b[2J\\x0a: 1 rounds, 1/s");
}

TEST_CASE("at most ten lines a second, a shorter one over all of a longer one") {
  std::ostringstream terminal;
  FakeClock time;
  Progress progress(&terminal, "x", 0, "rounds", time.clock());
  for (int i = 0; i < 1000; ++i) {
    time.pass(1);
    progress.at(static_cast<std::uint64_t>(i) * 1234);
  }
  std::string const written = terminal.str();
  CHECK(std::count(written.begin(), written.end(), '\r') == 10);
  time.pass(1000);
  std::size_t const before = terminal.str().size();
  progress.at(2000);
  CHECK(terminal.str().substr(before) == "\rx: 2k rounds, 1k/s" + std::string(6, ' '));
}

TEST_CASE("time left is that of the limit where the limit is nearer, and of the work where that is") {
  std::ostringstream terminal;
  FakeClock time;
  Progress progress(&terminal, "x", 0, "rounds", time.clock(), std::chrono::seconds(10));
  auto const next = [&](std::uint64_t done) {
    std::size_t const before = terminal.str().size();
    time.pass(1000);
    progress.at(done);
    std::string const line = terminal.str().substr(before + 1);
    return line.substr(0, line.find_last_not_of(' ') + 1);
  };
  CHECK(next(1000) == "x: 1k rounds, 1k/s, 9s left");
  progress.expect(4000);
  CHECK(next(2000) == "x: 50 % of 4k rounds, 1k/s, 2s left");
  progress.expect(1'000'000);
  CHECK(next(3000) == "x: 0 % of 1M rounds, 1k/s, 7s left");
  time.pass(9000);
  CHECK(next(13'000) == "x: 1 % of 1M rounds, 1k/s, 0s left");  // the piece in which the time runs out is finished
}

TEST_CASE("nothing is written where there is no terminal") {
  FakeClock time;
  Progress progress(nullptr, "x", 10, "rounds", time.clock());
  time.pass(1000);
  CHECK_NOTHROW(progress.at(5));
}

TEST_CASE("where no terminal is looked at a line is said after five seconds, then seldom, whatever the pieces") {
  std::ostringstream stream;
  FakeClock time;
  ProgressLog log(stream, "draftgauge verify", time.clock());
  auto said = [&, seen = std::size_t{0}]() mutable {
    std::string const all = stream.str();
    return all.substr(std::exchange(seen, all.size()));
  };
  {
    Progress first(nullptr, "token (1 of 2)", 1000, "rounds", time.clock(), {}, &log);
    time.pass(4900);
    first.at(100);
    CHECK(said().empty());
    time.pass(100);
    first.at(250);
    CHECK(said() == "draftgauge verify: token (1 of 2): 25 % of 1k rounds, 50/s, 15s left\n");
    time.pass(29'900);
    first.at(900);
    CHECK(said().empty());
  }
  time.pass(200);
  {
    Progress second(nullptr, "block (2 of 2)", 1000, "rounds", time.clock(), {}, &log);
    CHECK(said() == "draftgauge verify: block (2 of 2)\n");  // at once, as the command is what has run so long
    time.pass(34'000);
    second.at(900);
    CHECK(said().empty());  // the intervals double
    time.pass(2000);
    second.at(950);
    CHECK(said().starts_with("draftgauge verify: block (2 of 2): 95 % of "));
  }
  CHECK(said().empty());  // a log keeps its lines
}

TEST_CASE("counts in three digits") {
  CHECK(short_count(0) == "0");
  CHECK(short_count(950) == "950");
  CHECK(short_count(999.7) == "1k");
  CHECK(short_count(1250) == "1.25k");
  CHECK(short_count(310e6) == "310M");
  CHECK(short_count(999.9e6) == "1G");
  CHECK(short_count(2.5e15) == "2.5e+03T");
}

}  // namespace
}  // namespace draftgauge
