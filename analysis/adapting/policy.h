#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/theory/cost.h"

/// Policies that set the length of each draft anew, played along texts whose acceptances are known.
namespace draftgauge {

/// A text as policies meet it. Spans are empty where nothing is known.
struct AdaptingText {
  std::span<double const> accepted;  ///< [token] P(a draft there is accepted | text)
  /// Of the draft model at each token: the probability of the text's own token, the greatest one, and the entropy in
  /// nats. At temperature 0 they are those of one token, of which a policy learns nothing: leave them out.
  std::span<double const> q = {}, max_q = {}, entropy_q = {};
};

struct AdaptingTexts {
  std::vector<std::vector<AdaptingText>> requests;  ///< in the order in which they ran
  Costs costs = {};
  std::int64_t best = 1;   ///< the best fixed γ at these costs
  std::int64_t most = 32;  ///< drafts of a round; at least 1
  bool bonus = true;
  /// Chances other than 0 and 1 are of tokens that nobody tested: fewest and most rounds are worth knowing.
  bool holes = false;
  std::uint64_t seed = 1;

  std::size_t tokens() const;
  std::size_t texts() const;
};

/// What a policy takes along the texts, in expectation.
struct PolicyTimes {
  std::vector<double> time;  ///< of each request, in plain steps of the target
  double rounds = 0, drafts = 0;
  std::optional<std::pair<double, double>> time_range = {};  ///< of all, over every way to fill the holes
  /// What a request takes depends on which ones ran before: resampled requests say nothing of it.
  bool by_order = false;
};

/// Each is a file of analysis/adapting/policies, where its card is.
struct AdaptingPolicy {
  std::string_view name;     ///< as JSON has it
  std::string_view summary;  ///< as a table has it
  std::string_view source;
  bool reads_draft;  ///< it goes by what the draft model says of its tokens, else by which ones were accepted
  /// None where the texts lack what it needs.
  std::optional<PolicyTimes> (*play)(AdaptingTexts const&);
};
std::span<AdaptingPolicy const> adapting_policies();  ///< in the order of results

}  // namespace draftgauge
