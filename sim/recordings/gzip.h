#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace draftgauge {

/// Whether bytes begin like a gzip file (RFC 1952).
bool begins_gzip(std::span<std::uint8_t const> bytes);

/// What a gzip file of one member or several unpacks to, each with the CRC and the size that it says it has. Throws
/// InputError that begins with `file` where it is cut short, damaged, followed by something else than zeros, or more
/// than `most` bytes: what is unpacked is held in memory.
std::string gunzip(std::string const& file, std::span<std::uint8_t const> bytes, std::uint64_t most);

}  // namespace draftgauge
