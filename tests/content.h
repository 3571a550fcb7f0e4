#pragma once
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace draftgauge {

/// The bytes of a file; none where there is no file.
inline std::string content(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace draftgauge
