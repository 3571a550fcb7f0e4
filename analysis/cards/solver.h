#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/cards/quantity.h"

namespace draftgauge {

/// Which pass gave a text's first token.
enum class FirstToken { unknown, prompt, round };

/// Which steps of decoding gave the tokens that are `emitted`.
enum class EmittedBy {
  unknown,          ///< others than those of `rounds`, too, or fewer
  rounds_and_more,  ///< these rounds, steps without a draft, and the prompts' passes
  rounds,           ///< these rounds and the prompts' passes
};

/// What a print is known to mean beside its numbers.
struct PrintMeaning {
  FirstToken first_token = FirstToken::unknown;  ///< unknown: emitted tokens say nothing of rounds
  EmittedBy emitted_by = EmittedBy::unknown;     ///< what rounds, accepted and emitted must fit, where all are printed
  bool fixed_length = false;                     ///< every round drafts draft_length tokens
  bool over_passes = false;                      ///< shares by position are of all passes, with those of prompts
};

/// Where a quantity lies, by all that was printed.
struct ValueRange {
  double least, most;
  bool is_empty() const { return least > most; }
};

/// What the identities between counts, rates, means and times give.
struct Solution {
  std::map<PrintedQuantity, ValueRange> ranges;
  /// [i − 1] the share of all rounds (or of passes: PrintMeaning) that kept draft i; none where none are printed.
  std::vector<ValueRange> cumulative;
  /// The first identity that the printed numbers break, and the numbers in it.
  struct Broken {
    std::string identity, found;
  };
  std::optional<Broken> broken;

  /// The whole number that it must be.
  std::optional<std::int64_t> exact(PrintedQuantity quantity) const;
  /// The middle of where it lies, where that is no wider than a tenth of it.
  std::optional<double> about(PrintedQuantity quantity) const;
  /// The least number of rounds of which shares that are printed in full are whole counts: what they do not tell from its
  /// multiples. None where a number as small would fit other digits, too.
  std::optional<std::int64_t> least_rounds(PrintedRecord const& record) const;
  /// [i − 1] of so many rounds those that kept draft i, by the shares that are printed: counts that fall, and that add up to
  /// `accepted` where the digits of the shares allow it.
  std::vector<std::int64_t> positions(std::int64_t rounds, std::optional<std::int64_t> accepted) const;
};

/// Narrows what is not printed by what is: each printed number stands for the numbers that are printed so. Every
/// identity is a sum or a product of numbers that are ≥ 0, and narrows each of its members by the others, until
/// nothing changes (hull consistency: Benhamou et al. 1999, "Revising hull and box consistency"). Counts are whole.
Solution solve(PrintedRecord const& record, PrintMeaning const& meaning);

}  // namespace draftgauge
