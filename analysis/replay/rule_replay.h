#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "analysis/replay/replay.h"

namespace draftgauge {

/// How rounds of one draft a position go along a text that the target wrote: the Replay of a rule's file
/// (sim/task/record.h), with standard parameters. Each token has a number x, which is all that is needed of it.
struct RuleReplay {
  std::string_view name;     ///< Replay::name, "argmax" for one, else the rule's
  std::string_view drafter;  ///< whose drafts it is of
  bool of_matches;           ///< x is 1 where argmax q is the token, else 0; of others x is ln q − ln p
  /// k_1 … k_n: the chance that a round which starts at the first of these tokens keeps draft i, after it kept those
  /// before.
  std::vector<double> (*kept)(std::span<double const> x);
  /// As token_rounds (analysis/replay/replay.h). x: −∞ where q excludes the token; NaN or +∞ is an InputError naming
  /// the token.
  RoundMoments<double> (*rounds)(std::span<double const> x, RoundShape const& shape,
                                 std::optional<std::size_t> until);
};
/// InputError for a NaN or +∞, by its token.
void require_numbers(std::span<double const> x);

/// A line for each that differs, in the order of the rules.
std::span<RuleReplay const> rule_replays();
/// The one of that name, else UsageError.
RuleReplay const& rule_replay_named(std::string_view name);
/// The rule's; null where the target's text does not tell what its rounds do, and for a rule of no list.
RuleReplay const* rule_replay(std::string_view rule);

}  // namespace draftgauge
