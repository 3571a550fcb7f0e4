#if DRAFTGAUGE_HAS_CUDA
#include "gpu/cuda_machine.h"

#include <catch2/catch.hpp>

#include "tests/known_answers.h"

using namespace draftgauge;

TEST_CASE("device: Philox gives the known answers") {
  if (std::string const why = why_no_cuda_device(); !why.empty()) {
    CHECK_THROWS_WITH(cuda_machine(), Catch::StartsWith("CUDA "));
    WARN(why);
    return;
  }
  for (auto const& known : testing::philox_answers) {
    auto const words = cuda_philox(known.key, std::vector{known.counter});
    CHECK(words.at(0) == known.words);
  }
}
#endif
