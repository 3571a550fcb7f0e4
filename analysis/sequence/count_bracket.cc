#include "analysis/sequence/count_bracket.h"

namespace draftgauge {

void add_rounds(LengthHistograms& all, std::span<OrderedRound const> text) {
  for (auto const& [accepted, drafted] : text) {
    if (drafted < 1) continue;
    auto& histogram = all[drafted];
    histogram.resize(static_cast<std::size_t>(drafted) + 1);
    ++histogram[static_cast<std::size_t>(accepted)];
  }
}

LengthHistograms histograms_of(std::span<OrderedRounds const> texts) {
  LengthHistograms all;
  for (OrderedRounds const& text : texts) add_rounds(all, text);
  return all;
}

}  // namespace draftgauge
