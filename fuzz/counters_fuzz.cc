#include <cstdlib>

#include "analysis/counters/counted_curve.h"
#include "analysis/counters/difference.h"
#include "analysis/counters/estimates.h"
#include "analysis/counters/every_position.h"
#include "analysis/counters/formats.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/kept.h"
#include "analysis/counters/rates.h"
#include "analysis/counters/read_counters.h"
#include "analysis/counters/two_lengths.h"
#include "sim/base/error.h"

// Any text as what an engine prints: read, and where its identities hold, worked out to the end.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace draftgauge;
  std::string_view const text(reinterpret_cast<char const*>(data), size);
  try {
    EngineCounters const counters = read_counters("input", text);
    require_identities(counters);
    CounterRates const rates = counter_rates(counters);
    for (auto const& rate : {rates.accepted_per_drafted, rates.alpha, rates.per_request_mean})
      if (rate && !(*rate >= 0 && *rate <= 1)) std::abort();
    if (rates.tokens_per_round && !(*rates.tokens_per_round >= 1)) std::abort();
    if (counters.at_once && !(counters.at_once->mean() > 0)) std::abort();
    static_cast<void>(kept_counts(counters));
    static_cast<void>(counter_estimates(counters, .95));
    static_cast<void>(counted_curve(counters, Costs{}, {.draws = 8}));
    static_cast<void>(difference(counters, counters));
    for (auto const& draft : counters.drafts_from) {
      EngineCounters played = counters;
      play_rounds(played, draft.first, std::nullopt, "length");
      static_cast<void>(counted_curve(played, Costs{}, {.draws = 8}));
      static_cast<void>(compare_lengths(played, played));
    }
  } catch (Error const&) {
  }
  return 0;
}
