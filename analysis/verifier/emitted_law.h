#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/verifier/game.h"
#include "analysis/verifier/known_rules.h"

namespace draftgauge {

/// A verifier's exact distribution, put together from what it emits with which probability.
class EmittedLaw {
 public:
  explicit EmittedLaw(VerifierCells const& cells) : cells_(cells), emitted_(cells.emitted()) {}

  /// Outcomes, each with its probability: starts [n], drafts [n][γ], tokens [n][γ + 1]. Throws what read_round does.
  void add(std::span<std::int64_t const> starts, std::span<std::int64_t const> drafts,
           std::span<std::int64_t const> tokens, std::span<double const> probabilities);

  VerifierCells const& cells() const { return cells_; }
  std::vector<double> const& emitted() const { return emitted_; }  ///< [VerifierCells::emitted]
  double mean_accepted() const { return mean_accepted_; }
  double strayed() const { return strayed_; }  ///< the probability of such rounds

 private:
  VerifierCells cells_;
  std::vector<double> emitted_;
  double mean_accepted_ = 0, strayed_ = 0;
};

/// The beginning of texts whose probability, given the start, is farthest from p's; what p excludes comes first.
struct LawDeviation {
  std::uint32_t start;
  std::vector<std::uint32_t> tokens;
  double probability, expected;
};

struct LawVerdict {
  double tv;                              ///< of the text's distribution from p's
  std::optional<std::string> nearest;     ///< the rule of ours that emits the same, to within `width`
  std::vector<std::string> same;          ///< others that do
  std::optional<LawDeviation> deviation;  ///< where tv is above `width`
};

/// width: how far off in TV the law itself may be.
LawVerdict judge_law(EmittedLaw const& law, PairTables const& tables, std::span<double const> target,
                     std::vector<KnownRule> const& known, double width);

}  // namespace draftgauge
