#include "sim/recordings/picked_rows.h"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "tests/sim/recordings/row_files.h"

namespace draftgauge {
namespace {

/// Rows `first` to first + count − 1 of a file whose row i is (i, −i).
class Numbered : public RowBytes {
 public:
  Numbered(std::uint64_t first, std::uint64_t count) : RowBytes({Encoding::f64, count, 2}, first) {
    for (std::uint64_t i = 0; i < count; ++i)
      for (double const sign : {1., -1.}) numbers_.push_back(sign * static_cast<double>(first + i));
  }
  std::span<std::uint8_t const> rows(std::uint64_t begin, std::uint64_t count) override {
    return {reinterpret_cast<std::uint8_t const*>(numbers_.data() + 2 * begin), 16 * count};
  }

 private:
  std::vector<double> numbers_;
};

std::vector<std::uint64_t> file_rows(RowBytes const& rows) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < rows.layout().rows; ++i) numbers.push_back(rows.file_row(i));
  return numbers;
}

using Numbers = std::vector<std::uint64_t>;

TEST_CASE("rows know their number in the file, whatever was left out before them") {
  CHECK(file_rows(Numbered(0, 3)) == Numbers{0, 1, 2});
  CHECK(file_rows(Numbered(4, 3)) == Numbers{4, 5, 6});
  CHECK(file_rows(PickedRows(std::make_unique<Numbered>(4, 3), {}, 1)) == Numbers{4, 5, 6});
  PickedRows some(std::make_unique<Numbered>(4, 8), {0, 1, 1, 0, 0, 1, 0, 1}, 1);
  CHECK(file_rows(some) == Numbers{5, 6, 9, 11});
  for (std::uint64_t const step : {1, 2, 3, 4}) CHECK(all_rows(some, step) == std::vector<double>{5, 6, 9, 11});
  // Of rows that were picked of others, by the file's number all the same.
  PickedRows const again(
      std::make_unique<PickedRows>(std::make_unique<Numbered>(4, 4), std::vector<std::uint8_t>{1, 0, 1, 1}, 2),
      {0, 1, 1}, 1);
  CHECK(file_rows(again) == Numbers{6, 7});
}

}  // namespace
}  // namespace draftgauge
