#pragma once
#include <filesystem>
#include <string>

namespace draftgauge {

/// The topmost folder of the path that is not there; empty where the file alone is missing.
std::filesystem::path missing_folder(std::filesystem::path const& path);

/// What may help where there is no such file: "did you mean 'data/costs.csv'?" for the nearest name in its folder (or
/// for the nearest folder), "there is no folder 'dta'", or "check the path"; of an address how a file is had.
std::string path_hint(std::filesystem::path const& path);

}  // namespace draftgauge
