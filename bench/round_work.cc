#include "bench/round_work.h"

#include <cmath>

#include "sim/chance/layout.h"

namespace draftgauge::bench {
namespace {

/// Blocks that hold so many words from the first on.
int blocks(int words) { return (words + 3) / 4; }

}  // namespace

RoundWork round_work(int gamma, double alpha, int table_bits, bool several_contexts) {
  int const slots_per_position = table_bits <= layout::narrow_table_bits ? 1 : 2;
  double mean_blocks = 0, mean_reads = 0;
  // `accepted` drafts: one more position is examined, unless that is all of them and the last token comes from p.
  for (int accepted = 0; accepted <= gamma; ++accepted) {
    double const probability = std::pow(alpha, accepted) * (accepted < gamma ? 1 - alpha : 1);
    int const examined = accepted < gamma ? accepted + 1 : gamma;
    int const contexts = several_contexts ? accepted + 1 : 0;
    mean_blocks += probability * (blocks(1 + slots_per_position * examined) + blocks(contexts));
    mean_reads += probability * examined;
  }
  return {4 * mean_blocks, mean_reads};
}

}  // namespace draftgauge::bench
