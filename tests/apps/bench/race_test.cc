#include "bench/race.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>
#include <vector>

#include "bench/row.h"

namespace draftgauge::bench {
namespace {

/// Works at a rate of units per second on a clock of its own; each `slow_every`-th slice takes three times as long.
Contender runner(std::string name, double rate, int slow_every, std::vector<std::uint64_t>& amounts) {
  return {.name = std::move(name), .seconds = [=, &amounts](std::uint64_t amount) {
            amounts.push_back(amount);
            bool const slow = slow_every > 0 && amounts.size() % static_cast<std::size_t>(slow_every) == 0;
            return (slow ? 3 : 1) * static_cast<double>(amount) / rate;
          }};
}

TEST_CASE("a race gives each contender slices of the asked length and keeps its best rate") {
  std::vector<std::uint64_t> fast, slow;
  Contender field[] = {runner("fast", 1e9, 0, fast), runner("slow", 1e6, 2, slow)};
  race(field, {.slice = 0.1, .turns = 6});
  CHECK(field[0].rate == Approx(1e9));
  CHECK(field[1].rate == Approx(1e6));
  for (auto const& [amounts, rate] : {std::pair{&fast, 1e9}, std::pair{&slow, 1e6}}) {
    REQUIRE(amounts->size() > 6);
    CHECK(amounts->front() == 1024);
    for (std::size_t i = amounts->size() - 6; i < amounts->size(); ++i)
      CHECK(static_cast<double>((*amounts)[i]) / rate == Approx(0.1).epsilon(1e-3));
  }
}

TEST_CASE("a race takes turns") {
  std::string order;
  std::vector<Contender> field;
  for (char const name : {'a', 'b', 'c'})
    field.push_back({.name = {name}, .seconds = [&order, name](std::uint64_t) {
                       order += name;
                       return 1.0;
                     }});
  race(field, {.slice = 1, .turns = 3});
  CHECK(order.ends_with("abcabcabc"));
}

TEST_CASE("a contender that is slower than a slice still does one unit of work") {
  std::vector<std::uint64_t> amounts;
  Contender field[] = {runner("slow", 0.5, 0, amounts)};
  field[0].least = 1;
  race(field, {.slice = 0.1, .turns = 2});
  CHECK(field[0].rate == Approx(0.5));
  CHECK(amounts.back() == 1);
}

TEST_CASE("CPU time is that of all threads of this process, and not that of waiting") {
  CHECK(cpu_seconds([] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }) < 0.03);
  CHECK(wall_seconds([] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }) >= 0.05);
  double const in_a_thread = cpu_seconds([] {
    std::jthread([] {
      for (int volatile spins = 0; spins < 20'000'000;) spins = spins + 1;
    });
  });
  CHECK(in_a_thread > 0.001);
}

TEST_CASE("a row compares two contenders of a race") {
  std::vector<Contender> field = {{.name = "x", .seconds = {}, .rate = 30}, {.name = "y", .seconds = {}, .rate = 10}};
  Row row = compared("case", field, "x", "y", "rounds/s");
  CHECK(row.name == "case: x");
  CHECK(row.ratio() == 3.0);
  CHECK_FALSE(row.share());
  row.bound = 60;
  CHECK(row.share() == 0.5);
  CHECK_THROWS_AS(compared("case", field, "x", "z", "rounds/s"), std::logic_error);
  CHECK_FALSE(Row{.name = "x", .baseline = "y", .unit = "u", .rate = 1}.ratio());
}

}  // namespace
}  // namespace draftgauge::bench
