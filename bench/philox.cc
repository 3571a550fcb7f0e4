#include "bench/philox.h"

#include "bench/philox_lanes.h"
#include "sim/chance/philox.h"

namespace draftgauge::bench {
namespace {

std::uint32_t volatile digest;

void plain_words(std::uint64_t words) {
  std::uint32_t mixed = 0;
  for (std::uint64_t block = 0; block < (words + 3) / 4; ++block) {
    Philox::Words const four =
        Philox::bits({{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), 0, 0}}, {{1, 2}});
    mixed ^= four.word[0] ^ four.word[1] ^ four.word[2] ^ four.word[3];
  }
  digest = mixed;
}

}  // namespace

PhiloxWords plain_philox() { return plain_words; }

PhiloxWords engine_philox(VectorTarget target) {
  return [target](std::uint64_t words) { digest = mixed_words({{1, 2}}, words, target); };
}

}  // namespace draftgauge::bench
