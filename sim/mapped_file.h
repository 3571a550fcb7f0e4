#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace draftgauge {

/// A regular file's bytes, mapped read-only for as long as this object lives: a recording of many gigabytes costs
/// memory only for the rows that are read. The file must not be cut short by others meanwhile (the system would then
/// end the program with SIGBUS).
class MappedFile {
 public:
  /// Throws InputError that names the file where it is missing, not a regular file, or may not be read.
  explicit MappedFile(std::filesystem::path const& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<std::uint8_t const> bytes() const { return bytes_; }

 private:
  std::span<std::uint8_t const> bytes_;
};

}  // namespace draftgauge
