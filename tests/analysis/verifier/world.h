#pragma once
#include <vector>

#include "analysis/verifier/game.h"
#include "analysis/verifier/known_rules.h"

namespace draftgauge::testing {

constexpr std::uint32_t world_vocab = 3;

/// A pair of distributions after each of three tokens, and what is known of verifiers of γ drafts from it.
struct World {
  explicit World(int gamma)
      : cells{world_vocab, gamma}, target(target_texts(pair.tables, cells)), known(known_rules(pair, cells, true)) {}
  Source pair = verifier_pair(world_vocab, 3);
  VerifierCells cells;
  std::vector<double> target;
  std::vector<KnownRule> known;
};

}  // namespace draftgauge::testing
