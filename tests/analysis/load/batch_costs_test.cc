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
  CHECK(BatchCosts(load_in("batch,tokens,ms\n1,1,10\n8,1,10.5\n1,2,11\n8,2,12\n"), draft, {}).at(8).draft ==
        Approx(.2));
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

TEST_CASE("load: what was measured in small batches only promises nothing in larger ones") {
  // Passes of 4 tokens of one sequence alone, and of 8 in up to 8; plain steps in all, and a draft of one sequence.
  LoadTable const table =
      load_in("batch,tokens,ms\n1,1,10\n8,1,10.5\n32,1,13\n128,1,29\n1,4,10.6\n1,8,11.6\n8,8,19.6\n");
  LoadTable const draft = load_in("batch,tokens,ms\n1,1,1\n");
  BatchCosts const costs(table, draft, {});
  for (std::int64_t batch = 1; batch <= 300; ++batch) {
    Costs const at = costs.at(batch);
    for (std::int64_t n = 1; n <= 12; ++n) {
      CAPTURE(batch, n);
      CHECK(at.verify_pass(n) >= 1);  // S = E[N]/(v(γ + 1) + γc) is at most E[N]
    }
    CHECK(costs.only_plain(batch) == (batch > 8));
    CHECK(costs.guesses_draft(batch) == (batch > 1));
  }
  CHECK((costs.at(1).verify_pass(4) == Approx(1.06) && costs.at(8).verify.size() == 2));
  CHECK((costs.at(32).verify_pass(4) == 4 && costs.at(32).extrapolates(4) && !costs.at(8).extrapolates(8)));
  // A length that falls with the batch, continued beyond the table, is not below shorter ones; nor what follows a fall.
  BatchCosts const falls(load_in("batch,tokens,ms\n1,1,10\n8,1,20\n1,4,40\n8,4,25\n"), {}, {});
  CHECK(falls.at(64).verify_pass(4) == 1);
  BatchCosts const short_of(load_in("batch,tokens,ms\n1,1,10\n8,1,10\n1,4,9\n8,4,9\n"), {}, {});
  CHECK((short_of.at(8).verify_pass(4) == Approx(.9) && short_of.at(8).verify_pass(5) == 1));
  BatchCosts const tokens(load_in("batch,tokens,ms\n1,1,10\n4,1,20\n8,1,12\n"), {}, {});
  CHECK((tokens.at(4).verify_pass(2) == Approx(.6) && tokens.at(4).verify_pass(3) == 1));
}

TEST_CASE("load: which model drafts is said once") {
  LoadTable const two = load_file("batch_table.csv"), one = load_in("batch,tokens,ms\n1,1,10\n8,1,10\n");
  CHECK(message([&] { BatchCosts(one, two, {}); }) ==
        "x has the times of 2 models (which is the draft would be a guess) name it with `cost-draft`");
  CHECK(BatchCosts(one, two, {}, {}, "draft").at(8).draft == Approx(.1));
  CHECK(message([&] { BatchCosts(one, two, {}, {}, "small"); }) ==
        "x: there is no model 'small' for the draft (it has draft, target) name one of these");
  CHECK(message([&] { BatchCosts(two, one, {}); }) ==
        "x and x both say what a draft costs (which of the two counts would be a guess) leave `load-draft` out");
  CHECK(message([&] { BatchCosts(two, {}, {}, {}, "target"); }) ==
        "x: target is the target and the draft (it would draft for itself) name another with `cost-draft`");
  for (LoadTable const& alone : {one, load_file("vllm_dynamic_speculative_config.json")})
    CHECK(message([&] { BatchCosts(alone, {}, {}, {}, "small"); }) ==
          "x has no times of a draft model by itself (of which small would be the name) leave `cost-draft` out");
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
