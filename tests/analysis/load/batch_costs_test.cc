#include "analysis/load/batch_costs.h"

#include <catch2/catch.hpp>

#include "tests/analysis/load/fixture.h"

using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("what was measured in batches lies on lines between them, and is a guess beyond") {
  BatchGrid grid;
  CHECK((grid.add(1, 4, 10) && grid.add(1, 8, 12) && grid.add(1, 16, 11) && !grid.add(1, 8, 13)));
  auto const at = [&](std::int64_t batch) { return *grid.at(1, batch); };
  CHECK((at(4).value == 10 && at(6).value == 11 && at(12).value == 11.5 && !at(12).guess));
  CHECK((at(2).value == 10 && at(2).guess));    // below the first: its value
  CHECK((at(32).value == 11 && at(32).guess));  // beyond a fall: flat
  CHECK((grid.add(1, 20, 15) && at(24).value == 19 && at(24).guess));
  CHECK(!grid.at(2, 4));
}

TEST_CASE("costs by batch size are in units of its own plain step") {
  BatchCosts const costs(load_file("batch_table.csv"), {}, {.overhead = .5});
  CHECK(costs.batches() == std::vector<std::int64_t>{1, 8, 32, 128});
  Costs const at = costs.at(8);
  CHECK((at.draft == Approx(1 / 10.5) && at.verify.at(4) == Approx(13.4 / 10.5) && at.overhead == .5));
  CHECK((costs.plain_ms(20).value == Approx(11.75) && costs.at(20).verify_pass(2) == Approx(14.35 / 11.75)));
  CHECK((at.measured == 8 && !at.extrapolates(8) && at.extrapolates(9)));
  CHECK((!costs.by_tokens() && !costs.whole_rounds() && !costs.longest()));
  LoadTable const draft = load_in("batch,tokens,ms\n1,1,2\n8,1,2.1\n");
  CHECK(BatchCosts(load_file("batch_table.csv"), draft, {}).at(8).draft == Approx(.2));
}

TEST_CASE("what was measured along one axis says by its tokens what a batch takes") {
  BatchCosts const costs(load_file("llama_batched_bench.md"), {}, {.draft = .1});
  CHECK(costs.by_tokens());
  // Of 4 sequences with 2 tokens each: as 8 sequences with one.
  CHECK(costs.at(4).verify_pass(2) * costs.plain_ms(4).value == Approx(7344. / 128));
  CHECK((!costs.at(4).extrapolates(8) && costs.at(4).extrapolates(9)));
  BatchCosts const one(load_in("batch,tokens,ms\n1,1,5\n1,4,6\n1,16,10\n"), {}, {});
  CHECK((one.plain_ms(4).value == 6 && one.at(4).verify_pass(4) == Approx(10. / 6)));
}

TEST_CASE("whole rounds hold all that a round costs") {
  LoadTable const table = load_file("vllm_dynamic_speculative_config.json");
  BatchCosts const costs(table, {}, {});
  CHECK((costs.longest() == 7 && costs.at(16).of_round(5) * costs.plain_ms(16).value == Approx(11.59)));
  CHECK(message([&] { BatchCosts(table, {}, {.draft = .1}); }) ==
        "x has the times of whole rounds (in which all is counted that a round costs) leave the draft's cost and the "
        "overhead out");
}

TEST_CASE("without a plain step nothing is compared") {
  CHECK(
      message<InputError>([] { BatchCosts(load_in("batch,tokens,ms\n1,2,5\n4,3,6\n"), {}, {}); }) ==
      "x: T(1) of model is missing (a plain step is what rounds are compared with) measure steps of one token, too");
  CHECK(
      message<InputError>([] { BatchCosts(load_in("batch,tokens,ms\n2,1,5\n4,1,6\n"), {}, {}); }) ==
      "x: T(1) of model is missing (a plain step is what rounds are compared with) measure steps of one token, too");
}
