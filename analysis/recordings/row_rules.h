#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/theory/rule_acceptance.h"
#include "sim/recordings/rows.h"
#include "sim/recordings/sampling_parameters.h"

namespace draftgauge {

/// What a lossy rule emits at each position, [sequences][rows of it].
struct RowLosses {
  std::vector<std::vector<double>> distance;  ///< TV from p
  std::vector<std::vector<double>> wasted;    ///< acceptance below min(1, β + TV), the most at that distance
  std::vector<std::vector<double>> broken;    ///< 1 where the bound that its source states does not hold, else 0
};

/// How likely a rule accepts one of k drafts at each position of a text.
struct RowRule {
  AcceptanceFormula formula;
  int branching;  ///< k
  Parameters values;
  std::vector<std::vector<double>> accepted;  ///< [sequences][rows of it]
  std::optional<RowLosses> losses = {};       ///< of a lossy rule whose file says what it emits, with k = 1
  std::optional<StatedBound> stated = {};     ///< by its source, of these losses
};

/// A rule that was not asked about k drafts, as its sum over their orders is too long for this many tokens.
struct UnaskedRule {
  std::string_view rule;
  int branching;  ///< k
};
std::vector<UnaskedRule> unasked_rules(std::span<int const> branching, std::uint64_t vocab);

/// Every rule with a closed form (analysis/theory/acceptance.h), with its standard parameters except for a lenience
/// given, at every pair of rows, for each number of children that it takes and whose sums are not too long. O(V log
/// V) a row and more for several children. Where the target's temperature is 0, rules of argmax p take their p from
/// the logits at temperature 1, not truncated: lenience acts before p is made one-hot, else it would forgive nothing
/// (Leviathan et al. 2023, arXiv 2211.17192, A.5). progress(rows done) is called from any thread. `wanted`: which
/// rules, with how many children, where not all. Throws InputError for rows that are no logits.
std::vector<RowRule> rules_at_rows(RowPairs& pairs, SamplingParameters const& target, SamplingParameters const& draft,
                                   std::span<int const> branching, std::optional<Ratio> lenience, int threads,
                                   std::function<void(std::uint64_t)> const& progress,
                                   std::function<bool(AcceptanceFormula const&, int)> const& wanted = {});

}  // namespace draftgauge
