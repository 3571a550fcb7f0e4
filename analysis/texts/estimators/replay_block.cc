#include "analysis/texts/estimators/replay_of_rule.h"
#include "sim/rules/block.h"

namespace draftgauge {
namespace {

constexpr EstimatorCard replay_block_card{.name = "replay_block",
                                          .heading = "block rule",
                                          .summary = "block verification along the text, exactly",
                                          .of_token_rule = false,
                                          .why_not = why_not_replayed,
                                          .tokens = tokens_along_text<rules::BlockRule>,
                                          .replays = "block"};

}  // namespace

constinit Estimator const Estimator::replay_block{&replay_block_card};

}  // namespace draftgauge
