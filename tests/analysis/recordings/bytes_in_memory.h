#pragma once
#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "sim/recordings/rows.h"

namespace draftgauge::testing {

/// Rows that stand in no file.
class BytesInMemory : public RowBytes {
 public:
  BytesInMemory(RowLayout const& layout, std::vector<std::uint8_t> bytes)
      : RowBytes(layout), bytes_(std::move(bytes)) {}
  /// Rows of so many logits.
  BytesInMemory(std::uint64_t vocab, std::vector<float> const& z)
      : BytesInMemory({Encoding::f32, z.size() / vocab, vocab}, bytes_of(z)) {}

  std::span<std::uint8_t const> rows(std::uint64_t begin, std::uint64_t count) override {
    longest = std::max(longest, count);
    return std::span(bytes_).subspan(begin * layout().row_bytes(), count * layout().row_bytes());
  }
  /// The most rows that were asked for at once.
  std::uint64_t longest = 0;

 private:
  static std::vector<std::uint8_t> bytes_of(std::vector<float> const& z) {
    std::vector<std::uint8_t> bytes(4 * z.size());
    if (!z.empty()) std::memcpy(bytes.data(), z.data(), bytes.size());
    return bytes;
  }
  std::vector<std::uint8_t> bytes_;
};

}  // namespace draftgauge::testing
