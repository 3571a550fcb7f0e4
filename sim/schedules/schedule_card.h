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

/// A table that shows that a schedule is lossy, with right estimates: the first in order of requests, γ, vocabulary and
/// the common denominator (of Parity and Neighbour, which one request shows, too, with more requests).
struct ScheduleExample {
  std::string_view p, q;  ///< one row, or a row for each previous token, joined by ';'
  int gamma, requests;
  std::string_view times;     ///< of a pass that verifies 0, 1, … slots; empty: all equal
  std::string_view distance;  ///< TV of the requests' first γ+1 tokens jointly, mean over the first rows: a fraction
  std::string_view blind;     ///< what does not see it
};

/// What people and programs read about a schedule.
struct ScheduleCard {
  std::string_view name;     ///< as typed after --schedule; a faulty one's begins with faulty/
  std::string_view summary;  ///< one sentence
  std::string_view source;   ///< who verifies so
  Sight sight;
  std::span<ParameterCard const> parameters = {};
  std::optional<ScheduleExample> counterexample = {};  ///< of those that are lossy for some p, q and times
};

}  // namespace draftgauge
