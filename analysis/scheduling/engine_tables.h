#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "analysis/engines/batch_range.h"
#include "analysis/load/batch_costs.h"
#include "sim/schedules/schedules.h"

/// The tables that engines load to decide how many drafts of a batch to verify, written from measured times. read_load
/// reads those of times back.
namespace draftgauge {

/// The time of a step as `fixed` + a part by its sequences + a part by all their tokens, least squares of relative errors.
struct FittedSteps {
  double fixed_ms = 0;
  std::vector<std::int64_t> sequences;  ///< empty where times go by tokens alone
  std::vector<double> sequence_ms;
  std::vector<std::int64_t> tokens;
  std::vector<double> token_ms;
  double worst = 0;  ///< the largest relative error at what was measured

  double ms(std::int64_t sequences_at_once, std::int64_t tokens_at_once) const;
};

/// by_sequences: whether there is such a part; else that of tokens takes all. Throws InputError for whole rounds, which hold
/// the draft's time, and where no table of times ≥ 0 comes near.
FittedSteps fit_steps(BatchCosts const& costs, bool by_sequences);

/// SGLang's {"sample_batch_tokens", "sample_steps_per_sec", "max_batch_tokens"}.
std::string sglang_steps_text(FittedSteps const& steps);
/// SGLang's {"bias_seconds", "bs_probes", "alpha_seconds", "m_probes", "theta_seconds"}.
std::string sglang_parts_text(FittedSteps const& steps);
/// TensorRT-LLM's {"token_counts", "step_time_ms", "fixed_overhead_ms", "batch_sizes", "batch_overhead_ms",
/// "minimum_predicted_gain"}; where times go by tokens alone, without a part by sequences.
std::string trtllm_steps_text(FittedSteps const& steps, double least_gain);

/// vLLM's {"num_speculative_tokens_per_batch_size": [[first, last, length], …]}, and the schedule that it is; of batches
/// beyond max_requests, which no schedule is played with, nothing. Throws InputError that begins with `file`.
std::string vllm_lengths_text(std::vector<BatchRange> const& ranges);
ScheduleCall read_vllm_lengths(std::string const& file, std::string_view text);

}  // namespace draftgauge
