#pragma once
#include <optional>
#include <span>
#include <string>

#include "analysis/report/drafts.h"
#include "analysis/texts/study.h"
#include "apps/output/result.h"

namespace draftgauge {

inline constexpr char drafts_heading[] = "Which draft, each at its own costs and best γ";

/// A draft beside others, at its own costs and its best γ; 0: plain decoding is faster.
struct RankedDraft {
  std::string name;
  std::int64_t gamma;
  double speedup;
  std::optional<Interval> interval;  ///< of S
  std::optional<double> p_best;
};
/// The fastest of the others.
std::size_t second_of(std::span<RankedDraft const> drafts, std::size_t best);
/// "a at γ=5, S=2.1751 [2.0922, 2.2580], P(best) > 0.99; leads b at γ=3 by 0.389 [0.308, 0.470]"; lead: of S of the
/// best less S of the second, where it is known.
std::string lead_sentence(std::span<RankedDraft const> drafts, std::size_t best, std::optional<Interval> const& lead);

/// "; that of plain decoding is 0.02"; empty where that is never the fastest.
std::string plain_wins_text(double chance);
/// That fewer than fewest_for_chances of `unit`, "texts", give no P(best).
std::string few_for_chances(std::string_view unit);

/// Which of several studies' drafts is the fastest; nothing where fewer than two say it.
struct Fastest {
  std::optional<std::size_t> study = {};
  std::optional<FastestReport> report = {};
};
/// Finds it, each at its own costs and best γ, and tells it before all else.
Fastest add_fastest(Result& result, std::span<Study const* const> studies, double confidence);

}  // namespace draftgauge
