#pragma once
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/adapting/policy.h"
#include "analysis/texts/text_estimates.h"
#include "analysis/theory/draft_policies.h"

namespace draftgauge {

/// What a policy gains on the same requests as the best fixed γ.
struct AdaptingGain {
  AdaptingPolicy const* policy;
  TextEstimate speedup;
  TextEstimate over_best;                               ///< S of the policy less S of the best fixed γ
  double mean_drafts;                                   ///< of a round
  std::optional<std::pair<double, double>> range = {};  ///< of S, over every way to fill the holes
  bool by_order = false;                                ///< no interval over requests holds
};

/// S of the best fixed γ. sample: of the requests, by their tokens.
TextEstimate fixed_speedup(AdaptingTexts const& texts, std::shared_ptr<TextSample const> const& sample);
/// S of an oracle that sees outcomes ahead (analysis/theory/draft_policies.h), of at most texts.most drafts.
TextEstimate oracle_speedup(DraftPolicy oracle, AdaptingTexts const& texts,
                            std::shared_ptr<TextSample const> const& sample);
/// Of each policy that the texts have enough for, in the list's order.
std::vector<AdaptingGain> adapting_gains(AdaptingTexts const& texts, std::shared_ptr<TextSample const> const& sample);

}  // namespace draftgauge
