#include "sim/model/bit_chance.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <catch2/catch.hpp>
#include <vector>

#include "tests/known_answers.h"
#include "tests/random.h"
#include "tests/sum.h"

using namespace draftgauge;
using testing::Ask;

namespace {

std::vector<AliasEntry> known_table(std::uint64_t total, int bits) {
  std::vector<AliasEntry> table(std::size_t{1} << bits);
  for (std::uint32_t x = 0; x < table.size(); ++x)
    table[x] = {testing::known_threshold(x, total), testing::known_other(x, bits)};
  return table;
}

/// So many tokens alike, of which a share of the whole is asked for.
struct Shares {
  double count;
  double total() const { return 1; }
  Token at(double share) const { return static_cast<Token>(share * count); }
};

std::uint32_t ask(BitChance& chance, testing::LayoutAnswer const& known, std::vector<AliasEntry> const& entries) {
  AliasTable const table{entries.data(), known.a, known.table_bits};
  switch (known.ask) {
    case Ask::flip:
    case Ask::late_flip: return chance.flip(known.a, known.b);
    case Ask::real_flip: return chance.flip(static_cast<double>(known.a), static_cast<double>(known.b));
    case Ask::given_pick:
      return chance.pick(Weights{2, [&](Token x) { return static_cast<double>(x == 0 ? known.a : known.b); }});
    case Ask::share_pick: return chance.pick(Shares{static_cast<double>(known.a)});
    case Ask::draft_pick: return chance.pick(DraftLaw{table});
    case Ask::verifier_pick: return chance.pick(VerifierLaw{table});
    case Ask::weighted_pick:
    case Ask::owed_pick: return chance.pick(Weights{2, [&](Token x) { return x ? known.b : known.a; }});
    case Ask::context: return chance.context(static_cast<std::uint32_t>(known.a), known.ordinal);
    case Ask::start: return chance.start(static_cast<std::uint32_t>(known.a));
  }
  return ~0u;
}

/// A law of `vocab` tokens as the engine's table.
struct Table {
  std::vector<std::uint64_t> weights;
  std::vector<AliasEntry> entries;
  AliasTable view;

  explicit Table(std::vector<std::uint64_t> w) : weights(std::move(w)) {
    int const bits = alias_bits(static_cast<std::uint32_t>(weights.size()));
    std::uint64_t const total = testing::sum(weights);
    entries.resize(std::size_t{1} << bits);
    build_alias(weights, total, bits, entries);
    view = {entries.data(), total, bits};
  }
};

/// Probability of a χ² at least as large, were the counts drawn by the weights. Tokens of weight 0 must have none.
double p_value(std::vector<std::uint64_t> const& counts, std::vector<std::uint64_t> const& weights) {
  double const n = static_cast<double>(testing::sum(counts));
  double const total = static_cast<double>(testing::sum(weights));
  double statistic = 0;
  int cells = 0;
  for (std::size_t x = 0; x < counts.size(); ++x) {
    if (weights[x] == 0) {
      REQUIRE(counts[x] == 0);
      continue;
    }
    double const expected = n * static_cast<double>(weights[x]) / total;
    REQUIRE(expected >= 100);  // so that the χ² approximation holds at the far tail that the test rejects in
    statistic += (static_cast<double>(counts[x]) - expected) * (static_cast<double>(counts[x]) - expected) / expected;
    ++cells;
  }
  return boost::math::cdf(boost::math::complement(boost::math::chi_squared(cells - 1), statistic));
}

/// False alarm of each statistical check below (their seed is fixed, so an alarm would be there for good).
constexpr double false_alarm = 1e-9;
constexpr std::uint64_t seed = 20240917;

template <class Draw>
std::vector<std::uint64_t> histogram(std::size_t cells, std::uint64_t trials, int table_bits, Draw draw) {
  std::vector<std::uint64_t> counts(cells, 0);
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    BitChance chance(layout::Address::of(seed, trial, 0), table_bits);
    ++counts.at(draw(chance));
  }
  return counts;
}

}  // namespace

TEST_CASE("layout: the words of each purpose are as known") {
  for (auto const& known : testing::words_answers)
    CHECK(layout::Address::of(known.seed, known.trial, known.round).words(known.purpose, known.draw) == known.words);
}

TEST_CASE("layout: every kind of question is answered as known") {
  for (auto const& known : testing::layout_answers) {
    BitChance chance(layout::Address::of(known.seed, known.trial, known.round), known.table_bits);
    auto const entries =
        known_table(known.a, known.ask == Ask::draft_pick || known.ask == Ask::verifier_pick ? known.table_bits : 0);
    bool const drafts = known.ask == Ask::draft_pick || known.ask == Ask::weighted_pick;
    bool const in_order = known.ask == Ask::verifier_pick || known.ask == Ask::owed_pick ||
                          known.ask == Ask::late_flip || known.ask == Ask::given_pick || known.ask == Ask::share_pick;
    int const children = known.ask == Ask::late_flip ? 0 : 1;
    chance.number_from(drafts ? Asker::drafter : Asker::rule, in_order ? 1 : known.ordinal + 1, children);
    for (std::uint32_t before = 0; in_order && before < known.ordinal; ++before) ask(chance, known, entries);
    CAPTURE(static_cast<int>(known.ask), known.table_bits, known.trial, known.ordinal);
    CHECK(ask(chance, known, entries) == known.answer);
  }
}

TEST_CASE("layout: answers do not depend on the other kinds of question asked in between") {
  Table const law({5, 0, 3, 9, 1});
  for (int bits : {3, 11})
    for (std::uint64_t trial = 0; trial < 50; ++trial) {
      layout::Address const address = layout::Address::of(seed, trial, 7);
      BitChance mixed(address, bits), drafts(address, bits), flips(address, bits), contexts(address, bits);
      Table const wide(std::vector<std::uint64_t>(bits == 3 ? 8 : 2048, 3));
      for (std::uint32_t node = 0; node < 20; ++node) {
        CHECK(mixed.context(1000, node) == contexts.context(1000, node));
        CHECK(mixed.pick(DraftLaw{wide.view}) == drafts.pick(DraftLaw{wide.view}));
        mixed.pick(VerifierLaw{wide.view});
        CHECK(mixed.flip(std::uint64_t{1}, 3) == flips.flip(std::uint64_t{1}, 3));
        mixed.pick(Weights{5, [&](Token x) { return law.weights[x]; }});
      }
    }
}

TEST_CASE("bit chance: impossible picks are noticed and harmless") {
  Table const none({0, 0, 0});
  Table const some({0, 1, 0});
  BitChance chance(layout::Address::of(1, 2, 3), 2);
  chance.pick(VerifierLaw{some.view});
  chance.pick(Weights{3, [](Token x) { return x == 1 ? 0.5 : 0.0; }});
  CHECK_FALSE(chance.was_asked_the_impossible());
  SECTION("a table without weight") { chance.pick(VerifierLaw{none.view}); }
  SECTION("integer weights") {
    chance.pick(Weights{3, [](Token) { return std::uint64_t{0}; }});
  }
  SECTION("real weights") {
    chance.pick(Weights{3, [](Token) { return 0.0; }});
  }
  CHECK(chance.was_asked_the_impossible());
}

TEST_CASE("bit chance: flips of reals never accept 0 and always accept 1") {
  for (std::uint64_t trial = 0; trial < 2000; ++trial) {
    BitChance chance(layout::Address::of(seed, trial, 0), 3);
    CHECK_FALSE(chance.flip(0.0, 1e-300));
    CHECK(chance.flip(1e-300, 1e-300));
    CHECK(chance.flip(0.0, 0.0));
    CHECK(chance.flip(2.0, 1.0));
  }
}

// 200 000 draws at a false alarm of 1e-9 each detect, with power 0.99, a law whose χ² distance Σ(r−s)²/s is 8e-4 at the
// largest table below and less at the others: noncentrality 160 on 60 degrees of freedom.
TEST_CASE("bit chance: picks, flips and contexts have their distributions") {
  constexpr std::uint64_t trials = 200'000;
  testing::Random random(3);
  SECTION("narrow and wide tables, each ordinal of the drafter and of the verifier") {
    std::vector<std::uint64_t> weights(61);
    for (auto& w : weights) w = 1000 + random.below(9000);
    weights[17] = 0;
    Table const narrow(weights);
    for (int ordinal : {0, 1, 4}) {
      auto const nth = [&](auto law) {
        return [=](BitChance& chance) {
          for (int i = 0; i < ordinal; ++i) chance.pick(law);
          return chance.pick(law);
        };
      };
      CHECK(p_value(histogram(61, trials, narrow.view.bits, nth(DraftLaw{narrow.view})), weights) > false_alarm);
      CHECK(p_value(histogram(61, trials, narrow.view.bits, nth(VerifierLaw{narrow.view})), weights) > false_alarm);
      // The same table read through the wide layout: table bits below 11 do not matter to look-ups, only the width
      // does.
      CHECK(p_value(histogram(61, trials, 18, nth(DraftLaw{narrow.view})), weights) > false_alarm);
    }
  }
  SECTION("weights computed on the spot") {
    std::vector<std::uint64_t> const weights = {7, 0, 1, 12, 5};
    CHECK(p_value(histogram(5, trials, 3,
                            [&](BitChance& chance) {
                              return chance.pick(Weights{5, [&](Token x) { return weights[x]; }});
                            }),
                  weights) > false_alarm);
    CHECK(p_value(histogram(5, trials, 3,
                            [&](BitChance& chance) {
                              return chance.pick(
                                  Weights{5, [&](Token x) { return static_cast<double>(weights[x]) / 3e7; }});
                            }),
                  weights) > false_alarm);
  }
  SECTION("contexts and starts") {
    std::vector<std::uint64_t> const uniform(37, 1);
    CHECK(p_value(histogram(37, trials, 3, [](BitChance& chance) { return chance.context(37, 2); }), uniform) >
          false_alarm);
    CHECK(p_value(histogram(37, trials, 3, [](BitChance& chance) { return chance.start(37); }), uniform) >
          false_alarm);
  }
  SECTION("flips, narrow and wide, of integers and of reals") {
    for (int bits : {3, 18}) {
      std::vector<std::uint64_t> const weights = {2, 1};
      CHECK(p_value(histogram(2, trials, bits, [](BitChance& c) { return c.flip(std::uint64_t{1}, 3); }), weights) >
            false_alarm);
      CHECK(p_value(histogram(2, trials, bits, [](BitChance& c) { return c.flip(1.0, 3.0); }), weights) >
            false_alarm);
    }
  }
  SECTION("the check itself: 30 % too much of one token in 61 is seen") {
    std::vector<std::uint64_t> even(61, 50), bent = even;
    bent[3] = 65;
    Table const law(bent);
    CHECK(p_value(histogram(61, trials, 6, [&](BitChance& c) { return c.pick(DraftLaw{law.view}); }), even) <
          false_alarm);
  }
}
