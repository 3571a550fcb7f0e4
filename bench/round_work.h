#pragma once

namespace draftgauge::bench {

/// What a round of the token rule reads at the least, in the mean.
struct RoundWork {
  double words;        ///< random words, by whole Philox blocks of four (sim/chance/layout.h)
  double table_reads;  ///< of the threshold tables' steps (sim/fast), one for each position examined
};

/// Where every context accepts with probability alpha, independently. With several contexts a round also asks which
/// one stands at each position that it comes to.
RoundWork round_work(int gamma, double alpha, int table_bits, bool several_contexts);

}  // namespace draftgauge::bench
