#pragma once
#include "apps/cli/invocation.h"
#include "apps/output/result.h"

namespace draftgauge {

/// Whether `measure --drafter` names one of lookup_cards.
bool asks_lookup(Invocation const& args);

/// --suffix, --draft-tokens, --guesses, --prefixes, --datastore.
OptionGroup lookup_options();

/// What drafts that are looked up in text would give along a recording, by --drafter: its token ids say it. Throws
/// UsageError for options of a draft model, InputError for a recording without token ids.
Result measure_lookup(Invocation const& args);

}  // namespace draftgauge
