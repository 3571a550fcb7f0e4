#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/array.h"
#include "sim/rows/ratio_row.h"

namespace draftgauge {

/// Whether a rule or a drafter asks a node for distributions made on the spot, which read the order of its row; of
/// how many of q's most likely tokens a drafter asks, at least, 0 where it does not ask. They say so by `reads_order`
/// and `reads_top`, so that tasks without them do not pay for sorting.
template <class Asker>
inline constexpr bool reads_order = requires { Asker::reads_order; };
template <class Asker>
inline constexpr int reads_top = [] {
  if constexpr (requires { Asker::reads_top; })
    return Asker::reads_top;
  else
    return 0;
}();

/// The rows of a model as RatioRow reads them.
struct RowOrders {
  Array<Token> order;                   ///< [rows][vocab]
  Array<SumPair> sums;                  ///< [rows][vocab + 1]
  Array<std::uint32_t> places, shares;  ///< guides to the places of the order (RowGuides)
  Array<Stretch> ratios;
  int ratio_bits;

  RowGuides guides() const { return {places.data(), shares.data(), ratios.data(), ratio_bits}; }
};

/// Sorts the rows of p and q, [rows][vocab] integers of one total a row, on so many threads; the same for any number.
RowOrders make_orders(std::span<std::uint64_t const> p, std::span<std::uint64_t const> q, std::uint32_t vocab,
                      int threads);

/// [rows][count] the most likely tokens of q in falling order, of equal ones the smaller first. Domain: count ≤ vocab.
std::vector<Token> make_tops(std::span<std::uint64_t const> q, std::uint32_t vocab, std::uint32_t count);

}  // namespace draftgauge
