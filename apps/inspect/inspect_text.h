#pragma once
#include <string>

#include "apps/output/result.h"

namespace draftgauge {

/// What a text file of numbers holds: columns or log-probabilities of a text, measured costs, times by batch
/// size, or an engine's log. Adds
/// sections and fields to the result, and to the faults which identities counters break. Throws InputError for what is
/// not sound, and for anything else.
void inspect_text(Result& result, Json& faults, std::string const& path);
/// What happened between two scrapes of a server. Throws InputError as difference does.
void inspect_difference(Result& result, Json& faults, std::string const& before, std::string const& after);

/// Whether this file holds laws by hand: it is called .json, and what it holds has p, q or contexts, or is no JSON at
/// all. Throws InputError for a file that is empty or no text.
bool is_tables_by_hand(std::string const& path);

}  // namespace draftgauge
