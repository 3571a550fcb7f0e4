// What another project writes: the public headers by their installed names, one call into each library it links.
#include <draftgauge/analysis/theory/closed_form.h>
#include <draftgauge/sim/fast/engine.h>

#include <cmath>
#include <cstdio>

int main() {
  using namespace draftgauge;
  // p = (1/3, 2/3), q = (2/3, 1/3): α = Σ min(p, q) = 2/3.
  PairTables const tables({{{1, 2}, {2, 1}, 3}}, Follow::independent);
  Simulation const simulation({.rule = "token", .shape = {.gamma = 2}}, tables, 1);
  Tally const tally = simulate(simulation, {0, 100'000}, cpu_backend(), 2).tally;

  auto const tokens = static_cast<double>(tally[TallyLayout::tokens]);
  double const simulated = tokens / static_cast<double>(tally[TallyLayout::rounds]);
  double const expected = theory::expected_tokens(tables.beta(0), 2);
  std::printf("tokens a round: %.4f simulated, %.4f by Eq. (1)\n", simulated, expected);
  return std::abs(simulated - expected) < 0.02 ? 0 : 1;  // 7 standard errors: N is in 1..3, its deviation 0.83
}
