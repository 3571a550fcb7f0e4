#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace draftgauge {

/// Throws InputError where the file is none of those that are read but is known: "PLACE: it looks like X: it has …", and
/// what to do instead. By its first record's keys, or by what its text holds; `first`: the first line that is
/// no comment.
void refuse_lookalike(std::string const& place, nlohmann::json const& record);
void refuse_lookalike(std::string const& file, std::string_view text, std::string_view first);

}  // namespace draftgauge
