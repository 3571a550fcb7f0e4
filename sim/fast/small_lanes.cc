// Trials of one round in one context of at most 64 tokens, by tables in registers.
#include "sim/fast/lane_run.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/fast/small_lanes.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX2)
#define HWY_BROKEN_EMU128 1
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_AVX3
#include "sim/fast/register_tables.inl"
#include "sim/fast/rounds.inl"

HWY_BEFORE_NAMESPACE();
namespace draftgauge::HWY_NAMESPACE {
namespace {

template <bool Large>
PlayLanes with_tokens(LaneRun const& run) {
  using Tables = RegisterTables<Large>;
  return run.positions > 0 ? &play<Tables, true, Path::one> : &play<Tables, false, Path::one>;
}

}  // namespace

PlayLanes small_kernel(LaneRun const& run) {
  return run.thresholds->bits > 5 ? with_tokens<true>(run) : with_tokens<false>(run);
}

}  // namespace draftgauge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace draftgauge {

/// Joint counts of two positions' tokens take 17 kB: of many positions they would be slower than counts one by one.
[[maybe_unused]] constexpr std::uint32_t most_positions = 16;

bool tables_in_registers([[maybe_unused]] std::uint32_t rows, [[maybe_unused]] int bits,
                         [[maybe_unused]] VectorTarget target) {
#if HWY_TARGETS & HWY_AVX3
  return target == VectorTarget::avx512 && rows == 1 && bits <= 6;
#else
  return false;
#endif
}

PlayLanes small_lanes([[maybe_unused]] LaneRun const& run, [[maybe_unused]] VectorTarget target) {
#if HWY_TARGETS & HWY_AVX3
  if (tables_in_registers(run.rows(), run.thresholds->bits, target) && run.positions <= most_positions)
    return N_AVX3::small_kernel(run);
#endif
  return nullptr;
}

}  // namespace draftgauge
#endif
