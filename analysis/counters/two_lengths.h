#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/counters/counters.h"

namespace draftgauge {

/// Whether two runs with drafts of different lengths may be of one draft, over texts of one kind. Rounds of another length
/// start elsewhere in the text, so that one and the same draft has another acceptance rate of the first position there, and
/// not just other tokens per round. What the run of the longer drafts says of the shorter ones is held against their run: by
/// the order of its rounds, else by count_bracket. Errors are over requests, of the differences where both runs have the same
/// requests, else of both runs (Welch); over rounds, as if these were independent, where requests are not told apart.
struct TwoLengths {
  enum class Answer { explained, unexplained, inconclusive };
  struct Figure {
    double counted;     ///< with the shorter drafts
    double low, high;   ///< what the longer ones say of it, chance apart
    double p_value;     ///< of a count that far outside, where they are right
    double detectable;  ///< a difference of two drafts that is surely found with probability .8, as a share of accepted drafts
  };
  std::size_t longer;            ///< which of the two has the longer drafts
  std::int64_t gamma, of_gamma;  ///< the shorter length, and the longer one
  bool by_order, paired;
  Figure tokens;                     ///< per round
  std::optional<Figure> first = {};  ///< acceptance rate of the first position; by order alone
  double p_value = 1;                ///< of both figures (Bonferroni)
  Answer answer = Answer::inconclusive;
};

/// The replay of longer drafts is off by less at a shorter length, as a share (tests/statistics/two_lengths.py); never
/// outside its bracket.
inline constexpr double replay_bias = .005;
/// Below this p-value rounds that start elsewhere do not explain the difference.
inline constexpr double unexplained_below = .01;
/// A test that would overlook more than this share of accepted drafts says nothing where it finds nothing.
inline constexpr double most_overlooked = .1;

/// Of requests that have rounds, in their order: what each is called.
std::vector<std::string> names_with_rounds(EngineCounters const& counters);
/// Where each request of the one run is in the other, where both have the same; else empty.
std::vector<std::size_t> pairing(std::vector<std::string> const& one, std::vector<std::string> const& other);

/// None where the lengths are not known or not different, or where a run's counts do not say enough.
std::optional<TwoLengths> compare_lengths(EngineCounters const& one, EngineCounters const& other);

}  // namespace draftgauge
