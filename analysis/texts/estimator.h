#pragma once
#include <compare>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace draftgauge {

class TextEstimates;
struct TextEstimate;

/// A way to tokens per round from scored texts. Each is a file of analysis/texts/estimators, where its card is.
struct EstimatorCard {
  std::string_view name;     ///< as options and JSON have it
  std::string_view heading;  ///< of a table's column
  std::string_view summary;  ///< what it is: "an average over all places where a round might start"
  bool of_token_rule;        ///< whether it is of the token rule's rounds: only such ones can stand in for each other
  /// In words, "needs log p and log q", what keeps it from being known at every γ; else empty.
  std::string (*why_not)(TextEstimates const&);
  /// At each γ of the options, in their order; none where the texts do not say. Asked where why_not is empty.
  std::vector<std::optional<TextEstimate>> (*tokens)(TextEstimates const&);
  bool tosses_coins = false;      ///< known only where EstimateOptions::coin_runs are asked for
  std::string_view replays = {};  ///< whose rounds it replays exactly (analysis/replay/rule_replay.h); else empty
  bool drafts_argmax = false;     ///< its drafts are argmax q; else they are drawn from q
  /// [text][token] P(a draft there is kept | text), where it replays a rule that keeps each draft whatever was kept
  /// before; null elsewhere. Asked where why_not is empty.
  std::vector<std::vector<double>> (*kept)(TextEstimates const&) = nullptr;
};

/// One of them: Estimator::replay and the others of the list.
struct Estimator {
#define ESTIMATOR(name) static Estimator const name;
#include "analysis/texts/estimators/list.inc"
#undef ESTIMATOR

  EstimatorCard const* card;

  friend auto operator<=>(Estimator const&, Estimator const&) = default;
};

/// All, in the order of results: the list, and for rules whose replay none of it is of one by the rule's own file.
std::span<Estimator const> estimators();
inline auto estimator_cards() {
  return estimators() | std::views::transform([](Estimator each) -> EstimatorCard const& { return *each.card; });
}
/// Of a name of rule_replays: there is one for each.
Estimator estimator_that_replays(std::string_view rule);
/// The one of that name, else UsageError.
Estimator estimator_named(std::string_view name);

}  // namespace draftgauge
