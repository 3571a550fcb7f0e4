#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace draftgauge {

/// A command line's words with options and values as they are called now, where scripts may still use a former name.
/// Help and completion do not list those.
std::vector<std::string> in_present_text(std::span<std::string_view const> words);

}  // namespace draftgauge
