#include "sim/recordings/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/shell_word.h"

namespace draftgauge {
namespace {

/// zlib's decoder of gzip members.
class Gunzip {
 public:
  Gunzip() {
    constexpr int gzip = 16;  // zlib.h: added to the window's bits
    if (::inflateInit2(&stream_, gzip + MAX_WBITS) != Z_OK)
      throw std::bad_alloc();  // it fails for want of memory only
  }
  ~Gunzip() { ::inflateEnd(&stream_); }
  Gunzip(Gunzip const&) = delete;
  Gunzip& operator=(Gunzip const&) = delete;

  /// Unpacks as much of one member as fits in `out`; what zlib returns. `done` bytes were written.
  int step(std::span<std::uint8_t const>& packed, std::span<char> out, std::size_t& done) {
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    stream_.next_in = const_cast<Bytef*>(packed.data());
    stream_.avail_in = static_cast<uInt>(std::min(packed.size(), most));
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(std::min(out.size(), most));
    int const status = ::inflate(&stream_, Z_NO_FLUSH);
    packed = packed.subspan(static_cast<std::size_t>(stream_.next_in - packed.data()));
    done = static_cast<std::size_t>(reinterpret_cast<char*>(stream_.next_out) - out.data());
    return status;
  }
  void next_member() { ::inflateReset(&stream_); }

 private:
  z_stream stream_{};
};

[[noreturn]] void refuse(std::string const& file, std::string const& problem) {
  throw InputError(file + ": " + problem + " (the file was cut short or damaged)", "copy or pack it again");
}

}  // namespace

bool begins_gzip(std::span<std::uint8_t const> bytes) {
  return bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

std::string gunzip(std::string const& file, std::span<std::uint8_t const> bytes, std::uint64_t most) {
  constexpr std::size_t piece = 1 << 20;
  std::vector<char> unpacked(piece);  // one for all members, of which a file may have a million that are empty
  std::string text;
  Gunzip decoder;
  for (std::span<std::uint8_t const> left = bytes;;) {
    // One byte more than may be: so a text of just that size is told from a longer one.
    std::uint64_t const allowed = most - text.size();
    std::size_t const room = allowed < piece ? static_cast<std::size_t>(allowed) + 1 : piece;
    std::size_t done = 0;
    int const status = decoder.step(left, std::span(unpacked).first(room), done);
    text.append(unpacked.data(), done);
    std::string const at = "at byte " + std::to_string(bytes.size() - left.size()) + " of " +
                           std::to_string(bytes.size()) + " of the gzip file";
    if (text.size() > most)
      throw InputError(file + ": it unpacks to more than " + std::to_string(most >> 20) +
                           " MiB (what is unpacked is held in memory)",
                       "unpack it first: gunzip " + shell_file(file));
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
      refuse(file, "it cannot be unpacked " + at);
    if (status == Z_STREAM_END) {
      if (std::ranges::all_of(left, [](std::uint8_t byte) { return byte == 0; }))
        return text;  // gzip pads with zeros
      if (!begins_gzip(left)) refuse(file, "something else than gzip follows " + at);
      decoder.next_member();
    } else if (left.empty() && done < room) {
      refuse(file, "its packed bytes end too soon, " + at);
    }
  }
}

}  // namespace draftgauge
