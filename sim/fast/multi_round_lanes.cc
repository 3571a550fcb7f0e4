// Trials of several rounds, or of contexts that follow from what came before, by gathers.
#include "sim/fast/lane_run.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/fast/multi_round_lanes.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#define HWY_BROKEN_EMU128 1
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
#include "sim/fast/gather_tables.inl"
#include "sim/fast/rounds.inl"

HWY_BEFORE_NAMESPACE();
namespace draftgauge::HWY_NAMESPACE {
namespace {

template <bool Wide>
PlayLanes with_tokens(LaneRun const& run) {
  using Tables = GatherTables<Wide, false>;
  return tokens_matter(*run.simulation) ? &play<Tables, true, Path::multi_round>
                                        : &play<Tables, false, Path::multi_round>;
}

}  // namespace

PlayLanes multi_round_kernel(LaneRun const& run) {
  return run.thresholds->wide ? with_tokens<true>(run) : with_tokens<false>(run);
}

}  // namespace draftgauge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace draftgauge {

PlayLanes multi_round_lanes(LaneRun const& run, VectorTarget target) {
  switch (target) {
#if HWY_TARGETS & HWY_AVX3
    case VectorTarget::avx512: return N_AVX3::multi_round_kernel(run);
#endif
#if HWY_TARGETS & HWY_AVX2
    case VectorTarget::avx2: return N_AVX2::multi_round_kernel(run);
#endif
    default: return nullptr;
  }
}

}  // namespace draftgauge
#endif
