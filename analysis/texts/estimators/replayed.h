#pragma once
#include "analysis/texts/text_estimates.h"
#include "sim/draft/round_shape.h"

namespace draftgauge {

/// ΣT / ΣR at each γ, R being rounds(i, shape) of text i; none where the texts have no room for a round.
template <class Rounds>
std::vector<std::optional<TextEstimate>> replayed_tokens(TextEstimates const& of, Rounds const& rounds) {
  std::vector<std::optional<TextEstimate>> all;
  for (int const gamma : of.options().gammas) {
    if (!of.has_room(gamma)) {
      all.emplace_back();
      continue;
    }
    std::vector<double> sums;
    for (std::size_t i = 0; i < of.texts(); ++i) sums.push_back(rounds(i, RoundShape{gamma, 1, of.options().bonus}));
    all.push_back(mean_over_texts(of.sample()->lengths(), of.sample()) / mean_over_texts(sums, of.sample()));
  }
  return all;
}

/// Why nothing is known that is replayed by the tokens' acceptance.
inline std::string why_not_replayed(TextEstimates const& of) {
  return of.why_no_a().empty() ? of.why_short(1) : of.why_no_a();
}

}  // namespace draftgauge
