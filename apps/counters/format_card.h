#pragma once
#include "apps/cli/invocation.h"

namespace draftgauge {

/// --format-card: how an engine's print is read that the program does not know.
Option format_card_option();

/// Makes the formats of these cards known. Throws InputError as add_format_card does. To be called before a FILE is looked into.
void use_format_cards(Invocation const& args);

}  // namespace draftgauge
