#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/exact.h"
#include "analysis/verifier/game.h"

namespace draftgauge {

/// Probabilities of the cells of p's own texts.
std::vector<double> target_texts(Laws const& laws, VerifierCells const& cells);

/// What a rule of ours emits in a game, exactly.
struct KnownRule {
  std::string name, summary;
  std::vector<double> emitted;  ///< [VerifierCells::emitted]
  std::vector<double> texts;    ///< [VerifierCells::texts] completed from p
  double tv;  ///< TV(texts, target_texts); below 1e-12 is 0: enumeration is exact, sums of doubles are not
  double mean_accepted;

  bool lossless() const { return tv == 0; }
};

/// Every rule of ours that verifies one draft a position, the faulty ones last, but those that are enumerated on one context only,
/// or take too long: more than 2 000 000 / vocab paths from all starts together, each of which takes time as rows are long. Where
/// drafts are all drawn from q, rules made for other drafts are left out as well.
std::vector<KnownRule> known_rules(Source const& source, VerifierCells const& cells, bool drafts_from_q);

/// One of them by name. Throws what exact_round does.
KnownRule known_rule(std::string const& rule, Source const& source, VerifierCells const& cells,
                     std::uint64_t max_paths = 1'000'000);

}  // namespace draftgauge
