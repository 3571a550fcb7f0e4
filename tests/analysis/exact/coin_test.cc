#include <catch2/catch.hpp>
#include <string>

#include "analysis/exact/exact.h"
#include "tests/models.h"

using namespace draftgauge;
using namespace draftgauge::testing;

// The loops of LLMSpeculativeSampling and the two papers' comparisons: one law for a real coin, different laws for a
// coin of m bits, which come together as m grows.

namespace {

SequenceLaw first_token(std::string const& rule, ExactModel const& model) {
  return exact_text(task(rule, 1), model, {}, 1).output;
}

Rational at(SequenceLaw const& law, Token x) {
  auto const found = law.find({x});
  return found == law.end() ? Rational(0) : found->second;
}

}  // namespace

TEST_CASE("coin: token, chen, google and deepmind are one distribution for a real coin") {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    auto const model = random_prefix_model(seed, 3, 2);
    auto const token = exact_round(task("token", 2), model);
    for (char const* rule : {"chen", "google", "deepmind"}) {
      CAPTURE(rule);
      CHECK(exact_round(task(rule, 2), model).emitted == token.emitted);
    }
  }
}

TEST_CASE("coin: m bits err by at most 2^-m, to either side") {
  auto const model = one_context({1, 6, 3}, {5, 3, 2});  // tests at 1/5 for the first token only
  for (int bits = 1; bits <= 8; ++bits) {
    CAPTURE(bits);
    Rational const step(1, 1 << bits);
    SequenceLaw const google = first_token("google:coin=" + std::to_string(bits), model);
    SequenceLaw const deepmind = first_token("deepmind:coin=" + std::to_string(bits), model);
    // q(0)·(number of r ≤ 1/5, of r < 1/5)/2^m; 1/5 is no multiple of 2^-m, so both count ⌊2^m/5⌋ + 1 numbers.
    Rational const accepted = Rational((1 << bits) / 5 + 1) * step;
    CHECK(at(google, 0) == accepted / 2);
    CHECK(google == deepmind);
    CHECK(total_variation(google, target_law(model, 1)) <= step);
    CHECK(total_variation(google, target_law(model, 1)) > 0);
  }
}

TEST_CASE("coin: at a multiple of 2^-m the comparisons differ, and at p(x) = 0 only ≤ emits the impossible") {
  auto const half = one_context({1, 3}, {2, 2});  // p/q = 1/2 for the first token
  CHECK(at(first_token("deepmind:coin=3", half), 0) == Rational(1, 4));
  CHECK(at(first_token("google:coin=3", half), 0) == Rational(1, 2) * Rational(5, 8));
  auto const impossible = one_context({0, 1}, {1, 0});
  CHECK(at(first_token("deepmind:coin=3", impossible), 0) == 0);
  CHECK(at(first_token("google:coin=3", impossible), 0) == Rational(1, 8));
  CHECK(at(first_token("google", impossible), 0) == 0);
}
