#include "analysis/replay/rule_replay.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "analysis/exact/enumerator.h"
#include "sim/play/round.h"
#include "sim/rules/block.h"
#include "sim/rules/token.h"
#include "tests/message.h"
#include "tests/models.h"
#include "tests/random.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

RoundMoments<double> rounds_of_block(std::span<double const> log_ratio, RoundShape const& shape,
                                     std::optional<std::size_t> until = {}) {
  return rule_replay_named("block").rounds(log_ratio, shape, until);
}

/// P(text), E[rounds; text] and E[rounds²; text] for every text of `length` tokens, by every path of answers of as
/// many rounds as it takes, of those that start before token `until`.
struct Played {
  Rational probability = 0, rounds = 0, squares = 0;
};
std::map<std::vector<Token>, Played> enumerated(auto const& rule, ExactModel const& model, RoundShape const& shape,
                                                std::size_t length, std::size_t until) {
  std::map<std::vector<Token>, Played> law;
  Enumerator<Rational> chance;
  do {
    std::vector<Token> text;
    std::uint32_t row = 0;
    int rounds = 0;
    while (text.size() < length) {
      if (text.size() < until) ++rounds;
      play_round(rule, AnyDrafter(drafter_call("sample").index), model, shape, chance, row, [&](Token x) {
        text.push_back(x);
        row = model.contexts().after(row, x);
      });
    }
    text.resize(length);
    Played& played = law[text];
    played.probability += chance.probability();
    played.rounds += chance.probability() * rounds;
    played.squares += chance.probability() * rounds * rounds;
  } while (chance.next_path());
  return law;
}

/// q/p of each token of a text.
std::vector<Rational> ratios_along(ExactModel const& model, std::vector<Token> const& text) {
  std::vector<Rational> ratios;
  std::uint32_t row = 0;
  for (Token const x : text) {
    ratios.push_back(model.row(row).q[x] / model.row(row).p[x]);
    row = model.contexts().after(row, x);
  }
  return ratios;
}

/// kept(t, i) in fractions: of the token rule, and of the block rule in the form of its paper, with π_i and w_i.
auto token_kept(std::vector<Rational> const& ratios) {
  return [&ratios](std::size_t t, std::size_t i) { return std::min(Rational(1), ratios[t + i - 1]); };
}
auto block_kept(std::vector<Rational> const& ratios) {
  return [&ratios, pi = Rational(1), w = Rational(1)](std::size_t t, std::size_t i) mutable {
    if (i == 1) pi = w = 1;
    Rational const before = w * pi, ratio = ratios[t + i - 1];
    if (ratio == 0) {
      w = 0;
      return Rational(0);
    }
    if (before == 0) return Rational(0);
    w *= ratio;
    pi = std::min(Rational(1), Rational(pi / ratio));
    return Rational(w * pi / before);
  };
}

/// Of every text, fractions equal those of the enumeration, and doubles agree with them. Returns the number of texts.
int agreeing(auto const& rule, auto const& kept_of, ExactModel const& model, RoundShape const& shape,
             std::size_t length, std::size_t until) {
  bool const block = std::is_same_v<std::decay_t<decltype(rule)>, rules::BlockRule>;
  int texts = 0;
  for (auto const& [text, played] : enumerated(rule, model, shape, length, until)) {
    if (played.probability == 0) continue;
    CAPTURE(block, shape.gamma, shape.bonus, length, until, text);
    auto const ratios = ratios_along(model, text);
    auto const exact = rounds_along_text<Rational>(length, until, shape, kept_of(ratios));
    Rational const mean = played.rounds / played.probability;
    Rational const variance = played.squares / played.probability - mean * mean;
    CHECK(exact.mean.front() == mean);
    CHECK(exact.variance.front() == variance);
    std::vector<double> numbers;
    for (Rational const& ratio : ratios) {
      auto const r = static_cast<double>(ratio);
      numbers.push_back(block ? std::log(r) : std::min(1., r));
    }
    auto const close = block ? rounds_of_block(numbers, shape, until) : token_rounds(numbers, shape, until);
    CHECK(close.mean.front() == Approx(static_cast<double>(mean)).epsilon(1e-13));
    CHECK(close.variance.front() == Approx(static_cast<double>(variance)).margin(1e-13));
    ++texts;
  }
  return texts;
}

}  // namespace

TEST_CASE("rounds given the text are the replay's, for every text and both rules") {
  ExactModel const pair{Follow::token, {row({1, 3}, {2, 1}), row({5, 2}, {1, 4})}};
  for (ExactModel const& model : {pair, random_automaton(3, 2), random_automaton(4, 2)})
    for (int const gamma : {1, 2, 3})
      for (bool const bonus : {true, false})
        for (std::size_t const until : {2u, 4u}) {
          RoundShape const shape{gamma, 1, bonus};
          agreeing(rules::TokenRule{}, token_kept, model, shape, 4, until);
          agreeing(rules::BlockRule{}, block_kept, model, shape, 4, until);
        }
}

TEST_CASE("how many drafts a block keeps is known from the text, for every output of a tree of contexts") {
  // A row per prefix, as deep as the drafts of rounds that start within a text of four tokens reach.
  std::vector<ExactModel::Row> rows;
  Random random(81);
  auto const weights = [&] {
    std::vector<int> w;
    for (int x = 0; x < 3; ++x) w.push_back(1 + static_cast<int>(random.below(9)));
    return w;
  };
  for (int i = 0; i < 1 + 3 + 9 + 27 + 81 + 243; ++i) {
    auto const p = weights();
    rows.push_back(row(p, weights()));
  }
  ExactModel const model{Follow::prefix, std::move(rows)};
  CHECK(agreeing(rules::BlockRule{}, block_kept, model, {.gamma = 2}, 4, 4) == 81);
  CHECK(agreeing(rules::TokenRule{}, token_kept, model, {.gamma = 2}, 4, 4) == 81);
}

TEST_CASE("long products of ratios neither overflow nor lose what is left") {
  // A block along tokens that q likes e^5 times as much as p, then one it likes e^−4 times: w stays above 1, and all
  // is kept. The other way round its chance is e^−4, and no better tokens behind it bring it back.
  std::vector<double> rising(1000, 5), falling(1000, 5);
  rising.back() = -4;
  falling.front() = -4;
  CHECK(rounds_of_block(rising, {.gamma = 256}).mean.front() == Approx(std::ceil(1000. / 257)));
  RoundMoments<double> const rounds = rounds_of_block(falling, {.gamma = 256});
  double const kept = std::exp(-4);
  CHECK(rounds.mean[0] == Approx(1 + (1 - kept) * rounds.mean[1] + kept * rounds.mean[257]).epsilon(1e-14));
  // Tokens so unlikely that their product is no double.
  std::vector<double> const never(1000, -700);
  CHECK(rounds_of_block(never, {.gamma = 256}).mean.front() == 1000);
  std::vector<double> excluded(4, 0);
  excluded[1] = -HUGE_VAL;
  CHECK(rounds_of_block(excluded, {.gamma = 4}).mean.front() == 2);
}

TEST_CASE("replay by hand") {
  // γ = 1: R(3) = 1, R(2) = 1 + ½ R(3) = 1.5, R(1) = 1 + ½ R(2) + ½ R(3) = 2.25.
  std::vector<double> const half(3, .5);
  CHECK(token_rounds(half, {.gamma = 1}).mean == std::vector<double>{2.25, 1.5, 1});
  // A round from token 2 is followed by one with probability ½; from token 1 by R(2) or R(3): ¼ and then ½(½² +
  // ½²)/2.
  CHECK(token_rounds(half, {.gamma = 1}).variance == std::vector<double>{.1875, .25, 0});
  // Nothing accepted: a round a token. Everything: γ + 1 tokens a round, or γ.
  CHECK(token_rounds(std::vector<double>(12, 0), {.gamma = 3}).mean.front() == 12);
  CHECK(token_rounds(std::vector<double>(12, 1), {.gamma = 3}).mean.front() == 3);
  CHECK(token_rounds(std::vector<double>(12, 1), {3, 1, false}).mean.front() == 4);
  CHECK(token_rounds({}, {.gamma = 3}).mean.empty());
}

TEST_CASE("what cannot be replayed is refused") {
  std::vector<double> const accept = {.5, 1.5}, nan = {std::nan("")};
  CHECK(message<InputError>([&] { token_rounds(accept, {.gamma = 2}); }) ==
        "a of token 2 is 1.5 (it is the probability min(1, q/p)) give numbers from 0 to 1");
  CHECK(message<InputError>([&] { token_rounds(nan, {.gamma = 2}); }) ==
        "a of token 1 is nan (it is the probability min(1, q/p)) give numbers from 0 to 1");
  CHECK(message<InputError>([&] { rounds_of_block(std::vector<double>{0, HUGE_VAL}, {.gamma = 2}); }) ==
        "ln q − ln p of token 2 is inf (the target wrote the token, so that p is above 0) score the text by the "
        "distributions "
        "that "
        "wrote it");
  CHECK(message<InputError>([&] { rounds_of_block(nan, {.gamma = 2}); }) ==
        "ln q − ln p of token 1 is nan (the target wrote the token, so that p is above 0) score the text by the "
        "distributions "
        "that "
        "wrote it");
  CHECK(message([&] { token_rounds(accept, {.gamma = 0}); }) ==
        "`gamma` is 0 (a round drafts a token at least) give 1 or more");
  CHECK(message([&] { rounds_of_block(accept, {2, 2, true}); }) ==
        "`candidates` is 2 (what a text says of acceptance holds for the token and the block rule, which have one "
        "draft "
        "a position) give 1");
}

TEST_CASE(
    "a coin run's rounds are those that it counts: they start where another ended, and go on past what is kept") {
  std::vector<double> const accept = {1, 1, 1, 0, 1, 1, 0, 0, 1, 1};
  CoinRun const run(accept, 1, 0);
  CHECK(std::equal(run.accepted().begin(), run.accepted().end(), accept.begin(), accept.end()));
  CHECK(run.starts({.gamma = 2}) == std::vector<std::size_t>{0, 3, 4, 7, 8});
  CHECK(run.starts({2, 1, false}) == std::vector<std::size_t>{0, 2, 4, 6, 7, 8});
  for (int gamma = 1; gamma <= 12; ++gamma)
    CHECK(run.starts({.gamma = gamma}).size() == run.rounds({.gamma = gamma}));
}
