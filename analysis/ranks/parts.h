#pragma once
#include <functional>
#include <map>
#include <vector>

#include "sim/play/engine.h"

namespace draftgauge {

/// Told what was played: ranges of one simulation that have no trial in common.
using Keep = std::function<void(Played const&)>;

/// What was played in parts, put together. Parts that are neighbours become one.
class Parts {
 public:
  void add(Played const& part);
  /// From the first trial to behind the last; the tally is of all parts. Not of none.
  Played all() const;
  /// The part that begins at that trial; where there is none, an empty one of that layout.
  Played from(std::uint64_t begin, TallyLayout const& layout) const;
  /// The ranges between the parts.
  std::vector<Range> missing() const;
  bool empty() const { return parts_.empty(); }
  /// The parts, by their ranges; none are left.
  std::vector<Played> take();

 private:
  std::map<std::uint64_t, Played> parts_;  ///< by their first trial
};

}  // namespace draftgauge
