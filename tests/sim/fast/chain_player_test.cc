#include "sim/fast/chain_player.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <set>

#include "sim/chance/layout.h"
#include "sim/fast/engine.h"
#include "sim/play/trial.h"
#include "tests/one_round_cases.h"
#include "tests/sim/fast/in_lanes.h"

using namespace draftgauge;
using testing::for_lanes;
using testing::in_lanes;

namespace {

/// Compares every target that is to play the simulation with the reference. Returns whether any is.
bool play_as_reference(Simulation const& simulation, Range range) {
  std::optional<Tally> reference;
  for (VectorTarget target : vector_targets()) {
    auto const player = ChainPlayer::make(simulation, target);
    INFO("on " << name_of(target));
    REQUIRE((player != nullptr) == (for_lanes(simulation) && target != VectorTarget::scalar));
    if (!player) continue;
    if (!reference) reference = simulate(simulation, range, serial_backend(), 1).tally;
    REQUIRE(in_lanes(*player, simulation, range) == *reference);
  }
  return reference.has_value();
}

bool with_lanes() { return vector_targets().size() > 1; }

}  // namespace

TEST_CASE("chain player: every target equals the reference, for every rule, distribution and shape that lanes play") {
  std::vector<std::uint32_t> const every_rows = {1, 3, 7}, few_rows = {1, 3};
  std::vector<int> const every_gamma = {1, 2, 3, 4, 5, 8, 17}, few_gammas = {2, 5};
  std::vector<testing::Sized> all;
  for (std::uint32_t vocab : {2u, 3u, 32u, 33u, 64u, 65u, 1000u, 1024u, 1025u})
    all.push_back({vocab, every_rows, every_gamma});
  // With these there are tables of each number of buckets up to 2^17, full ones and others.
  for (std::uint32_t vocab : {5u, 16u, 200u, 512u}) all.push_back({vocab, few_rows, every_gamma});
  // What differs with the length alone is making the tables, which takes most of the time.
  for (std::uint32_t vocab : {4096u, 4097u, 10000u, 32768u, 32769u, 70000u})
    all.push_back({vocab, few_rows, few_gammas});
  std::set<std::string> played;
  std::set<int> bits;
  testing::for_one_round(all, [&](Simulation const& simulation, Range range) {
    if (!play_as_reference(simulation, range)) return;
    played.insert(std::string(simulation.rule().name));
    bits.insert(simulation.plan().tables.table_bits);
  });
  if (!with_lanes()) return;
  for (char const* rule : {"token", "coupled", "greedy", "one-hot"}) CHECK(played.contains(rule));
  CHECK_FALSE(played.contains("block"));
  CHECK_FALSE(played.contains("recursive"));
  CHECK(bits.size() == 17);
  CHECK(*bits.rbegin() == 17);
}

TEST_CASE("chain player: p = q, the largest totals, and distributions apart, with tables in registers too") {
  for (RowPair const& row : testing::edge_rows()) {
    PairTables const tables({row}, Follow::independent);
    for (std::string const rule : {"token", "lenient", "greedy", "coupled"})
      for (int gamma : {1, 5}) {
        INFO(rule << ", total " << row.total << ", γ=" << gamma);
        Simulation const simulation({.rule = rule, .shape = {.gamma = gamma}, .positions = gamma + 1}, tables, 3);
        CHECK(play_as_reference(simulation, {0, 3000}) == with_lanes());
      }
  }
}

TEST_CASE("chain player: a pick that the table's 47 digits leave open") {
  // Lanes know 15 digits of a threshold, a lane that ties 32 more, and then the rule decides. That happens once in 2^47
  // picks, so the law is made for one pick of one trial: q(0) is just what its random digits say, and a rest of 5
  // digits.
  constexpr std::uint64_t seed = 11, trial = 123, half = max_total / 2;
  constexpr int gamma = 5;
  layout::Address const address = layout::Address::of(seed, trial, 0);
  for (std::uint32_t i = 0; i <= gamma; ++i) {  // p = q, so that all are accepted; the last is the bonus token's
    std::uint32_t const slot = i < gamma ? 1 + i : 0;
    layout::TieWords ties = i < gamma ? layout::TieWords(address, layout::draft_pick, i)
                                      : layout::TieWords(address, layout::verifier_pick, 0);
    std::uint32_t const field = address.words(layout::joint, slot / 4).word[slot % 4] >> 16;
    std::uint64_t const digits = std::uint64_t{field & 0x7fff} << 32 | ties.next();
    for (std::uint64_t rest : {0, 16, 31}) {
      // Of two buckets the first has the tokens 0 and 1 where q(0) < 1/2, the second has them where q(1) < 1/2.
      std::uint64_t const weight = digits << 5 | rest, other = max_total - weight;
      REQUIRE(weight < half);
      bool const second = field >> 15;
      RowPair const row{{second ? other : weight, second ? weight : other},
                        {second ? other : weight, second ? weight : other},
                        max_total};
      for (std::size_t rows : {1u, 2u})
        for (std::uint32_t rounds : {1u, 3u}) {
          PairTables const tables(std::vector<RowPair>(rows, row), Follow::independent);
          Simulation const simulation({.shape = {.gamma = gamma}, .rounds_per_trial = rounds, .positions = gamma + 1},
                                      tables, seed);
          Range const range{trial - 100, trial + 100};
          INFO("position " << i << ", rest " << rest << ", " << rows << " rows, " << rounds << " rounds");
          CHECK(play_as_reference(simulation, range) == with_lanes());
        }
    }
  }
}

TEST_CASE("chain player: a pick that a wide table's digits leave open") {
  // Of a wide table lanes know all the 21 digits that a pick has beside its index, and no more: where they are the
  // threshold's, the rule decides. So here are two laws each time, with thresholds that begin with one pick's digits
  // and go on just below and just above it. Lanes have the same tables of both, and the answers are different ones.
  constexpr std::uint64_t seed = 11, trial = 123, share = max_total / 2048;
  constexpr int gamma = 4;
  constexpr Token giver = 5, absent = 3;
  layout::Address const address = layout::Address::of(seed, trial, 0);
  auto const bucket_of = [&](std::uint32_t slot) {
    return address.words(layout::joint, slot / 4).word[slot % 4] >> 21;
  };
  // The bucket of a pick has a token of its own and the giver; the giver fills that of the absent token too.
  auto const law = [&](std::uint32_t slot, layout::TieWords ties, bool own) {
    std::uint32_t const word = address.words(layout::joint, slot / 4).word[slot % 4], bucket = word >> 21;
    REQUIRE((bucket != giver && bucket != absent));
    std::vector<std::uint64_t> weights(2048, share);
    weights[bucket] = (std::uint64_t{word & 0x1fffff} << 21 | ties.next() >> 11) + own;
    weights[absent] = 0;
    weights[giver] += 2 * share - weights[bucket];
    return weights;
  };
  auto const certain = [](Token token) {
    std::vector<std::uint64_t> weights(2048, 0);
    weights[token] = max_total;
    return weights;
  };

  struct Open {
    std::string what, rule;
    int at;          ///< the position of the pick
    bool of_length;  ///< whether the number of accepted drafts hangs on it
    std::vector<RowPair> rows;
  };
  std::vector<Open> all;
  for (std::uint32_t i = 0; i <= gamma; ++i) {  // p = q, so that all are accepted; the last is the bonus token's
    std::vector<RowPair> rows;
    for (bool own : {false, true}) {
      auto const weights = i < gamma ? law(1 + 2 * i, {address, layout::draft_pick, i}, own)
                                     : law(0, {address, layout::verifier_pick, 0}, own);
      rows.push_back({weights, weights, max_total});
    }
    all.push_back({i < gamma ? "draft" : "bonus", "token", static_cast<int>(i), false, rows});
  }
  std::vector<RowPair> drafts, rejections;
  for (bool own : {false, true}) {
    drafts.push_back({certain(bucket_of(1)), law(1, {address, layout::draft_pick, 0}, own), max_total});
    rejections.push_back({law(0, {address, layout::verifier_pick, 0}, own), certain(absent), max_total});
  }
  for (char const* rule : {"token", "coupled"}) {
    all.push_back({"draft of which only one token is accepted", rule, 0, true, drafts});
    all.push_back({"token after a rejection", rule, 0, false, rejections});
  }

  for (Open const& open : all)
    for (std::size_t rows : {1u, 2u})
      for (std::uint32_t rounds : {1u, 3u})
        for (int positions : {0, gamma + 1}) {
          if (positions == 0 && !open.of_length) continue;
          std::vector<Tally> references;
          std::vector<ThresholdTables> both;
          for (RowPair const& row : open.rows) {
            PairTables const tables(std::vector<RowPair>(rows, row), Follow::independent);
            Simulation const simulation(
                {.rule = open.rule, .shape = {.gamma = gamma}, .rounds_per_trial = rounds, .positions = positions},
                tables, seed);
            Range const range{trial - 100, trial + 100};
            references.push_back(simulate(simulation, range, serial_backend(), 1).tally);
            auto const thresholds = threshold_tables(simulation);
            REQUIRE(thresholds);
            REQUIRE(thresholds->wide);
            both.push_back(*thresholds);
            INFO(open.rule << ", " << open.what << ", position " << open.at << ", " << rows << " rows, " << rounds
                           << " rounds, positions " << positions);
            play_as_reference(simulation, range);
          }
          INFO(open.rule << ", " << open.what << ", position " << open.at << ", " << rows << " rows");
          CHECK_FALSE(references[0] == references[1]);
          CHECK(both[0].steps == both[1].steps);
          CHECK(both[0].rejected == both[1].rejected);
          CHECK(both[0].ended == both[1].ended);
        }
}

TEST_CASE("chain player: large vocabularies, long drafts, many trials, and trial numbers at the ends of words") {
  testing::for_long(
      [](Simulation const& simulation, Range range) { CHECK(play_as_reference(simulation, range) == with_lanes()); });
}

TEST_CASE("chain player: drafts that are not sampled") {
  for (char const* rule : {"token", "coupled", "greedy"})
    for (std::uint32_t vocab : {3u, 32u, 1025u}) {
      auto const tables = testing::some_tables(Follow::independent, vocab, vocab == 32 ? 1 : 3);
      for (char const* drafter : {"top", "sample-without", "sample"}) {
        Simulation const simulation({.rule = rule, .drafter = drafter, .shape = {.gamma = 3}, .positions = 4},
                                    *tables, 9);
        INFO(rule << " on " << drafter << ", V=" << vocab);
        CHECK(play_as_reference(simulation, {0, 5000}) == with_lanes());
      }
    }
}

TEST_CASE("chain player: what lanes do not play") {
  auto const tables = testing::some_tables(Follow::independent, 32, 2);
  auto const chain = testing::some_tables(Follow::token, 32, 32);
  auto const plays = [](Task const& task, PairTables const& of) {
    Simulation const simulation(task, of, 1);
    return ChainPlayer::make(simulation, vector_targets().back()) != nullptr;
  };
  CHECK(plays({}, *tables) == with_lanes());
  CHECK(plays({}, *chain) == plays({}, *tables));
  CHECK_FALSE(plays({.rule = "block"}, *chain));
  CHECK_FALSE(plays({.policy = "heuristic"}, *tables));
  CHECK_FALSE(plays({.policy = "stop-below"}, *tables));
  CHECK_FALSE(plays({.rule = "faulty/frozen-noise"}, *tables));
  Simulation const simulation({}, *tables, 1);
  CHECK(ChainPlayer::make(simulation, VectorTarget::scalar) == nullptr);
}

TEST_CASE("threshold tables: thresholds are the rule's own answers") {
  // p = (1, 5, 2)/8, q = (4, 2, 2)/8: accepted with 1/4, 1, 1; k = 2, one bucket stays empty.
  PairTables const tables({{{1, 5, 2}, {4, 2, 2}, 8}}, Follow::independent);
  Simulation const simulation({.positions = 1}, tables, 1);
  auto const thresholds = threshold_tables(simulation);
  REQUIRE(thresholds);
  CHECK(thresholds->bits == 2);
  CHECK_FALSE(thresholds->wide);
  // Buckets hold 8 each of 4·q = (16, 8, 8) and 0: the last is filled by token 0, which is also full itself.
  std::uint16_t const own[] = {16384, 65535, 65535, 16384};
  for (std::size_t bucket = 0; bucket < 4; ++bucket) {
    CAPTURE(bucket);
    CHECK(thresholds->steps[bucket].accept_own == own[bucket]);
    CHECK((thresholds->steps[bucket].draft & 3) == (bucket == 3 ? 0 : bucket));
  }
  CHECK(thresholds->steps[3].draft >> 2 == 0);  // never its own
  CHECK(thresholds->rejected.words.size() == 4);
  CHECK((thresholds->rejected.words[0] & 3) == 1);  // all of (p − q)₊ is on token 1
  Simulation const lengths({}, tables, 1);
  CHECK(threshold_tables(lengths)->rejected.words.empty());
}

TEST_CASE("threshold tables: threads make the one that a single thread makes") {
  auto const same_tables = [](auto const& a, auto const& b) {
    return std::ranges::equal(a, b, [](ExactAnswers::Law const& x, ExactAnswers::Law const& y) {
      return x.table.entries == y.table.entries && x.table.total == y.table.total && x.certain == y.certain;
    });
  };
  for (std::uint32_t vocab : {32u, 2000u}) {
    auto const tables = testing::some_tables(Follow::independent, vocab, 23);
    for (std::string const rule : {"token", "lenient", "coupled"}) {
      Simulation const simulation({.rule = rule, .positions = 2}, *tables, 1);
      auto const one = threshold_tables(simulation, 1, true), four = threshold_tables(simulation, 4, true);
      INFO(rule << ", V=" << vocab);
      REQUIRE((one && four));
      CHECK(one->steps == four->steps);
      CHECK(one->fine == four->fine);
      CHECK(one->rejected == four->rejected);
      CHECK(one->ended == four->ended);
      CHECK(one->exact->flips == four->exact->flips);
      CHECK(same_tables(one->exact->drafts, four->exact->drafts));
      CHECK(same_tables(one->exact->rejected, four->exact->rejected));
      CHECK(same_tables(one->exact->ended, four->exact->ended));
    }
  }
  auto const tables = testing::some_tables(Follow::independent, 32, 23);
  Simulation const block({.rule = "block"}, *tables, 1);
  CHECK_FALSE(threshold_tables(block, 4));
}
