#include <catch2/catch.hpp>
#include <map>

#include "tests/analysis/exact/tree_laws.h"

using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("tree rules: after every prefix that a round passes a lossless rule emits or accepts what p owes") {
  std::map<std::string, int> held;
  std::size_t trees = 0;
  for (auto const& parents : trees_up_to(6)) {
    if (parents.size() == 1) continue;
    ++trees;
    for (std::uint32_t const vocab : {2u, 3u})
      for (ExactModel const& model : parents.size() < 6 ? tables(vocab) : tables_by_prefix(vocab))
        for (RuleCard const& card : rule_cards()) {
          Task asked = tree_task(std::string(card.name), TreeShape::of_parents(parents).text());
          int const widest = asked.shape.branching;
          bool const plans = card.name.starts_with("local-ot");
          if (!card.lossless || (widest > 1 && !card.many_children && !plans)) continue;
          if (drafter_card(card.drafter).distinct && widest > static_cast<int>(vocab)) continue;
          for (bool const bonus : {true, false}) {
            if (parents.size() == 6 && !bonus) continue;
            asked.shape.bonus = bonus;
            CAPTURE(card.name, parents, vocab, bonus);
            REQUIRE_FALSE(rejected_at(exact_round(asked, model), referred(model, card.reference)));
            ++held[std::string(card.name)];
          }
        }
  }
  CHECK(trees == 1 + 2 + 5 + 14 + 42);
  CHECK(held["traversal"] == held["recursive"]);
  CHECK(held["traversal-without"] > 300);
  CHECK(held["local-ot"] == held["recursive"]);
  CHECK(held["local-ot-without"] == held["traversal-without"]);
}

TEST_CASE("tree rules: a rule that is not lossless does not pass that test") {
  for (RuleCard const& card : rule_cards()) {
    if (!card.counterexample || card.name == "faulty/frozen-noise") continue;  // its rounds are right, one by one
    CAPTURE(card.name);
    Counterexample::Test const& shows = card.counterexample->shows;
    if (!shows.memory.empty()) continue;  // right on one context
    auto const law = [](std::string_view list) {
      std::vector<Rational> entries;
      for (std::size_t at = 0; at <= list.size(); at = std::min(list.find(',', at), list.size()) + 1)
        entries.emplace_back(std::string(list.substr(at, list.find(',', at) - at)));
      return entries;
    };
    ExactModel const model(Follow::independent, {{law(shows.p), law(shows.q)}});
    ExactRound const round = exact_round(task(std::string(card.name), shows.gamma, shows.branching), model);
    CHECK(rejected_at(round, referred(model, card.reference)));
  }
  for (auto const* rule :
       {"sglang:threshold=1/2,single=1", "sglang:threshold=1,single=1/4", "typical", "lenient", "traversal"}) {
    CAPTURE(rule);
    Task asked = task(rule, 1, rule == std::string("traversal") ? 2 : 1);
    if (rule == std::string("traversal")) asked.drafter = "sample-without";
    CHECK(rejected_at(exact_round(asked, reference_r()), reference_r()) == std::vector<Token>{});
  }
}

TEST_CASE("tree rules: traversal, with optimal transport or not, keeps a chain as block verification does") {
  for (std::uint32_t const seed : {1u, 2u, 3u})
    for (int gamma = 1; gamma <= 3; ++gamma) {
      ExactModel const model = random_prefix_model(seed, 3, gamma);
      ExactRound const block = exact_round(task("block", gamma), model);
      for (auto const* rule : {"traversal", "traversal-without", "local-ot", "local-ot-without"}) {
        ExactRound const round = exact_round(task(rule, gamma), model);
        CHECK(round.emitted == block.emitted);
        CHECK(round.accepted == block.accepted);
      }
    }
}

TEST_CASE("tree rules: the best of K paths is verified without loss") {
  for (std::uint32_t const vocab : {2u, 3u})
    for (ExactModel const& model : tables(vocab))
      for (auto const* tree : {"paths:2,1", "paths:3,1", "paths:2,2", "paths:2,3", "paths:3,2"})
        for (auto const* rule : {"gbv", "gbv:continue=1"})
          for (bool const bonus : {true, false}) {
            if (vocab == 3 && tree == std::string("paths:2,3")) continue;
            CAPTURE(vocab, tree, rule, bonus);
            REQUIRE_FALSE(rejected_at(exact_round(tree_task(rule, tree, bonus), model), model));
          }
}

TEST_CASE("tree rules: free continuation loses nothing and keeps no less, whatever the rule") {
  struct Case {
    char const* rule;
    bool gains;  ///< somewhere
  };
  for (Case const& one : {Case{"recursive", true}, Case{"recursive-without", false}, Case{"traversal", true},
                          Case{"traversal-without", false}, Case{"local-ot", true}, Case{"naive-set", false},
                          Case{"naive-set-without", false}, Case{"top-set", false}, Case{"k-seq", true}}) {
    bool gained = false;
    for (std::uint32_t const vocab : {2u, 3u})
      for (ExactModel const& model : tables(vocab))
        for (auto const* tree : {"kary:2,1", "levels:2,1", "[-1,0,0,1,2]", "[-1,0,0,2,2]"})
          for (bool const bonus : {true, false}) {
            CAPTURE(one.rule, vocab, tree, bonus);
            Task task = tree_task(one.rule, tree, bonus);
            Rational const plain = exact_round(task, model).mean_accepted();
            task.shape.continues = true;
            ExactRound const round = exact_round(task, model);
            REQUIRE_FALSE(rejected_at(round, model));
            REQUIRE(round.mean_accepted() >= plain);
            gained = gained || round.mean_accepted() > plain;
          }
    CAPTURE(one.rule);
    CHECK(gained == one.gains);
  }
}
