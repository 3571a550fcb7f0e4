#include "sim/museum/block_ratio.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/any_drafter.h"
#include "sim/fraction.h"
#include "sim/museum/block_greedy.h"
#include "sim/museum/block_uncapped.h"
#include "sim/round.h"
#include "sim/scripted_chance.h"
#include "sim/table_model.h"
#include "sim/task.h"

using namespace draftgauge;

namespace {

constexpr Token A = 0, B = 1;

/// p/q is 2^60 for A, and B is never p's.
TableModel<double> far_apart() { return {Follow::independent, {{{1, 0}, {0x1p-60, 1 - 0x1p-60}}}}; }

/// 255 times A, which brings P/Q to 2^15300, and then B, which brings it to 0: the last position falls.
template <class Rule>
void check_last_falls() {
  std::vector<ScriptedChance::Answer> script(max_gamma - 1, A);
  script.push_back(B);
  script.insert(script.end(), max_gamma - 1, true);
  script.insert(script.end(), {false, A});
  ScriptedChance chance(script);
  auto const model = far_apart();
  int const accepted = play_round(Rule{}, AnyDrafter(drafter_call("sample").index), model, {max_gamma, 1, true},
                                  chance, 0, [](Token) {});
  CHECK(accepted == max_gamma - 1);
  CHECK(chance.finished());
}

}  // namespace

TEST_CASE("museum: P/Q of 256 drafts stays finite, and comes down again") {
  auto const model = far_apart();
  ChainDraft<TableModel<double>> path(model, 0);
  for (int i = 1; i < max_gamma; ++i) path.add(A, 0);
  path.add(B, 0);
  double ratio = 1;
  for (int i = 1; i < max_gamma; ++i) {
    ratio = museum::extended_uncut(path, i, ratio);
    CHECK(ratio == std::exp2(std::min(60 * i, 900)));
  }
  CHECK(museum::extended_uncut(path, max_gamma, ratio) == 0);
}

TEST_CASE("museum: fractions are not cut at all") {
  TableModel<Fraction> const model{Follow::independent,
                                   {{{Fraction(1), Fraction(0)}, {Fraction(1, 4), Fraction(3, 4)}}}};
  ChainDraft<TableModel<Fraction>> path(model, 0);
  path.add(A, 0);
  CHECK(museum::extended_uncut(path, 1, Fraction(7)) == Fraction(28));
}

TEST_CASE("museum: block rules by an uncut P/Q judge 256 drafts as fewer") {
  check_last_falls<museum::BlockUncapped>();
  check_last_falls<museum::BlockGreedy>();
}
