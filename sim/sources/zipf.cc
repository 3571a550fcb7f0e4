#include <cmath>

#include "sim/sources/families.h"
#include "sim/sources/keys.h"
#include "sim/sources/source.h"

namespace draftgauge {
namespace {

std::vector<double> law(std::uint32_t vocab, double exponent, double shift) {
  std::vector<double> out(vocab);
  for (std::uint32_t x = 0; x < vocab; ++x) out[x] = -exponent * std::log(x + 1 + shift);
  softmax(out, 1);
  return out;
}

Source build_zipf(Keys const& keys, SourceOptions const& options) {
  std::uint32_t const vocab = keys.count32("vocab");
  check_memory(1, vocab, options.memory_limit, "take a smaller vocab");
  RowList rows;
  rows.add(law(vocab, keys.number("exponent"), keys.number("shift")),
           law(vocab, keys.number("draft-exponent"), keys.number("draft-shift")));
  return {keys.description(), PairTables(rows.take(), Follow::independent, options.threads), rows.rounding()};
}

KeyCard exponent(std::string_view name, std::string_view standard, std::string_view meaning) {
  return number_key(name, standard, meaning, 0, 100);
}

KeyCard shift(std::string_view name, std::string_view meaning) {
  return number_key(name, "0", meaning, 0, 1'000'000'000);
}

}  // namespace

SourceCard zipf_source() {
  return {
      .name = "zipf",
      .summary = "one context with the distributions of Zipf and Mandelbrot over ranks r = 1…V",
      .tables = "p ∝ (r + shift)^−exponent, q ∝ (r + draft-shift)^−draft-exponent",
      .keys = {vocab_key("1000"), exponent("exponent", "1", "exponent of p"), shift("shift", "shift of p's ranks"),
               exponent("draft-exponent", "1.2", "exponent of q"), shift("draft-shift", "shift of q's ranks")},
      .build = build_zipf};
}

}  // namespace draftgauge
