#include "sim/play/pace.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

using namespace draftgauge;

namespace {

/// The pieces that a machine plays whose piece of n trials takes seconds(n).
std::vector<std::uint64_t> pieces(int count, auto const& seconds) {
  Pace pace;
  std::vector<std::uint64_t> all;
  for (int i = 0; i < count; ++i) {
    all.push_back(pace.trials());
    pace.took(seconds(static_cast<double>(pace.trials())));
  }
  return all;
}

}  // namespace

TEST_CASE("pace: the first piece is one trial, and fast trials soon fill a tenth of a second") {
  auto const all = pieces(40, [](double n) { return 20e-6 + n / 10e6; });
  CHECK(std::vector(all.begin(), all.begin() + 8) ==
        std::vector<std::uint64_t>{1, 16, 256, 4096, 65536, 131072, 262144, 524288});
  CHECK(all.back() == 524288);
}

TEST_CASE("pace: trials of seconds are played one by one") {
  CHECK(pieces(5, [](double n) { return 2 * n; }) == std::vector<std::uint64_t>{1, 2, 1, 1, 1});
}

TEST_CASE("pace: slow trials on many workers fill the workers") {
  auto const all = pieces(12, [](double n) { return .3 * std::max(1.0, n / 16); });
  CHECK(std::vector(all.begin(), all.begin() + 6) == std::vector<std::uint64_t>{1, 2, 4, 8, 16, 32});
  CHECK(std::all_of(all.begin() + 6, all.end(), [](std::uint64_t n) { return n == 16; }));
}

TEST_CASE("pace: a machine that becomes slow gets shorter pieces, and one that never fills no overflow") {
  int turn = 0;
  CHECK(pieces(40, [&](double n) { return n / (++turn < 25 ? 1e6 : 1e5); }).back() < 1u << 17);
  CHECK(pieces(100, [](double) { return 1e-9; }).back() == std::uint64_t{1} << 62);
}
