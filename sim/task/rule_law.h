#pragma once
#include <string>

#include "sim/draft/call.h"

namespace draftgauge {

/// A name for the law of a rule's rounds with k drafts a position, the same for rules of which their records say, by
/// one step or several, that they have the law of each other where they draft alike (`equals`, sim/task/record.h):
/// the first rule of the list that is among them. The rule itself, with its parameters, where nothing is said.
std::string law_of_rule(Call const& rule, int k);

}  // namespace draftgauge
