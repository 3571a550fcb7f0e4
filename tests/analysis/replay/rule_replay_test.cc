#include "analysis/replay/rule_replay.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/texts/estimator.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"
#include "sim/task/task.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("rules that go alike along a text share a replay, and each replay has an estimator") {
  std::vector<std::string_view> names;
  for (RuleCard const& rule : rule_cards())
    if (RuleReplay const* const replay = rule_replay(rule.name)) add_once(names, replay->name);
  CHECK(names_in(rule_replays()) == names);
  for (char const* known : {"token", "block", "argmax"}) CHECK(contains(names, known));
  for (char const* rule : {"token", "chen"}) CHECK(rule_replay(rule)->name == "token");
  for (char const* rule : {"one-hot", "coupled", "greedy"}) CHECK(rule_replay(rule)->name == "argmax");
  for (char const* none : {"gbv", "lenient", "faulty/one-coin", "nothing"}) CHECK(rule_replay(none) == nullptr);
  for (RuleReplay const& replay : rule_replays()) {
    CAPTURE(replay.name);
    EstimatorCard const& card = *estimator_that_replays(replay.name).card;
    CHECK(card.replays == replay.name);
    CHECK(card.drafts_argmax == replay.of_matches);
    CHECK((replay.drafter == "top") == replay.of_matches);
  }
  CHECK(message<UsageError>([] { rule_replay_named("blok"); }) ==
        "there is no replay 'blok' (known: " + joined(names) + ") did you mean 'block'?");
}

TEST_CASE("a replay says what a round keeps of a text's tokens, and starts anew with each round") {
  std::vector<double> const x = {std::log(.5), std::log(2.), std::log(.25)};
  CHECK(rule_replay_named("token").kept(x) == std::vector<double>{.5, 1, .25});
  std::vector<double> const block = rule_replay_named("block").kept(x);
  CHECK(block[0] == Approx(.5));
  CHECK(block[1] == 1);
  CHECK(block[2] == Approx(.5));  // w = ½, 1, ¼: ¼ of the ½ that were kept
  CHECK(rule_replay_named("block").kept(x) == block);
  CHECK(rule_replay_named("argmax").kept(std::vector<double>{1, 0, 1}) == std::vector<double>{1, 0, 1});
}
