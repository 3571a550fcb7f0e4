#include "analysis/stats/trials.h"

#include <catch2/catch.hpp>

#include "sim/sources/source.h"

using namespace draftgauge;

TEST_CASE("trials that have so many rounds") {
  Source const iid = open_source("dirichlet:vocab=3"), pair = open_source("markov:vocab=3");
  Simulation const independent({.shape = {.gamma = 2}}, iid.tables, 1),
      chain({.shape = {.gamma = 2}}, pair.tables, 1);
  CHECK(trials_of_rounds(independent, 1'000) == Range{0, 1'000});
  CHECK(longest_trial(chain) == 64);
  CHECK(trials_of_rounds(chain, 128) == Range{0, 2});
  CHECK(trials_of_rounds(chain, 129) == Range{0, 3});
}
