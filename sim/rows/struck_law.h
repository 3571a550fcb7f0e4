#pragma once
#include <cstdint>

#include "sim/draft/children.h"
#include "sim/rows/ratio_row.h"

namespace draftgauge {

/// p, or q, of a row with some tokens struck out; in integers, exact. A pick costs O(k log vocab) for k of them at
/// most, and where places are guided to (RowGuides) about O(k).
template <std::uint64_t SumPair::* side>
class StruckLaw {
 public:
  /// weights(x): those of token x. The first `count` children are struck out, each once.
  template <class WeightsOf>
  DRAFTGAUGE_HD StruckLaw(RatioRow const& row, Children const& branching, int count, WeightsOf const& weights)
      : row_(row), total_(row.total()) {
    for (int i = 0; i < count; ++i) {
      std::uint32_t const place = row.place_of(branching.token[i], weights);
      strike(place, row.weights(place).*side);
    }
  }

  DRAFTGAUGE_HD std::uint32_t size() const { return row_.vocab(); }
  DRAFTGAUGE_HD std::uint64_t total() const { return total_; }

  /// The token that holds number `n` < total(), as what is left stands in the order.
  DRAFTGAUGE_HD Token at(std::uint64_t n) const {
    for (int i = 0; i < struck_; ++i)
      if (row_.sums(place_[i]).*side <= n) n += weight_[i];
    Stretch const near = side == &SumPair::q ? row_.near_number(n) : Stretch{0, row_.vocab() - 1};
    return row_.token(RatioRow::first_place(near, [&](std::uint32_t j) { return row_.sums(j + 1).*side > n; }));
  }

 private:
  /// Keeps the places in rising order; a token that is given twice is struck once.
  DRAFTGAUGE_HD void strike(std::uint32_t place, std::uint64_t weight) {
    int at = struck_;
    while (at > 0 && place_[at - 1] >= place) --at;
    if (at < struck_ && place_[at] == place) return;
    for (int i = struck_; i > at; --i) {
      place_[i] = place_[i - 1];
      weight_[i] = weight_[i - 1];
    }
    place_[at] = place;
    weight_[at] = weight;
    ++struck_;
    total_ -= weight;
  }

  RatioRow row_;
  std::uint64_t total_;
  int struck_ = 0;
  std::uint32_t place_[max_children];
  std::uint64_t weight_[max_children];
};

}  // namespace draftgauge
