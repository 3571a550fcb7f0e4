#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "analysis/texts/gamma_set.h"
#include "analysis/texts/text_estimates.h"
#include "analysis/texts/text_limits.h"
#include "analysis/theory/cost.h"

namespace draftgauge {

/// What a round of γ drafts gains over plain decoding, by one estimator of its tokens.
struct TextSpeedup {
  int gamma;
  double round_cost;        ///< in plain steps of the target
  TextEstimate speedup;     ///< S = E[N] / round cost
  TextEstimate break_even;  ///< the c at which S = 1 (analysis/theory/cost.h); negative: at no c
  Limits speedup_limits,
      break_even_limits;  ///< what they can be, as a round has 1 token or more and no more than fit

  bool pays() const { return break_even.value > 0; }  ///< at some c
};
TextSpeedup text_speedup(TextEstimate const& tokens, int gamma, Costs const& costs, bool bonus);
/// None where the estimator knows no tokens at this γ.
std::optional<TextSpeedup> text_speedup(TextEstimates const& estimates, Estimator estimator, int gamma,
                                        Costs const& costs);

/// Among the estimates' γ, and 0, which is plain decoding (S = 1).
struct TextBestGamma {
  int gamma;                     ///< the smallest whose S is within a relative 1e-12 of the greatest
  double speedup;                ///< S there; it was picked for being greatest, so that it leans upwards
  std::map<int, double> p_best;  ///< share of the resamples in which each γ is best; empty without resamples
};
/// None where the estimator knows no γ.
std::optional<TextBestGamma> text_best_gamma(TextEstimates const& estimates, Estimator estimator, Costs const& costs);

/// The γ, of these and 0, that the texts do not show to be worse than the best (gamma_set): with `confidence` the truly
/// best is among them. Of near ties it holds all, where the share of resamples that one γ wins is an accident of the
/// texts.
struct TextGammaSet {
  std::vector<int> gammas;       ///< growing
  std::optional<double> regret;  ///< expected of the best γ above, as a share of its S
  double confidence;
};
/// Of speed-ups over the same texts, γ growing; none where there is none, and below two texts.
std::optional<TextGammaSet> text_gamma_set(std::span<TextSpeedup const> priced, double confidence,
                                           std::uint64_t seed);

}  // namespace draftgauge
