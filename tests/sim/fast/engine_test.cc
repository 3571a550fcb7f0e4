#include "sim/fast/engine.h"

#include <catch2/catch.hpp>
#include <set>

#include "sim/base/error.h"
#include "sim/play/trial.h"
#include "tests/cases.h"
#include "tests/known_tallies.h"
#include "tests/sim/fast/in_lanes.h"
#include "tests/sum.h"

using namespace draftgauge;

namespace {

Tally run(Simulation const& simulation, Range range, Backend const& backend = serial_backend(), int threads = 1) {
  return simulate(simulation, range, backend, threads).tally;
}

PairTables one_context(std::vector<std::uint64_t> p, std::vector<std::uint64_t> q) {
  std::uint64_t const total = testing::sum(p);
  return {{RowPair{std::move(p), std::move(q), total}}, Follow::independent};
}

/// A backend that plays a rule which is not in the list.
template <class Rule>
Backend backend_of() {
  return {"test", "plays a rule of a test", [](Simulation const& simulation, int) -> Player {
            return [&](Range range, Tally& tally) {
              Scalars sums;
              for (std::uint64_t trial = range.begin; trial < range.end; ++trial)
                play_trial(Rule{}, simulation.plan(), trial, sums, [&](std::size_t cell) { ++tally.counts()[cell]; });
              for (std::size_t i = 0; i < TallyLayout::scalars; ++i) tally.counts()[i] += sums.value[i];
            };
          }};
}

/// Emits from the residual, which has no weight where p = q.
struct EmitsResidual {
  static constexpr Shape shape = Shape::node;
  template <class Chance, class Node>
  Step operator()(Chance& chance, Node const& node) const {
    return emit(chance.pick(node.residual()));
  }
};
/// The same with weights that it computes.
struct EmitsSurplus {
  static constexpr Shape shape = Shape::node;
  template <class Chance, class Node>
  Step operator()(Chance& chance, Node const& node) const {
    return emit(chance.pick(Weights{node.vocab(), [&](Token x) { return excess(node.p(x), node.q(x)); }}));
  }
};
/// Emits the seventh token that it picks from p.
struct EmitsLatePick {
  static constexpr Shape shape = Shape::node;
  template <class Chance, class Node>
  Step operator()(Chance& chance, Node const& node) const {
    for (int i = 0; i < 6; ++i) chance.pick(node.target());
    return emit(chance.pick(node.target()));
  }
};

/// Plays in the lanes of a target and counts the trials that lanes were given.
struct CountedLanes {
  explicit CountedLanes(VectorTarget target)
      : backend(cpu_backend(target, [this](Range range) { trials += range.size(); })) {}
  CountedLanes(CountedLanes const&) = delete;

  std::uint64_t trials = 0;
  Backend backend;
};

/// How many trials have rounds enough for lanes, even a quarter of them: the engine makes tables where there is a round
/// for every four of their cells.
std::uint64_t enough_for_lanes(Simulation const& simulation) {
  constexpr std::uint64_t rounds_a_cell = 2;
  constexpr std::uint64_t beside = 301;  // several turns of the widest lanes and a rest, however small the tables are
  return rounds_a_cell * ChainPlayer::cells(simulation) / simulation.plan().rounds_per_trial + beside;
}

/// Tasks for lanes on sources of every kind, of narrow and wide tables; for each rule, since which of them lanes play
/// is theirs to say (for_lanes). Ranges are to be made for them.
std::vector<testing::Case> cases_for_lanes() {
  struct Source {
    std::string name;
    std::shared_ptr<PairTables const> tables;
  };
  std::vector<Source> sources;
  auto const add = [&](char const* name, Follow follow, std::uint32_t vocab, std::uint32_t rows) {
    sources.push_back({name, testing::some_tables(follow, vocab, rows)});
  };
  for (std::uint32_t vocab : {2u, 33u, 200u, 1025u, 4097u}) add("one context", Follow::independent, vocab, 1);
  for (std::uint32_t vocab : {3u, 64u, 1000u, 2049u}) add("bag", Follow::independent, vocab, 3);
  for (std::uint32_t vocab : {2u, 33u}) add("markov", Follow::token, vocab, vocab);
  for (std::uint32_t vocab : {3u, 64u, 2049u}) add("automaton", Follow::state, vocab, 4);
  for (std::uint32_t vocab : {8u, 65u, 1500u}) add("path", Follow::next_row, vocab, 24);
  add("prefix", Follow::prefix, 3, 364);
  std::vector<RowPair> edges = testing::edge_rows();
  for (RowPair const& row : edges)
    sources.push_back({"edge", std::make_shared<PairTables>(std::vector{row}, Follow::independent)});
  for (RowPair& row : edges) {  // of one vocabulary, they are contexts of one model
    row.p.resize(4);
    row.q.resize(4);
  }
  std::vector<std::uint32_t> ways(4 * edges.size());
  for (std::uint32_t i = 0; i < ways.size(); ++i) ways[i] = 3 * i % static_cast<std::uint32_t>(edges.size());
  sources.push_back({"bag of edges", std::make_shared<PairTables>(edges, Follow::independent)});
  sources.push_back({"automaton of edges", std::make_shared<PairTables>(edges, ways)});

  std::vector<testing::Case> all;
  std::size_t number = 0;
  for (auto const& [name, tables] : sources) {
    ++number;  // or, with a multiple of three rules, one would be counted alike on every source
    for (RuleCard const& card : rule_cards())
      for (int gamma : {1, 5}) {
        ++number;
        bool const prefix = tables->contexts().follow == Follow::prefix;
        Task task{.rule = std::string(card.name), .shape = {gamma, 1, number % 4 != 0}};
        if (prefix) task.rounds_per_trial = 1;
        int const counted[] = {0, 1, gamma + 1};
        task.positions = counted[number / 2 % 3];
        task.firsts = number % 5 == 0;
        if (!prefix && tables->vocab() < 100 && number % 7 == 0) task.gram = 2;
        std::string const vocab = std::to_string(tables->vocab());
        all.push_back(
            {task.rule + " on " + name + ", V=" + vocab + ", γ=" + std::to_string(gamma), task, tables, {}});
      }
  }
  return all;
}

}  // namespace

TEST_CASE("engine: whole tallies are as known") {
  for (auto const& known : testing::tally_answers) {
    CAPTURE(known.rule, known.gamma, known.seed);
    CHECK(testing::play(known, serial_backend(), 1) == known);
  }
}

TEST_CASE("engine: threads, splits and repetition do not show in the tally") {
  for (auto const& c : testing::cases()) {
    Simulation const simulation(c.task, *c.tables, 42);
    Tally const whole = run(simulation, c.range);
    INFO(c.name);
    REQUIRE(testing::sum(whole.accepted()) == whole[TallyLayout::rounds]);
    for (int threads : {1, 3}) REQUIRE(run(simulation, c.range, cpu_backend(), threads) == whole);
    std::uint64_t const cut = 1 + c.range.end / 3;
    Tally parts = run(simulation, {cut, c.range.end}, cpu_backend(), 2);
    parts += run(simulation, {0, 1});
    parts += run(simulation, {1, cut});
    REQUIRE(parts == whole);
  }
}

TEST_CASE("engine: neither lanes, nor threads and splits of them, show in the tally") {
  std::set<std::string> played;
  std::uint64_t number = 0;
  for (auto const& c : cases_for_lanes()) {
    Simulation const simulation(c.task, *c.tables, 42 + ++number);
    if (!testing::for_lanes(simulation)) continue;
    std::uint64_t const size = enough_for_lanes(simulation);
    // Every fifth goes across a word of trial numbers.
    std::uint64_t const begin = number % 5 == 0 ? (std::uint64_t{1} << 32) - size / 2 : 1000 * number;
    Range const range{begin, begin + size};
    std::uint64_t const cuts[] = {begin, begin + size * 3 / 10, begin + size * 3 / 4, begin + size};
    Tally const whole = run(simulation, range);
    for (VectorTarget target : vector_targets()) {
      INFO(c.name << " on " << name_of(target));
      bool const lanes = target != VectorTarget::scalar;
      for (int threads : {1, 3}) {
        CountedLanes counted(target);
        REQUIRE(run(simulation, range, counted.backend, threads) == whole);
        REQUIRE((lanes ? 2 * counted.trials >= size : counted.trials == 0));
      }
      Tally parts(simulation.plan().tally);
      for (int part : {2, 0, 1}) {
        CountedLanes counted(target);
        parts += run(simulation, {cuts[part], cuts[part + 1]}, counted.backend, 1 + part);
        REQUIRE((counted.trials > 0) == lanes);
      }
      REQUIRE(parts == whole);
    }
    played.insert(c.task.rule);
  }
  for (char const* rule : {"token", "coupled", "greedy", "lenient", "one-hot"}) CHECK(played.contains(rule));
}

TEST_CASE("engine: lanes begin once tables are worth while, and go on from the reference's trials") {
  struct Followed {
    char const* rule;
    Follow follow;
    std::uint32_t vocab, rows;
    bool lanes;
  };
  for (Followed const& c : {Followed{"token", Follow::independent, 2049, 3, true},
                            {"coupled", Follow::independent, 1025, 1, true},
                            {"greedy", Follow::token, 33, 33, true},
                            {"block", Follow::independent, 1025, 1, false},
                            {"token", Follow::independent, 1, 600, false}}) {
    auto const tables = testing::some_tables(c.follow, c.vocab, c.rows);
    Simulation const simulation({.rule = c.rule, .shape = {.gamma = 3}, .positions = 2}, *tables, 4);
    std::uint64_t const size = enough_for_lanes(simulation);
    for (VectorTarget target : vector_targets())
      for (int threads : {1, 3}) {
        INFO(c.rule << ", V=" << c.vocab << " on " << name_of(target) << ", " << threads << " threads");
        CountedLanes counted(target);
        Player const player = counted.backend.prepare(simulation, threads);
        Tally tally(simulation.plan().tally);
        player({7, 8}, tally);
        CHECK(counted.trials == 0);  // one trial is not worth a table
        player({8, 8 + size}, tally);
        player({8 + size, 13 + size}, tally);
        CHECK(counted.trials == (c.lanes && target != VectorTarget::scalar ? size + 5 : 0));
        CHECK(tally == run(simulation, {7, 13 + size}));
      }
  }
}

TEST_CASE("engine: one to eight threads over many pieces, and trial numbers beyond 32 and up to 64 bits") {
  PairTables const tables = one_context({3, 4, 3}, {6, 3, 1});
  Simulation const simulation({.shape = {.gamma = 5}, .positions = 2}, tables, 7);
  std::uint64_t const last = ~std::uint64_t{0};
  for (Range range : {Range{0, 10007}, Range{0xffffff00, 0x100000200}, Range{last - 700, last}}) {
    Tally const whole = run(simulation, range);
    REQUIRE(whole[TallyLayout::trials] == range.size());
    for (int threads = 1; threads <= 8; ++threads) REQUIRE(run(simulation, range, cpu_backend(), threads) == whole);
  }
  CHECK_FALSE(run(simulation, {0, 1000}) == run(simulation, {1000, 2000}));
  CHECK_FALSE(run(Simulation({.shape = {.gamma = 5}, .positions = 2}, tables, 8), {0, 1000}) ==
              run(simulation, {0, 1000}));
}

TEST_CASE("engine: p = q accepts every draft") {
  // As the papers' rules do; a rule may be lossless without it (docs/adding-a-rule.md has one).
  std::vector<testing::Ruled> const of_papers = {
      {"token", 1}, {"block", 1}, {"recursive", 1}, {"recursive", 2}, {"recursive-without", 2}};
  for (auto const& [rule, branching] : of_papers)
    for (PairTables const& tables :
         {one_context({1, 1, 1}, {1, 1, 1}), one_context({max_total - 2, 1, 1}, {max_total - 2, 1, 1}),
          one_context({0, 7, 0}, {0, 7, 0})}) {
      Simulation const simulation({.rule = rule, .shape = {.gamma = 4, .branching = branching}}, tables, 3);
      Tally const tally = run(simulation, {0, 2000});
      CAPTURE(rule, branching);
      CHECK(tally.accepted()[4] == 2000);
      CHECK(tally[TallyLayout::tokens] == 10000);
    }
}

TEST_CASE("engine: tokens of probability 0 are never emitted, whatever the draft proposes") {
  constexpr std::uint64_t most = max_total;
  struct Adverse {
    char const* name;
    PairTables tables;
  };
  // 1e-12 and 2^-53 tails on both sides; disjoint supports; q = 0 where p > 0; one-hot laws.
  std::vector<Adverse> const all = [] {
    std::vector<Adverse> list;
    list.push_back({"tail in q where p is 0", one_context({0, 1'000'000'000'000, 0, 0}, {1, 999'999'999'998, 1, 0})});
    list.push_back({"q wholly where p is 0", one_context({0, 0, most - 1, 1}, {most - 1, 1, 0, 0})});
    list.push_back({"q = 0 where p > 0", one_context({0, 3, 3, 4}, {10, 0, 0, 0})});
    list.push_back({"one-hot p", one_context({0, 0, 8, 0}, {2, 2, 2, 2})});
    list.push_back({"one-hot q", one_context({2, 0, 3, 3}, {0, 0, 0, 8})});
    list.push_back({"one-hot, apart", one_context({0, 5, 0}, {0, 0, 5})});
    return list;
  }();
  for (auto const& [name, tables] : all)
    for (auto const& [rule, branching] : testing::every_rule())
      for (int gamma : {1, 3}) {
        if (!rule_card(rule).lossless) continue;
        Simulation const simulation({.rule = rule, .shape = {gamma, branching, true}, .positions = gamma + 1}, tables,
                                    5);
        Tally const tally = run(simulation, {0, 3000});
        CAPTURE(name, rule, branching, gamma);
        for (int position = 0; position <= gamma; ++position)
          for (Token x = 0; x < tables.vocab(); ++x)
            if (tables.p(0)[x] == 0) REQUIRE(tally.token_histogram(position)[x] == 0);
        REQUIRE(testing::sum(tally.token_histogram(0)) == 3000);
      }
}

TEST_CASE("engine: disjoint supports accept nothing") {
  PairTables const tables = one_context({1, 1, 0, 0}, {0, 0, 1, 1});
  for (auto const& [rule, branching] : testing::every_rule()) {
    RuleCard const& card = rule_card(rule);
    // What is accepted is emitted. Of different children the later ones may come from all that is left.
    if (!card.lossless || drafter_cards()[static_cast<std::size_t>(drafter_call(card.drafter).index)].distinct)
      continue;
    Simulation const simulation({.rule = rule, .shape = {.gamma = 3, .branching = branching}}, tables, 6);
    CHECK(run(simulation, {0, 1000}).accepted()[0] == 1000);
  }
}

TEST_CASE("engine: one token, and V = 262144") {
  PairTables const one = one_context({9}, {9});
  CHECK(run(Simulation({.shape = {.gamma = 2}}, one, 1), {0, 100})[TallyLayout::tokens] == 300);
  std::vector<std::uint64_t> p(262144, 1), q(262144, 1);
  p[200000] += 262144;
  q[100000] += 262144;  // β = Σ min(p, q) = 1/2
  PairTables const large = one_context(p, q);
  Simulation const simulation({.shape = {.gamma = 2}, .positions = 1}, large, 1);
  Tally const tally = run(simulation, {0, 4000});
  CHECK(tally == run(simulation, {0, 4000}, cpu_backend(), 3));
  // 5.6 standard deviations √(4000/4) on either side: false alarm 2e-8, and a β off by 0.063 is seen with power 0.99.
  CHECK(std::abs(static_cast<double>(tally.accepted()[0]) - 2000) < 5.6 * 31.7);
}

TEST_CASE("engine: the watch hears of progress and stops it") {
  PairTables const tables = one_context({1, 2}, {2, 1});
  Simulation const simulation({}, tables, 1);
  std::vector<std::uint64_t> heard;
  Played const played = simulate(simulation, {10, 1'000'000'000}, serial_backend(), 1, [&](std::uint64_t done) {
    heard.push_back(done);
    return heard.size() < 3;
  });
  CHECK(heard.size() == 3);
  CHECK(std::ranges::is_sorted(heard));
  CHECK(played.range == Range{10, 10 + heard.back()});
  CHECK(played.tally == run(simulation, played.range));
}

TEST_CASE("engine: made ready once, it plays one range after another") {
  PairTables const tables = one_context({3, 4, 3}, {6, 3, 1});
  Simulation const simulation({.shape = {.gamma = 2}, .positions = 1}, tables, 7);
  Engine engine(simulation, cpu_backend(), 2);
  Tally sum(simulation.plan().tally);
  for (Range range : {Range{500, 20000}, Range{0, 1}, Range{1, 500}, Range{20000, 20001}}) {
    Played const played = engine.play(range);
    CHECK(played.range == range);
    sum += played.tally;
  }
  CHECK(sum == run(simulation, {0, 20001}));
  CHECK_THROWS_AS(engine.play({2, 2}), UsageError);
}

TEST_CASE("engine: an unsound rule's impossible pick is an error") {
  PairTables const apart = one_context({1, 2}, {2, 1}), same = one_context({1, 2}, {1, 2});
  Simulation const sound({.rule = "block"}, apart, 1), unsound({.rule = "block"}, same, 1);
  for (Backend const& backend : {backend_of<EmitsResidual>(), backend_of<EmitsSurplus>()}) {
    CHECK_NOTHROW(simulate(sound, {0, 100}, backend, 1));
    CHECK_THROWS_WITH(simulate(unsound, {0, 1}, backend, 1),
                      "rule block picked from a distribution without weight (it is not sound)");
  }
  CHECK_THROWS_AS(simulate(sound, {1, 1}, serial_backend(), 1), UsageError);
}

TEST_CASE("engine: a rule's later picks from a verifier's distribution read words of their own") {
  for (std::uint32_t vocab : {4u, 2048u}) {
    PairTables const tables = one_context(std::vector<std::uint64_t>(vocab, 1), std::vector<std::uint64_t>(vocab, 1));
    Simulation const simulation({.positions = 1}, tables, 0x123456789);
    int const bits = vocab == 4 ? 2 : 11;
    for (std::uint64_t trial : {std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{1} << 40}) {
      // E_6 is slot 5 of the late picks; a uniform law's table never asks for the other token, so its top bits decide.
      std::uint32_t const word = layout::Address::of(0x123456789, trial, 0).words(layout::late_pick, 1).word[1];
      CAPTURE(vocab, trial);
      Tally const tally = run(simulation, {trial, trial + 1}, backend_of<EmitsLatePick>());
      CHECK(tally.token_histogram(0)[word >> (32 - bits)] == 1);
    }
  }
}
