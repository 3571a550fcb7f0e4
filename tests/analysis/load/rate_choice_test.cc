#include "analysis/load/rate_choice.h"

#include <catch2/catch.hpp>

#include "sim/base/error.h"
#include "tests/analysis/load/fixture.h"

using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("acceptance by E[N] has the survival between its steps, which never grows") {
  BatchAcceptance const alone = acceptance_by_tokens({1, 1.8, 2.4, 3.1}, true);
  CHECK((alone.most == 3 && alone.by_position && *alone.tokens(2, 64) == 2.4));
  CHECK((alone.survival[1] == Approx(.6) && alone.survival[2] == Approx(.6)));
  // Without the bonus token a draft more adds what the one before it survives.
  CHECK(acceptance_by_tokens({1, 1, 1.8}, false).survival == std::vector<double>{.8});
}

TEST_CASE("acceptance of a file of whole rounds: by position or of the γ that ran, and for those rounds alone") {
  LoadTable const by_position = load_file("vllm_dynamic_speculative_config.json");
  CHECK(acceptance_in(by_position, true).most == static_cast<std::int64_t>(by_position.survival.size()));
  LoadTable const by_rounds = load_file("sglang_bench_speculative.jsonl");
  BatchAcceptance const found = acceptance_in(by_rounds, true);
  CHECK((!found.by_position && found.survival.empty() && found.most == by_rounds.tokens_per_round.lengths().back()));
  CHECK(message<UsageError>([&] { acceptance_in(by_rounds, false); }) ==
        by_rounds.file +
            " says how many tokens rounds gave, and not by position (`no-bonus` asks for what it does not "
            "hold) leave it out, or give `alpha` or `survival` beside");
}

TEST_CASE("at a rate of requests γ is best by its time per token, and where none keeps pace by what it serves") {
  LoadTable const table = load_file("vllm_dynamic_speculative_config.json");
  BatchCosts const costs(table, {}, {});
  BatchAcceptance const accepted = acceptance_in(table, true);
  auto const idle = serve_by_gamma(costs, accepted, 7, true, {1e-5, 100});
  REQUIRE(idle.size() == 9);
  CHECK((!idle.back().gamma && *idle.front().gamma == 0));
  RateRow const& best = best_of(idle);
  for (RateRow const& row : idle)
    if (row.gamma) CHECK(*best.served.poisson_ms_per_token <= *row.served.poisson_ms_per_token * (1 + 1e-9));
  auto const flooded = serve_by_gamma(costs, accepted, 7, false, {1e10, 100});
  CHECK(flooded.size() == 8);
  for (RateRow const& row : flooded) {
    CHECK_FALSE(row.served.ms_per_token);
    CHECK(best_of(flooded).served.most_requests_per_second >= row.served.most_requests_per_second * (1 - 1e-9));
  }
}

TEST_CASE("at a rate of requests: rounds where only E[N] is known") {
  LoadTable const table = load_file("sglang_bench_speculative.jsonl");
  BatchAcceptance const accepted = acceptance_in(table, true);
  // E[N] = 1.709 of one draft is α = .709. Two tokens take one round where it is accepted, else two.
  BatchCosts const costs(table, {}, {});
  auto const rows = serve_by_gamma(costs, accepted, 1, false, {1e-6, 2});
  CHECK(accepted.survival_in(1, 16).at(0) == Approx(.709));
  double const alone = *accepted.tokens(1, 1) - 1;
  CHECK(*rows[1].served.poisson_ms_per_token ==
        Approx((2 - alone) * points_in_batch(costs, accepted.tokens, 1, 1)[1].round_ms / 2));
}

TEST_CASE("texts that begin together are done with the longest, which takes more rounds than one alone") {
  LoadTable const table = load_file("vllm_dynamic_speculative_config.json");
  BatchCosts const costs(table, {}, {});
  auto const rows = done_first(costs, acceptance_in(table, true), 100, true);
  REQUIRE(rows.size() == costs.batches().size());
  CHECK((rows.front().batch == 1 && rows.front().rounds == Approx(rows.front().rounds_alone)));
  REQUIRE(rows[1].gamma > 0);
  CHECK(rows[1].rounds > rows[1].rounds_alone);
  CHECK((rows.back().gamma == 0 && rows.back().rounds == 100));
}
