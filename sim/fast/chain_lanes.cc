// Trials of one round, of contexts that are independent, by gathers.
#include "sim/fast/lane_run.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/fast/chain_lanes.cc"
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

template <class Tables, bool Tokens>
PlayLanes with_path(LaneRun const& run) {
  return run.rows() > 1 ? &play<Tables, Tokens, Path::drawn> : &play<Tables, Tokens, Path::one>;
}
template <class Tables>
PlayLanes with_tokens(LaneRun const& run) {
  return run.positions > 0 ? with_path<Tables, true>(run) : with_path<Tables, false>(run);
}
template <bool Wide>
PlayLanes with_tables(LaneRun const& run) {
  return run.thresholds->exact_match ? with_tokens<GatherTables<Wide, true>>(run)
                                     : with_tokens<GatherTables<Wide, false>>(run);
}

}  // namespace

PlayLanes chain_kernel(LaneRun const& run) {
  return run.thresholds->wide ? with_tables<true>(run) : with_tables<false>(run);
}

}  // namespace draftgauge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace draftgauge {

PlayLanes chain_lanes(LaneRun const& run, VectorTarget target) {
  switch (target) {
#if HWY_TARGETS & HWY_AVX3
    case VectorTarget::avx512: return N_AVX3::chain_kernel(run);
#endif
#if HWY_TARGETS & HWY_AVX2
    case VectorTarget::avx2: return N_AVX2::chain_kernel(run);
#endif
    default: return nullptr;
  }
}

}  // namespace draftgauge
#endif
