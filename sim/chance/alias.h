#pragma once
#include <cstdint>
#include <span>

#include "sim/chance/chance.h"
#include "sim/chance/layout.h"

namespace draftgauge {

/// One bucket of an alias table: `own` (the bucket's index) with probability threshold / capacity, else `other`. Packed
/// to 12 bytes, since the tables are most of what a model takes in memory.
struct __attribute__((packed, aligned(4))) AliasEntry {
  std::uint64_t threshold;
  Token other;
};

/// A law as a table of 2^bits buckets, each of capacity `total`, over integer weights that sum to `total`.
/// Exact for any total, since the weights are scaled by 2^bits and shared out in integers.
struct AliasTable {
  AliasEntry const* entries;
  std::uint64_t total;
  int bits;
};

/// ⌈log2(vocab)⌉: the table of the smallest size that holds one bucket per token.
int alias_bits(std::uint32_t vocab);

/// Walker's alias method with Vose's construction, in integers; the order of filling is fixed (it decides which bits
/// mean which token). Weights must sum to total ≤ 2^53 and be at most 2^bits many; a total of 0 makes a table of
/// zeros that must not be picked from. Cost O(2^bits), no memory.
void build_alias(std::span<std::uint64_t const> weights, std::uint64_t total, int bits, std::span<AliasEntry> out);

}  // namespace draftgauge
