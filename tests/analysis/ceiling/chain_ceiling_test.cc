#include "analysis/ceiling/chain_ceiling.h"

#include <catch2/catch.hpp>
#include <numeric>

#include "analysis/ceiling/task_ceiling.h"
#include "analysis/verifier/known_rules.h"

using namespace draftgauge;

TEST_CASE("the ceiling of a chain is that of the linear program, and block verification reaches it") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (std::uint32_t const vocab : {2u, 3u})
      for (int gamma = 1; gamma <= 3; ++gamma) {
        Source const pair = verifier_pair(vocab, seed);
        std::vector<std::uint32_t> starts(vocab);
        std::iota(starts.begin(), starts.end(), 0u);
        double const ceiling = chain_ceiling(pair.tables, gamma);
        if (gamma < 3) {
          Task const task{.rule = "token", .shape = {.gamma = gamma}};
          CHECK(ceiling ==
                Approx(static_cast<double>(task_ceiling(task, exact_model(pair), starts, 1'000'000).value)));
        }
        VerifierCells const cells{vocab, gamma};
        CHECK(ceiling == Approx(known_rule("block", pair, cells).mean_accepted));
        double const token = token_rule_accepted(pair.tables, gamma);
        CHECK(ceiling >= token - 1e-12);
        if (gamma == 1) CHECK(ceiling == Approx(token));
      }
  Source const large = verifier_pair(64, 1);
  CHECK(chain_ceiling(large.tables, 2) > token_rule_accepted(large.tables, 2));
}
