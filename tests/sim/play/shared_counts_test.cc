#include "sim/play/shared_counts.h"

#include <catch2/catch.hpp>
#include <latch>
#include <thread>
#include <vector>

#include "tests/random.h"

using namespace draftgauge;

TEST_CASE("shared counts: workers lose no hit, whether cells are few or take each other's place") {
  for (std::size_t cells : {std::size_t{3}, std::size_t{1024}, std::size_t{5000}}) {
    std::vector<std::uint64_t> shared(cells, 1), expected(cells, 1);
    constexpr std::uint32_t workers = 4, argmax_matches = 200'000;
    for (std::uint32_t worker = 0; worker < workers; ++worker) {
      testing::Random random(worker);
      for (std::uint32_t i = 0; i < argmax_matches; ++i) ++expected[random.below(cells)];
      expected[cells - 1] += 7;
    }
    {
      std::latch together(workers);
      std::vector<std::jthread> threads;
      for (std::uint32_t worker = 0; worker < workers; ++worker)
        threads.emplace_back([&, worker] {
          SharedCounts counts(shared);
          testing::Random random(worker);
          together.arrive_and_wait();
          for (std::uint32_t i = 0; i < argmax_matches; ++i) counts(random.below(cells));
          counts.add(cells - 1, 7);
        });
    }
    CAPTURE(cells);
    CHECK(shared == expected);
  }
}
