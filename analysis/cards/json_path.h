#pragma once
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

namespace draftgauge {

/// A value that a path leads to, and the number that stood for a * in a name, or its place in a list.
struct AtPath {
  std::size_t index;
  nlohmann::json const* value;
};

/// The values that a path leads to, without nulls. "a.b" is member b of member a; "a[2]" an element of a list, "a[1:]" those
/// from there on, "a[*]" all, "a[]" the only one of a list of one, "a[*][2]" the third of each; "at_*" every member whose
/// name has a whole number there, by these numbers.
std::vector<AtPath> at_path(nlohmann::json const& root, std::string_view path);

/// The same where there is exactly one; else null.
nlohmann::json const* value_at_path(nlohmann::json const& root, std::string_view path);

}  // namespace draftgauge
