#pragma once
#include "analysis/counters/formats.h"

/// Every format, in the file of its name; a new one is its file and a line here. The first that knows a text reads it:
/// what is written in another's log stands before it.
#define DRAFTGAUGE_COUNTER_FORMATS      \
  DRAFTGAUGE_FORMAT(vllm_metrics)       \
  DRAFTGAUGE_FORMAT(vllm_log)           \
  DRAFTGAUGE_FORMAT(vllm_v0_log)        \
  DRAFTGAUGE_FORMAT(vllm_responses)     \
  DRAFTGAUGE_FORMAT(vllm_bench)         \
  DRAFTGAUGE_FORMAT(sglang_metrics)     \
  DRAFTGAUGE_FORMAT(sglang_responses)   \
  DRAFTGAUGE_FORMAT(sglang_log)         \
  DRAFTGAUGE_FORMAT(sglang_server_info) \
  DRAFTGAUGE_FORMAT(trtllm_metrics)     \
  DRAFTGAUGE_FORMAT(trtllm_requests)    \
  DRAFTGAUGE_FORMAT(trtllm_iterations)  \
  DRAFTGAUGE_FORMAT(llama_metrics)      \
  DRAFTGAUGE_FORMAT(llama_log)          \
  DRAFTGAUGE_FORMAT(llama_statistics)   \
  DRAFTGAUGE_FORMAT(llama_timings)      \
  DRAFTGAUGE_FORMAT(llama_speculative)  \
  DRAFTGAUGE_FORMAT(ik_spec_bench)      \
  DRAFTGAUGE_FORMAT(answers)            \
  DRAFTGAUGE_FORMAT(specforge)          \
  DRAFTGAUGE_FORMAT(aiperf)

namespace draftgauge::formats {

#define DRAFTGAUGE_FORMAT(name) CounterFormat name();
DRAFTGAUGE_COUNTER_FORMATS
#undef DRAFTGAUGE_FORMAT

}  // namespace draftgauge::formats
