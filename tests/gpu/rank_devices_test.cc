#include "gpu/rank_devices.h"

#include <catch2/catch.hpp>

namespace draftgauge {
namespace {

TEST_CASE("devices of ranks: each has its share, and where they are too few ranks share them") {
  CHECK(devices_of_rank(std::nullopt, 4, 0, 2) == "0,2");
  CHECK(devices_of_rank(std::nullopt, 4, 1, 2) == "1,3");
  CHECK(devices_of_rank(std::nullopt, 3, 1, 2) == "1");
  CHECK(devices_of_rank(std::nullopt, 1, 3, 4) == "0");
  CHECK(devices_of_rank(std::nullopt, 2, 3, 4) == "1");
  CHECK(devices_of_rank(std::nullopt, 0, 1, 4).empty());
  CHECK(devices_of_rank("GPU-ab,GPU-cd", 8, 1, 2) == "GPU-cd");  // what a scheduler allows, and no more
  CHECK(devices_of_rank("5", 8, 1, 2) == "5");
  CHECK(devices_of_rank("", 8, 1, 2).empty());  // all are hidden, and stay so
}

}  // namespace
}  // namespace draftgauge
