#pragma once
#include <filesystem>
#include <optional>
#include <string_view>

namespace draftgauge {

/// PREFIX/share/draftgauge of a program that is installed in PREFIX/bin, wherever that was moved to; none where it
/// was not.
std::optional<std::filesystem::path> installed_folder();

/// Where the program finds what is installed with it: NAME in the folder above; `built`, the place that the build
/// knows, where there is no such thing.
std::filesystem::path shared_file(std::string_view name, std::filesystem::path const& built);

}  // namespace draftgauge
