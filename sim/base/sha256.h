#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/sha256_blocks.h"

namespace draftgauge {

/// SHA-256 (FIPS 180-4) of a stream of bytes, for naming inputs and tasks; no secret passes through it.
class Sha256 {
 public:
  /// Blocks are compressed by `compress`, which changes no digest: a test may compare one with another.
  explicit Sha256(Sha256Blocks compress = sha256_blocks_fastest()) : compress_(compress) {}

  void update(std::span<std::uint8_t const> bytes);
  void update(std::string_view text);
  /// The digest of all bytes so far, in lower-case hexadecimal, 64 characters. The stream may go on afterwards.
  std::string hex() const;

 private:
  Sha256Blocks compress_;
  Sha256State state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> pending_{};
  std::uint64_t bytes_ = 0;
};

std::string sha256_hex(std::string_view text);

/// The digest of a file's content, read in pieces. Throws InputError naming the file where it cannot be read.
std::string sha256_of_file(std::filesystem::path const& path);

}  // namespace draftgauge
