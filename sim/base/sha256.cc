#include "sim/base/sha256.h"

#include <algorithm>
#include <vector>

#include "sim/base/mapped_file.h"

namespace draftgauge {

void Sha256::update(std::span<std::uint8_t const> bytes) {
  std::size_t const held = bytes_ % pending_.size();
  bytes_ += bytes.size();
  std::size_t const taken = std::min(bytes.size(), pending_.size() - held);
  std::copy_n(bytes.begin(), taken, pending_.begin() + held);
  if (held + taken < pending_.size()) return;
  compress_(state_, pending_.data(), 1);
  bytes = bytes.subspan(taken);
  std::size_t const whole = bytes.size() / pending_.size();
  compress_(state_, bytes.data(), whole);
  bytes = bytes.subspan(whole * pending_.size());
  std::copy(bytes.begin(), bytes.end(), pending_.begin());
}

void Sha256::update(std::string_view text) {
  update(std::span(reinterpret_cast<std::uint8_t const*>(text.data()), text.size()));
}

std::string Sha256::hex() const {
  // FIPS 180-4, 5.1.1: a one bit, zeros, and the length in bits as 64 bits, up to a whole block.
  Sha256 padded = *this;
  std::vector<std::uint8_t> padding((119 - bytes_ % 64) % 64 + 9);
  padding[0] = 0x80;
  for (int i = 0; i < 8; ++i) padding[padding.size() - 1 - i] = static_cast<std::uint8_t>(bytes_ * 8 >> (8 * i));
  padded.update(padding);
  std::string text;
  for (std::uint32_t const word : padded.state_) {
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
  }
  return text;
}

std::string sha256_hex(std::string_view text) {
  Sha256 hash;
  hash.update(text);
  return hash.hex();
}

std::string sha256_of_file(std::filesystem::path const& path) {
  MappedFile const file(path);
  Sha256 hash;
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (std::span<std::uint8_t const> rest = file.bytes(); !rest.empty();) {
    std::span<std::uint8_t const> const part = rest.first(std::min(piece, rest.size()));
    hash.update(part);
    file.put_aside(part);
    rest = rest.subspan(part.size());
  }
  return hash.hex();
}

}  // namespace draftgauge
