// Device code of the installed library, run on the host: it must count what the serial engine counts.
#include <draftgauge/gpu/backends.h>

#include <cstdio>

int main() {
  using namespace draftgauge;
  PairTables const tables({{{1, 2}, {2, 1}, 3}}, Follow::independent);
  Simulation const simulation({.rule = "block", .shape = {.gamma = 3}}, tables, 1);
  Range const range{0, 10'000};
  Tally const serial = simulate(simulation, range, serial_backend(), 1).tally;
  Tally const thrust = simulate(simulation, range, choose_backend("thrust-omp"), 2).tally;
  std::printf("%zu counts, %s\n", serial.counts().size(), serial == thrust ? "equal" : "different");
  return serial == thrust ? 0 : 1;
}
