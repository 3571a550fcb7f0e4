#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sim/draft/card.h"

namespace draftgauge {

/// What a schedule's lengths depend on. It says whether a rule that is lossless stays so, for all requests of a batch
/// jointly (docs/schedules.md).
enum class Sight {
  past,        ///< earlier rounds alone: lossless
  sequential,  ///< each slot is decided before its own token is shown: lossless
  estimates,   ///< all estimates of this round at once: lossless where times are convex
  tokens,      ///< the drafted tokens: lossy with rules that test sampled drafts
};

/// A batch on which a schedule is tested, with right estimates: whether the first γ+1 tokens of its requests are,
/// jointly, those of the target.
struct ScheduleTest {
  std::string_view p, q;  ///< one row, or a row for each previous token, joined by ';'
  int gamma = 1, requests = 1;
  std::string_view times = {};  ///< of a pass that verifies 0, 1, … slots; empty: all equal
  int first = 0;                ///< only the first so many requests are compared; 0: all

  int compared() const { return first > 0 ? first : requests; }
};

/// A table that shows that a schedule is lossy: the first in order of requests, γ, vocabulary and the common
/// denominator (of Parity and Neighbour, which one request shows, too, with more requests). And a test too weak.
struct ScheduleExample {
  ScheduleTest shows;
  std::string_view distance;  ///< what it finds: TV, mean over the first rows, a fraction
  ScheduleTest hides;         ///< finds a distance of 0
  std::string_view why;       ///< `hides` does not see it
};

/// From so many requests of a batch on, so many drafts of each are verified.
struct BatchStep {
  int from = 0, length = 0;

  friend bool operator==(BatchStep const&, BatchStep const&) = default;
};
inline constexpr int max_steps = 16;

/// What a schedule is called with: values of its card's parameters, or steps.
struct ScheduleValues : Parameters {
  BatchStep step[max_steps] = {};  ///< behind the last one: from 0

  friend bool operator==(ScheduleValues const&, ScheduleValues const&) = default;
};

/// What people and programs read about a schedule.
struct ScheduleCard {
  std::string_view name;     ///< as typed after --schedule; a faulty one's begins with faulty/
  std::string_view summary;  ///< one sentence
  std::string_view source;   ///< who verifies so
  Sight sight;
  std::span<ParameterCard const> parameters = {};
  std::span<BatchStep const> steps = {};  ///< of one that takes FROM=LENGTH,… in their place: the standard ones
  std::optional<ScheduleExample> counterexample = {};  ///< of those that are lossy for some p, q and times
};

}  // namespace draftgauge
