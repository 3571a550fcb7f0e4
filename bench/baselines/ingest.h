#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "sim/recordings/row_statistics.h"

namespace draftgauge::ingest {

/// Made-up logits of two models that agree in part, encoded: `rows` pairs of rows of `vocab`. Few rows' numbers are
/// drawn and then repeated, since only their bytes are in question.
struct Rows {
  RowLayout layout;
  std::vector<std::uint8_t> target, draft;

  Rows(Encoding encoding, std::uint64_t rows, std::uint64_t vocab);
  EncodedPairs pairs(std::uint64_t begin) const;
};

/// The fixed baseline of the ingest figures: both softmaxes, β, TV, both divergences, entropies and argmaxes of a pair
/// of rows as one would write them down, in double, with the C library's exp and log. Flags in bench/CMakeLists.txt.
RowStatistics plain_figures(EncodedPairs const& pairs);

/// Reads every byte and keeps next to nothing: the bound of whatever reads each byte once.
std::uint64_t read_all(std::span<std::uint8_t const> bytes);

}  // namespace draftgauge::ingest
