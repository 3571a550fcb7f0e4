#pragma once
#include "analysis/report/field.h"
#include "apps/cli/invocation.h"
#include "sim/draft/tree_text.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// Whether --tree names a way to grow one, and not a shape: eagle2:k=10,depth=6,n=60.
bool names_grown_tree(std::string const& text);
/// The shape that it grows to on the SOURCE of these options, of which the drafter `top` fills each place with the
/// token that it was grown for. Throws UsageError where rounds would not all have that tree.
ParsedTree grown_tree(Invocation const& args, std::string const& text);

/// Of a tree that --grown names.
FieldCards grown_cards();

/// The trees that --grown names, on the source's tables: what the draft model claims of each and what the target
/// accepts. Adds them to the result. Throws UsageError for names and numbers that make no tree, and sources whose
/// contexts do not follow from the tokens.
void add_grown(Invocation const& args, Source const& source, Result& result);

}  // namespace draftgauge
