#include "sim/chance/alias.h"

#include <catch2/catch.hpp>

#include "sim/chance/decide.h"
#include "tests/random.h"
#include "tests/sum.h"

// A table's law is read off its thresholds in integers and must be the weights, to the last unit.

using namespace draftgauge;

namespace {

using Weights64 = std::vector<std::uint64_t>;

std::vector<AliasEntry> table_of(Weights64 const& weights) {
  int const bits = alias_bits(static_cast<std::uint32_t>(weights.size()));
  std::vector<AliasEntry> table(std::size_t{1} << bits, AliasEntry{12345, 54321});  // every entry must be written
  build_alias(weights, testing::sum(weights), bits, table);
  return table;
}

/// Σ over buckets of what each gives to its own token and to the other: 2^bits · weight for an exact table.
void check_exact(Weights64 const& weights) {
  std::uint64_t const total = testing::sum(weights);
  auto const table = table_of(weights);
  std::vector<Uint128> share(table.size(), 0);
  for (std::size_t x = 0; x < table.size(); ++x) {
    REQUIRE(table[x].threshold <= total);
    REQUIRE(table[x].other < table.size());
    share[x] += table[x].threshold;
    share[table[x].other] += total - table[x].threshold;
  }
  for (std::size_t x = 0; x < table.size(); ++x)
    if (share[x] != Uint128{x < weights.size() ? weights[x] : 0} * table.size())
      FAIL("token " << x << " has a wrong share");
}

}  // namespace

TEST_CASE("alias: one bucket per token, rounded up to a power of two") {
  CHECK(alias_bits(1) == 0);
  CHECK(alias_bits(2) == 1);
  CHECK(alias_bits(3) == 2);
  CHECK(alias_bits(1024) == 10);
  CHECK(alias_bits(1025) == 11);
  CHECK(alias_bits(262144) == 18);
}

TEST_CASE("alias: adversarial distributions are met exactly") {
  constexpr std::uint64_t most = std::uint64_t{1} << 53;
  SECTION("one token") { check_exact({1}); }
  SECTION("one token, largest total") { check_exact({most}); }
  SECTION("one-hot among two") { check_exact({0, 1}); }
  SECTION("one-hot first, last, and in a table that is not full") {
    check_exact({most, 0, 0, 0});
    check_exact({0, 0, 0, most});
    check_exact({0, 0, 0, 0, most});
  }
  SECTION("tails of 1e-12 and of one unit in 2^53") {
    check_exact({999'999'999'999, 1});
    check_exact({1, most - 2, 1});
    check_exact({1, most - 3, 1, 0, 1});
  }
  SECTION("uniform over a number that is no power of two") { check_exact(Weights64(1000, 7)); }
  SECTION("V = 262144: a tail of ones under one heavy token, and random weights") {
    Weights64 tail(262144, 1);
    tail[777] = most - 262143;
    check_exact(tail);
    testing::Random random(1);
    Weights64 any(262144);
    for (auto& w : any) w = random.magnitude(34);
    check_exact(any);
  }
  SECTION("many small random distributions") {
    testing::Random random(2);
    for (int i = 0; i < 2000; ++i) {
      Weights64 weights(1 + random.below(40));
      for (auto& w : weights) w = random.below(3) ? random.magnitude(47) : 0;
      weights[0] += 1;
      check_exact(weights);
    }
  }
}

TEST_CASE("alias: a token of weight 0 has no share in any bucket") {
  auto const table = table_of({0, 3, 0, 5, 0, 0, 1});
  for (std::size_t x = 0; x < table.size(); ++x) {
    bool const none = x != 1 && x != 3 && x != 6;
    if (none) CHECK(std::uint64_t{table[x].threshold} == 0);
    if (table[x].threshold < 9) CHECK((table[x].other == 1 || table[x].other == 3 || table[x].other == 6));
  }
}

TEST_CASE("alias: a distribution without weight makes a table of zeros") {
  for (AliasEntry const& entry : table_of({0, 0, 0})) CHECK(std::uint64_t{entry.threshold} == 0);
}

/// Vose's construction as it is told: lists of poor and rich, the last of each taken, a giver put back where it now
/// belongs.
std::vector<AliasEntry> listed_table(Weights64 const& weights, std::uint64_t total) {
  int const bits = alias_bits(static_cast<std::uint32_t>(weights.size()));
  std::vector<Uint128> left(std::size_t{1} << bits);
  for (std::size_t x = 0; x < weights.size(); ++x) left[x] = Uint128{weights[x]} << bits;
  std::vector<Token> poor, rich;
  for (std::size_t x = left.size(); x-- > 0;) (left[x] < total ? poor : rich).push_back(static_cast<Token>(x));
  std::vector<AliasEntry> table(left.size());
  while (!poor.empty() && !rich.empty()) {
    Token const giver = rich.back(), taker = poor.back();
    poor.pop_back();
    table[taker] = {static_cast<std::uint64_t>(left[taker]), giver};
    left[giver] -= total - left[taker];
    if (left[giver] >= total) continue;
    rich.pop_back();
    poor.push_back(giver);
  }
  for (Token x : rich) table[x] = {total, x};
  for (Token x : poor) table[x] = {total, x};
  return table;
}

TEST_CASE("alias: tables are those of Vose's lists, entry by entry") {
  testing::Random random(3);
  for (int i = 0; i < 3000; ++i) {
    Weights64 weights(1 + random.below(i % 100 == 0 ? 5000 : 40));
    // PairTables near uniform, with long tails, with many zeros, and with one token that has nearly all.
    for (auto& w : weights) w = random.below(1 + i % 4) ? 0 : random.magnitude(1 + i % 37);
    weights[random.below(static_cast<std::uint32_t>(weights.size()))] += i % 5 ? 1 : std::uint64_t{1} << 52;
    std::uint64_t const total = testing::sum(weights);
    auto const table = table_of(weights), expected = listed_table(weights, total);
    for (std::size_t x = 0; x < table.size(); ++x)
      if (table[x].threshold != expected[x].threshold || table[x].other != expected[x].other)
        FAIL("distribution " << i << ", bucket " << x);
  }
}

TEST_CASE("alias: the order of filling is frozen, since it decides which bits mean which token") {
  auto const entries = [](Weights64 const& weights) {
    std::vector<std::pair<std::uint64_t, Token>> all;
    for (AliasEntry const& entry : table_of(weights)) all.push_back({entry.threshold, entry.other});
    return all;
  };
  using Expected = std::vector<std::pair<std::uint64_t, Token>>;
  CHECK(entries({6, 3, 1}) == Expected{{8, 1}, {10, 1}, {4, 0}, {0, 0}});
}
