#include "analysis/verifier/game.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <set>

#include "analysis/stats/goodness.h"
#include "analysis/verifier/known_rules.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

using Tokens = std::vector<std::int64_t>;

TEST_CASE("every outcome of a verifier has a cell of its own") {
  VerifierCells const cells{.vocab = 3, .gamma = 2};
  std::set<std::size_t> texts, emitted;
  for (std::uint32_t start = 0; start < 3; ++start)
    for (std::int64_t a = 0; a < 3; ++a) {
      emitted.insert(cells.emitted(start, Tokens{a}));
      for (std::int64_t b = 0; b < 3; ++b) {
        emitted.insert(cells.emitted(start, Tokens{a, b}));
        for (std::int64_t c = 0; c < 3; ++c) {
          emitted.insert(cells.emitted(start, Tokens{a, b, c}));
          texts.insert(cells.text(start, Tokens{a, b, c}));
        }
      }
    }
  CHECK(texts.size() == 81);
  CHECK(*texts.rbegin() + 1 == cells.texts());
  CHECK(emitted.size() == 3 * (3 + 9 + 27));
  CHECK(*emitted.rbegin() + 1 == cells.emitted());
}

TEST_CASE("a pair for verifiers: rows of its seed, in which half precision loses nothing") {
  for (std::uint32_t const vocab : {2u, 3u, 4u, 32u, 100u}) {
    Source const pair = verifier_pair(vocab, 5);
    CHECK(pair.tables.contexts().follow == Follow::token);
    for (std::uint32_t row = 0; row < vocab; ++row) {
      CHECK(pair.tables.total(row) == (vocab > 32 ? 1024 : 256));
      bool excluded_by_p = false, excluded_by_q = false;
      for (std::uint32_t x = 0; x < vocab; ++x) {
        CHECK((pair.tables.p(row)[x] > 0 || pair.tables.q(row)[x] > 0));
        excluded_by_p = excluded_by_p || pair.tables.p(row)[x] == 0;
        excluded_by_q = excluded_by_q || pair.tables.q(row)[x] == 0;
      }
      CHECK(excluded_by_p == (vocab >= 4));
      CHECK(excluded_by_q == (vocab >= 4));
    }
  }
  CHECK(message([] { verifier_pair(1, 1); }) == "`vocab` 1 is out of range (2 to 1024)");
  CHECK(message([] { verifier_pair(1025, 1); }) == "`vocab` 1025 is out of range (2 to 1024)");
}

TEST_CASE("rounds of a verifier are the same however they are put together") {
  Source const pair = verifier_pair(4, 1);
  VerifierGame const game(pair.tables, 3, 9);
  auto const joined = [](Tokens first, Tokens const& rest) {
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
  };
  auto const drafts = [](VerifierGame const& of, Range range) { return of.drafts(of.open(range)); };
  Tokens const whole = drafts(game, {0, 50});
  CHECK(joined(drafts(game, {0, 20}), drafts(game, {20, 50})) == whole);
  CHECK(joined(game.starts({0, 20}), game.starts({20, 50})) == game.starts({0, 50}));
  CHECK(drafts(VerifierGame(pair.tables, 3, 10), {0, 50}) != whole);
  OpenTexts later = game.open({0, 50});
  later.rounds = 1;
  CHECK(game.drafts(later) != whole);  // from the same tokens
}

TEST_CASE("drafts are drawn from q, and open texts completed from p") {
  Source const pair = verifier_pair(4, 1);
  PairTables const& tables = pair.tables;
  VerifierGame game(tables, 1, 2);
  constexpr std::uint64_t rounds = 200'000;
  OpenTexts open = game.open({0, rounds});
  Tokens const starts = open.starts, drafts = game.drafts(open);
  std::vector<std::uint64_t> drafted(16), started(4);
  Tokens tokens;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    ++drafted[static_cast<std::size_t>(starts[i] * 4 + drafts[i])];
    ++started[static_cast<std::size_t>(starts[i])];
    tokens.insert(tokens.end(), {drafts[i], -1});  // the draft, whatever p says, and nothing else
  }
  game.add(open, drafts, tokens);
  std::vector<double> law_of_drafts, law_of_texts(64);
  for (std::uint32_t start = 0; start < 4; ++start)
    for (std::uint32_t x = 0; x < 4; ++x) {
      double const q = static_cast<double>(tables.q(start)[x]) / 1024;
      law_of_drafts.push_back(q);
      for (std::uint32_t y = 0; y < 4; ++y)
        law_of_texts[start * 16 + x * 4 + y] = q * static_cast<double>(tables.p(x)[y]) / 256;
    }
  // Seeds are fixed; each has a false alarm of 1e-6.
  CHECK(g_test(drafted, law_of_drafts).p_value > 1e-6);
  CHECK(g_test(started, std::vector<double>(4, .25)).p_value > 1e-6);
  CHECK(g_test(game.texts(), law_of_texts).p_value > 1e-6);
  CHECK(game.accepted() ==
        std::vector<std::uint64_t>{rounds, 0});  // the last token of a round is no draft that was kept
  CHECK(game.strayed() == 0);
}

TEST_CASE("what a round kept, and where it strayed") {
  Source const pair = verifier_pair(4, 1);
  VerifierGame game(pair.tables, 2, 1);
  Tokens const starts(4, 0), drafts{1, 2, 1, 2, 1, 2, 1, 2};
  OpenTexts open = game.open({0, 4}, starts);
  game.add(open, drafts, Tokens{1, 2, 3, 1, 3, -1, 3, -1, -1, 3, 2, 1});
  CHECK(game.accepted() == std::vector<std::uint64_t>{2, 1, 1});
  CHECK(game.strayed() == 1);  // the last went on after 3, which was no draft
  CHECK(game.emitted()[game.cells().emitted(0, Tokens{1, 3})] == 1);
}

TEST_CASE("a text goes on with the next round where one left off, and with p behind the last") {
  Source const pair = verifier_pair(4, 1);
  VerifierGame game(pair.tables, 2, 1, 2, 4);
  OpenTexts open = game.open({0, 3}, {0, 1, 2});
  game.add(open, Tokens{1, 2, 1, 2, 1, 2}, Tokens{3, -1, -1, 1, 2, 3, 1, 0, -1});
  CHECK(open.last == Tokens{3, 3, 0});
  CHECK(open.emitted == Tokens{1, 3, 2});
  CHECK(game.texts() == std::vector<std::uint64_t>(game.cells().texts()));  // they are counted after the last round
  game.add(open, Tokens{2, 2, 0, 0, 3, 3}, Tokens{2, 1, -1, 0, 0, 1, 3, 3, 1});
  CHECK(open.emitted == Tokens{3, 6, 5});
  std::vector<std::uint64_t> const texts = game.texts();
  CHECK(texts[game.cells().text(1, Tokens{1, 2, 3, 0})] == 1);
  CHECK(texts[game.cells().text(2, Tokens{1, 0, 3, 3})] == 1);
  std::size_t const completed = game.cells().text(0, Tokens{3, 2, 1, 0});
  CHECK(std::accumulate(texts.begin() + static_cast<std::ptrdiff_t>(completed),
                        texts.begin() + static_cast<std::ptrdiff_t>(completed) + 4, std::uint64_t{0}) == 1);
  std::vector<std::uint64_t> const& first = game.first_rounds();
  CHECK(std::accumulate(first.begin(), first.end(), std::uint64_t{0}) == 3);
  CHECK(first[game.cells().single().text(1, Tokens{1, 2, 3})] == 1);
  CHECK(game.accepted() == std::vector<std::uint64_t>{1, 1, 1});  // of first rounds
  CHECK(std::accumulate(game.emitted().begin(), game.emitted().end(), std::uint64_t{0}) == 3);
}

TEST_CASE("what a round kept of a tree, of which equal siblings are one") {
  Source const pair = verifier_pair(4, 1);
  VerifierGame game(pair.tables, TreeShape::of_levels({2, 1}), false, 1);
  CHECK(game.cells().gamma == 2);
  CHECK(game.cells().drafted() == 4);
  Tokens const drafts{1, 1, 2, 3, 1, 1, 2, 3, 1, 3, 2, 0, 1, 3, 2, 0};  // nodes 1 and 2, and what is below each
  OpenTexts open = game.open({0, 4}, Tokens(4, 0));
  game.add(open, drafts, Tokens{1, 3, 0, 1, 0, -1, 3, 0, 1, 3, 2, 1});
  CHECK(game.accepted() == std::vector<std::uint64_t>{0, 2, 2});
  CHECK(game.strayed() == 1);  // 2 is drafted below 1, not below 3
}

TEST_CASE("siblings of a tree are drawn from q, each for itself or without replacement") {
  Source const pair = verifier_pair(4, 1);
  PairTables const& tables = pair.tables;
  constexpr std::uint64_t rounds = 200'000;
  for (bool const without : {false, true}) {
    VerifierGame const game(tables, TreeShape::of_levels({2, 1}), without, 3);
    Tokens const drafts = game.drafts(game.open({0, rounds}, Tokens(rounds, 2)));
    std::vector<std::uint64_t> counts(16), below(16);
    for (std::size_t i = 0; i < rounds; ++i) {
      ++counts[static_cast<std::size_t>(drafts[4 * i] * 4 + drafts[4 * i + 1])];
      if (drafts[4 * i + 1] == 0) ++below[static_cast<std::size_t>(drafts[4 * i + 3])];
    }
    auto const q = [&](std::uint32_t row, std::uint32_t x) { return static_cast<double>(tables.q(row)[x]) / 256; };
    std::vector<double> law, of_child;
    for (std::uint32_t first = 0; first < 4; ++first)
      for (std::uint32_t second = 0; second < 4; ++second)
        law.push_back(q(2, first) * (!without          ? q(2, second)
                                     : first == second ? 0
                                                       : q(2, second) / (1 - q(2, first))));
    for (std::uint32_t x = 0; x < 4; ++x) of_child.push_back(q(0, x));
    below.resize(4);
    CHECK(g_test(counts, law).p_value > 1e-6);  // seeds are fixed; each has a false alarm of 1e-6
    CHECK(g_test(below, of_child).p_value > 1e-6);
  }
  VerifierGame const all(tables, TreeShape::of_levels({4}), true, 3);  // one of which q excludes
  Tokens drawn = all.drafts(all.open({0, 1}, Tokens{2}));
  CHECK(drawn.back() == 0);
  std::ranges::sort(drawn);
  CHECK(drawn == Tokens{0, 1, 2, 3});
  CHECK(message([&] { VerifierGame(tables, TreeShape::of_levels({5}), true, 3); }) ==
        "a node has 5 children, all different, of 4 tokens take fewer");
}

TEST_CASE("rules of trees are enumerated on a tree, and no rule of chains is") {
  Source const pair = verifier_pair(3, 4);
  for (bool const without : {false, true}) {
    VerifierGame const game(pair.tables, TreeShape::of_levels({2, 1}), without, 3);
    std::set<std::string> names;
    for (KnownRule const& rule : known_rules(pair, game.cells(), true)) {
      names.insert(rule.name);
      CHECK(rule.lossless() == !rule.name.starts_with("faulty/"));
    }
    std::string const end = without ? "-without" : "";
    CHECK(names.contains("recursive" + end));
    CHECK(names.contains("traversal" + end));
    CHECK(names.contains("faulty/without-as-with") == without);
    CHECK_FALSE(names.contains("token"));
    CHECK_FALSE(names.contains("faulty/residual-from-target"));
    auto const ceiling = lossless_ceiling(pair, game.cells());
    REQUIRE(ceiling);
    CHECK(*ceiling >= known_rule("traversal" + end, pair, game.cells()).mean_accepted - 1e-12);
  }
  VerifierGame const large(pair.tables, TreeShape::of_levels({3, 3}), false, 3);
  CHECK_FALSE(lossless_ceiling(pair, large.cells()));
}

TEST_CASE("texts of two rounds of a rule: as they are by hand, and as long ones are by p") {
  Source const pair = verifier_pair(2, 5);
  auto const p = [&](std::uint32_t row, Token x) { return pair.tables.target_probability(row, x); };
  // A round emits token 0 after 0, and 1, 1 after 1.
  VerifierCells const cells{2, 1, 2, 4};
  std::vector<double> emitted(cells.emitted());
  emitted[cells.emitted(0, Tokens{0})] = emitted[cells.emitted(1, Tokens{1, 1})] = .5;
  std::vector<double> const texts = completed_texts(pair.tables, cells, emitted);
  CHECK(texts[cells.text(1, Tokens{1, 1, 1, 1})] == Approx(.5));
  CHECK(texts[cells.text(0, Tokens{0, 0, 1, 0})] == Approx(.5 * p(0, 1) * p(1, 0)));
  CHECK(std::accumulate(texts.begin(), texts.end(), 0.0) == Approx(1));
  for (VerifierCells const& of : {VerifierCells{2, 2, 3, 5}, VerifierCells{2, 2, 4, 3}}) {
    std::vector<double> const target = target_texts(pair.tables, of);
    for (char const* lossless : {"token", "block"}) CHECK(known_rule(lossless, pair, of).tv == 0);
    KnownRule const faulty = known_rule("faulty/residual-from-target", pair, of);
    CHECK(std::accumulate(faulty.texts.begin(), faulty.texts.end(), 0.0) == Approx(1));
    CHECK(faulty.tv >= known_rule("faulty/residual-from-target", pair, of.single()).tv);
  }
}

TEST_CASE("what is no round of a verifier") {
  Source const pair = verifier_pair(4, 1);
  VerifierGame game(pair.tables, 2, 1);
  auto const say = [&](Tokens const& tokens) {
    OpenTexts open = game.open({7, 8});
    return message<InputError>([&] { game.add(open, Tokens{1, 2}, tokens); });
  };
  CHECK(say({-1, -1, -1}) ==
        "round 7, place 0: the verifier returned token -1 (a round emits one token or more) return "
        "the round's tokens, then -1");
  CHECK(say({1, 4, -1}) ==
        "round 7, place 1: the verifier returned token 4 (tokens are 0 to 3) return the round's tokens, "
        "then -1");
  CHECK(say({-2, 1, -1}).starts_with("round 7, place 0: the verifier returned token -2 (tokens are 0 to 3)"));
  CHECK(say({1, -1, 2})
            .starts_with("round 7, place 2: the verifier returned token 2 (it stands after -1, which ends a "
                         "round)"));
  VerifierGame pairs(pair.tables, 2, 1, 2);
  OpenTexts open = pairs.open({7, 8});
  pairs.add(open, Tokens{1, 2}, Tokens{1, -1, -1});
  CHECK(message<InputError>([&] {
          pairs.add(open, Tokens{1, 2}, Tokens{1, 4, -1});
        }).starts_with("round 7 continued, place 1: the verifier returned token 4 (tokens are 0 to 3)"));
  CHECK(message([&] { VerifierGame(pair.tables, 2, 1, 0); }) ==
        "`rounds-per-text` 0 is out of range (a text has 1 round or more)");
  CHECK(message([&] { VerifierGame(pair.tables, 2, 1, 2, 2); }) ==
        "`tokens-per-text` 2 is out of range (a round emits up to 3)");
  CHECK(message([&] { VerifierGame(pair.tables, 2, 1, 2, 11); })
            .starts_with(
                "`gamma` 2 with `vocab` 4 has more than 2^22 outcomes to count (each start with each text of 11 "
                "tokens)"));
  CHECK(message([&] { VerifierGame(pair.tables, 0, 1); }) ==
        "`gamma` 0 is out of range (a round has 1 draft or more)");
  CHECK(message([&] { VerifierGame(pair.tables, 10, 1); }) ==
        "`gamma` 10 with `vocab` 4 has more than 2^22 outcomes to count (each start with each text of 11 tokens) "
        "take fewer "
        "drafts or tokens");
  Source const iid = open_source("dirichlet:vocab=3");
  CHECK(message([&] { VerifierGame(iid.tables, 1, 1); }) ==
        "the distributions are no Markov pair (a row of a wrong context would not be seen) give as many rows as "
        "tokens, the "
        "row of "
        "each being for what follows it");
}

TEST_CASE("known rules emit what enumeration says") {
  Source const pair = verifier_pair(3, 4);
  VerifierCells const cells{3, 2};
  ExactModel const model = exact_model(pair);
  std::vector<std::uint32_t> const starts{0, 1, 2};
  std::vector<KnownRule> const known = known_rules(pair, cells, true);
  std::size_t faulty = 0;
  for (KnownRule const& rule : known) {
    INFO(rule.name);
    Task const task = with_own_drafting({.rule = rule.name, .shape = {.gamma = 2}});
    ExactText const text = exact_text(task, model, starts, 3);
    CHECK(std::accumulate(rule.emitted.begin(), rule.emitted.end(), 0.0) == Approx(1));
    CHECK(std::accumulate(rule.texts.begin(), rule.texts.end(), 0.0) == Approx(1));
    CHECK(rule.mean_accepted == Approx(static_cast<double>(text.round.mean_accepted())));
    if (rule_card(rule.name).reference == Reference::target)
      CHECK(rule.tv == Approx(static_cast<double>(text.distance)).margin(1e-12));
    faulty += rule.name.starts_with("faulty/");
  }
  CHECK(known.front().name == "token");
  CHECK(faulty >= 12);
  CHECK(known_rule("lenient:lenience=1/2", pair, cells).tv > 0);
}
