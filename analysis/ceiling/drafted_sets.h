#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "analysis/exact.h"

namespace draftgauge {

/// A text that a draft may hold below the root.
struct DraftedPrefix {
  std::uint32_t parent;  ///< the prefix without its last token
  Token token;
  std::uint32_t row;  ///< of the model, after it
  int depth;
  Rational chance;  ///< p(token | parent)
};

/// All drafts that a round may have, as sets of prefixes: siblings that are equal are one prefix.
struct DraftedSets {
  using Set = std::vector<std::uint32_t>;  ///< numbers of prefixes, rising; the first is 0, the root

  std::vector<DraftedPrefix> prefixes;  ///< [0] is the root, and parents come first
  std::map<Set, Rational> sets;         ///< how often each is drafted; the probabilities sum to 1

  std::vector<Token> tokens(std::uint32_t prefix) const;
};

/// The drafts of a task's round from the context `start`, whatever its rule. Domain: the policy `fixed`; one context, or
/// contexts that follow from the text, so that a prefix says its row. Throws TooManyPaths above `max_paths` drafts.
DraftedSets drafted_sets(
    Task const& task, ExactModel const& model, std::uint32_t start, std::uint64_t max_paths,
    std::function<void(std::uint64_t)> const& progress = [](std::uint64_t) {});

}  // namespace draftgauge
