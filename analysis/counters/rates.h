#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/counters/counters.h"

namespace draftgauge {

/// One of the numbers that are called acceptance rate.
struct RateCard {
  Rate rate;
  std::string_view name;  ///< in documents
  std::string_view meaning;
};
std::span<RateCard const> rate_cards();

/// What an engine calls a rate.
struct RateWord {
  Rate rate;
  std::string_view word;
};

inline constexpr std::string_view alpha_of_tested = "tested tokens", alpha_by_eq1 = "Eq. (1)";

/// Each under its own name; empty where the counts do not say it.
struct CounterRates {
  std::optional<double> accepted_per_drafted;
  /// Draft tokens that were kept, of those that were tested: up to a round's first rejection.
  std::optional<double> alpha;
  std::string_view alpha_from = {};  ///< alpha_of_tested, alpha_by_eq1
  std::vector<double> conditional, cumulative;
  std::optional<double> independent, per_request_mean;
  std::optional<double> tokens_per_round;  ///< 1 + accepted/rounds
};

/// cumulative where positions are counted; conditional where it is known which rounds drafted a position: by histograms
/// by draft length, or where all drafts are as long. α by the tokens that were tested, where that is known, else by Eq.
/// (1) at the mean length where all drafts are as long.
CounterRates counter_rates(EngineCounters const& counters);

}  // namespace draftgauge
