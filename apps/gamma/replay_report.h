#pragma once
#include "analysis/counters/ordered.h"
#include "apps/gamma/gamma_report.h"
#include "apps/options/curve_options.h"

/// What `gamma` says of rounds in their order, and of counts without one.
namespace draftgauge {

/// The best γ by a replay of each request's rounds (analysis/choose/replay_gamma.h).
GammaAnswer gamma_of_replay(OrderedCounts const& ordered, PricedRound const& round, GammaAsked const& asked);

/// What counts without an order say of drafts shorter than those that ran, beside the survival curve that is cut off
/// there: a section and the field `order_free`. Nothing where it is not counted which rounds drafted how far. Domain: every
/// step drafted.
void add_order_free(GammaAnswer& answer, EngineCounters const& counters, GammaAsked const& asked);

}  // namespace draftgauge
