#include "bench/philox_lanes.h"

#include <algorithm>
#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/philox_lanes.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#define HWY_BROKEN_EMU128 1
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
#include "sim/fast/lanes.inl"

HWY_BEFORE_NAMESPACE();
namespace draftgauge::HWY_NAMESPACE {

std::uint32_t mixed_in_lanes(Philox::Key key, std::uint32_t blocks) {
  KeySchedule const keys(key);
  Words mixed = hn::Zero(d32);
  for (std::uint32_t begin = 0; begin < blocks; begin += group) {
    Words counter[vectors], word[4][vectors];
    for (int v = 0; v < vectors; ++v) counter[v] = hn::Iota(d32, begin + static_cast<std::uint32_t>(v * lanes));
    philox<0b1111>(counter, 0, 0, 0, keys, word);
    for (int w = 0; w < 4; ++w)
      for (int v = 0; v < vectors; ++v) mixed = hn::Xor(mixed, word[w][v]);
  }
  std::uint32_t parts[lanes], all = 0;
  hn::StoreU(mixed, d32, parts);
  for (std::uint32_t part : parts) all ^= part;
  return all;
}

}  // namespace draftgauge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace draftgauge::bench {
namespace {

std::uint32_t mixed_plainly(Philox::Key key, std::uint32_t blocks) {
  std::uint32_t mixed = 0;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    Philox::Words const four = Philox::bits({{block, 0, 0, 0}}, key);
    mixed ^= four.word[0] ^ four.word[1] ^ four.word[2] ^ four.word[3];
  }
  return mixed;
}

}  // namespace

std::uint32_t mixed_words(Philox::Key key, std::uint64_t words, VectorTarget target) {
  constexpr std::uint64_t most = 0xffffffff & ~63u;
  auto const blocks = static_cast<std::uint32_t>(std::min((words / 4 + 63) & ~std::uint64_t{63}, most));
  switch (target) {
#if HWY_TARGETS & HWY_AVX3
    case VectorTarget::avx512: return N_AVX3::mixed_in_lanes(key, blocks);
#endif
#if HWY_TARGETS & HWY_AVX2
    case VectorTarget::avx2: return N_AVX2::mixed_in_lanes(key, blocks);
#endif
    default: return mixed_plainly(key, blocks);
  }
}

}  // namespace draftgauge::bench
#endif
