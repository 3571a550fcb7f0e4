#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "sim/base/mapped_file.h"

namespace draftgauge {

/// Puts the bytes of a mapped file aside that lie behind the reader, so that a pass over a file that is larger than
/// memory keeps little of it.
class Wake {
 public:
  explicit Wake(std::shared_ptr<MappedFile const> file) : file_(std::move(file)) {}

  /// The reader has come to these bytes. Those of the call before may no longer be in use.
  void reach(std::span<std::uint8_t const> piece) {
    constexpr std::ptrdiff_t most = 32 << 20;
    if (first_ == nullptr || piece.data() < first_) first_ = piece.data();
    if (piece.data() - first_ < most) return;
    file_->put_aside({first_, piece.data()});
    first_ = piece.data();
  }

 private:
  std::shared_ptr<MappedFile const> file_;
  std::uint8_t const* first_ = nullptr;
};

}  // namespace draftgauge
