#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/task/task.h"

namespace draftgauge {

/// Hands the trials of a range out to ranks in pieces, the next to whoever is free: unequal machines finish together.
/// Times are seconds of any one clock. A piece takes its rank an eighth of the time that has passed, so that whoever
/// stops has not long to wait, up to a second, or a thousandth of one for each rank where that is more: rank 0 then
/// gets about a thousand messages a second in the long run. The last ones are shorter, half of a rank's share of what
/// is left. A piece that takes its rank twice as long as it should is given to one more, and counts once. Nothing
/// here has a clock or sends anything: bench/rank_protocol simulates 10⁴ ranks with it.
class Pieces {
 public:
  Pieces(Range range, int ranks, double now);

  /// A piece for a rank that has none; none where nothing is left for it to do now.
  std::optional<Range> next(int rank, double now);
  /// The copy of a late piece, for a rank that has none; none where nobody is late.
  std::optional<Range> copy_for(int rank, double now);
  /// How many seconds to wait at most for all that is out, where nothing new is given but copies.
  double patience() const;
  /// The rank has played the beginning of its piece, or all of it, in so many seconds. False where another was first,
  /// so that it must not be counted. Throws std::invalid_argument where it is no beginning of the rank's piece.
  bool took(int rank, Range played, double seconds);

  bool has_piece(int rank) const { return holds_[static_cast<std::size_t>(rank)].has_value(); }
  std::uint64_t played() const { return played_; }  ///< trials
  bool complete() const { return played_ == range_.size(); }
  bool idle() const { return out_.empty(); }                                      ///< no piece is out
  double rate(int rank) const { return rates_[static_cast<std::size_t>(rank)]; }  ///< trials a second; 0: unknown

 private:
  struct Out {
    Range range;
    double since, expected;  ///< seconds
    double late;             ///< when it is
  };
  /// By when they are late, and first trial; not those that two ranks have.
  using Queue = std::set<std::pair<double, std::uint64_t>>;

  std::uint64_t size_for(int rank, double now) const;

  Range range_;
  double start_, longest_;
  std::uint64_t begin_;               ///< of what was never given away
  std::vector<Range> returned_;       ///< given away, and not played
  std::map<std::uint64_t, Out> out_;  ///< by first trial
  Queue queue_;
  std::vector<std::optional<std::uint64_t>> holds_;  ///< [ranks] the first trial of its piece
  std::vector<double> rates_;
  std::vector<std::uint64_t> sizes_;  ///< [ranks] of its last piece
  double total_rate_ = 0;
  int known_ = 0;  ///< rates
  std::uint64_t played_ = 0;
};

}  // namespace draftgauge
