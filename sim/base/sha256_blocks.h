#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace draftgauge {

using Sha256State = std::array<std::uint32_t, 8>;

/// SHA-256's compression (FIPS 180-4, 6.2.2) of `count` blocks of 64 bytes that follow each other.
using Sha256Blocks = void (*)(Sha256State& state, std::uint8_t const* blocks, std::size_t count);

/// On any machine, and what the other is tested against.
void sha256_blocks_portable(Sha256State& state, std::uint8_t const* blocks, std::size_t count);

/// The fastest that this machine runs: x86's SHA extensions where it has them.
Sha256Blocks sha256_blocks_fastest();

}  // namespace draftgauge
