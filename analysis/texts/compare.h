#pragma once
#include <span>
#include <string>
#include <vector>

#include "analysis/texts/text_estimates.h"

namespace draftgauge {

/// One recording against another, at one γ by one estimator.
struct TextComparison {
  std::size_t first, second;  ///< which of the recordings
  bool paired;                ///< over the same texts, whose own luck then cancels
  /// second less first; all of a family cover together with the family's confidence. Infinite where all texts agree on
  /// the difference, which then has no spread to tell luck from; p_value is 1 there.
  Interval difference;
  double p_value;  ///< of no difference, two-sided
  double holm;     ///< adjusted over the family: differences with holm ≤ x have a familywise alarm of x
};

/// Every pair of recordings. Paired where both have the same texts (same_texts); else the errors add and the
/// degrees of freedom are Welch and Satterthwaite's (Biometrika 34, 1947; Biometrics Bull. 2, 1946). Intervals are
/// Bonferroni's, p-values Holm's (Scand. J. Statist. 6, 1979), over the pairs that can be compared. Pairs where
/// either has fewer than two texts, or does not know the estimator, are left out, and those that share some texts
/// without being over the same, as their errors are neither paired nor independent (shared_texts). Recordings and
/// estimates in one order.
std::vector<TextComparison> compare(std::span<TokenTrace const> recordings, std::span<TextEstimates const> estimates,
                                    Estimator estimator, int gamma, double family_confidence);

/// The same of one figure of each recording; null where it is not known.
std::vector<TextComparison> compare(std::span<TokenTrace const* const> recordings,
                                    std::span<TextEstimate const* const> figures, double family_confidence);

/// "NAME B over NAME A: +0.12 ± 0.03 tokens per round", without ± where the interval is infinite.
std::string comparison_text(TextComparison const& comparison, std::span<TextEstimates const> estimates);

/// Both recordings have the same texts in this order: names and tokens, or where either did not record its tokens names
/// and every log p, which two drafts' recordings of one target share. False where these do not tell (shared_texts).
bool same_texts(TokenTrace const& a, TokenTrace const& b);
/// Nothing says that they are the same, as tokens are missing, though names and lengths are: log p may be of two
/// passes.
bool could_be_same_texts(TokenTrace const& a, TokenTrace const& b);

/// How many texts of a are in b too, wherever: by their tokens, or where either did not record them by log p, which two
/// drafts' recordings of one target share. Texts below 16 tokens, or below 8 values of either, do not count:
/// independent ones may agree by chance.
std::size_t shared_texts(TokenTrace const& a, TokenTrace const& b);
/// How many texts of one recording repeat an earlier one of it, by the same measure.
std::size_t repeated_texts(TokenTrace const& trace);

/// Two recordings of one model on one text, as if the second were the draft of the first: log p of the second as
/// log q. 1 − α̂ of it is the total variation between what the model says in two ways of computing it, by
/// E_p[(1 − p′/p)₊] = TV(p, p′): below that no rule can tell whether it keeps to the target's law.
/// InputError where tokens are not recorded, or are not the same, showing where.
TokenTrace self_pair(TokenTrace const& plain, TokenTrace const& again);
TextEstimate floor_distance(TextEstimates const& self);

}  // namespace draftgauge
