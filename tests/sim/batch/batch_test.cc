#include <catch2/catch.hpp>

#include "sim/batch/batch_engine.h"
#include "sim/fast/engine.h"
#include "tests/cases.h"
#include "tests/message.h"

// Batches by simulation: what they have in common with single requests bit for bit, and what is refused.

using namespace draftgauge;

namespace {

BatchTask batch_of(std::string rule, int gamma, int requests, std::string schedule) {
  BatchTask task{.requests = requests, .schedule = std::move(schedule)};
  task.task.rule = std::move(rule);
  task.task.shape.gamma = gamma;
  task.task.rounds_per_trial = 5;
  return task;
}

std::string schedule_name(ScheduleCard const& card) { return std::string(card.name); }

}  // namespace

TEST_CASE("batch: with all drafts verified its requests are so many trials, bit for bit") {
  for (Follow const follow : {Follow::independent, Follow::token, Follow::state})
    for (char const* const rule : {"token", "block", "coupled", "greedy"}) {
      auto const tables = testing::some_tables(follow, 17, 17);
      BatchTask task = batch_of(rule, 4, 3, "fixed");
      task.task.positions = 2;
      task.task.gram = 2;
      task.task.firsts = true;
      BatchSimulation const batch(task, *tables, 11);
      Simulation const alone(task.task, *tables, 11);
      INFO(rule);
      auto const together = simulate_batches(batch, {7, 207}, serial_batches(), 1);
      CHECK(together.tally.each() == simulate(alone, {21, 621}, serial_backend(), 1).tally);
      CHECK(together.tally.slots()[12] == 1000);
      std::uint64_t rounds = 0;
      for (int accepted = 0; accepted <= 4; ++accepted) rounds += together.tally.verified(4, accepted);
      CHECK(rounds == 3000);
    }
}

TEST_CASE("batch: a fixed length is a smaller γ, but for what the draft model spends") {
  auto const tables = testing::some_tables(Follow::token, 9, 9);
  BatchTask const task = batch_of("token", 5, 2, "fixed:length=2");
  BatchSimulation const batch(task, *tables, 3);
  Task shorter = task.task;
  shorter.shape.gamma = 2;
  auto const together = simulate_batches(batch, {0, 300}, serial_batches(), 1).tally.each();
  auto const alone = simulate(Simulation(shorter, *tables, 3), {0, 600}, serial_backend(), 1).tally;
  for (auto const field : {TallyLayout::trials, TallyLayout::rounds, TallyLayout::tokens, TallyLayout::scored_tokens})
    CHECK(together[field] == alone[field]);
  CHECK(together[TallyLayout::drafted_tokens] == 5 * together[TallyLayout::rounds]);
  CHECK(alone[TallyLayout::drafted_tokens] == 2 * alone[TallyLayout::rounds]);
}

TEST_CASE("batch: threads count what one after another counts, for every schedule") {
  auto const tables = testing::some_tables(Follow::token, 9, 9);
  for (ScheduleCard const& card : schedule_cards())
    for (char const* const estimates : {"right", "max-q", "0.8,0.5"}) {
      BatchTask task = batch_of("token", 3, 4, schedule_name(card));
      task.estimates = estimates;
      task.times = {1, 1.1, 1.1, 1.6, 1.6, 1.6, 1.9, 2, 2, 2, 2.5, 2.5, 2.5};
      task.joint = 1;
      BatchSimulation const batch(task, *tables, 5);
      INFO(card.name << ' ' << estimates);
      auto const serial = simulate_batches(batch, {0, 500}, serial_batches(), 1).tally;
      CHECK(serial == simulate_batches(batch, {0, 500}, threaded_batches(), 3).tally);
      BatchTally parts = simulate_batches(batch, {0, 123}, threaded_batches(), 2).tally;
      parts += simulate_batches(batch, {123, 500}, serial_batches(), 1).tally;
      CHECK(serial == parts);
      std::uint64_t batches = 0;
      for (std::uint64_t const cell : serial.joint()) batches += cell;
      CHECK(batches == 500);
    }
}

TEST_CASE("batch: a length by batch size is a fixed length") {
  auto const tables = testing::some_tables(Follow::token, 9, 9);
  auto const tally = [&](int requests, std::string const& schedule) {
    BatchTask const task = batch_of("token", 4, requests, schedule);
    return simulate_batches(BatchSimulation(task, *tables, 3), {0, 100}, serial_batches(), 1).tally;
  };
  for (auto const& [requests, length] : {std::pair(1, 3), std::pair(2, 1), std::pair(4, 1), std::pair(5, 0)})
    CHECK(tally(requests, "by-batch:1=3,2=1,5=0") == tally(requests, "fixed:length=" + std::to_string(length)));
  CHECK(schedule_text(schedule_call("by-batch:1=3,2=1,5=0")) == "by-batch:1=3,2=1,5=0");
  CHECK(schedule_text(schedule_call("by-batch")) == "by-batch:1=5,8=3,32=1");
  auto const refused = [](std::string const& text) {
    return testing::message<UsageError>([&] { schedule_call(text); });
  };
  CHECK(refused("by-batch:2=3") ==
        "'by-batch:2=3' has a step from 2 requests first (steps begin at 1 and grow) write as in by-batch:1=5,8=3,32=1");
  CHECK(refused("by-batch:1=3,1=2").starts_with("'by-batch:1=3,1=2' has a step from 1 requests after one from 1"));
  for (char const* const text : {"by-batch:", "by-batch:1", "by-batch:1=", "by-batch:x=1", "by-batch:1=2,", "by-batch:257=1",
                                 "by-batch:1=-1", "by-batch:1=99999999999"})
    CHECK(refused(text).find("is not REQUESTS=LENGTH (requests from 1 to 256, lengths up to 1000)") != std::string::npos);
  std::string many = "by-batch:1=1";
  for (int from = 2; from <= 17; ++from) many += "," + std::to_string(from) + "=1";
  CHECK(refused(many).find("has 17 steps (at most 16 are taken)") != std::string::npos);
}

TEST_CASE("batch: a watch stops it, and the tally holds what was played") {
  auto const tables = testing::some_tables(Follow::token, 9, 9);
  BatchSimulation const batch(batch_of("token", 3, 2, "top"), *tables, 5);
  auto const played = simulate_batches(batch, {0, 1'000'000'000}, serial_batches(), 1,
                                       [](std::uint64_t done) { return done < 1000; });
  CHECK(played.range.end >= 1000);
  CHECK(played.range.end < 1'000'000'000);
  CHECK(played.tally.each()[TallyLayout::trials] == 2 * played.range.end);
}

TEST_CASE("batch: what is refused") {
  auto const tables = testing::some_tables(Follow::token, 9, 9);
  auto const refused = [&](auto const& change) {
    BatchTask task = batch_of("token", 4, 2, "top");
    change(task);
    return testing::message<UsageError>([&] { BatchSimulation(task, *tables, 1); });
  };
  CHECK(refused([](BatchTask& task) { task.requests = 257; }) ==
        "`requests` 257 is out of range (1 to 256 can be simulated) give a number from 1 to 256");
  CHECK(refused([](BatchTask& task) {
          task.requests = 256;
          task.task.shape.gamma = 20;
        }) == "5120 slots are more than a batch holds (4096) use fewer `requests` or a smaller `gamma`");
  CHECK(refused([](BatchTask& task) { task.schedule = "best"; }).starts_with("there is no schedule 'best' (known: "));
  CHECK(
      refused([](BatchTask& task) { task.task.policy = "heuristic"; }) ==
      "`policy` heuristic has no meaning beside a schedule (which decides how much is verified) leave `policy` out");
  CHECK(refused([](BatchTask& task) { task.task.rule = "faulty/argmax-draft"; }) ==
        "rule faulty/argmax-draft is faulty by itself (a batch is played with a rule that is right) choose another "
        "`rule`");
  CHECK(refused([](BatchTask& task) { task.estimates = "0.8,1.2"; }) ==
        "`estimates` is '0.8,1.2' (it is right, max-q, or a probability for each place, such as 0.8,0.6) give one of "
        "these");
  for (char const* const estimates : {"", "x", "0.5,", "0.5,x", "-0.1", "nan", "right,0.5"})
    CHECK(refused([&](BatchTask& task) { task.estimates = estimates; }).starts_with("`estimates` is '"));
  CHECK(refused([](BatchTask& task) { task.times = {1, 2}; }) ==
        "2 times for passes that verify 0 to 8 slots (each has one) give 9");
  CHECK(refused([](BatchTask& task) { task.joint = 20; }) ==
        "`joint` 20 of 2 requests needs more than 2^26 counts at 9 tokens count fewer, or take a smaller vocabulary");
  BatchSimulation const batch(batch_of("token", 4, 2, "top"), *tables, 1);
  CHECK_THROWS_AS(simulate_batches(batch, {5, 5}, serial_batches(), 1), UsageError);
  CHECK_THROWS_AS(simulate_batches(batch, {0, ~std::uint64_t{0}}, serial_batches(), 1), UsageError);
}
