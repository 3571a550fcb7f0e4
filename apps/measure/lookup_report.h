#pragma once
#include "apps/cli/invocation.h"
#include "apps/output/result.h"

namespace draftgauge {

/// Those of `measure --drafter` that look drafts up in text.
inline constexpr std::string_view lookup_drafters[] = {"pld", "pool", "rest"};
bool asks_lookup(Invocation const& args);

/// --suffix, --draft-tokens, --guesses, --prefixes, --datastore.
OptionGroup lookup_options();

/// What drafts that are looked up in text would give along a recording, by --drafter: its token ids say it. Throws
/// UsageError for options of a draft model, InputError for a recording without token ids.
Result measure_lookup(Invocation const& args);

}  // namespace draftgauge
