#include "sim/recordings/rows.h"

#include <cmath>

#include "sim/base/error.h"
#include "sim/recordings/row_numbers.h"
#include "sim/recordings/row_statistics.h"

namespace draftgauge {
std::uint64_t RowLayout::row_bytes() const {
  switch (encoding) {
    case Encoding::f16:
    case Encoding::bf16: return 2 * vocab;
    case Encoding::f32: return 4 * vocab;
    case Encoding::f64: return 8 * vocab;
    case Encoding::kld: return kld_head + 2 * (vocab + vocab % 2);
  }
  return 0;
}

void decode_row(RowLayout const& layout, std::span<std::uint8_t const> row, std::span<double> out) {
  with_numbers(layout.encoding, row.data(), [&](auto const& number) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = number(i);
  });
}

FlooredMass floored_mass(RowLayout const& layout, std::span<std::uint8_t const> row) {
  double const scale = load<float>(row, 0), least = load<float>(row, 4);
  FlooredMass mass{};
  double above = 0;
  for (std::uint64_t i = 0; i < layout.vocab; ++i) {
    auto const code = load<std::uint16_t>(row, kld_head + 2 * i);
    mass.tokens += code == 0;
    if (code != 0) above += std::exp(least + scale * code);
  }
  double const at_floor = static_cast<double>(mass.tokens) * std::exp(least);
  mass.sum = at_floor + above;
  mass.floored = scale == 0 ? 0 : at_floor;
  return mass;
}

void check_logits(std::string const& where, std::span<double const> row) {
  auto const unsound = unsound_logit(row);
  if (!unsound) return;
  if (!unsound->column)
    throw InputError(where + " is -inf throughout (no token could ever be drawn)", "record the row again");
  throw InputError(where + ", column " + std::to_string(*unsound->column) + " is " +
                       (std::isnan(unsound->value) ? "NaN" : "+inf") +
                       " (a logit is a number, or -inf for probability 0)",
                   "record the row again");
}

}  // namespace draftgauge
