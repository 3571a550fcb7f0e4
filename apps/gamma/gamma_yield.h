#pragma once
#include <string>
#include <vector>

#include "analysis/choose/counted_gamma.h"
#include "apps/gamma/gamma_report.h"

/// What `gamma` says of a recording or a survival curve where nothing is known of costs: no γ is best then, as ever
/// longer drafts that cost nothing are ever better, but each yields tokens, and pays up to some c.
namespace draftgauge {

/// "3.935 [3.688, 4.182] tokens per round at γ = 16, and --cost tells the best γ". ran: the γ that did, if not so many rows.
std::string yield_answer(std::vector<GammaYield> const& rows, std::size_t ran);
Section yield_section(std::vector<GammaYield> const& rows, GammaAsked const& asked);
/// Fills the answer's rows, and the report's.
void add_yield(GammaAnswer& answer, std::vector<GammaYield> const& rows, GammaAsked const& asked);

}  // namespace draftgauge
