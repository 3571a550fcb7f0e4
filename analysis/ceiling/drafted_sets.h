#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "analysis/exact/exact.h"
#include "sim/draft/tree_view.h"

namespace draftgauge {

/// The numbers of prefixes, from 1 on, by the parent's (the root's is 0) and the last token.
using PrefixNumbers = std::map<std::pair<std::uint32_t, Token>, std::uint32_t>;

/// [nodes] the prefix of each node of a draft, which is drawn now: siblings that are equal are one, with the children
/// of both. add(parent's number, child) is told of each prefix that had no number yet, in the order of numbers.
template <class Draft, class Add>
std::vector<std::uint32_t> number_prefixes(Draft& draft, PrefixNumbers& numbers, Add const& add) {
  std::vector<std::uint32_t> prefix_of(draft.size());
  for (std::uint32_t node = 0; node < draft.size(); ++node) {
    TreeNode const children = draft.children(node);
    for (std::uint32_t child = children.first; child < children.first + children.count; ++child) {
      auto const [found, is_new] =
          numbers.try_emplace({prefix_of[node], draft.token(child)}, static_cast<std::uint32_t>(numbers.size()) + 1);
      prefix_of[child] = found->second;
      if (is_new) add(prefix_of[node], child);
    }
  }
  return prefix_of;
}

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

/// The drafts of a task's round from the context `start`, whatever its rule. Domain: the policy `fixed`; one context,
/// or contexts that follow from the text, so that a prefix says its row. Throws TooManyPaths above `max_paths`
/// drafts.
DraftedSets drafted_sets(
    Task const& task, ExactModel const& model, std::uint32_t start, std::uint64_t max_paths,
    std::function<void(std::uint64_t)> const& progress = [](std::uint64_t) {});

}  // namespace draftgauge
