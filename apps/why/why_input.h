#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/counters/counters.h"
#include "analysis/texts/study.h"
#include "analysis/why/waterfall.h"
#include "apps/cli/invocation.h"
#include "apps/options/curve_options.h"

namespace draftgauge {

/// --alpha, --survival, --accepted…: what is accepted, where no FILE says it.
OptionGroup accepted_options_of_why();

/// --gamma, --plain, --measured, --batch, --engine, --confidence.
OptionGroup why_options();

/// What `why` was given, as the waterfall takes it.
struct WhyAsked {
  WaterfallInput input;
  std::optional<double> plain_ms = {};         ///< a plain step of the target
  std::optional<EngineCounters> counted = {};  ///< the FILEs that are an engine's counters
  std::optional<Study> study = {};             ///< the FILE that is a recording
  bool argmax_drafts = false;                  ///< the engine named drafts argmax q
  PricedRound priced = {};                     ///< as the options say it, without what an engine adds
  std::int64_t priced_batch = 1;               ///< sequences whose rounds these costs are of
  bool batched = false;                        ///< several sequences ran at once, whatever they were priced at
  std::vector<std::string> notes = {};
};

/// Throws UsageError and InputError.
WhyAsked why_asked(Invocation const& args, double confidence);

}  // namespace draftgauge
