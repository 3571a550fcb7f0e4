#include "sim/sha256.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "sim/error.h"

namespace draftgauge {
namespace {

// FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

}  // namespace

void Sha256::compress(std::uint8_t const* block) {
  std::array<std::uint32_t, 64> w;
  for (int i = 0; i < 16; ++i) {
    w[i] = std::uint32_t{block[4 * i]} << 24 | std::uint32_t{block[4 * i + 1]} << 16 |
           std::uint32_t{block[4 * i + 2]} << 8 | block[4 * i + 3];
  }
  for (int i = 16; i < 64; ++i) {
    std::uint32_t const s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    std::uint32_t const s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (int i = 0; i < 64; ++i) {
    std::uint32_t const s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    std::uint32_t const t1 = h + s1 + ((e & f) ^ (~e & g)) + round_constants[i] + w[i];
    std::uint32_t const s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    std::uint32_t const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  std::array<std::uint32_t, 8> const added{a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) state_[i] += added[i];
}

void Sha256::update(std::span<std::uint8_t const> bytes) {
  std::size_t const held = bytes_ % pending_.size();
  bytes_ += bytes.size();
  std::size_t const taken = std::min(bytes.size(), pending_.size() - held);
  std::copy_n(bytes.begin(), taken, pending_.begin() + held);
  if (held + taken < pending_.size()) return;
  compress(pending_.data());
  bytes = bytes.subspan(taken);
  for (; bytes.size() >= pending_.size(); bytes = bytes.subspan(pending_.size())) compress(bytes.data());
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
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  Sha256 hash;
  std::vector<char> buffer(std::size_t{1} << 16);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0) {
    hash.update({buffer.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (!file.eof() || file.bad()) {
    throw InputError(path.string() + " cannot be read (" + std::strerror(errno != 0 ? errno : EIO) +
                     ") check its path and permissions");
  }
  return hash.hex();
}

}  // namespace draftgauge
