#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/exact/exact.h"
#include "analysis/verifier/game.h"

namespace draftgauge {

/// Probabilities of the cells of p's own texts.
std::vector<double> target_texts(PairTables const& tables, VerifierCells const& cells);

/// Of the text's first tokens [VerifierCells::texts], where each round emits so [VerifierCells::emitted], of any
/// start alike, and p goes on behind the last one. Rounds share nothing but the token between them.
std::vector<double> completed_texts(PairTables const& tables, VerifierCells const& cells,
                                    std::span<double const> emitted);

/// What a rule of ours emits in a game, exactly.
struct KnownRule {
  /// From all starts together. More take longer than an audit should wait for: a microsecond or five each.
  static constexpr std::uint64_t most_paths = 30'000;
  /// A TV that sums of doubles leave where enumeration finds none.
  static constexpr double rounding = 1e-12;

  std::string name, summary;
  std::vector<double> emitted;  ///< [VerifierCells::emitted]
  std::vector<double> texts;    ///< [VerifierCells::texts] of as many rounds as the cells say, completed from p
  double tv;                    ///< TV(texts, target_texts); 0 where it is less than rounding
  double mean_accepted;

  bool lossless() const { return tv == 0; }
};

/// Every rule of ours that verifies such drafts, the faulty ones last, but those that are enumerated on one context
/// only, or have more than KnownRule::most_paths; none where the token rule has (from V = 11 on at γ = 2). Where
/// drafts are all drawn from q, rules made for other drafts are left out as well.
std::vector<KnownRule> known_rules(Source const& source, VerifierCells const& cells, bool drafts_from_q);

/// The greatest E[τ] of any lossless verifier of drafts from q: of chains by a sum, of trees by the linear program of
/// analysis/ceiling, none where they have too many drafts for it.
std::optional<double> lossless_ceiling(Source const& source, VerifierCells const& cells);

/// E[τ] of the token rule, for any vocabulary.
double token_rule_accepted(PairTables const& tables, int gamma);

/// One of them by name. Throws what exact_round does.
KnownRule known_rule(std::string const& rule, Source const& source, VerifierCells const& cells,
                     std::uint64_t max_paths = KnownRule::most_paths);

}  // namespace draftgauge
