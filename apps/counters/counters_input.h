#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/counters/counters.h"
#include "analysis/counters/measured_rounds.h"
#include "apps/cli/invocation.h"
#include "apps/options/curve_options.h"

namespace draftgauge {

/// --format-card: how an engine's print is read that the program does not know.
Option format_card_option();

/// Makes the formats of these cards known. Throws InputError as add_format_card does. To be called before a FILE is looked into.
void use_format_cards(Invocation const& args);

/// --draft-length and --format-card.
OptionGroup counter_options();

/// Throws UsageError where it is given, and no counters are.
void refuse_draft_length(Invocation const& args);

/// What it says: one length for all, or of each draft by its name. Throws UsageError.
struct DraftLengthsSaid {
  std::optional<std::int64_t> all = {};
  std::map<std::string, std::int64_t> by_name = {};
};
DraftLengthsSaid draft_lengths_said(Invocation const& args);
/// The same where one draft is asked about; none where it is not given.
std::optional<std::int64_t> draft_length_said(Invocation const& args);

/// What the FILEs count, where they are an engine's own counters: of two scrapes what happened between them. None where
/// no FILE is. Throws UsageError for counters beside other files, and InputError as read_counters, difference and
/// require_identities do, and where no round had a draft.
std::optional<EngineCounters> counters_given(Invocation const& args);

/// Refuses what is about a text or a model, of which counters know nothing: UsageError for an option of these groups
/// that is given.
void require_no_text(Invocation const& args, std::vector<OptionGroup> const& groups);

/// Costs of rounds that these counters are of: with the passes of the draft model that their engine adds, and a note
/// that says so.
PricedRound as_counted(PricedRound round, EngineCounters const& counters);
/// The same of rounds of an engine; as they are where it is null.
PricedRound as_run_by(PricedRound round, EngineRun const* engine);
/// The engine whose rounds are asked about: the one to be set, else (empty) the one that counted; null where nothing is
/// known of its rounds.
EngineRun const* engine_to_price(EngineCounters const& counters, std::string const& to_set);
/// The engine whose settings end the answer: of --for, else the one that counted; empty where neither is there.
std::string engine_to_set(Invocation const& args, EngineCounters const* counters);

}  // namespace draftgauge
