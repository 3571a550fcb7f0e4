#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace draftgauge {

/// SHA-256 (FIPS 180-4) of a stream of bytes, by OpenSSL, for naming inputs and tasks; no secret passes through it.
class Sha256 {
 public:
  Sha256();

  void update(std::span<std::uint8_t const> bytes);
  void update(std::string_view text);
  /// The digest of all bytes so far, in lower-case hexadecimal, 64 characters. The stream may go on afterwards.
  std::string hex() const;

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

std::string sha256_hex(std::string_view text);

/// The digest of a file's content, read in pieces. Throws InputError naming the file where it cannot be read.
std::string sha256_of_file(std::filesystem::path const& path);

}  // namespace draftgauge
