#pragma once
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "analysis/replay/replay_by.h"
#include "analysis/texts/estimators/replayed.h"

namespace draftgauge {

/// ΣT / ΣR at each γ, of the rule's rounds.
template <class Rule>
std::vector<std::optional<TextEstimate>> tokens_along_text(TextEstimates const& of) {
  return replayed_tokens(of, [&](std::size_t i, RoundShape const& shape) {
    return rounds_by<Rule>(of.acceptance()[i].log_ratio, shape, {}).mean.front();
  });
}

/// [text][token] what a rule keeps that keeps each draft whatever was kept before.
template <class Rule>
std::vector<std::vector<double>> kept_alone(TextEstimates const& of) {
  std::vector<std::vector<double>> all;
  for (TextAcceptance const& text : of.acceptance()) all.push_back(kept_by<Rule>(text.log_ratio));
  return all;
}

/// The estimator of a rule whose Replay no file here is of.
template <class Rule>
EstimatorCard const& replay_of_rule() {
  static std::string const name = fmt::format("replay_{}", Rule::card.name),
                           heading = fmt::format("{} rule", Rule::card.name),
                           summary = fmt::format("the rule {} along the text, exactly", Rule::card.name);
  static EstimatorCard const card{.name = name,
                                  .heading = heading,
                                  .summary = summary,
                                  .of_token_rule = false,
                                  .why_not = why_not_replayed,
                                  .tokens = tokens_along_text<Rule>,
                                  .replays = Rule::card.name,
                                  .kept = keeps_each_alone<Rule> ? kept_alone<Rule> : nullptr};
  return card;
}

}  // namespace draftgauge
