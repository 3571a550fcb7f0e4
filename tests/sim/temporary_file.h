#pragma once
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

namespace draftgauge {

/// A file with this content that goes when the object does.
class TemporaryFile {
 public:
  TemporaryFile(std::string const& extension, std::string_view content) {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("draftgauge_test_" + std::to_string(::getpid()) + "_" + std::to_string(number++) + extension);
    std::ofstream(path_, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(TemporaryFile const&) = delete;
  TemporaryFile& operator=(TemporaryFile const&) = delete;

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// The bytes of a safetensors file: a header, and data behind it.
inline std::string tensor_bytes(std::string const& header, std::string const& data) {
  std::uint64_t const length = header.size();
  return std::string(reinterpret_cast<char const*>(&length), 8) + header + data;
}

inline std::span<std::uint8_t const> as_bytes(std::string const& text) {
  return {reinterpret_cast<std::uint8_t const*>(text.data()), text.size()};
}

}  // namespace draftgauge
