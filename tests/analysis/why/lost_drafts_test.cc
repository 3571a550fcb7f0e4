#include "analysis/why/lost_drafts.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "analysis/replay/replay.h"

namespace draftgauge {
namespace {

std::vector<double> const first = {.9, .2, .7, 1, .5, .6, 0, .8}, second = {.3, .4, .5};

TokenTrace texts_of(std::vector<std::vector<double>> const& keep) {
  TokenTrace trace;
  trace.temperature = 1;
  for (std::vector<double> const& text : keep) {
    TextTrace one{.name = trace.texts.empty() ? "code/1" : "prose/1"};
    for (double const a : text) {
      one.log_p.push_back(std::log(.5));
      one.log_q.push_back(a > 0 ? std::log(.5 * a) : -HUGE_VAL);
      one.pieces.push_back(a > .5 ? " word" : ",");
    }
    trace.texts.push_back(std::move(one));
  }
  return trace;
}

/// Every way in which the drafts at the text's tokens can be kept, with its probability: no recursion, no expectation.
struct Counted {
  double rounds = 0, tested = 0, lost = 0;
  std::map<std::size_t, double> tested_at, lost_at;  ///< by position in the draft
};
Counted by_enumeration(std::vector<double> const& keep, std::size_t gamma, bool bonus) {
  Counted all;
  for (unsigned world = 0; world < 1U << keep.size(); ++world) {
    double chance = 1;
    for (std::size_t t = 0; t < keep.size(); ++t) chance *= world & 1U << t ? keep[t] : 1 - keep[t];
    for (std::size_t t = 0; t < keep.size();) {
      all.rounds += chance;
      std::size_t i = 0;
      for (; i < gamma && t + i < keep.size(); ++i) {
        all.tested_at[i] += chance;
        all.tested += chance;
        if (world & 1U << (t + i)) continue;
        double const lost = static_cast<double>(gamma + (bonus ? 1 : 0) - (i + 1));
        all.lost_at[i] += chance * lost;
        all.lost += chance * lost;
        break;
      }
      t += i + (i < gamma || bonus ? 1 : 0);
    }
  }
  return all;
}

LostBy const& by(LostDrafts const& found, std::string_view name) {
  for (LostBy const& each : found.by)
    if (each.name == name) return each;
  FAIL("no " << name);
  throw;
}

}  // namespace

TEST_CASE("lost drafts: the same as counting in every world") {
  for (int const gamma : {1, 2, 3, 5})
    for (bool const bonus : {true, false}) {
      if (gamma == 1 && !bonus) continue;  // a rejection costs nothing then
      CAPTURE(gamma, bonus);
      std::vector<std::vector<double>> const keep = {first};
      Counted const expected = by_enumeration(first, static_cast<std::size_t>(gamma), bonus);
      LostDrafts const found = lost_drafts(texts_of(keep), keep, {gamma, 1, bonus}, .95);
      CHECK(found.rounds == Approx(expected.rounds));
      CHECK(found.rounds == Approx(token_rounds(first, {gamma, 1, bonus}).mean.front()));
      CHECK(found.tested == Approx(expected.tested));
      CHECK(found.lost == Approx(expected.lost));
      if (gamma == 1) continue;
      auto const& groups = by(found, "draft_position").groups;
      REQUIRE(groups.size() == static_cast<std::size_t>(gamma));
      for (std::size_t i = 0; i < groups.size(); ++i) {
        CHECK(groups[i].tested == Approx(expected.tested_at.at(i)));
        CHECK(groups[i].share.value == Approx(expected.lost_at.at(i) / expected.lost));
        CHECK_FALSE(groups[i].acceptance.interval);  // one text
      }
    }
}

TEST_CASE("lost drafts: each way to tell them apart splits the same loss") {
  std::vector<std::vector<double>> const keep = {first, second, first};
  TokenTrace trace = texts_of(keep);
  trace.texts[2].name = "code/2";
  LostDrafts const found = lost_drafts(trace, keep, {3, 1, true}, .95);
  std::vector<std::string_view> names;
  for (LostBy const& each : found.by) {
    names.push_back(each.name);
    double loss = 0, tested = 0;
    for (LostGroup const& group : each.groups) {
      loss += group.share.value;
      tested += group.tested;
    }
    CHECK(loss == Approx(1));
    CHECK(tested == Approx(found.tested));
  }
  CHECK(names == std::vector<std::string_view>{"draft_position", "token_kind", "domain", "text"});
  auto const& domains = by(found, "domain").groups;
  REQUIRE(domains.size() == 2);
  CHECK((domains[0].name == "code" && domains[1].name == "prose"));
  CHECK(by(found, "token_kind").groups[0].name == "start of a word");
  CHECK_FALSE(domains[1].acceptance.interval);  // in one text
  CHECK(by(found, "draft_position").groups[0].acceptance.interval);
}

TEST_CASE("lost drafts: of many texts each is a group, and costs what it holds") {
  // Numbers of every text for each would be 40 GB.
  std::size_t const n = 40'000;
  std::vector<std::vector<double>> keep(n, std::vector<double>{.5, .25});
  TokenTrace trace = texts_of(keep);
  for (std::size_t i = 0; i < n; ++i) trace.texts[i].name = std::to_string(i) + "/of its own";
  LostDrafts const found = lost_drafts(trace, keep, {2, 1, true}, .95);
  auto const& texts = by(found, "text").groups;
  REQUIRE(texts.size() == n);
  // .5 of the rounds reject the first draft and lose 2 tokens, as do those that begin at the second token: .75 of .5.
  // Of the others .375 reject the second and lose 1.
  CHECK(texts[7].tested == Approx(2));
  CHECK(texts[7].acceptance.value == Approx((.5 + .25) / 2));
  CHECK(texts[7].share.value == Approx(1. / n));
  CHECK_FALSE(texts[7].acceptance.interval);
  for (LostBy const& each : found.by) CHECK(each.name != "domain");  // names of texts, each of its own
}

TEST_CASE("lost drafts: of an engine's counts") {
  EngineCounters counters{.file = "test"};
  counters.sums.histograms = {{2, {10, 5, 20}}, {1, {4, 6}}};
  complete(counters.sums);
  LostDrafts const found = lost_drafts(counters, .95).value();
  CHECK((found.rounds == 45 && found.tested == 45 + 25 && found.rejected == 19));
  CHECK(found.lost == 10 * 2 + 4 * 1 + 5 * 1);
  auto const& groups = found.by.front().groups;
  CHECK(groups[0].acceptance.value == Approx(31. / 45));
  CHECK(groups[1].acceptance.value == Approx(20. / 25));
  CHECK(groups[0].share.value == Approx(24. / 29));
  CHECK_FALSE(lost_drafts(EngineCounters{.sums = {.rounds = 9, .drafted = 18, .accepted = 9}}, .95));
}

TEST_CASE("lost drafts: positions that no round reached have no part") {
  // γ = 4, and the second draft was never accepted: the third and fourth were not tested.
  EngineCounters counters;
  counters.sums = {.rounds = 8, .drafted = 32, .accepted = 3, .histograms = {{4, {5, 3, 0, 0, 0}}}};
  complete(counters.sums);
  LostDrafts const found = lost_drafts(counters, .95).value();
  CHECK(found.lost == Approx(5 * 4 + 3 * 3));
  REQUIRE(found.by.front().groups.size() == 2);
  CHECK(found.by.front().groups[1].share.value == Approx(9. / 29));
}

TEST_CASE("lost drafts: kinds of tokens, as tokenizers write them") {
  for (std::string_view const piece : {" the", "\u0120the", "\u2581the", "  the"})
    CHECK(token_kind(piece) == "start of a word");
  for (std::string_view const piece : {"ing", "'s", "é"}) CHECK(token_kind(piece) == "rest of a word");
  for (std::string_view const piece : {"7", " 2024"}) CHECK(token_kind(piece) == "digits");
  for (std::string_view const piece : {",", " (", "));"}) CHECK(token_kind(piece) == "punctuation");
  for (std::string_view const piece : {"\n", "\u010A", "  ", "", "\t\n"})
    CHECK(token_kind(piece) == "line break or blank");
  for (std::string_view const piece : {"_x", "3D"}) CHECK(token_kind(piece) == "other");
}

}  // namespace draftgauge
