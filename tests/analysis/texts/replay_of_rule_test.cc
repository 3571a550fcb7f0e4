#include "analysis/texts/estimators/replay_of_rule.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/replay/rule_replay.h"
#include "sim/drafters/sample.h"
#include "sim/rules/block.h"
#include "sim/rules/token.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

/// Keeps a share of what the token rule keeps, half by default: a replay that depends on the rule's parameters.
struct Half {
  static constexpr ParameterCard parameters[] = {
      {.name = "share", .meaning = "", .standard = {1, 2}, .least = {0, 1}, .most = {1, 1}}};
  static constexpr RuleCard card{
      .name = "half", .summary = "", .source = "", .drafter = "sample", .lossless = true, .parameters = parameters};
  explicit constexpr Half(Parameters const& values) : share(values.value[0]) {}
  struct Replay {
    using Drafter = drafters::Sample;
    explicit Replay(Half const& rule) : share(double(rule.share.num) / rule.share.den) {}
    double kept(double log_ratio) const { return share * rules::TokenRule::Replay().kept(log_ratio); }
    double share;
  };
  Ratio share;
};

}  // namespace

TEST_CASE("a rule's Replay is all that its estimator and its audits take, at the standard parameters") {
  RuleReplay const replay = replay_by<Half>();
  CHECK(replay.name == "half");
  CHECK(replay.drafter == "sample");
  CHECK_FALSE(replay.of_matches);
  std::vector<double> const log_ratio = {std::log(2.), std::log(.5), 0};
  CHECK(replay.kept(log_ratio) == std::vector<double>{.5, .25, .5});
  CHECK(replay.rounds(log_ratio, {.gamma = 2}, {}).mean ==
        token_rounds(std::vector<double>{.5, .25, .5}, {.gamma = 2}).mean);
  CHECK(message<InputError>([&] {
          replay.rounds(std::vector<double>{NAN}, {.gamma = 1}, {});
        }).starts_with("ln q − ln p of token 1 is nan"));

  TextTrace text;
  text.name = "one";
  text.tokens = {1, 1, 1};
  for (double const x : log_ratio) {
    text.log_p.push_back(-1);
    text.log_q.push_back(-1 + x);
  }
  TokenTrace trace;
  trace.texts = {text};
  TextEstimates const found(trace, {.gammas = {2}, .resamples = 0});
  EstimatorCard const& card = replay_of_rule<Half>();
  CHECK(card.name == "replay_half");
  CHECK(card.heading == "half rule");
  CHECK(card.replays == "half");
  CHECK(card.why_not(found).empty());
  std::vector<double> const alone = card.kept(found).at(0), along = replay.kept(log_ratio);
  for (std::size_t t = 0; t < along.size(); ++t) CHECK(alone.at(t) == Approx(along[t]));
  CHECK(replay_of_rule<rules::BlockRule>().kept == nullptr);  // what a round kept before changes it
  CHECK(card.tokens(found).at(0)->value == Approx(3 / replay.rounds(log_ratio, {.gamma = 2}, {}).mean.front()));
}
