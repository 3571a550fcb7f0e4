#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/recordings/tensor.h"

namespace draftgauge {

class Inflater;

/// An array's bytes as its file has them: in place where they lie there as they are, else unpacked on the way, in
/// memory for one call's bytes. The file's CRC is compared when all bytes have been read in order from the first on.
class ByteReader {
 public:
  /// where: what messages begin with, "a.npz: target_logits". The extent's file stays mapped while this lives.
  ByteReader(std::string where, Extent const& at);
  ByteReader(ByteReader&&) noexcept;
  ~ByteReader();

  /// Bytes begin … begin + count − 1 of the array, valid until the next call. Going back in packed ones costs
  /// unpacking them from their first on. The caller keeps within the array. Throws InputError where packed bytes are
  /// damaged, or where a CRC differs.
  std::span<std::uint8_t const> read(std::uint64_t begin, std::uint64_t count);

  /// Of packed bytes, those in the file that were not unpacked so far.
  std::span<std::uint8_t const> left() const;

 private:
  void restart();
  void take(std::span<std::uint8_t const> piece);
  void unpack(std::span<std::uint8_t> out);
  [[noreturn]] void refuse(std::string const& problem) const;

  std::string where_;
  Extent at_;
  std::unique_ptr<Inflater> inflater_;  ///< none: the bytes lie there as they are
  std::uint64_t done_ = 0;              ///< bytes of the stretch that were read in order
  std::uint32_t crc_ = 0;               ///< of these
  std::vector<std::uint8_t> buffer_;
};

}  // namespace draftgauge
