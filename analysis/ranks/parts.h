#pragma once
#include <functional>
#include <map>
#include <vector>

#include "sim/fast/engine.h"

namespace draftgauge {

/// Told what was played: ranges of one simulation that have no trial in common.
using Keep = std::function<void(Played const&)>;

/// What was played in parts, put together. Parts that are neighbours become one.
class Parts {
 public:
  void add(Played const& part);
  void add(std::vector<Played> const& parts);
  /// From the first trial to behind the last; the tally is of all parts. Not of none.
  Played all() const;
  /// The part that begins at that trial; where there is none, an empty one of that layout.
  Played from(std::uint64_t begin, TallyLayout const& layout) const;
  /// The ranges between the parts.
  std::vector<Range> missing() const;
  /// Those of `asked` that no part has.
  std::vector<Range> missing(Range asked) const;
  bool empty() const { return parts_.empty(); }
  /// Behind the last trial; 0 where there is none.
  std::uint64_t end() const;
  /// The parts that begin before that trial, by their ranges; they are here no more.
  std::vector<Played> take(std::uint64_t before = ~std::uint64_t{0});

 private:
  std::map<std::uint64_t, Played> parts_;  ///< by their first trial
};

}  // namespace draftgauge
