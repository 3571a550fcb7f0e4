#pragma once
#include <string_view>
#include <vector>

#include "sim/base/written_number.h"

namespace draftgauge {

/// What schedules are told of a slot's chance to be accepted, if all before it are, as users write it: `right`,
/// `max-q`, or `0.8,0.6`.
struct EstimateText {
  enum class Kind {
    right,      ///< Σ min(p, q) of the row that the slot stands on: what Algorithm 1 accepts there
    largest_q,  ///< the largest q of that row: what a draft model knows of itself
    by_place    ///< a number for each place, whatever the row; of places beyond, the last
  };
  Kind kind = Kind::right;
  std::vector<WrittenNumber> places = {};
};

/// Throws UsageError that says what there is, and for what is no probability.
EstimateText parse_estimates(std::string_view text);

}  // namespace draftgauge
