#include "analysis/replay/replay.h"
#include "analysis/texts/estimators/replayed.h"

namespace draftgauge {
namespace {

constexpr EstimatorCard replay_argmax_card{
    .name = "replay_argmax",
    .heading = "argmax draft",
    .summary = "drafts of argmax q, which are kept where the text has the same token",
    .of_token_rule = false,
    .why_not =
        [](TextEstimates const& of) {
          return of.argmax_matches().empty() ? "needs the matches of argmax q" : of.why_short(1);
        },
    .tokens =
        [](TextEstimates const& of) {
          return replayed_tokens(of, [&](std::size_t i, RoundShape const& shape) {
            return token_rounds(of.argmax_matches()[i], shape).mean.front();
          });
        },
    .replays = "argmax",
    .drafts_argmax = true,
    .kept = [](TextEstimates const& of) { return of.argmax_matches(); }};

}  // namespace

constinit Estimator const Estimator::replay_argmax{&replay_argmax_card};

}  // namespace draftgauge
