#pragma once
#include <span>
#include <string>

#include "analysis/report/field.h"
#include "apps/cli/invocation.h"

namespace draftgauge {

/// Of arrays and models.
FieldCards tensor_cards();
FieldCards model_cards();

/// What files of full rows hold: their arrays, metadata, and for each model what its numbers are and whether they are
/// sound; in one pass of constant memory. Adds sections and fields to the result, and a fault for whatever cannot be
/// used. One file with one or two models, or a target's and a draft's.
void inspect_rows(Result& result, Json& faults, Invocation const& args, std::span<std::string const> files);

}  // namespace draftgauge
