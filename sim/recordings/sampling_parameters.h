#pragma once
#include <cstdint>
#include <span>

namespace draftgauge {

/// How an engine makes the law that it samples from out of logits: temperature and truncations, in its order.
struct SamplingParameters {
  enum class Order {
    hf,        ///< temperature, top-k, top-p, min-p (transformers: generation/utils.py, _get_logits_processor)
    vllm,      ///< temperature, min-p, top-k, top-p (vLLM: v1/sample/sampler.py)
    llama_cpp  ///< top-k, top-p, min-p, temperature (llama.cpp: common/common.h, the default `samplers`)
  };

  double temperature = 1;   ///< ≥ 0; 0: all on the argmax, of equal ones the smallest
  std::uint32_t top_k = 0;  ///< the k most likely; 0: all
  double top_p =
      1;  ///< in [0, 1]: the most likely tokens until they hold this mass, the one that crosses it included
  double min_p = 0;  ///< in [0, 1]: tokens of at least this multiple of the largest probability
  Order order = Order::hf;

  bool truncates() const { return top_k > 0 || top_p < 1 || min_p > 0; }
  bool operator==(SamplingParameters const&) const = default;

  /// Throws UsageError where a number is outside its domain.
  void check() const;
};

/// The law [V] of a sound row of logits z [V]; `law` may be `z` itself. Where a truncation's edge runs through tokens
/// of equal logits, top-k keeps all of them in hf and vllm (both mask what is below the k-th value) and those of
/// smallest index in llama_cpp (which keeps k), and top-p keeps those of smallest index (the engines: whichever their
/// sort put first). Each truncation sees the law that the one before left, renormalised. No sort of the row is made.
void truncate(SamplingParameters const& how, std::span<double const> z, std::span<double> law);

}  // namespace draftgauge
