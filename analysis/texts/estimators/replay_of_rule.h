#pragma once
#include <fmt/format.h>

#include <string>

#include "analysis/replay/replay_by.h"
#include "analysis/texts/estimators/replayed.h"

namespace draftgauge {

/// The estimator of a rule whose Replay no file here is of.
template <class Rule>
EstimatorCard const& replay_of_rule() {
  static std::string const name = fmt::format("replay_{}", Rule::card.name),
                           heading = fmt::format("{} rule", Rule::card.name),
                           summary = fmt::format("the same of the rule {}", Rule::card.name);
  static EstimatorCard const card{
      .name = name,
      .heading = heading,
      .summary = summary,
      .of_token_rule = false,
      .why_not = why_not_replayed,
      .tokens =
          [](TextEstimates const& of) {
            return replayed_tokens(of, [&](std::size_t i, RoundShape const& shape) {
              return rounds_by<Rule>(of.acceptance()[i].log_ratio, shape, {}).mean.front();
            });
          },
      .replays = Rule::card.name};
  return card;
}

}  // namespace draftgauge
