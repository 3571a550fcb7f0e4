#include <algorithm>

#include "sim/sources/families.h"
#include "sim/sources/keys.h"
#include "sim/sources/source.h"

namespace draftgauge {
namespace {

Source build_noisy_softmax(Keys const& keys, SourceOptions const& options) {
  std::uint32_t const vocab = keys.count32("vocab");
  std::uint32_t const contexts = keys.count32("contexts");
  check_memory(contexts, vocab, options.memory_limit, "take fewer contexts or a smaller vocab");
  std::uint64_t const seed = keys.count("seed");
  double const scale = keys.number("scale"), noise = keys.number("noise"), temperature = keys.number("temperature");
  RowList rows;
  rows.add_rows(contexts, vocab, options.threads, [&] {
    return [=](std::uint64_t i, std::span<double> p, std::span<double> q) {
      auto const row = static_cast<std::uint32_t>(i);
      std::ranges::copy(normal_variables(vocab, {seed, row, 0}), p.begin());
      std::ranges::copy(normal_variables(vocab, {seed, row, 1}), q.begin());
      for (std::uint32_t x = 0; x < vocab; ++x) {
        p[x] *= scale;
        q[x] = p[x] + noise * q[x];
      }
      softmax(p, temperature);
      softmax(q, temperature);
    };
  });
  return {keys.description(), PairTables(rows.take(), Follow::independent, options.threads), rows.rounding()};
}

KeyCard number(std::string_view name, std::string_view standard, std::string_view meaning) {
  return {.name = name,
          .kind = KeyCard::Kind::number,
          .meaning = meaning,
          .standard = standard,
          .least = 0,
          .most = 1'000'000};
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
