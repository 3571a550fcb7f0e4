#include "gpu/thrust/plain_tasks.h"

#include <catch2/catch.hpp>

#include "sim/draft/tree_text.h"
#include "sim/play/simulation.h"
#include "sim/sources/source.h"

using namespace draftgauge;

namespace {

bool plain(Task const& task) {
  static Source const source = open_source("dirichlet:vocab=8");
  Simulation const simulation(task, source.tables, 1);
  bool is = false;
  with_rule(simulation.rule_called(), [&]<class Rule>(Rule const&) { is = is_plain<Rule>(simulation.plan()); });
  return is;
}

}  // namespace

TEST_CASE("plain tasks: a rule as it is meant, on a chain or on a tree where it takes one") {
  CHECK(plain({.rule = "token"}));
  CHECK(plain({.rule = "token", .shape = {.gamma = 40, .bonus = false}, .rounds_per_trial = 3, .positions = 2}));
  CHECK(plain({.rule = "block"}));
  CHECK(plain({.rule = "recursive", .shape = {.branching = 3}}));
  CHECK(plain({.rule = "recursive-without", .drafter = "sample-without", .shape = {.branching = 3}}));
  Task listed{.rule = "k-seq"};
  draft_tree(listed, parse_tree("levels:2,1,3"));
  CHECK(plain(listed));
}

TEST_CASE("plain tasks: another drafter, policy or continuation is none, nor is a rule without a kernel") {
  CHECK_FALSE(plain({.rule = "token", .drafter = "top"}));
  CHECK_FALSE(plain({.rule = "recursive", .drafter = "sample-without", .shape = {.branching = 2}}));
  CHECK_FALSE(plain({.rule = "token", .policy = "heuristic"}));
  CHECK_FALSE(plain({.rule = "token", .policy = "stop-below"}));
  CHECK_FALSE(plain({.rule = "recursive", .shape = {.branching = 2, .continues = true}}));
  CHECK_FALSE(plain({.rule = "traversal", .shape = {.branching = 2}}));
  CHECK_FALSE(plain({.rule = "recursive-without", .shape = {.branching = 4}}));  // slower than the generic engine
  CHECK_FALSE(plain({.rule = "gbv"}));
  CHECK_FALSE(plain({.rule = "local-ot"}));
  CHECK_FALSE(plain({.rule = "faulty/coarse-coin"}));
  CHECK_FALSE(plain({.rule = "typical", .shape = {.branching = 2}}));  // which weighs whole paths there
}
