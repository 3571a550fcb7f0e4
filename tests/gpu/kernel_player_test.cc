#include "gpu/kernel_player.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "gpu/open_chance.h"
#include "sim/fast/engine.h"
#include "sim/play/trial.h"
#include "tests/gpu/emulated_machine.h"
#include "tests/one_round_cases.h"

using namespace draftgauge;
using testing::EmulatedMachine;

namespace {

using SmallCounters = EmulatedMachine<std::uint8_t>;
using Counters = EmulatedMachine<std::uint32_t>;

KernelMachine::Shape shape_of(std::uint32_t threads, std::uint32_t blocks, std::uint32_t queue = 16,
                              std::size_t shared_bytes = 227 << 10) {
  return {.threads = threads,
          .blocks = blocks,
          .queue = queue,
          .shared_bytes = shared_bytes,
          .counter_bytes = 0,
          .most_counted = 0};
}

Tally on_kernels(KernelPlayer& player, Simulation const& simulation, Range range) {
  Tally tally(simulation.plan().tally);
  player.play(range, tally);
  return tally;
}

}  // namespace

TEST_CASE("kernels: each of the cases with threshold tables equals the serial reference, whole and in two ranges") {
  std::set<std::string> played;
  std::uint32_t turn = 0;
  for (auto const& c : testing::cases()) {
    Simulation const simulation(c.task, *c.tables, 42);
    ++turn;
    auto const machine = std::make_shared<SmallCounters>(
        shape_of(32 * (1 + turn % 3), 1 + turn % 4, turn % 5 * 3, turn % 2 ? 227 << 10 : 9 << 10));
    auto const player = KernelPlayer::make(simulation, machine);
    if (!player) continue;
    INFO(c.name);
    Tally const whole = simulate(simulation, c.range, serial_backend(), 1).tally;
    REQUIRE(on_kernels(*player, simulation, c.range) == whole);
    std::uint64_t const cut = 1 + c.range.end / 3;
    Tally parts = on_kernels(*player, simulation, {cut, c.range.end});
    player->play({0, cut}, parts);
    REQUIRE(parts == whole);
    played.insert(simulation.task().rule);
  }
  CHECK(played == std::set<std::string>{"chen", "greedy", "lenient-greedy:lenience=1/2", "lenient:lenience=1/2",
                                        "lenient:lenience=3/4", "token", "typical:epsilon=1/2,delta=1",
                                        "typical:epsilon=9/100,delta=3/10", "typical-argmax:epsilon=9/100,delta=3/10",
                                        "chow:alpha=3/10", "diff:alpha=1/5", "opt:alpha=3/10", "fuzzy:threshold=1/20",
                                        "relaxed:top=10,delta=3/5", "faulty/argmax-draft",
                                        "faulty/greedy-at-temperature"});
}

TEST_CASE("kernels: trials of one round, for every rule, distribution and shape that there are threshold tables of") {
  std::set<std::string> played;
  std::uint64_t turn = 0, resolved = 0;
  std::vector<testing::Sized> all;
  for (std::uint32_t vocab : {2u, 3u, 32u, 33u, 1000u, 1024u, 1025u, 70000u})
    all.push_back({vocab, {1, 3, 7}, {1, 2, 3, 4, 5, 8, 17}});
  testing::for_one_round(all, [&](Simulation const& simulation, Range range) {
    ++turn;
    auto const machine = std::make_shared<SmallCounters>(
        shape_of(32, 1 + static_cast<std::uint32_t>(turn % 3), turn % 2 ? 64 : 2, turn % 5 ? 227 << 10 : 2 << 10));
    auto const player = KernelPlayer::make(simulation, machine);
    if (!player) return;
    REQUIRE(on_kernels(*player, simulation, range) == simulate(simulation, range, serial_backend(), 1).tally);
    played.insert(std::string(simulation.rule().name));
    resolved += machine->resolved();
  });
  CHECK(played.contains("token"));
  CHECK(played.contains("coupled"));
  CHECK_FALSE(played.contains("block"));
  CHECK(resolved > 10'000);  // rounds that tables leave open were among them
}

TEST_CASE("kernels: p = q, the largest totals, and distributions apart") {
  for (RowPair const& row : testing::edge_rows()) {
    PairTables const pair_tables({row}, Follow::independent);
    for (std::string const rule : {"token", "lenient", "greedy", "coupled"})
      for (char const* drafter : {"sample", "top"})
        for (int gamma : {1, 5}) {
          Simulation const simulation(
              {.rule = rule, .drafter = drafter, .shape = {.gamma = gamma}, .positions = gamma + 1}, pair_tables, 3);
          auto const machine = std::make_shared<Counters>(shape_of(64, 2));
          auto const player = KernelPlayer::make(simulation, machine);
          INFO(rule << " on " << drafter << ", total " << row.total << ", γ=" << gamma);
          REQUIRE(player);
          CHECK(on_kernels(*player, simulation, {0, 3000}) ==
                simulate(simulation, {0, 3000}, serial_backend(), 1).tally);
        }
  }
}

TEST_CASE("kernels: large vocabularies, long drafts, many trials, and trial numbers at the ends of words") {
  testing::for_long([](Simulation const& simulation, Range range) {
    auto const player = KernelPlayer::make(simulation, std::make_shared<Counters>(shape_of(96, 3, 100)));
    REQUIRE(player);
    CHECK(on_kernels(*player, simulation, range) == simulate(simulation, range, serial_backend(), 1).tally);
  });
}

TEST_CASE("kernels: launches of several rounds are as long as the counters in shared memory allow, and no longer") {
  RowPair const same{{1, 1}, {1, 1}, 2};  // p = q: all rounds hit one counter
  PairTables const markov({same, same}, Follow::token);
  struct Limit {
    std::uint32_t threads, blocks, rounds;
    std::uint64_t trials;   ///< of a launch
    std::uint64_t highest;  ///< that a counter then comes to, of 255
  };
  // A block's warps share its counters; where not a trial a thread fits, warps of the first block come one by one.
  Limit const all[] = {{64, 3, 5, 25 * 64 * 3, 250},
                       {32, 2, 1, 255 * 32 * 2, 255},
                       {96, 2, 60, 96 * 2, 180},
                       {96, 2, 100, 2 * 32, 200},
                       {32, 1, 255, 32, 255}};
  for (Limit const& c : all) {
    INFO(c.threads << " threads, " << c.blocks << " blocks, " << c.rounds << " rounds");
    Simulation const simulation({.shape = {.gamma = 5}, .rounds_per_trial = c.rounds}, markov, 7);
    auto const machine = std::make_shared<SmallCounters>(shape_of(c.threads, c.blocks));
    auto const player = KernelPlayer::make(simulation, machine);
    REQUIRE(player);
    Range const range{0, 3 * c.trials};
    Tally const tally = on_kernels(*player, simulation, range);
    CHECK(machine->launches() == 3);
    CHECK(machine->highest() == c.highest);
    CHECK(tally.accepted()[5] == range.size() * c.rounds);
  }
}

TEST_CASE("kernels: trials of several rounds, with all histograms and with none") {
  for (Follow const follow : {Follow::token, Follow::state, Follow::next_row})
    for (std::uint32_t vocab : {32u, 1025u})
      for (int gamma : {3, 5})
        for (bool const histograms : {false, true}) {
          if (follow == Follow::token && vocab > 1000) continue;  // a million entries a table
          auto const pair_tables = testing::some_tables(follow, vocab, follow == Follow::token ? vocab : 90);
          Task task{.shape = {gamma, 1, (vocab + static_cast<std::uint32_t>(gamma)) % 4 != 0}, .rounds_per_trial = 7};
          if (histograms) task.positions = 5, task.gram = 1, task.gram_from = 3, task.firsts = true;
          Simulation const simulation(task, *pair_tables, 11);
          auto const player = KernelPlayer::make(simulation, std::make_shared<Counters>(shape_of(64, 3)));
          INFO(static_cast<int>(follow) << ", V=" << vocab << ", γ=" << gamma << (histograms ? ", histograms" : ""));
          REQUIRE(player);
          Range const range{5, 2000};
          CHECK(on_kernels(*player, simulation, range) == simulate(simulation, range, serial_backend(), 1).tally);
        }
}

TEST_CASE("kernels: how many rounds tables leave open is known beforehand") {
  struct Known {
    std::uint32_t vocab, rows;
    int gamma, positions;
    char const* rule;
  };
  Known const all[] = {{32, 1, 5, 0, "token"},   {32, 1, 5, 6, "token"},    {1000, 1, 5, 0, "token"},
                       {1024, 3, 5, 6, "token"}, {1024, 1, 17, 0, "token"}, {1000, 1, 8, 9, "lenient:lenience=1/2"}};
  for (Known const& c : all) {
    auto const pair_tables = testing::some_tables(Follow::independent, c.vocab, c.rows);
    Simulation const simulation({.rule = c.rule, .shape = {.gamma = c.gamma}, .positions = c.positions}, *pair_tables,
                                5);
    auto const machine = std::make_shared<Counters>(shape_of(64, 2, 4096));
    auto const player = KernelPlayer::make(simulation, machine);
    REQUIRE(player);
    constexpr std::uint64_t rounds = 200'000;
    on_kernels(*player, simulation, {0, rounds});
    double const open = static_cast<double>(machine->resolved()) / rounds;
    double const guess = chance_left_open(*threshold_tables(simulation), simulation.plan().shape, c.positions > 0);
    INFO("V=" << c.vocab << ", " << c.rows << " rows, γ=" << c.gamma << ", positions " << c.positions << ": open "
              << open << ", foreseen " << guess);
    CHECK(guess > open / 1.3);
    CHECK(guess < open * 1.3);
  }
}

TEST_CASE("kernels: the queue of open rounds takes the shared memory that tables leave where it is needed") {
  auto const pair_tables = testing::some_tables(Follow::independent, 1000, 1),
             few = testing::some_tables(Follow::independent, 2048, 1);
  struct Sized {
    PairTables const& pair_tables;
    std::size_t shared_bytes;
    std::uint32_t most;
    bool shared;
    std::uint32_t queue;
  };
  std::size_t const tables = 1024 * 8, counters = 6 * 32 * 4 + 8;
  std::size_t const least = tables + counters + 64 * 8;
  Sized const all[] = {{*pair_tables, 227 << 10, 100'000, true, 0},                 // as many as are wanted
                       {*pair_tables, 227 << 10, 100, true, 100},                   // the most that the machine wants
                       {*pair_tables, least + 40 * 8 + 7, 100'000, true, 64 + 40},  // the room that there is
                       {*pair_tables, least, 100'000, true, 64},
                       {*pair_tables, least - 1, 4, true, 4},
                       {*few, 227 << 10, 100'000, true, 64}};  // few are open: no more than keeps threads busy
  for (Sized const& c : all) {
    Simulation const simulation({.shape = {.gamma = 5}}, c.pair_tables, 5);
    auto const machine = std::make_shared<Counters>(shape_of(32, 2, c.most, c.shared_bytes));
    auto const player = KernelPlayer::make(simulation, machine);
    REQUIRE(player);
    INFO(c.shared_bytes << " bytes, at most " << c.most << ", queue " << c.queue);
    Range const range{0, 100'000};
    Tally const tally = on_kernels(*player, simulation, range);
    Tally const reference = simulate(simulation, range, serial_backend(), 1).tally;
    CHECK(tally == reference);
    double const a_round = 32 * chance_left_open(*threshold_tables(simulation), simulation.plan().shape, false);
    double const queue = machine->last_launch().queue;
    CHECK(machine->kinds().back().shared == c.shared);
    CHECK(queue == (c.queue > 0 ? c.queue : std::floor(2 * 128 * a_round)));
    CHECK(machine->last_launch().rounds == std::floor(queue / 2 / a_round));
  }
}
