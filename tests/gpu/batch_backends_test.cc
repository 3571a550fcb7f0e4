#include "gpu/batch_backends.h"

#include <catch2/catch.hpp>

#include "tests/cases.h"

using namespace draftgauge;

TEST_CASE("batches: every backend counts what one after another counts, for every schedule and several rules") {
  for (Follow const follow : {Follow::independent, Follow::token})
    for (ScheduleCard const& card : schedule_cards())
      for (char const* const rule : {"token", "block", "coupled"}) {
        auto const tables = testing::some_tables(follow, 9, 9);
        BatchTask task{.requests = 4, .schedule = std::string(card.name)};
        task.task.rule = rule;
        task.task.shape.gamma = 3;
        task.task.rounds_per_trial = 5;
        task.task.positions = 2;
        task.joint = 1;
        task.times = {1, 1.1, 1.1, 1.6, 1.6, 1.6, 1.9, 2, 2, 2, 2.5, 2.5, 2.5};
        BatchSimulation const batch(task, *tables, 5);
        INFO(card.name << ' ' << rule);
        auto const serial = simulate_batches(batch, {0, 300}, serial_batches(), 1).tally;
        for (BatchBackend const& backend : all_batch_backends()) {
          INFO(backend.name);
          CHECK(simulate_batches(batch, {0, 300}, backend, 3).tally == serial);
        }
      }
}

TEST_CASE("batches: a backend is chosen by the names that trials have") {
  CHECK(choose_batch_backend("serial").name == "serial");
  CHECK(choose_batch_backend("cpu").name == "cpu");
  CHECK(choose_batch_backend("thrust-omp").name == "thrust-omp");
  CHECK(choose_batch_backend("auto").name == (device_lack_here().why.empty() ? "thrust-cuda" : "cpu"));
  CHECK_THROWS_AS(choose_batch_backend("tpu"), UsageError);
}
