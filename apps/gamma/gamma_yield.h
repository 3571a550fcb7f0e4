#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/gamma/gamma_report.h"

/// What `gamma` says of a recording or a survival curve where nothing is known of costs: no γ is best then, as ever
/// longer drafts that cost nothing are ever better, but each yields tokens, and pays up to some c.
namespace draftgauge {

/// A round of γ ≥ 1 drafts.
struct GammaYield {
  std::int64_t gamma;
  double tokens;  ///< E[N]
  double pays;    ///< the c at which S = 1 with v = 1, o = 0; negative: at no c
  std::optional<Interval> tokens_within = {}, pays_within = {};
};

/// "no costs are given, so that no γ is best: 3.935 [3.688, 4.182] tokens per round at γ = 16".
std::string yield_answer(GammaYield const& longest);
Section yield_section(std::vector<GammaYield> const& rows, GammaAsked const& asked);
/// Fills the fields in which a document with costs says what is best.
void add_yield(Json& document, std::vector<GammaYield> const& rows, GammaAsked const& asked);

}  // namespace draftgauge
