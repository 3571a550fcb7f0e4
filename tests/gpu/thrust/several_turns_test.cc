#include <catch2/catch.hpp>

#include "gpu/backends.h"
#include "gpu/thrust/plain_tasks.h"
#include "sim/fast/engine.h"
#include "sim/play/simulation.h"
#include "sim/sources/source.h"

using namespace draftgauge;

namespace {

struct TurnsCase {
  char const* source;
  Task task;
  bool plain = true;
};

std::vector<TurnsCase> turns_cases() {
  return {{"dirichlet:vocab=40,contexts=3", {.rule = "token", .positions = 3}},
          {"dirichlet:vocab=40", {.rule = "block", .shape = {.gamma = 40}}},
          {"markov:vocab=6", {.rule = "block", .rounds_per_trial = 3, .gram = 2, .firsts = true}},
          {"dirichlet:vocab=40", {.rule = "recursive", .shape = {.gamma = 3, .branching = 2}}},
          {"dirichlet:vocab=40", {.rule = "spechub", .shape = {.gamma = 3, .branching = 2}}},
          {"dirichlet:vocab=40", {.rule = "recursive-without", .shape = {.gamma = 2, .branching = 3}}},
          {"dirichlet:vocab=40", {.rule = "token", .policy = "heuristic", .rounds_per_trial = 4}, false},
          {"dirichlet:vocab=40", {.rule = "block", .policy = "stop-below"}, false}};
}

}  // namespace

// On a device the workers of a kernel have two turns and a part, and their counts are added up over them; few enough
// trials for compute-sanitizer. On a host the same comparisons, in short.
TEST_CASE("device: rounds on Thrust equal the cpu backend where workers have several turns", "[short]") {
  Backend const backend = choose_backend("thrust");
  bool const on_device = backend.name == "thrust-cuda";
  for (TurnsCase const& c : turns_cases()) {
    CAPTURE(c.source, c.task.rule, c.task.policy, backend.name);
    Source const source = open_source(c.source);
    Simulation const simulation(c.task, source.tables, 7);
    with_rule(simulation.rule_called(),
              [&]<class Rule>(Rule const&) { REQUIRE(is_plain<Rule>(simulation.plan()) == c.plain); });
    std::uint64_t const trials = !on_device ? 5'000 : c.plain ? 1'000'000 : 2'300'000;
    Tally on_thrust(simulation.plan().tally), on_cpu(simulation.plan().tally);
    backend.prepare(simulation, 2)({11, 11 + trials}, on_thrust);
    cpu_backend().prepare(simulation, 4)({11, 11 + trials}, on_cpu);
    CHECK(on_thrust == on_cpu);
  }
}
