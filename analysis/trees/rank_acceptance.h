#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/theory/acceptance.h"

namespace draftgauge {

/// How the children of a node are drawn; each is verified by the rule that is made for it.
enum class RankDrafts {
  with,     ///< from q each: recursive rejection (SpecInfer, arXiv 2305.09781)
  without,  ///< from q, all different: recursive rejection (Sequoia, arXiv 2402.12374)
  top       ///< the most likely tokens of q: one after another with q := 1 (EAGLE-2, arXiv 2406.16858)
};
inline constexpr RankDrafts rank_drafts[] = {RankDrafts::with, RankDrafts::without, RankDrafts::top};

/// The names of drafter and rule, as tasks have them.
std::string_view drafter_name(RankDrafts drafts);
std::string_view rule_name(RankDrafts drafts);
std::vector<std::string> rank_drafter_names();

/// P_1 … P_k: the probability that the r-th of a node's children is accepted, in the mean over drafts (Sequoia's
/// acceptance vector, arXiv 2402.12374, Section 3.1: of all visits to the node, not only of those that come to test
/// it). Their sum over r ≤ k is what the rule accepts of k children. 1 ≤ k, and k ≤ V where children differ, else
/// UsageError; UsageError, too, where drafts without replacement have too many orders to sum over
/// (analysis/theory/draft_orders.h).
template <class Number>
std::vector<Number> rank_acceptance(Acceptance<Number> const& pair, RankDrafts drafts, int k);

/// Acceptance by rank where some of it is sampled.
struct RankAcceptance {
  std::vector<double> of;     ///< [k]
  int exact = 0;              ///< ranks that are exact; later ones are means over sampled orders of drafts
  std::vector<double> error;  ///< [k] standard errors; 0 where exact
};

/// The same in doubles for any number of tokens: exact while that is short, and sampled from there on, with this seed.
RankAcceptance rank_acceptance_of(Acceptance<double> const& pair, RankDrafts drafts, int k, std::uint64_t seed);

}  // namespace draftgauge
