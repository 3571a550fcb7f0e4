#include <algorithm>
#include <cmath>

#include "sim/sources/memory.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t most_count_states = 1 << 20;

Fraction power(Fraction const& base, std::int64_t exponent) {
  Fraction result = 1;
  for (; exponent > 0; --exponent) result = result * base;
  return result;
}

/// The whole root of a whole number, if it has one.
std::optional<std::int64_t> root(std::int64_t of, std::int64_t degree) {
  std::int64_t const near = std::llround(std::pow(static_cast<double>(of), 1.0 / static_cast<double>(degree)));
  try {
    if (power(near, degree) == Fraction(of)) return near;
  } catch (DoesNotFit const&) {
  }
  return std::nullopt;
}

/// What dividing a positive logit by θ and multiplying another by it makes of a weight (Keskar et al. 2019, arXiv
/// 1909.05858, as transformers does it). Exact for whole θ and, of weights above 1, where the root is.
WrittenNumber repeated(WrittenNumber const& weight, WrittenNumber const& theta) {
  bool const above = weight.value > 1;
  double const value = std::pow(weight.value, above ? 1 / theta.value : theta.value);
  if (!weight.exact || !theta.exact || theta.exact->den() != 1 || theta.exact->num() > 64) return {value, {}};
  std::int64_t const whole = theta.exact->num();
  try {
    if (!above) return {value, power(*weight.exact, whole)};
    auto const num = root(weight.exact->num(), whole), den = root(weight.exact->den(), whole);
    if (num && den) return {value, Fraction(*num, *den)};
  } catch (DoesNotFit const&) {
  }
  return {value, {}};
}

Source build_penalised(Keys const& keys, SourceOptions const& options) {
  return source_with_memory(keys, options, [&](std::uint32_t vocab) {
    auto const factor = [&](std::string_view key) { return parse_written(keys.text(key)); };
    WrittenNumber const frequency = factor("frequency"), presence = factor("presence"), theta = factor("repetition");
    std::uint64_t const most = frequency.value == 1 ? 1 : keys.count("counts");  // else only presence matters
    std::uint64_t states = 1;
    for (std::uint32_t x = 0; x < vocab && states <= most_count_states; ++x) states *= most + 1;
    if (states > most_count_states)
      throw keys.error(std::to_string(vocab) + " tokens that are counted up to " + std::to_string(most) +
                           " have more than " + std::to_string(most_count_states) +
                           " states (each is a row of p and q)",
                       "take a smaller vocab or counts");
    Memory memory;
    auto const count_of = [most](std::uint64_t state, Token x) {
      for (; x > 0; --x) state /= most + 1;
      return state % (most + 1);
    };
    for (std::uint64_t state = 0; state < states; ++state) {
      std::uint64_t unit = 1;
      for (Token x = 0; x < vocab; ++x, unit *= most + 1)
        memory.next.push_back(static_cast<std::uint32_t>(state + (count_of(state, x) < most ? unit : 0)));
    }
    memory.process = [=](std::uint32_t state, TokenWeights& weights) {
      for (Token x = 0; x < weights.size(); ++x) {
        std::uint64_t const count = count_of(state, x);
        if (count == 0) continue;
        if (theta.value != 1) weights[x] = repeated(weights[x], theta);
        weights[x] = product(weights[x], presence);
        for (std::uint64_t i = 0; i < count; ++i) weights[x] = product(weights[x], frequency);
      }
    };
    return memory;
  });
}

}  // namespace

SourceCard penalised_source() {
  KeyCard frequency = number_key("frequency", "1", "factor of a token's weight each time it was emitted", 0, 1000);
  KeyCard presence = number_key("presence", "1", "factor of a token's weight once it was emitted", 0, 1000);
  KeyCard repetition =
      number_key("repetition", "1", "θ: once a token was emitted its weight w becomes w^θ, and w^(1/θ) if above 1",
                 {1, 100}, 100);
  KeyCard counts{.name = "counts",
                 .kind = KeyCard::Kind::count,
                 .meaning = "how often a token is counted at most, for frequency",
                 .standard = "8",
                 .least = 1,
                 .most = 1000};
  return {.name = "penalised",
          .summary = "a target that penalises what it emitted: frequency, presence, repetition",
          .tables =
              "p ∝ w·frequency^n·presence^[n>0], w = exp(logit), n how often the text has the token; an API's "
              "penalty f is the factor exp(−f)",
          .keys = memory_keys({frequency, presence, repetition, counts}),
          .build = build_penalised};
}

}  // namespace draftgauge
