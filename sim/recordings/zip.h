#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace draftgauge {

/// A file within a zip archive.
struct ZipMember {
  std::string name;
  std::span<std::uint8_t const> bytes;  ///< as they lie in the archive
  std::uint64_t size = 0;               ///< unpacked
  std::uint32_t crc = 0;                ///< CRC-32 of the unpacked bytes; not checked here
  bool deflated = false;
};

/// Whether the bytes begin as an archive does, with a member or, of none, with the directory's end.
bool begins_zip(std::span<std::uint8_t const> bytes);

/// Nothing that deflate (RFC 1951) can write unpacks to more than this many times its bytes: two bits at least say
/// "repeat 258 bytes".
inline constexpr std::uint64_t most_deflated = 1032;

/// The members of a zip archive (PKWARE's APPNOTE 6.3.10, with zip64), in the order of their bytes, as the directory
/// at its end lists them. Each must agree with the header before its bytes, and none may share bytes with another.
/// Members are stored or deflated; folders are left out. Throws InputError that begins with `file` for encrypted or
/// otherwise packed members, names that stand twice, sizes that cannot be, and archives in several parts.
std::vector<ZipMember> read_zip(std::string const& file, std::span<std::uint8_t const> bytes);

}  // namespace draftgauge
