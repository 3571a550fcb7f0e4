#include "analysis/store/stored_counts.h"

#include <catch2/catch.hpp>
#include <limits>

#include "sim/fast/engine.h"
#include "tests/cases.h"
#include "tests/message.h"

using namespace draftgauge;

TEST_CASE("stored counts: zeros are taken together") {
  std::vector<std::uint64_t> const counts = {0, 0, 5, 0, 1, 2, 0, 0, 0};
  std::vector<std::int64_t> const stored = {-2, 5, -1, 1, 2, -3};
  CHECK(stored_counts(counts) == stored);
  std::vector<std::uint64_t> back(counts.size(), 0);
  for_each_count(stored, [&](std::size_t cell, std::uint64_t count) { back[cell] = count; });
  CHECK(back == counts);
  CHECK(stored_counts({}).empty());
}

TEST_CASE("stored counts: whatever is played can be stored and read") {
  for (auto const& c : testing::cases()) {
    Simulation const simulation(c.task, *c.tables, 11);
    Tally const tally = simulate(simulation, c.range, cpu_backend(), 2).tally;
    auto const stored = stored_counts(tally.counts());
    INFO(c.name);
    REQUIRE_NOTHROW(check_counts(stored, simulation.task(), c.tables->vocab(), c.range.size()));
    Tally back(tally.layout());
    for_each_count(stored, [&](std::size_t cell, std::uint64_t count) { back.counts()[cell] = count; });
    REQUIRE(back == tally);
  }
}

TEST_CASE("stored counts: what no trials have") {
  Task const asked = [] {
    Task made;
    made.shape.gamma = 1;
    made.rounds_per_trial = 2;
    made.positions = 1;
    made.gram = 1;
    made.firsts = true;
    return made;
  }();
  PairTables const tables({{{1, 1}, {1, 1}, 2}}, Follow::independent);
  Tally const sound = simulate(Simulation(asked, tables, 1), {0, 10}, serial_backend(), 1).tally;
  auto const said = [&](auto const& change) {
    Tally tally = sound;
    change(tally.counts());
    return testing::message<InputError>([&] { check_counts(stored_counts(tally.counts()), asked, 2, 10); });
  };
  using Counts = std::span<std::uint64_t>;
  using T = TallyLayout;
  T const layout = sound.layout();
  CHECK(said([](Counts) {}) == "(no error)");
  CHECK(said([](Counts c) { --c[T::trials]; }) == "the row's tally is of 9 trials, the range of 10");
  CHECK(said([](Counts c) { ++c[T::impossible]; }) ==
        "the row's tally is of a rule that picked from a distribution without weight");
  CHECK(said([](Counts c) { ++c[T::rounds]; }) ==
        "the row's tally counts other rounds by accepted drafts than in all");
  CHECK(said([&](Counts c) { ++c[layout.accepted(0)], --c[layout.accepted(1)]; }) ==
        "the row's tally counts other accepted drafts by rounds than in all");
  CHECK(said([](Counts c) { ++c[T::started]; }) ==
        "the row's tally counts other rounds that accept a draft than by accepted drafts");
  CHECK(said([&](Counts c) { ++c[layout.token(0, 1)]; }) ==
        "the row's tally counts more tokens at one place than trials");
  CHECK(said([&](Counts c) { ++c[layout.gram_cell(1)]; }) ==
        "the row's tally counts more first tokens jointly than trials");
  CHECK(said([&](Counts c) { ++c[layout.first(1)]; }) ==
        "the row's tally counts other first tokens of rounds than rounds");
  CHECK(said([](Counts c) { --c[T::rounds_squared]; }) == "the row's tally has sums of rounds that no trials have");
  CHECK(said([](Counts c) { c[T::tokens_squared] = c[T::tokens] - 1; }) ==
        "the row's tally has sums of tokens that no trials have");
  CHECK(said([](Counts c) { c[T::tokens_squared] = 1 << 20; }) ==
        "the row's tally has sums of tokens that no trials have");
  CHECK(said([](Counts c) { c[T::tokens] = c[T::tokens_squared] / 2; }) ==
        "the row's tally has sums of tokens that no trials have");
  CHECK(said([](Counts c) { c[T::accepted_rounds] = 1 << 20; }) ==
        "the row's tally has sums of accepted drafts that no trials have");
  CHECK(said([](Counts c) { c[T::started_squared] = 0; }) ==
        "the row's tally has sums of rounds that accept a draft that no trials have");
}

TEST_CASE("stored counts: lengths are counted before anything is believed") {
  Task asked;
  asked.shape.gamma = 1;
  asked.rounds_per_trial = 1;
  auto const said = [&](std::vector<std::int64_t> const& stored, std::uint32_t vocab = 2) {
    return testing::message<InputError>([&] { check_counts(stored, asked, vocab, 10); });
  };
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::min();
  CHECK(said({}) == "the row's tally has 0 counts instead of the task's 19");
  CHECK(said({10, -17}) == "the row's tally has 18 counts instead of the task's 19");
  CHECK(said({10, -19}) == "the row's tally has more counts instead of the task's 19");
  CHECK(said({most, 1, most, 1, -19}) == "the row's tally has more counts instead of the task's 19");
  CHECK(said({10, -1, -17}) == "the row's tally has zeros that are not taken together");
  CHECK(said({10, 0, -17}) == "the row's tally has zeros that are not taken together");
  asked.positions = 1 << 20;
  CHECK(said({10}, 65) == "the row's tally would be larger than any that is played");
  asked.positions = 0;
  asked.gram = 64;
  CHECK(said({10}) == "the row's tally would be larger than any that is played");
}
