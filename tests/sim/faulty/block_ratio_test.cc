#include "sim/faulty/block_ratio.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/base/fraction.h"
#include "sim/chance/scripted_chance.h"
#include "sim/draft/any_drafter.h"
#include "sim/faulty/block_greedy.h"
#include "sim/faulty/block_uncapped.h"
#include "sim/model/table_model.h"
#include "sim/play/round.h"
#include "sim/task/task.h"

using namespace draftgauge;

namespace {

constexpr Token A = 0, B = 1;

/// p/q is 2^60 for A, and B is never p's.
TableModel<double> far_apart() { return {Follow::independent, {{{1, 0}, {0x1p-60, 1 - 0x1p-60}}}}; }

/// A draft of the token A.
struct DraftOfA {
  TableModel<Fraction> const& model;
  Children none;

  auto at(std::uint32_t) const { return model.node(0, none); }
  Token token_after(std::uint32_t) const { return A; }
};

/// 255 times A, which brings P/Q to 2^15300, and then B, which brings it to 0: the last position falls.
template <class Rule>
void check_last_falls() {
  std::vector<ScriptedChance::Answer> script;
  for (int i = 1; i < max_gamma; ++i) script.insert(script.end(), {A, true});
  script.insert(script.end(), {B, false, A});
  ScriptedChance chance(script);
  auto const model = far_apart();
  int const accepted = play_round(Rule{}, AnyDrafter(drafter_call("sample").index), model, {max_gamma, 1, true},
                                  chance, 0, [](Token) {});
  CHECK(accepted == max_gamma - 1);
  CHECK(chance.finished());
}

}  // namespace

TEST_CASE("faulty rules: P/Q of 256 drafts stays finite, and comes down again") {
  auto const model = far_apart();
  std::vector<ScriptedChance::Answer> script(max_gamma - 1, A);
  script.push_back(B);
  ScriptedChance chance(script);
  Drafting const drafting(AnyDrafter(drafter_call("sample").index));
  RoundShape const shape{max_gamma, 1, true};
  DraftNodes nodes;
  DraftTree draft(drafting, model, shape, chance, 0, nodes);
  double ratio = 1;
  for (std::uint32_t node = 0; node + 1 < max_gamma; ++node) {
    ratio = faulty::extended_uncut(draft, node, ratio);
    CHECK(ratio == std::exp2(std::min(60 * (static_cast<int>(node) + 1), 900)));
  }
  CHECK(faulty::extended_uncut(draft, max_gamma - 1, ratio) == 0);
}

TEST_CASE("faulty rules: fractions are not cut at all") {
  TableModel<Fraction> const model{Follow::independent,
                                   {{{Fraction(1), Fraction(0)}, {Fraction(1, 4), Fraction(3, 4)}}}};
  DraftOfA draft{model, {}};
  CHECK(faulty::extended_uncut(draft, 0, Fraction(7)) == Fraction(28));
}

TEST_CASE("faulty rules: block rules by an uncut P/Q judge 256 drafts as fewer") {
  check_last_falls<faulty::BlockUncapped>();
  check_last_falls<faulty::BlockGreedy>();
}
