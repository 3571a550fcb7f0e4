#include <algorithm>

#include "sim/sources/families.h"

namespace draftgauge {
namespace {

Source build_noisy_softmax(Keys const& keys, SourceOptions const& options) {
  double const scale = keys.number("scale"), noise = keys.number("noise"), temperature = keys.number("temperature");
  auto const weigh = [=](std::span<double> p, std::span<double> q, LawRandom of_p, LawRandom of_q) {
    std::ranges::copy(normal_variables(p.size(), of_p), p.begin());
    for (double& z : p) z *= scale;
    softmax_with_noise(p, q, noise, of_q, temperature);
  };
  return source_of_random_contexts(keys, options, Follow::independent, weigh);
}

KeyCard number(std::string_view name, std::string_view standard, std::string_view meaning) {
  return number_key(name, standard, meaning, 0, 1'000'000);
}

}  // namespace

SourceCard noisy_softmax_source() {
  return {.name = "noisy-softmax",
          .summary = "contexts of random logits that the draft sees through noise",
          .tables = "p = softmax(z/T), q = softmax((z + noise·ε)/T); z = scale·N(0,1), ε = N(0,1) per token",
          .keys = {vocab_key("50"), number("noise", "1", "how far the draft's logits are from the target's"),
                   number("temperature", "1", "T of both distributions; 0 takes the largest logit"),
                   number("scale", "3", "spread of the target's logits"), contexts_key(), seed_key()},
          .build = build_noisy_softmax};
}

}  // namespace draftgauge
