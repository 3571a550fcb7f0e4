#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace draftgauge {

/// A file's bytes, mapped read-only for as long as this object lives; of a pipe what came through it (piped_input.h).
/// Mapping costs no memory that the system could not take back, whatever the file's size; time is for the bytes that
/// are looked at, which are all of them where the file is an input of a result, since its SHA-256 is taken. The file
/// must not be cut short by others meanwhile (the system would then end the program with SIGBUS).
class MappedFile {
 public:
  /// Throws InputError that names the file where it is missing, neither a file nor a pipe, or may not be read.
  /// /dev/stdin is standard input, whatever that is.
  explicit MappedFile(std::filesystem::path const& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<std::uint8_t const> bytes() const { return bytes_; }
  /// The same as characters.
  std::string_view text() const { return {reinterpret_cast<char const*>(bytes_.data()), bytes_.size()}; }

  /// Says that a part of the bytes is not wanted soon, so that it no longer counts as this process's memory. It may
  /// be read again all the same. What of `part` is no part of the bytes is left as it is.
  void put_aside(std::span<std::uint8_t const> part) const;

 private:
  std::span<std::uint8_t const> bytes_;
};

}  // namespace draftgauge
