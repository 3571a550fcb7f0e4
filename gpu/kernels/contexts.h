#pragma once
#include <cstdint>

#include "gpu/kernels/launch.h"

namespace draftgauge::kernels {

/// The contexts of a round's positions where each is any of `rows` (BitChance::context), drawn from position 0 on.
template <bool Several>
class IndependentRows {
 public:
  DRAFTGAUGE_HD IndependentRows(RoundWords const& words, std::uint32_t rows) : words_(words), rows_(rows) {}

  /// Position i, one after the last that was drawn.
  DRAFTGAUGE_HD void draw(int i) {
    if constexpr (Several) {
      if (i % 4 == 0) block_ = words_(layout::context, static_cast<std::uint32_t>(i) / 4);
      std::uint64_t const product = std::uint64_t{word_of(block_, i % 4)} * rows_;
      row_ = static_cast<std::uint32_t>(product >> 32);
      open_ = open_ | (static_cast<std::uint32_t>(product) > ~rows_);
    }
  }
  /// The cell of a bucket at the context drawn last.
  DRAFTGAUGE_HD std::uint32_t cell(std::uint32_t bucket, int bits) const {
    return Several ? bucket + (row_ << bits) : bucket;
  }
  DRAFTGAUGE_HD std::uint32_t row() const { return row_; }
  /// Whether some context's word has left it open which it is; the number drawn is then too low by one or right.
  DRAFTGAUGE_HD bool open() const { return Several && open_; }

 private:
  RoundWords words_;
  std::uint32_t rows_;
  Philox::Words block_{};
  std::uint32_t row_ = 0;
  bool open_ = false;
};

}  // namespace draftgauge::kernels
