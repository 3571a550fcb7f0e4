#pragma once
#include <filesystem>
#include <string_view>

namespace draftgauge {

/// Where the program finds what is installed with it: PREFIX/share/draftgauge/NAME beside PREFIX/bin/draftgauge, wherever
/// that was moved to; `built`, the place that the build knows, where there is no such thing.
std::filesystem::path shared_file(std::string_view name, std::filesystem::path const& built);

}  // namespace draftgauge
