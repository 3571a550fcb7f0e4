#pragma once
#include <memory>
#include <vector>

#include "sim/recordings/rows.h"

namespace draftgauge {

/// Some of the rows of others, in their order, each perhaps without its last tokens. Rows that lie next to each other
/// and are whole are not copied.
class PickedRows : public RowBytes {
 public:
  /// kept: of each row, whether it is one of these; empty: all are. vocab: tokens that are left of each row.
  PickedRows(std::unique_ptr<RowBytes> all, std::vector<std::uint8_t> const& kept, std::uint64_t vocab);

  std::span<std::uint8_t const> rows(std::uint64_t begin, std::uint64_t count) override;
  std::uint64_t file_row(std::uint64_t i) const override;

 private:
  /// `count` rows from here on follow each other in both.
  struct Run {
    std::uint64_t here, there, count;
  };
  std::vector<Run>::const_iterator run_of(std::uint64_t here) const;

  std::unique_ptr<RowBytes> all_;
  std::vector<Run> runs_;
  std::vector<std::uint8_t> copy_;
};

}  // namespace draftgauge
