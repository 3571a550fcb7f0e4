#include "sim/base/for_rows.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

using draftgauge::for_rows;

TEST_CASE("every row is worked at once, with scratch of the thread's own") {
  for (int threads : {1, 2, 7, 200}) {
    std::vector<int> met(100);
    std::atomic<int> workers{0};
    for_rows(met.size(), threads, [&] {
      ++workers;
      return [&](std::uint64_t row) { ++met[row]; };
    });
    CHECK(met == std::vector<int>(100, 1));
    CHECK(workers <= std::min(threads, 100));
  }
  for_rows(0, 3, [] { return [](std::uint64_t) { FAIL("there is no row"); }; });
}

TEST_CASE("what is read before is read of all rows in order, each by the thread that works it") {
  struct Work {
    std::vector<std::uint64_t>& order;
    std::vector<int>& met;
    std::uint64_t mine = 0;
    void read(std::uint64_t row) {
      if (row == 90) throw std::runtime_error("row 90");
      order.push_back(row);
      mine = row;
    }
    void operator()(std::uint64_t row) { met[row] += mine == row; }
  };
  for (int threads : {1, 2, 7}) {
    std::vector<std::uint64_t> order;
    std::vector<int> met(100);
    CHECK_THROWS_AS(for_rows(met.size(), threads, [&] { return Work{order, met}; }), std::runtime_error);
    CHECK(order.size() == 90);
    CHECK(std::ranges::is_sorted(order));
    CHECK(std::ranges::count(met, 1) == 90);
  }
}

TEST_CASE("of several rows that fail the smallest is heard of, whichever thread met it") {
  for (int threads : {1, 2, 7})
    for (int repeat = 0; repeat < 50; ++repeat) {
      std::string message;
      try {
        for_rows(60, threads, [] {
          return [](std::uint64_t row) {
            if (row == 17 || row % 10 == 8) throw std::runtime_error("row " + std::to_string(row));
          };
        });
      } catch (std::runtime_error const& error) {
        message = error.what();
      }
      REQUIRE(message == "row 8");
    }
}
