#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/adapting/policy.h"

namespace draftgauge {

/// A policy that ends a draft by how sure the draft model is of its tokens.
struct ConfidenceRule {
  /// How sure it is at each token: of a draft that is the text's own token, and of any other. Empty: not known. A rule
  /// that looks at the distribution alone is as sure of both.
  std::vector<double> (*of_text)(AdaptingText const&);
  std::vector<double> (*of_other)(AdaptingText const&);
  bool product = false;  ///< the product over the draft so far counts, else the last one alone
  bool drops = false;    ///< the token that falls below is not drafted, though the draft model's step is paid
  std::int64_t most = INT64_MAX;  ///< drafts of a round, beside texts.most
};

/// The draft ends where that is below the threshold. Up to the first rejected draft its contexts are the text's. Behind
/// it nobody knows them: there, and beyond the text's end, confidence goes on as along the text, which starts again. So
/// tokens per round are exact, and only what is drafted in vain is an estimate. None where confidence is not known.
std::optional<PolicyTimes> stopped_below(AdaptingTexts const& texts, ConfidenceRule const& rule, double threshold);

/// The same at the threshold, .1 to .9, that is fastest on the other half of the requests. None of one request, too.
std::optional<PolicyTimes> stopped_at_best(AdaptingTexts const& texts, ConfidenceRule const& rule);

}  // namespace draftgauge
