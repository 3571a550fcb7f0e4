#include "sim/sources/families.h"
#include "sim/sources/keys.h"
#include "sim/sources/source.h"

namespace draftgauge {
namespace {

Source build(Keys const& keys, SourceOptions const& options) {
  std::uint32_t const vocab = keys.count32("vocab");
  std::uint32_t const contexts = keys.count32("contexts");
  check_memory(contexts, vocab, options.memory_limit, "take fewer contexts or a smaller vocab");
  RowList rows;
  for (std::uint32_t row = 0; row < contexts; ++row) {
    auto p = normal_variables(vocab, {keys.count("seed"), row, 0});
    auto q = normal_variables(vocab, {keys.count("seed"), row, 1});
    for (std::uint32_t x = 0; x < vocab; ++x) {
      p[x] *= keys.number("scale");
      q[x] = p[x] + keys.number("noise") * q[x];
    }
    softmax(p, keys.number("temperature"));
    softmax(q, keys.number("temperature"));
    rows.add(p, q);
  }
  return {keys.description(), Laws(rows.rows(), Follow::independent), rows.rounding()};
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
          .laws = "p = softmax(z/T), q = softmax((z + noise·ε)/T); z = scale·N(0,1), ε = N(0,1) per token",
          .keys = {vocab_key("50"), number("noise", "1", "how far the draft's logits are from the target's"),
                   number("temperature", "1", "T of both laws; 0 takes the largest logit"),
                   number("scale", "3", "spread of the target's logits"), contexts_key(), seed_key()},
          .build = build};
}

}  // namespace draftgauge
