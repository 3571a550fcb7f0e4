#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"

namespace draftgauge {

/// Smallest number of inserted, deleted, replaced or swapped neighbouring letters that turns a into b.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known names that may have been meant, the nearest first: the same but for capitals, with few letters wrong, or
/// one the beginning of the other ("--temp", "llama.cpp").
std::vector<std::string_view> nearest_names(std::string_view name, std::span<std::string_view const> known);

/// "there is no KIND 'NAME' (known: a, b, c)", and where a known name is near the hint "did you mean 'b'?".
Error unknown_name(std::string_view kind, std::string_view name, std::span<std::string_view const> known);

}  // namespace draftgauge
