#include <catch2/catch.hpp>
#include <vector>

#include "sim/chance/scripted_chance.h"
#include "sim/draft/any_drafter.h"
#include "sim/model/row_constant.h"
#include "sim/model/table_model.h"
#include "sim/play/round.h"
#include "sim/rules/block.h"
#include "sim/rules/chen.h"
#include "sim/rules/coupled.h"
#include "sim/rules/deepmind.h"
#include "sim/rules/gbv.h"
#include "sim/rules/google.h"
#include "sim/rules/greedy.h"
#include "sim/rules/k_seq.h"
#include "sim/lossy/lenient.h"
#include "sim/rules/local_ot.h"
#include "sim/rules/naive_set.h"
#include "sim/rules/one_hot.h"
#include "sim/rules/recursive.h"
#include "sim/rules/sglang.h"
#include "sim/rules/spechub.h"
#include "sim/rules/target_walk.h"
#include "sim/rules/token.h"
#include "sim/rules/top_set.h"
#include "sim/rules/traversal.h"
#include "sim/lossy/typical.h"
#include "sim/task/task.h"

// Rules against a script: which questions they ask, in which order, how many, and what follows from the answers.

using namespace draftgauge;

namespace {

using Model = TableModel<double>;
using Answers = std::vector<ScriptedChance::Answer>;
constexpr Token A = 0, B = 1, C = 2;

struct Played {
  int accepted;
  std::vector<Token> tokens;
  int flips, picks;
};

/// `values`: the rule's parameters beside the usual ones, "coin=1".
template <class Rule>
Played play(Model const& model, RoundShape shape, Answers script, std::string const& values = "") {
  auto const rule = [&] {
    auto const call = rule_call(std::string(Rule::card.name) + (values.empty() ? "" : ":" + values));
    if constexpr (requires { Rule(call.values); })
      return Rule(call.values);
    else
      return Rule{};
  }();
  Model ready = model;
  if constexpr (has_row_constant<Rule>) ready = model.with_constants(row_constants(rule, model, shape));
  ScriptedChance chance(std::move(script));
  Played played{};
  played.accepted = play_round(rule, AnyDrafter(drafter_call(Rule::card.drafter).index), ready, shape, chance, 0,
                               [&](Token x) { played.tokens.push_back(x); });
  REQUIRE(chance.finished());
  played.flips = chance.flips();
  played.picks = chance.picks();
  return played;
}

Model one_row(std::vector<double> p, std::vector<double> q) {
  return {Follow::independent, {{std::move(p), std::move(q)}}};
}

// The pair that most examples are of.
Model pair() { return one_row({.3, .4, .3}, {.6, .3, .1}); }

// A worked example of Algorithm 1: drafts A, B, C; the first stands, the second falls.
Model algorithm_1() {
  return {
      Follow::next_row,
      {{{.1, .6, .3}, {.5, .3, .2}}, {{.2, .3, .5}, {.2, .6, .2}}, {{1, 0, 0}, {0, 0, 1}}, {{1, 0, 0}, {1, 0, 0}}}};
}

}  // namespace

TEST_CASE("token: Algorithm 1's example emits A, C") {
  auto const played = play<rules::TokenRule>(algorithm_1(), {3, 1, true}, {A, true, B, false, C});
  CHECK(played.accepted == 1);
  CHECK(played.tokens == std::vector{A, C});
  CHECK(played.flips == 2);
  CHECK(played.picks == 3);
  CHECK(play<rules::ChenRule>(algorithm_1(), {3, 1, true}, {A, true, B, false, C}).tokens == played.tokens);
}

TEST_CASE("token: the residual holds no token that q covers") {
  // At the second position (p − q)₊ = (0, 0, .3): only C can be emitted.
  CHECK_THROWS_WITH(play<rules::TokenRule>(algorithm_1(), {3, 1, true}, {A, true, B, false, A}),
                    "question 5: token 0 has probability 0");
}

TEST_CASE("token: a draft with p ≥ q cannot be rejected, one with p = 0 cannot be accepted") {
  CHECK_THROWS_WITH(play<rules::TokenRule>(one_row({.6, .4}, {.5, .5}), {1, 1, true}, {A, false, B}),
                    "question 2: a flip cannot be false with probability 1");
  CHECK_THROWS_WITH(play<rules::TokenRule>(one_row({0, 1}, {.5, .5}), {1, 1, true}, {A, true, B}),
                    "question 2: a flip cannot be true with probability 0");
}

TEST_CASE("token: the bonus token is one question more, and can be left out") {
  auto const model = one_row({.5, .5}, {.5, .5});
  auto const with = play<rules::TokenRule>(model, {2, 1, true}, {A, true, B, true, A});
  CHECK(with.accepted == 2);
  CHECK(with.tokens == std::vector{A, B, A});
  auto const without = play<rules::TokenRule>(model, {2, 1, false}, {A, true, B, true});
  CHECK(without.accepted == 2);
  CHECK(without.tokens == std::vector{A, B});
  CHECK(without.picks == 2);
}

TEST_CASE("block: asks about each position, whatever fell before it, and keeps the longest that stands") {
  auto const model = pair();
  // The first position falls, the second stands: both are kept, which no rule that stops at a failure does.
  auto const played = play<rules::BlockRule>(model, {2, 1, true}, {A, false, C, true, B});
  CHECK(played.accepted == 2);
  CHECK(played.tokens == std::vector{A, C, B});
  CHECK(played.flips == 2);
  CHECK(played.picks == 3);
}

TEST_CASE("block: nothing stands, a token from the residual") {
  auto const played = play<rules::BlockRule>(pair(), {2, 1, true}, {A, false, A, false, C});
  CHECK(played.accepted == 0);
  CHECK(played.tokens == std::vector{C});
  CHECK_THROWS_WITH(play<rules::BlockRule>(pair(), {2, 1, true}, {A, false, A, false, A}),
                    "question 5: token 0 has probability 0");
}

TEST_CASE("block: where p = q every position stands") {
  auto const played = play<rules::BlockRule>(one_row({.5, .5}, {.5, .5}), {2, 1, true}, {A, true, B, true, A});
  CHECK(played.accepted == 2);
  CHECK_THROWS_WITH(play<rules::BlockRule>(one_row({.5, .5}, {.5, .5}), {2, 1, true}, {A, true, B, false, A}),
                    "question 4: a flip cannot be false with probability 1");
}

TEST_CASE("recursive: candidates are tested in turn, then the last residual is asked") {
  auto const model = pair();
  auto const second = play<rules::Recursive<drafters::Sample>>(model, {1, 2, true}, {A, B, false, true, C});
  CHECK(second.accepted == 1);
  CHECK(second.tokens == std::vector{B, C});
  CHECK(second.flips == 2);
  // r_1 = (0, 1/3, 2/3), so A can no longer be accepted after A was rejected.
  CHECK_THROWS_WITH(play<rules::Recursive<drafters::Sample>>(model, {1, 2, true}, {A, A, false, true, C}),
                    "question 4: a flip cannot be true with probability 0");
}

TEST_CASE("recursive-without: drafts differ") {
  auto const model = pair();
  CHECK_THROWS_WITH(play<rules::Recursive<drafters::SampleWithout>>(model, {1, 2, true}, {A, A}),
                    "question 2: token 0 has probability 0");
  // After A, D = (0, .75, .25) against r = (0, 1/3, 2/3): B falls with probability 5/9, and C alone is left.
  auto const played = play<rules::Recursive<drafters::SampleWithout>>(model, {1, 2, true}, {A, B, false, false, C});
  CHECK(played.accepted == 0);
  CHECK(played.tokens == std::vector{C});
}

TEST_CASE("recursive: a tree is drawn node by node along the path that is accepted") {
  auto const model = one_row({.5, .5}, {.5, .5});
  auto const played =
      play<rules::Recursive<drafters::Sample>>(model, {3, 2, true}, {A, B, true, B, A, true, A, A, true, B});
  CHECK(played.accepted == 3);
  CHECK(played.tokens == std::vector{A, B, A, B});
  CHECK(played.picks == 7);  // 2 children at each of 3 nodes, and the bonus token
}

TEST_CASE("one-hot: a certain draft is accepted with p, and struck out of p after a rejection") {
  Model const model = one_row({.3, .4, .3}, {.1, .3, .6});
  auto const played = play<rules::OneHot>(model, {1, 1, true}, {false, A});
  CHECK(played.tokens == std::vector{A});
  CHECK_THROWS_WITH(play<rules::OneHot>(model, {1, 1, true}, {false, C}), "question 2: token 2 has probability 0");
}

TEST_CASE("coupled: one draw from p decides") {
  Model const model = pair();
  CHECK(play<rules::Coupled>(model, {1, 1, true}, {A, A, B}).tokens == std::vector{A, B});
  CHECK(play<rules::Coupled>(model, {1, 1, true}, {A, C}).tokens == std::vector{C});
}

TEST_CASE("naive-set: one draw from p among k drafts") {
  Model const model = pair();
  auto const played = play<rules::NaiveSet<drafters::Sample>>(model, {1, 2, true}, {A, C, C, B});
  CHECK(played.accepted == 1);
  CHECK(played.tokens == std::vector{C, B});
  using Without = rules::NaiveSet<drafters::SampleWithout>;
  CHECK(play<Without>(pair(), {1, 2, true}, {A, C, C, B}).tokens == played.tokens);
  CHECK_THROWS_WITH(play<Without>(pair(), {1, 2, true}, {A, A}), "question 2: token 0 has probability 0");
}

TEST_CASE("top-set: drafts in turn, over what p has left") {
  Model const model = pair();
  auto const played = play<rules::TopSet>(model, {1, 2, true}, {false, true, A});
  CHECK(played.tokens == std::vector{B, A});
  CHECK(play<rules::TopSet>(model, {1, 2, true}, {false, false, C}).tokens == std::vector{C});
  CHECK_THROWS_WITH(play<rules::TopSet>(model, {1, 2, true}, {false, false, B}),
                    "question 3: token 1 has probability 0");
}

TEST_CASE("spechub: the sampled draft first, then the fixed ones by what is owed") {
  Model const model = pair();  // A is fixed; B and C are drawn with 3/4 and 1/4
  CHECK(play<rules::SpecHub>(model, {1, 2, true}, {B, true, A}).tokens == std::vector{B, A});
  auto const played = play<rules::SpecHub>(model, {1, 2, true}, {B, false, true, C});  // .3 of A is owed, .05 of C
  CHECK(played.accepted == 1);
  CHECK(played.tokens == std::vector{A, C});
  CHECK(play<rules::SpecHub>(model, {1, 2, true}, {B, false, false, C}).accepted == 0);
}

TEST_CASE("greedy: no question is asked, and of equal tokens the smaller is the target's") {
  auto const played = play<rules::Greedy>(one_row({.4, .2, .4}, {.3, .4, .3}), {2, 1, true}, {});
  CHECK(played.tokens == std::vector{A});
  CHECK(play<rules::Greedy>(one_row({.4, .2, .4}, {.6, .4, 0}), {2, 1, true}, {}).tokens == std::vector{A, A, A});
}

TEST_CASE("google, deepmind: where a coin of one bit is p/q, one accepts and the other rejects") {
  Answers const half = {A, Token{1}};  // r = 1/2 = p/q
  auto const then = [](Answers answers, Token last) {
    answers.push_back(last);
    return answers;
  };
  auto const google = play<rules::GoogleLoop>(pair(), {1, 1, true}, then(half, B), "coin=1");
  CHECK(google.tokens == std::vector{A, B});
  auto const deepmind = play<rules::DeepMindLoop>(pair(), {1, 1, true}, then(half, C), "coin=1");
  CHECK(deepmind.tokens == std::vector{C});
  CHECK_THROWS_WITH(play<rules::DeepMindLoop>(pair(), {1, 1, true}, then(half, A), "coin=1"),
                    "question 3: token 0 has probability 0");
  // r = 0 = p/q: a token that the target never has.
  Answers const none = {A, Token{0}, B};
  CHECK(play<rules::GoogleLoop>(one_row({0, 1}, {.5, .5}), {1, 1, true}, none, "coin=1").accepted == 1);
  CHECK(play<rules::DeepMindLoop>(one_row({0, 1}, {.5, .5}), {1, 1, true}, none, "coin=1").accepted == 0);
}

TEST_CASE("traversal: leaves are asked before the drafts above them, and a subtree that falls lifts its sibling") {
  using Rule = rules::Traversal<drafters::Sample>;
  auto const chain = play<Rule>(pair(), {2, 1, true}, {A, C, true, B});  // nobody asks about A
  CHECK(chain.accepted == 2);
  // Below A, which has the score 1/2, A falls with 1/4 and C with 10/11; nothing is left to keep A itself. Then B has
  // the score 1, and so does C below it.
  Answers script = {A, B, A, C, false, false, false, C, A, true, A};
  auto const played = play<Rule>(pair(), {2, 2, true}, script);
  CHECK(played.accepted == 2);
  CHECK(played.tokens == std::vector{B, C, A});
  script[6] = true;
  CHECK_THROWS_WITH(play<Rule>(pair(), {2, 2, true}, script), "question 7: a flip cannot be true with probability 0");
}

TEST_CASE("traversal-without: drafts differ, and the second is judged by what q has left") {
  using Rule = rules::Traversal<drafters::SampleWithout>;
  CHECK_THROWS_WITH(play<Rule>(pair(), {1, 2, true}, {A, A}), "question 2: token 0 has probability 0");
  auto const played = play<Rule>(pair(), {1, 2, true}, {A, B, false, false, C});  // as recursive-without
  CHECK(played.accepted == 0);
  CHECK_THROWS_WITH(play<Rule>(pair(), {1, 2, true}, {A, B, false, false, B}),
                    "question 5: token 1 has probability 0");
}

TEST_CASE("gbv: the best of two paths by p/q, against the probability that it is the best") {
  // C is the best of two with probability .19 < p, A with .36 > p; what p has left is on C alone.
  CHECK(play<rules::Gbv>(pair(), {1, 2, true}, {A, C, true, B}).tokens == std::vector{C, B});
  CHECK_THROWS_WITH(play<rules::Gbv>(pair(), {1, 2, true}, {A, C, false}),
                    "question 3: a flip cannot be false with probability 1");
  Token const first = 0, second = 1;  // tokens that are emitted are drawn by their place: C, B, A
  CHECK(play<rules::Gbv>(pair(), {1, 2, true}, {A, A, false, first}).tokens == std::vector{C});
  CHECK_THROWS_WITH(play<rules::Gbv>(pair(), {1, 2, true}, {A, A, false, second}),
                    "question 4: token 1 has probability 0");
}

TEST_CASE("local-ot: two drafts keep .89, all of A and B among them, so that only C is left to emit") {
  using Rule = rules::LocalOt<drafters::Sample>;
  CHECK(play<Rule>(pair(), {1, 2, true}, {C, C, true, B}).tokens == std::vector{C, B});
  CHECK_THROWS_WITH(play<Rule>(pair(), {1, 2, true}, {C, C, false}),
                    "question 3: a flip cannot be false with probability 1");
  CHECK(play<Rule>(pair(), {1, 2, true}, {A, A, false, C}).tokens == std::vector{C});
}

TEST_CASE("local-ot-without: drafts differ and keep 139/140, all of A and B among them") {
  using Rule = rules::LocalOt<drafters::SampleWithout>;
  CHECK_THROWS_WITH(play<Rule>(pair(), {1, 2, true}, {A, A}), "question 2: token 0 has probability 0");
  CHECK(play<Rule>(pair(), {1, 2, true}, {A, C, true, B}).tokens == std::vector{C, B});  // nobody asks about A
  CHECK_THROWS_WITH(play<Rule>(pair(), {1, 2, true}, {A, C, false}),
                    "question 3: a flip cannot be false with probability 1");
}

TEST_CASE("k-seq: each draft against p/(1.4·q), and then the residual of both") {
  auto const played = play<rules::KSeq>(pair(), {1, 2, true}, {A, B, false, true, C});
  CHECK(played.tokens == std::vector{B, C});
  CHECK_THROWS_WITH(play<rules::KSeq>(pair(), {1, 2, true}, {C, A, false}),
                    "question 3: a flip cannot be false with probability 1");
  CHECK(play<rules::KSeq>(pair(), {1, 2, true}, {A, B, false, false, false, C}).accepted == 0);
  CHECK_THROWS_WITH(play<rules::KSeq>(pair(), {1, 2, true}, {A, B, false, false, false, B}),
                    "question 6: token 1 has probability 0");
}

TEST_CASE("target-walk and naive-set: the text goes on below any draft that spells it") {
  // Two children A, of which the second has a child B.
  Answers const script = {A, A, A, B, C, C, B, C, A};
  CHECK(play<rules::TargetWalk>(pair(), {2, 2, true}, script).tokens == std::vector{A, B, A});
  CHECK(play<rules::NaiveSet<drafters::Sample>>(pair(), {2, 2, true}, script).tokens == std::vector{A, B, A});
  // Drafts that differ need no look at the whole tree.
  auto const distinct = play<rules::NaiveSet<drafters::SampleWithout>>(pair(), {2, 2, true}, {A, B, A, C, B, C, A});
  CHECK(distinct.tokens == std::vector{A, C, A});
}

TEST_CASE("sglang: one coin for all drafts of a position, which a threshold shortens") {
  CHECK(play<rules::Sglang>(pair(), {1, 2, true}, {false, true, A}).tokens == std::vector{B, A});
  CHECK(play<rules::Sglang>(pair(), {1, 2, true}, {false, false, C}).tokens == std::vector{C});
  // A is accepted with .3/t, and B, with p ≥ t − .3, for certain.
  CHECK(play<rules::Sglang>(pair(), {1, 2, true}, {false, A}, "threshold=1/2").tokens == std::vector{B, A});
  CHECK(play<rules::Sglang>(pair(), {1, 2, true}, {C}, "single=1/4").tokens == std::vector{A, C});
}

TEST_CASE("lenient: the test is against l·q, the residual is the token rule's") {
  CHECK(play<rules::Lenient>(pair(), {1, 1, true}, {A, false, C}, "lenience=3/4").tokens == std::vector{C});
  CHECK_THROWS_WITH(play<rules::Lenient>(pair(), {1, 1, true}, {A, false, A}, "lenience=3/4"),
                    "question 3: token 0 has probability 0");
  CHECK_THROWS_WITH(play<rules::Lenient>(pair(), {1, 1, true}, {A, false}, "lenience=1/2"),
                    "question 2: a flip cannot be false with probability 1");
}

TEST_CASE("lenient-greedy: a draft with p ≥ l·max p passes, and no question is asked") {
  CHECK(play<rules::LenientGreedy>(pair(), {1, 1, true}, {}, "lenience=1/2").tokens == std::vector{A, B});
  CHECK(play<rules::LenientGreedy>(pair(), {1, 1, true}, {}, "lenience=4/5").tokens == std::vector{B});
}

TEST_CASE("typical: a draft passes by its p alone, then a token from p") {
  CHECK(play<rules::Typical>(pair(), {1, 1, true}, {C}).tokens == std::vector{A, C});  // .3 > ε = .09
  // exp(−H(p)) = .336 lies between p(A) and p(B).
  CHECK(play<rules::Typical>(pair(), {1, 1, true}, {C}, "epsilon=1,delta=1").tokens == std::vector{C});
  CHECK(play<rules::Typical>(pair(), {1, 2, true}, {C}, "epsilon=1,delta=1").tokens == std::vector{B, C});
}

TEST_CASE("a script that runs out or answers the wrong kind of question is an error") {
  auto const model = one_row({.5, .5}, {.5, .5});
  CHECK_THROWS_WITH(play<rules::TokenRule>(model, {1, 1, true}, {A}), "question 2, a flip: the script has run out");
  CHECK_THROWS_WITH(play<rules::TokenRule>(model, {1, 1, true}, {A, B}),
                    "question 2 is a flip, the script has the other kind of answer");
}
