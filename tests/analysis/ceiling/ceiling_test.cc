#include "analysis/ceiling/ceiling.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "tests/message.h"
#include "tests/random.h"
#include "tests/tree_models.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

DraftedSets drafts(std::string const& drafter, std::string const& tree, ExactModel const& model) {
  Task task = tree_task("token", tree);
  task.drafter = drafter;
  return drafted_sets(task, model, 0, 1'000'000);
}

/// As `prices` of the prefixes that are named, 0 of the others.
std::vector<Rational> prices_of(DraftedSets const& drafted, std::map<std::vector<Token>, Rational> const& named) {
  std::vector<Rational> prices(drafted.prefixes.size());
  for (std::uint32_t x = 1; x < prices.size(); ++x)
    if (auto const found = named.find(drafted.tokens(x)); found != named.end()) prices[x] = found->second;
  return prices;
}

}  // namespace

TEST_CASE("ceiling: on six shapes, with and without replacement, as computed elsewhere", "[reference]") {
  struct Known {
    char const *drafter, *tree;
    std::array<double, 3> of;  // R, L and M
  };
  Known const all[] = {{"sample", "kary:2,1", {.89, .85, 1}},
                       {"sample-without", "kary:2,1", {.992857, 1, 1}},
                       {"sample", "levels:2,1", {1.647, 1.4625, 1.8576}},
                       {"sample-without", "levels:2,1", {1.822214, 1.730179, 1.931143}},
                       {"sample-without", "levels:3,1", {1.971, 1.93, 2}},
                       {"sample-without", "kary:2,2", {1.983622, 2, 2}},
                       {"sample", "[-1,0,0,1,1,3]", {2.066536, 1.7105, 2.208251}},
                       {"sample-without", "[-1,0,0,1,1,3]", {2.149, 1.925, 2.326}},
                       {"top", "kary:2,1", {.7, .7, .8}},
                       {"top", "levels:2,1", {.91, .77, .93}},
                       {"top", "[-1,0,0,1,1,3]", {.937, .771, 1.013}}};
  ExactModel const models[] = {reference_r(), reference_l(), reference_m()};
  for (Known const& known : all)
    for (std::size_t pair = 0; pair < 3; ++pair) {
      CAPTURE(known.drafter, known.tree, pair);
      Ceiling const ceiling = ceiling_of(drafts(known.drafter, known.tree, models[pair]));
      CHECK(static_cast<double>(ceiling.value) == Approx(known.of[pair]).margin(5.1e-7));
      CHECK(ceiling.attained);
    }
  CHECK(ceiling_of(drafts("sample", "levels:2,1", models[0])).value == Rational(1647, 1000));
  CHECK(ceiling_of(drafts("sample-without", "levels:2,1", models[0])).value == Rational(25511, 14000));
}

TEST_CASE("ceiling: prices written by hand prove it, and any prices prove a bound", "[reference]") {
  Rational const one = 1;
  auto const tenths = [](int n) { return Rational(n, 10); };
  DraftedSets const r = drafts("sample", "paths:2,2", reference_r());
  CHECK(
      bound_by_prices(
          r,
          prices_of(
              r,
              {{{0}, tenths(17)}, {{1}, tenths(13)}, {{0, 0}, one}, {{0, 1}, one}, {{1, 0}, one}, {{2, 0}, one}})) ==
      Rational(1647, 1000));
  DraftedSets const m = drafts("sample", "paths:2,2", reference_m());
  CHECK(bound_by_prices(m, prices_of(m, {{{0}, tenths(2)},
                                         {{1}, tenths(11)},
                                         {{2}, tenths(13)},
                                         {{0, 0}, one},
                                         {{1, 1}, one},
                                         {{2, 0}, one}})) == Rational(18576, 10000));
  Rational const least = ceiling_of(r).value;
  CHECK(bound_by_prices(r, prices_of(r, {})) == 2);  // every draft is kept
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    std::vector<Rational> prices(r.prefixes.size());
    for (Rational& price : prices) price = Rational(random.below(16), 4);
    CHECK(bound_by_prices(r, prices) >= least);
  }
}

TEST_CASE("ceiling: no lossless rule is above it, and block is at it on chains", "[property]") {
  for (std::uint32_t const vocab : {2u, 3u})
    for (std::uint32_t seed = 0; seed < 3; ++seed) {
      ExactModel const model = random_prefix_model(seed, vocab, 4);
      for (auto const* tree : {"chain:3", "levels:2,1", "[-1,0,0,2]", "levels:2,1,1"}) {
        for (auto const* rule : {"recursive", "traversal", "recursive-without", "traversal-without", "top-set"}) {
          CAPTURE(vocab, seed, tree, rule);
          Task const task = tree_task(rule, tree);
          Ceiling const ceiling = ceiling_of(drafted_sets(task, model, 0, 1'000'000));
          CHECK(ceiling.attained);
          CHECK(exact_round(task, model).mean_accepted() <= ceiling.value);
        }
      }
      CHECK(exact_round(tree_task("block", "chain:3"), model).mean_accepted() ==
            ceiling_of(drafts("sample", "chain:3", model)).value);
    }
}

TEST_CASE("ceiling: a claim above it is refuted by prices", "[reference]") {
  // Dividing the plan of a tuple of children by its frequency for every sibling, as one would for a single child,
  // claims that both levels are always kept here.
  ExactModel const model = markov_from(row({1, 1}, {1, 1}), {row({1, 0}, {1, 1}), row({1, 0}, {1, 1})});
  Ceiling const ceiling = ceiling_of(drafts("sample-without", "levels:2,1", model));
  CHECK(ceiling.value == Rational(7, 4));
  CHECK(ceiling.attained);
}

TEST_CASE("ceiling: what is too much of it is refused", "[message]") {
  CHECK(message<TooManyPaths>([] { drafted_sets(tree_task("recursive", "levels:2,1"), reference_r(), 0, 10); }) ==
        "the exact distribution has more than 10 paths of answers (each is followed once) use a smaller `gamma`, "
        "vocabulary or "
        "`candidates`, or simulate");
  CHECK(
      message<NotEnumerable>([] { ceiling_of(drafts("sample", "levels:2,1", reference_r()), 100); }) ==
      "the ceiling's linear program has more than 100 entries (every draft is in it with each of its prefixes) use a "
      "smaller tree or vocabulary");
}
