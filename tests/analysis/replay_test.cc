#include "analysis/replay.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "analysis/enumerator.h"
#include "sim/rules/token.h"
#include "tests/message.h"
#include "tests/models.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

/// P(text) and E[rounds; text] for every text of `length` tokens, by every path of answers of as many rounds as it
/// takes.
struct Played {
  Rational probability = 0, rounds = 0;
};
std::map<std::vector<Token>, Played> enumerated(ExactModel const& model, RoundShape const& shape,
                                                std::size_t length) {
  std::map<std::vector<Token>, Played> law;
  Enumerator<Rational> chance;
  do {
    std::vector<Token> text;
    std::uint32_t row = 0;
    int rounds = 0;
    for (; text.size() < length; ++rounds)
      play_round(rules::TokenRule{}, AnyDrafter(drafter_call("sample").index), model, shape, chance, row, [&](Token x) {
        text.push_back(x);
        row = model.contexts().after(row, x);
      });
    text.resize(length);
    Played& played = law[text];
    played.probability += chance.probability();
    played.rounds += chance.probability() * rounds;
  } while (chance.next_path());
  return law;
}

}  // namespace

TEST_CASE("rounds given the text are the replay's, for every text") {
  ExactModel const pair{Follow::token, {row({1, 3}, {2, 1}), row({5, 2}, {1, 4})}};
  for (ExactModel const& model : {pair, random_automaton(3, 2), random_automaton(4, 2)})
    for (int const gamma : {1, 2, 3})
      for (bool const bonus : {true, false}) {
        RoundShape const shape{gamma, 1, bonus};
        for (auto const& [text, played] : enumerated(model, shape, 4)) {
          CAPTURE(gamma, bonus, text);
          std::vector<double> accept;
          std::uint32_t row = 0;
          for (Token const x : text) {
            Rational const p = model.row(row).p[x], q = model.row(row).q[x];
            accept.push_back(q < p ? static_cast<double>(Rational(q / p)) : 1);
            row = model.contexts().after(row, x);
          }
          CHECK(replayed_rounds(accept, shape).front() ==
                Approx(static_cast<double>(Rational(played.rounds / played.probability))).epsilon(1e-13));
        }
      }
}

TEST_CASE("replay by hand") {
  // γ = 1: R(3) = 1, R(2) = 1 + ½ R(3) = 1.5, R(1) = 1 + ½ R(2) + ½ R(3) = 2.25.
  std::vector<double> const half(3, .5);
  CHECK(replayed_rounds(half, {.gamma = 1}) == std::vector<double>{2.25, 1.5, 1});
  // Nothing accepted: a round a token. Everything: γ + 1 tokens a round, or γ.
  CHECK(replayed_rounds(std::vector<double>(12, 0), {.gamma = 3}).front() == 12);
  CHECK(replayed_rounds(std::vector<double>(12, 1), {.gamma = 3}).front() == 3);
  CHECK(replayed_rounds(std::vector<double>(12, 1), {3, 1, false}).front() == 4);
  CHECK(replayed_rounds({}, {.gamma = 3}).empty());
  // Texts are pooled, not averaged: 15 tokens in 3 + 2.25 rounds. Empty ones add nothing.
  std::vector<double> const texts[] = {std::vector<double>(12, 1), {}, half};
  CHECK(replay(std::span(texts).first(1), {.gamma = 3}).tokens_per_round() == 4);
  Replayed const pooled = replay(texts, {.gamma = 1});
  CHECK(pooled.tokens == 15);
  CHECK(pooled.rounds == 6 + 2.25);
}

TEST_CASE("what cannot be replayed is refused") {
  std::vector<double> const accept = {.5, 1.5};
  CHECK(message([&] { replayed_rounds(accept, {.gamma = 2}); }) ==
        "a of token 2 is 1.5 (it is the probability min(1, q/p)) give numbers from 0 to 1");
  CHECK(message([&] { replayed_rounds(std::vector<double>{std::nan("")}, {.gamma = 2}); }) ==
        "a of token 1 is nan (it is the probability min(1, q/p)) give numbers from 0 to 1");
  CHECK(message([&] { replayed_rounds(accept, {.gamma = 0}); }) ==
        "--gamma is 0 (a round drafts a token at least) give 1 or more");
  CHECK(message([&] { replayed_rounds(accept, {2, 2, true}); }) ==
        "--candidates is 2 (what a text says of acceptance holds for the token rule, which has one draft a position) "
        "give 1");
}
