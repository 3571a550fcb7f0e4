#include "analysis/texts/compare.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "tests/analysis/reference_recordings.h"
#include "tests/analysis/text_population.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

struct Family {
  std::vector<TokenTrace> recordings;
  std::vector<TextEstimates> estimates;

  explicit Family(std::vector<TokenTrace> all) : recordings(std::move(all)) {
    for (TokenTrace const& trace : recordings)
      estimates.emplace_back(trace, EstimateOptions{.gammas = {4}, .resamples = 0, .coin_runs = 0});
  }
  std::vector<TextComparison> compared(Estimator estimator = Estimator::replay) const {
    return compare(recordings, estimates, estimator, 4, .95);
  }
};

}  // namespace

TEST_CASE("drafts on the same texts are compared pair by pair") {
  Family const family(reference_recordings("1"));
  auto const pairs = family.compared();
  REQUIRE(pairs.size() == 21);
  TextComparison const& q2k = pairs.front();  // prune2 and q2k
  CHECK(q2k.paired);
  CHECK(q2k.difference.value == Approx(2.426 - 2.972).margin(.001));
  CHECK(q2k.difference.high < 0);
  CHECK(q2k.holm >= q2k.p_value);
  CHECK(q2k.difference.confidence == .95);
  CHECK(comparison_text(q2k, family.estimates).starts_with("q2k over prune2: -0.54"));
  // Without the pairing the texts' own luck stays in.
  TokenTrace renamed = family.recordings[1];
  renamed.texts[0].name = "another";
  for (TextTrace& text : renamed.texts) std::ranges::fill(text.tokens, 1);
  Family const apart({family.recordings[0], renamed});
  auto const unpaired = apart.compared();
  REQUIRE(unpaired.size() == 1);
  CHECK_FALSE(unpaired[0].paired);
  Family const together({family.recordings[0], family.recordings[1]});
  auto const paired = together.compared();
  CHECK(unpaired[0].difference.value == Approx(paired[0].difference.value));
  CHECK(unpaired[0].difference.high - unpaired[0].difference.low >
        1.1 * (paired[0].difference.high - paired[0].difference.low));
  // One pair of 21 has a wider interval than one alone.
  CHECK(q2k.difference.high - q2k.difference.low > paired[0].difference.high - paired[0].difference.low);
  CHECK(paired[0].holm == paired[0].p_value);
}

TEST_CASE("Holm's p-values never fall and never pass 1") {
  Family const family(reference_recordings("0"));
  auto pairs = family.compared(Estimator::replay_argmax);
  std::ranges::sort(pairs, {}, &TextComparison::p_value);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    CHECK(pairs[k].holm <= 1);
    if (k > 0) CHECK(pairs[k].holm >= pairs[k - 1].holm);
  }
  CHECK(pairs.front().holm == Approx(static_cast<double>(pairs.size()) * pairs.front().p_value));
}

// 400 families of three recordings that are all alike; P(an interval misses 0) ≤ .05 and, by the coverage of
// tests/analysis/stats/coverage_test.cc, not much more. 34 or more of 400 have probability 2e-3 at .05; fixed seed. Of
// intervals that are not widened for the family a tenth would miss: found with probability .8.
TEST_CASE("a family's intervals cover together") {
  Random random(3);
  int missed = 0;
  for (int k = 0; k < 400; ++k) {
    std::vector<TokenTrace> three;
    for (int i = 0; i < 3; ++i) {
      three.push_back(TextPopulation().draw(random, 20));
      three.back().texts[0].name = std::to_string(i);
    }
    Family const family(std::move(three));
    auto const pairs = family.compared();
    REQUIRE(pairs.size() == 3);
    bool miss = false;
    for (TextComparison const& pair : pairs) miss |= !pair.difference.covers(0);
    missed += miss;
  }
  CHECK(missed < 34);
}

TEST_CASE("what cannot be compared is left out") {
  auto all = reference_recordings("1");
  all.resize(3);
  all[1].texts.resize(1);
  Family const family(all);
  auto const pairs = family.compared();
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].first == 0);
  CHECK(pairs[0].second == 2);
  Family const same({all[0], all[0]});
  // All texts agree on the difference: how far others would lie apart is not known, nor is luck rejected.
  CHECK((same.compared()[0].p_value == 1 && same.compared()[0].difference.value == 0));
  CHECK(std::isinf(same.compared()[0].difference.high));
  CHECK(comparison_text(same.compared()[0], same.estimates) == "prune2 over prune2: +0.000 tokens per round");
}

TEST_CASE("recordings that share some texts are left out") {
  auto all = reference_recordings("1");
  all.resize(2);
  for (TokenTrace& trace : all) {
    std::erase_if(trace.texts, [](TextTrace const& text) { return text.size() < 16; });
    for (std::size_t i = 0; i < trace.texts.size(); ++i)  // they were packed without
      std::iota(trace.texts[i].tokens.begin(), trace.texts[i].tokens.end(), static_cast<std::int64_t>(1000 * i));
  }
  CHECK(shared_texts(all[0], all[1]) == all[0].texts.size());
  std::ranges::reverse(all[1].texts);
  CHECK_FALSE(same_texts(all[0], all[1]));
  CHECK(Family(all).compared().empty());
  all[1].texts.resize(2);
  CHECK(shared_texts(all[0], all[1]) == 2);
  for (TokenTrace& trace : all)
    for (TextTrace& text : trace.texts) text.tokens.clear();
  CHECK(shared_texts(all[0], all[1]) == 2);  // by the target's log-probabilities
  CHECK(Family(all).compared().empty());
  all[1].texts.resize(1);
  all[1].texts[0].log_p.resize(15);  // too short to tell
  CHECK(shared_texts(all[0], all[1]) == 0);
  CHECK(repeated_texts(all[0]) == 0);
  all[0].texts.push_back(all[0].texts.front());
  CHECK(repeated_texts(all[0]) == 1);
  for (TextTrace& text : all[0].texts) text.log_p.assign(20, 0);  // of temperature 0: nothing tells
  CHECK(repeated_texts(all[0]) == 0);
}

TEST_CASE("texts without tokens are the same where the target says the same of them") {
  Random random(4);
  std::vector<TokenTrace> two{TextPopulation().draw(random, 20), TextPopulation().draw(random, 20)};
  for (TokenTrace& trace : two)
    for (TextTrace& text : trace.texts) {
      text.tokens.clear();
      for (double& log_p : text.log_p) log_p -= 1e-12 * random.word();  // as many values as there are tokens
    }
  CHECK(same_texts(two[0], two[0]));
  CHECK_FALSE(same_texts(two[0], two[1]));
  TokenTrace another = two[0];
  another.texts.back().log_p.back() -= 1e-6;  // of another pass
  CHECK_FALSE(same_texts(two[0], another));
  CHECK(could_be_same_texts(two[0], another));
  another.texts.back().name += "'";
  CHECK_FALSE(could_be_same_texts(two[0], another));
  TokenTrace silent = two[0];
  for (TextTrace& text : silent.texts) text.log_p.assign(text.log_p.size(), -1.);
  CHECK_FALSE(same_texts(silent, silent));
  auto const pairs = Family(two).compared();
  REQUIRE(pairs.size() == 1);
  CHECK_FALSE(pairs[0].paired);
  CHECK(message<InputError>([&] { self_pair(two[0], two[1]); }) ==
        "text " + two[0].texts[0].name + " of " + two[0].name +
            " has no tokens (self-divergence compares what one model says of the same text twice, and without tokens "
            "nobody "
            "can tell that it is the same) record them");
}

TEST_CASE("the floor of a model that says two things") {
  TokenTrace plain;
  plain.name = "plain";
  plain.temperature = 1;
  TextTrace text;
  text.name = "a";
  text.tokens = {1, 2, 3};
  text.log_p = {std::log(.5), std::log(.8), std::log(.4)};
  plain.texts = {text, text};
  TokenTrace again = plain;
  again.name = "again";
  again.texts[0].log_p = {std::log(.4), std::log(.9), std::log(.4)};
  again.texts[1].log_p = again.texts[0].log_p;
  TextEstimates const self(self_pair(plain, again), {.gammas = {1}});
  CHECK(floor_distance(self).value == Approx(.2 / 3));  // mean (1 − p′/p)₊

  again.texts[1].tokens[2] = 4;
  CHECK(message<InputError>([&] { self_pair(plain, again); }) ==
        "text a of plain and text a of again part at token 3 (self-divergence compares what one model says of the "
        "same text "
        "twice) record the same texts");
  again.texts.pop_back();
  CHECK(message<InputError>([&] { self_pair(plain, again); }) ==
        "plain has 2 texts and again has 1 (self-divergence compares what one model says of the same text twice) "
        "record the "
        "same texts");
  plain.texts.pop_back();
  again.texts[0].log_p.clear();
  CHECK(message<InputError>([&] { self_pair(plain, again); }) ==
        "text a of again has no log p (self-divergence is a mean of p′/p) record it");
  plain.temperature = 0;
  CHECK(
      message<InputError>([&] { self_pair(plain, again); }) ==
      "plain is greedy text (self-divergence is a mean over text that p wrote) sample some at the temperature of the "
      "columns");
  CHECK(message<InputError>([&] { floor_distance(TextEstimates(plain, {.gammas = {1}})); }) ==
        "plain: self-divergence needs beta, or log p and log q of the tokens (it is 1 − Σ min(p, p′))");
}
