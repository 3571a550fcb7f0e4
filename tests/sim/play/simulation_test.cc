#include "sim/play/simulation.h"

#include <catch2/catch.hpp>

#include "sim/base/error.h"
#include "tests/known_names.h"

// What a Simulation refuses, word for word, and what it fills in.

using namespace draftgauge;
using Catch::Equals;

namespace {

PairTables one_context() { return {{{{1, 2}, {2, 1}, 3}}, Follow::independent}; }
PairTables markov() { return {{{{1, 2}, {2, 1}, 3}, {{1, 1}, {2, 0}, 2}}, Follow::token}; }
PairTables rows(std::uint32_t count, Follow follow) {
  return {std::vector<RowPair>(count, RowPair{{1, 2}, {2, 1}, 3}), follow};
}

template <class Error>
void refuses(Task const& task, PairTables const& tables, std::string const& message) {
  CHECK_THROWS_MATCHES(Simulation(task, tables, 1), Error, Catch::Message(message));
}

Task shaped(RoundShape shape, std::string rule = "token") { return {.rule = std::move(rule), .shape = shape}; }

}  // namespace

TEST_CASE("task: unknown names list the known ones and the nearest") {
  refuses<UsageError>(
      {.rule = "tokn"}, one_context(),
      "there is no rule 'tokn' (known: " + testing::known_names(rule_cards()) + ") did you mean 'token'?");
  refuses<UsageError>({.policy = "heuristics"}, one_context(),
                      "there is no policy 'heuristics' (known: " + testing::known_names(policy_cards()) +
                          ") did you mean 'heuristic'?");
  refuses<UsageError>(
      {.drafter = "samples"}, one_context(),
      "there is no drafter 'samples' (known: " + testing::known_names(drafter_cards()) + ") did you mean 'sample'?");
}

TEST_CASE("task: shapes out of range") {
  refuses<UsageError>(shaped({.gamma = 0}), one_context(),
                      "`gamma` 0 is out of range (1 to 256 can be simulated) give a number from 1 to 256");
  refuses<UsageError>(shaped({.gamma = 1000000}), one_context(),
                      "`gamma` 1000000 is out of range (1 to 256 can be simulated) give a number from 1 to 256");
  refuses<UsageError>(shaped({.gamma = -1}), one_context(),
                      "`gamma` -1 is out of range (1 to 256 can be simulated) give a number from 1 to 256");
  refuses<UsageError>(shaped({.branching = 0}), one_context(),
                      "`candidates` 0 is out of range (1 to 32 can be simulated) give a number from 1 to 32");
  refuses<UsageError>(shaped({.branching = 33}, "recursive"), one_context(),
                      "`candidates` 33 is out of range (1 to 32 can be simulated) give a number from 1 to 32");
  refuses<UsageError>(
      shaped({.branching = 2}), one_context(),
      "`candidates` 2 does not suit `rule` token (it verifies one draft per position) use a rule such "
      "as recursive");
  refuses<UsageError>(shaped({.branching = 3}, "recursive-without"), one_context(),
                      "`candidates` 3 are more different tokens than the 2 that there are draft at most 2");
}

TEST_CASE("task: trials and counts out of range") {
  refuses<UsageError>(
      {.rounds_per_trial = (1 << 20) + 1}, markov(),
      "`rounds-per-trial` 1048577 is out of range (1 to 1048576 can be simulated) give a number from 1 to 1048576");
  refuses<UsageError>({.shape = {.gamma = 1}, .rounds_per_trial = 2}, rows(3, Follow::prefix),
                      "`rounds-per-trial` 2 is out of range (1 to 1 can be simulated) give 1");
  refuses<UsageError>(
      {.positions = -1}, one_context(),
      "`positions` -1 is out of range (0 to 1048576 can be simulated) give a number from 0 to 1048576");
  refuses<UsageError>(
      {.positions = 1 << 20},
      {{{std::vector<std::uint64_t>(65, 1), std::vector<std::uint64_t>(65, 1), 65}}, Follow::independent},
      "`positions` 1048576 needs more than 2^26 counts at 65 tokens count fewer, or take a smaller vocabulary");
  refuses<UsageError>({.gram = -1}, one_context(),
                      "`gram` -1 is out of range (0 to 64 can be simulated) give a number from 0 to 64");
  refuses<UsageError>({.gram_from = 3}, one_context(),
                      "`gram-from` 3 has no meaning here (no tokens are counted jointly) add `gram`");
  refuses<UsageError>(
      {.gram = 2, .gram_from = (1 << 28) + 1}, one_context(),
      "`gram-from` 268435457 is out of range (0 to 268435456 can be simulated) give a number from 0 to 268435456");
  refuses<UsageError>({.gram = 27}, one_context(),
                      "`gram` 27 needs more than 2^26 counts at 2 tokens count fewer, or take a smaller vocabulary");
}

TEST_CASE("task: starts that do not exist") {
  refuses<UsageError>({.start = 0}, one_context(),
                      "`start` 0 has no meaning here (contexts are independent of each other) leave it out");
  refuses<UsageError>({.shape = {.gamma = 1}, .start = 0}, rows(3, Follow::prefix),
                      "`start` 0 has no meaning here (every trial starts at the empty prefix) leave it out");
  refuses<UsageError>({.start = 2}, markov(), "`start` 2 is not a context (0 to 1) give one of these");
  refuses<InputError>(
      {.shape = {.gamma = 4}}, rows(4, Follow::next_row),
      "no place in the recording has the 5 consecutive rows that a round of `gamma` 4 reads (rows are "
      "read along the text) use a smaller `gamma` or `contexts` bag");
  refuses<InputError>(
      {.shape = {.gamma = 2}, .start = 3}, rows(5, Follow::next_row),
      "no place in the recording has the 3 consecutive rows that a round of `gamma` 2 reads from `start` "
      "3 (rows are read along the text) use a smaller `gamma` or `contexts` bag");
  refuses<InputError>({.shape = {.gamma = 3}}, rows(7, Follow::prefix),
                      "the table of prefixes has 7 rows, fewer than `gamma` 3 reaches use a smaller `gamma`");
}

TEST_CASE("task: ranges that cannot be counted") {
  PairTables const tables = one_context();
  Simulation const simulation({.shape = {.gamma = 256}}, tables, 1);
  CHECK_THROWS_MATCHES(
      simulation.check({5, 5}), UsageError,
      Catch::Message("`range` 5..5 holds no trial (it counts from a up to, not including, b) make b larger than a"));
  CHECK_THROWS_MATCHES(
      simulation.check({5, 4}), UsageError,
      Catch::Message("`range` 5..4 holds no trial (it counts from a up to, not including, b) make b larger than a"));
  CHECK_THROWS_MATCHES(
      simulation.check({1, std::uint64_t{1} << 50}), UsageError,
      Catch::Message("1125899906842623 trials of this shape could overflow the 64-bit sums use fewer, "
                     "a smaller `gamma`, `candidates` or `rounds-per-trial`"));
  CHECK_NOTHROW(simulation.check({~std::uint64_t{0} - 1, ~std::uint64_t{0}}));
}

TEST_CASE("task: the most trials that can be counted are those that check() lets pass") {
  PairTables const single = one_context(), pair = markov();
  constexpr std::uint64_t below = (std::uint64_t{1} << 63) - 1;
  auto const most = [&](Task const& task, PairTables const& tables) {
    Simulation const simulation(task, tables, 1);
    std::uint64_t const trials = most_trials(simulation);
    CHECK_NOTHROW(simulation.check({7, 7 + trials}));
    CHECK_THROWS_AS(simulation.check({7, 8 + trials}), UsageError);
    return trials;
  };
  CHECK(most(shaped({.gamma = 5}), single) == below / 36);
  CHECK(most(shaped({.gamma = 256}), pair) == below / (64 * 257) / (64 * 257));
  // A tree of 1 + 32 + 32² positions.
  CHECK(most(shaped({2, 32, true}, "recursive"), single) == below / 1057);
  CHECK(most({.shape = {.gamma = 256}, .rounds_per_trial = 1 << 20}, pair) > 0);
}

TEST_CASE("task: a rule that takes drafts for different tokens is not given drafts that may be equal") {
  PairTables const single = one_context();
  Task task{.rule = "recursive-without", .drafter = "sample", .shape = {.gamma = 1, .branching = 2}};
  CHECK_THROWS_MATCHES(
      Simulation(task, single, 1), UsageError,
      Catch::Message("`drafter` sample does not suit `rule` recursive-without at `candidates` 2 (the rule takes "
                     "drafts for different tokens) use `drafter` sample-without"));
  task.shape.branching = 1;
  CHECK_NOTHROW(Simulation(task, single, 1));
}

TEST_CASE("task: a tree of more than 2^32 nodes is refused") {
  PairTables const single = one_context();
  CHECK_NOTHROW(Simulation(shaped({31, 2, true}, "recursive"), single, 1));
  CHECK_THROWS_MATCHES(
      Simulation(shaped({32, 2, true}, "recursive"), single, 1), UsageError,
      Catch::Message("`candidates` 2 and `gamma` 32 make a tree of more than 2^32 nodes (nobody drafts so many, "
                     "and random numbers are given out by node) use fewer of either"));
}

TEST_CASE("task: a rule that looks at the whole draft is not given one that cannot be kept") {
  PairTables const single = one_context();
  CHECK_NOTHROW(Simulation(shaped({8, 2, true}, "traversal"), single, 1));  // 511 nodes
  refuses<UsageError>(
      shaped({9, 2, true}, "traversal"), single,
      "`candidates` 2 makes a tree of 1023 nodes, too many for `rule` traversal (it looks at all of a "
      "draft, and 512 nodes with the root can be kept) draft a smaller tree");
  Task task{.rule = "target-walk"};
  draft_tree(task, parse_tree("levels:31,17"));
  refuses<UsageError>(
      task, single,
      "`tree` [-1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,… makes a tree of 559 nodes, "
      "too many for `rule` target-walk (it looks at all of a draft, and 512 nodes with the root can be "
      "kept) draft a smaller tree");
}

TEST_CASE("task: a rule that takes paths is given paths, and contexts in which they can be compared") {
  PairTables const single = one_context();
  auto const drafts = [](std::string const& tree) {
    Task task{.rule = "gbv"};
    draft_tree(task, parse_tree(tree));
    return task;
  };
  for (auto const* tree : {"chain:4", "paths:3,2", "kary:5,1"}) CHECK_NOTHROW(Simulation(drafts(tree), single, 1));
  refuses<UsageError>(
      drafts("levels:2,2"), single,
      "`candidates` 2 does not suit `rule` gbv:continue=0 (it verifies paths that part at the root) use "
      "`tree` paths:K,GAMMA");
  refuses<UsageError>(
      drafts("[-1,0,0,1]"), single,
      "`tree` [-1,0,0,1] does not suit `rule` gbv:continue=0 (it verifies paths that part at the root) "
      "use `tree` paths:K,GAMMA");
  CHECK_NOTHROW(Simulation(drafts("chain:4"), rows(3, Follow::independent), 1));
  CHECK_NOTHROW(Simulation(drafts("paths:3,2"), markov(), 1));
  refuses<UsageError>(
      drafts("paths:2,2"), rows(3, Follow::independent),
      "`tree` [-1,0,0,1,2] does not suit `rule` gbv:continue=0 on 3 contexts drawn at random (paths "
      "that begin alike would differ in them) use one context, or contexts that follow from the text");
}

TEST_CASE("task: only drafters of different tokens are held to the number of tokens") {
  PairTables const two = one_context();
  for (DrafterCard const& card : drafter_cards()) {
    CAPTURE(card.name);
    Task const task{.rule = "recursive", .drafter = std::string(card.name), .shape = {.branching = 3}};
    if (card.distinct)
      CHECK_THROWS_AS(Simulation(task, two, 1), UsageError);
    else
      CHECK_NOTHROW(Simulation(task, two, 1));
  }
}

TEST_CASE("task: defaults are filled in") {
  PairTables const single = one_context(), pair = markov();
  CHECK(Simulation({}, single, 1).task().rounds_per_trial == 1);
  CHECK(Simulation({}, pair, 1).task().rounds_per_trial == 64);
  CHECK(Simulation({.rule = "recursive-without"}, single, 1).task().drafter == "sample-without");
  CHECK(Simulation({}, pair, 1).starts() == std::vector<std::uint32_t>{0, 1});
  CHECK(Simulation({.start = 1}, pair, 1).starts() == std::vector<std::uint32_t>{1});
  PairTables two = rows(5, Follow::next_row);
  two.set_sequences(std::vector<std::uint32_t>{2, 3});
  CHECK(Simulation({.shape = {.gamma = 1}}, two, 1).starts() == std::vector<std::uint32_t>{0, 2, 3});
}
