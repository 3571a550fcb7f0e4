#include "analysis/replay/rule_replay.h"
#include "analysis/texts/estimators/replayed.h"

namespace draftgauge {
namespace {

constexpr EstimatorCard replay_block_card{
    .name = "replay_block",
    .heading = "block rule",
    .summary = "block verification along the text, exactly",
    .of_token_rule = false,
    .why_not = why_not_replayed,
    .tokens =
        [](TextEstimates const& of) {
          return replayed_tokens(of, [&](std::size_t i, RoundShape const& shape) {
            return rule_replay("block")->rounds(of.acceptance()[i].log_ratio, shape, {}).mean.front();
          });
        },
    .replays = "block"};

}  // namespace

constinit Estimator const Estimator::replay_block{&replay_block_card};

}  // namespace draftgauge
