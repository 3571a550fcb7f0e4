#include "analysis/replay/replay.h"

#include "analysis/texts/estimators/replayed.h"

namespace draftgauge {
namespace {

constexpr EstimatorCard replay_card{
    .name = "replay",
    .heading = "replay",
    .summary = "the token rule along the text, a sum over all that can happen, exactly",
    .of_token_rule = true,
    .why_not = why_not_replayed,
    .tokens =
        [](TextEstimates const& of) {
          return replayed_tokens(of, [&](std::size_t i, RoundShape const& shape) {
            return token_rounds(of.acceptance()[i].a, shape).mean.front();
          });
        },
    .replays = "token",
    .kept =
        [](TextEstimates const& of) {
          std::vector<std::vector<double>> all;
          for (TextAcceptance const& text : of.acceptance()) all.push_back(text.a);
          return all;
        }};

}  // namespace

constinit Estimator const Estimator::replay{&replay_card};

}  // namespace draftgauge
