#include "sim/recordings/sampling_parameters.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr double excluded = -std::numeric_limits<double>::infinity();

/// Keeps the k largest. Transformers' TopKLogitsWarper (generation/logits_process.py) and vLLM's apply_top_k_top_p
/// (v1/sample/ops/topk_topp_sampler.py) remove what is less than the k-th; llama.cpp's top-k (src/llama-sampler.cpp)
/// keeps the first k of a partial sort.
void top_k(std::span<double> z, std::uint32_t k, bool exactly) {
  if (k == 0 || k >= z.size()) return;
  std::vector<double> sorted(z.begin(), z.end());
  auto const kth = sorted.begin() + (k - 1);
  std::nth_element(sorted.begin(), kth, sorted.end(), std::greater<>());
  double const least = *kth;
  std::ptrdiff_t places = k - std::count_if(z.begin(), z.end(), [&](double v) { return v > least; });
  for (double& value : z)
    if (value < least || (value == least && exactly && places-- <= 0)) value = excluded;
}

double sum_of_exponentials(std::span<double const> z, double largest, std::vector<double>& weights) {
  double sum = 0;
  weights.resize(z.size());
  for (std::size_t i = 0; i < z.size(); ++i) sum += weights[i] = std::exp(z[i] - largest);
  return sum;
}

/// Keeps a token while those that are likelier hold less than top_p: transformers' TopPLogitsWarper and vLLM remove
/// where the mass from the unlikeliest up to the token is ≤ 1 − top_p, llama.cpp's top-p stops after the token at
/// which the mass reaches top_p; all keep one at least. A token in it holds more than (1 − top_p)/V: it and the
/// unlikelier ones, at most V, none above it, hold more than 1 − top_p. Only such ones are sorted.
void top_p(std::span<double> z, double mass) {
  if (mass >= 1) return;
  double const largest = *std::max_element(z.begin(), z.end());
  std::vector<double> weights;
  double const sum = sum_of_exponentials(z, largest, weights);
  // Lower by more than the roundings of the sum, lest a token at the bound be lost.
  double const least = (1 - mass) * sum / static_cast<double>(z.size()) * (1 - 1e-9);
  std::vector<std::uint32_t> branching;
  for (std::uint32_t i = 0; i < z.size(); ++i)
    if (weights[i] > least) branching.push_back(i);
  auto const likelier = [&](std::uint32_t a, std::uint32_t b) { return z[a] != z[b] ? z[a] > z[b] : a < b; };
  std::sort(branching.begin(), branching.end(), likelier);
  std::vector<double> kept(z.size(), excluded);
  double above = 0;
  for (std::uint32_t i : branching) {
    if (above > 0 && above >= mass * sum) break;
    kept[i] = z[i];
    above += weights[i];
  }
  std::copy(kept.begin(), kept.end(), z.begin());
}

/// Keeps p ≥ min_p · max p: transformers' MinPLogitsWarper and vLLM's MinPLogitsProcessor
/// (v1/sample/logits_processor/builtin.py) remove what is below, llama.cpp's min-p what is below ln min_p + max z.
void min_p(std::span<double> z, double share) {
  if (share <= 0) return;
  double const largest = *std::max_element(z.begin(), z.end());
  for (double& value : z)
    if (std::exp(value - largest) < share) value = excluded;
}

void heat(std::span<double> z, double temperature) {
  // Relative to the largest, so that no temperature makes a finite logit infinite, or a law of nothing.
  double const largest = *std::max_element(z.begin(), z.end());
  for (double& value : z) value = (value - largest) / temperature;
}

void require(bool sound, std::string const& name, double value, std::string const& domain) {
  if (!sound)
    throw UsageError(name + " " + std::to_string(value) + " is outside its domain (it is " + domain + ")",
                     "change it");
}

}  // namespace

void SamplingParameters::check() const {
  require(std::isfinite(temperature) && temperature >= 0, "temperature", temperature, "a number from 0 on");
  require(top_p >= 0 && top_p <= 1, "top-p", top_p, "a probability, 0 to 1");
  require(min_p >= 0 && min_p <= 1, "min-p", min_p, "a share of the largest probability, 0 to 1");
}

void truncate(SamplingParameters const& how, std::span<double const> z, std::span<double> law) {
  if (how.temperature == 0) {
    auto const top = std::max_element(z.begin(), z.end()) - z.begin();
    std::fill(law.begin(), law.end(), 0.0);
    law[static_cast<std::size_t>(top)] = 1;
    return;
  }
  if (law.data() != z.data()) std::copy(z.begin(), z.end(), law.begin());
  switch (how.order) {
    case SamplingParameters::Order::hf:
      heat(law, how.temperature);
      top_k(law, how.top_k, false);
      top_p(law, how.top_p);
      min_p(law, how.min_p);
      break;
    case SamplingParameters::Order::vllm:
      heat(law, how.temperature);
      min_p(law, how.min_p);
      top_k(law, how.top_k, false);
      top_p(law, how.top_p);
      break;
    case SamplingParameters::Order::llama_cpp:
      top_k(law, how.top_k, true);
      top_p(law, how.top_p);
      min_p(law, how.min_p);
      heat(law, how.temperature);
  }
  std::vector<double> weights;
  double const sum = sum_of_exponentials(law, *std::max_element(law.begin(), law.end()), weights);
  for (std::size_t i = 0; i < law.size(); ++i) law[i] = weights[i] / sum;
}

}  // namespace draftgauge
