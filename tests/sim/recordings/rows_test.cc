#include "sim/recordings/rows.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/error.h"
#include "tests/message.h"
#include "tests/sim/recordings/row_files.h"

namespace draftgauge {
namespace {

std::vector<double> decoded(Encoding encoding, std::uint64_t vocab, std::string const& bytes) {
  RowLayout const layout{encoding, 1, vocab};
  CHECK(layout.row_bytes() == bytes.size());
  std::string const shifted = "x" + bytes;  // at an odd address
  std::vector<double> out(vocab);
  decode_row(layout, as_bytes(shifted).subspan(1), out);
  return out;
}

TEST_CASE("a row's numbers are decoded exactly, wherever they lie") {
  CHECK(decoded(Encoding::f16, 3, raw<std::uint16_t>({0x3c00, 0x0001, 0xfc00})) ==
        std::vector<double>{1, 0x1p-24, -HUGE_VAL});
  CHECK(decoded(Encoding::bf16, 2, raw<std::uint16_t>({0x3f80, 0xc040})) == std::vector<double>{1, -3});
  CHECK(decoded(Encoding::f32, 2, raw({.1f, -2.5f})) == std::vector<double>{.1f, -2.5});
  CHECK(decoded(Encoding::f64, 1, raw({.1})) == std::vector<double>{.1});
  // In doubles: the product of a float and a code has up to 40 bits.
  std::string const head = raw({.1f, -20.f});
  CHECK(decoded(Encoding::kld, 2, head + raw<std::uint16_t>({0, 65535})) ==
        std::vector<double>{-20, -20 + double{.1f} * 65535});
  CHECK(decoded(Encoding::kld, 3, head + raw<std::uint16_t>({1, 0, 2, 9}))[2] == -20 + double{.1f} * 2);
}

TEST_CASE("a row that softmax can make no distribution of is refused by column") {
  auto const error = [](std::vector<double> const& row) {
    return testing::message<InputError>([&] { check_logits("x: p, row 3", row); });
  };
  CHECK(error({0, -HUGE_VAL}) == "(no error)");
  CHECK(error({0, NAN}) ==
        "x: p, row 3, column 1 is NaN (a logit is a number, or -inf for probability 0) record the row again");
  CHECK(error({HUGE_VAL, 0}) ==
        "x: p, row 3, column 0 is +inf (a logit is a number, or -inf for probability 0) record the row again");
  CHECK(error({-HUGE_VAL, -HUGE_VAL}) ==
        "x: p, row 3 is -inf throughout (no token could ever be drawn) record the row again");
}

}  // namespace
}  // namespace draftgauge
