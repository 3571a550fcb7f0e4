#include "sim/recordings/byte_reader.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "sim/base/error.h"

namespace draftgauge {

/// zlib's decoder of a raw deflate stream.
class Inflater {
 public:
  Inflater() {
    if (::inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();  // it fails for want of memory only
  }
  ~Inflater() { ::inflateEnd(&stream_); }
  Inflater(Inflater const&) = delete;
  Inflater& operator=(Inflater const&) = delete;

  void restart(std::span<std::uint8_t const> packed) {
    ::inflateReset(&stream_);
    left_ = packed;
    ended_ = false;
  }

  /// Unpacks the next bytes; how many there were. Fewer than asked for: the stream ended, or is damaged.
  std::size_t read(std::span<std::uint8_t> out) {
    std::size_t done = 0;
    while (done < out.size() && !ended_ && step(out.subspan(done), done)) continue;
    return done;
  }

  /// Whether the stream ends here, and the packed bytes with it.
  bool ends() {
    std::uint8_t none;
    std::size_t done = 0;
    while (!ended_ && done == 0 && step({&none, 1}, done)) continue;
    return ended_ && done == 0 && left_.empty();
  }

  std::span<std::uint8_t const> left() const { return left_; }

  char const* message() const { return stream_.msg ? stream_.msg : "the stream ends too soon"; }

 private:
  /// One call of zlib; false where it cannot go on.
  bool step(std::span<std::uint8_t> out, std::size_t& done) {
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    stream_.next_in = const_cast<Bytef*>(left_.data());
    stream_.avail_in = static_cast<uInt>(std::min(left_.size(), most));
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<uInt>(std::min(out.size(), most));
    int const status = ::inflate(&stream_, Z_NO_FLUSH);
    left_ = left_.subspan(static_cast<std::size_t>(stream_.next_in - left_.data()));
    done += static_cast<std::size_t>(stream_.next_out - out.data());
    ended_ = status == Z_STREAM_END;
    return status == Z_OK || ended_;
  }

  z_stream stream_{};
  std::span<std::uint8_t const> left_;
  bool ended_ = false;
};

ByteReader::ByteReader(std::string where, Extent const& at)
    : where_(std::move(where)), at_(at), inflater_(at.deflated ? std::make_unique<Inflater>() : nullptr) {
  restart();
}
ByteReader::ByteReader(ByteReader&&) noexcept = default;
ByteReader::~ByteReader() = default;

std::span<std::uint8_t const> ByteReader::read(std::uint64_t begin, std::uint64_t count) {
  begin += at_.before;
  if (begin < done_) restart();
  if (!inflater_) {
    // Bytes that are passed over are not looked at: their CRC is not asked for either.
    if (begin == at_.before && done_ == 0) take(at_.bytes.first(begin));
    auto const piece = at_.bytes.subspan(begin, count);
    if (begin == done_) take(piece);
    return piece;
  }
  constexpr std::uint64_t chunk = 1 << 16;
  while (done_ < begin) {
    buffer_.resize(std::min(chunk, begin - done_));
    unpack(buffer_);
  }
  buffer_.resize(count);
  unpack(buffer_);
  return buffer_;
}

std::span<std::uint8_t const> ByteReader::left() const { return inflater_->left(); }

void ByteReader::restart() {
  done_ = 0;
  crc_ = 0;
  if (inflater_) inflater_->restart(at_.bytes);
}

/// Counts the next bytes of the stretch; at its end, holds them against the CRC.
void ByteReader::take(std::span<std::uint8_t const> piece) {
  if (at_.crc) crc_ = static_cast<std::uint32_t>(::crc32_z(crc_, piece.data(), piece.size()));
  done_ += piece.size();
  if (done_ < at_.before + at_.size) return;
  if (at_.crc && crc_ != *at_.crc) refuse("its bytes have another CRC-32 than the file says");
}

void ByteReader::unpack(std::span<std::uint8_t> out) {
  if (inflater_->read(out) < out.size())
    refuse("its packed bytes cannot be unpacked: " + std::string(inflater_->message()));
  if (done_ + out.size() == at_.before + at_.size && !inflater_->ends())
    refuse("its packed bytes go on behind the " + std::to_string(at_.before + at_.size) +
           " bytes that it should have");
  take(out);
}

void ByteReader::refuse(std::string const& problem) const {
  throw InputError(where_ + ": " + problem + " (the file was damaged)", "copy or write it again");
}

}  // namespace draftgauge
