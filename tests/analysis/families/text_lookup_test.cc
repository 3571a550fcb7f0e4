#include "analysis/families/text_lookup.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "tests/message.h"

namespace draftgauge {
namespace {

using testing::message;
using Text = std::vector<std::int64_t>;

Text random_text(std::mt19937& random, int length, int vocab) {
  Text text;
  for (int i = 0; i < length; ++i) text.push_back(static_cast<int>(random() % static_cast<unsigned>(vocab)));
  return text;
}

bool same_at(Text const& a, std::size_t i, Text const& b, std::size_t j, std::size_t n) {
  return i + n <= a.size() && j + n <= b.size() && std::equal(a.begin() + i, a.begin() + i + n, b.begin() + j);
}

/// The published loop: sizes from the longest down, all windows in order, the first that has all drafts after it.
Text looked_up(Text const& ids, std::size_t longest, std::size_t drafts) {
  for (std::size_t n = longest; n > 0; --n)
    for (std::size_t i = 0; n <= ids.size() && i + n <= ids.size(); ++i)
      if (same_at(ids, i, ids, ids.size() - n, n) && i + n + drafts <= ids.size() && i + n < ids.size() - n)
        return Text(ids.begin() + static_cast<int>(i + n), ids.begin() + static_cast<int>(i + n + drafts));
  return {};
}

/// transformers' loop: sizes from the longest down that leave a token before the suffix, the first window with a token
/// after it. vLLM's example: of 1 2 3 4 2 3 with n = 2 and four drafts it drafts 4 2 3.
Text looked_up_to_the_end(Text const& ids, std::size_t longest, std::size_t drafts) {
  for (std::size_t n = std::min(longest, ids.empty() ? 0 : ids.size() - 1); n > 0; --n)
    for (std::size_t start = n; start < ids.size(); ++start)
      if (same_at(ids, start - n, ids, ids.size() - n, n))
        return Text(ids.begin() + static_cast<int>(start),
                    ids.begin() + static_cast<int>(std::min(ids.size(), start + drafts)));
  return {};
}

/// Prefixes with how often each follows, of the first suffix that is anywhere; kept by the same order.
std::vector<Text> retrieved(Text const& ids, std::vector<Text> const& store, std::size_t but, Retrieval const& o) {
  for (auto n = static_cast<std::size_t>(o.longest); n >= static_cast<std::size_t>(o.shortest); --n) {
    if (n > ids.size()) continue;
    std::map<Text, int> counts;
    for (std::size_t text = 0; text < store.size(); ++text)
      for (std::size_t i = 0; text != but && i + n <= store[text].size(); ++i) {
        if (!same_at(ids, ids.size() - n, store[text], i, n)) continue;
        Text path;
        for (std::size_t j = i + n; j < store[text].size() && path.size() < static_cast<std::size_t>(o.drafts); ++j) {
          path.push_back(store[text][j]);
          ++counts[path];
        }
      }
    if (counts.empty()) continue;
    std::vector<std::pair<Text, int>> order(counts.begin(), counts.end());
    std::ranges::stable_sort(order, [](auto const& a, auto const& b) {
      return a.second != b.second ? a.second > b.second : a.first.size() < b.first.size();
    });
    std::vector<Text> kept;
    for (std::size_t i = 0; i < std::min(o.prefixes, order.size()); ++i) kept.push_back(order[i].first);
    return kept;
  }
  return {};
}

/// R(0) by the recursion from the end, and the rounds that the drafts at each token make.
void check_rounds(std::vector<LookupRound> const& rounds, Text const& text, auto const& drafts_at) {
  std::vector<std::size_t> left(text.size() + 1), accepted(text.size()), drafts(text.size());
  for (std::size_t t = text.size(); t-- > 0;) {
    auto const [count, m] = drafts_at(Text(text.begin(), text.begin() + static_cast<int>(t)), t);
    accepted[t] = m;
    drafts[t] = count;
    left[t] = 1 + left[std::min(text.size(), t + m + 1)];
  }
  REQUIRE(rounds.size() == left[0]);
  for (LookupRound const& round : rounds) {
    CAPTURE(round.start);
    CHECK(round.accepted == accepted[round.start]);
    CHECK(round.drafts == drafts[round.start]);
  }
}

TEST_CASE("prompt lookup: a text by hand") {
  Text const text{1, 2, 3, 7, 1, 2, 3, 7, 1, 9};
  auto const rounds = prompt_lookup(text, {.longest = 3, .drafts = 2});
  std::vector<std::size_t> starts;
  for (LookupRound const& round : rounds) starts.push_back(round.start);
  // Before token 5 stand 1 2 3 7 1, of which the longest suffix seen before is 1: 2 and 3 follow it, and are
  // accepted. Before token 8 the suffix 2 3 7 was at 1, and 1 and 2 follow it: 1 is accepted.
  CHECK(starts == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 8});
  CHECK(rounds[5].accepted == 2);
  CHECK(rounds[6].accepted == 1);
  CHECK(rounds[6].drafts == 2);
  CHECK(rounds[0].drafts == 0);
  CHECK(prompt_lookup({}, {}).empty());
}

TEST_CASE("prompt lookup: what there is of a look-up that runs into the text's end, by hand") {
  Text const text{5, 6, 5, 6, 5, 6, 5, 1};
  auto const part = prompt_lookup(text, {.longest = 3, .drafts = 4, .whole = false});
  // Before token 3 stand 5 6 5: 5 was first at 0, and 6 5 followed it up to the end. Both are accepted, and a third
  // token comes with them. Before token 6 the suffix 6 5 6 was at 1, and 5 6 followed: 5 is accepted.
  REQUIRE(part.size() == 5);
  CHECK((part[3].start == 3 && part[3].drafts == 2 && part[3].accepted == 2));
  CHECK((part[4].start == 6 && part[4].drafts == 2 && part[4].accepted == 1));
  // As published four tokens must follow: only before token 5, where 6 5 6 5 followed the first 5.
  auto const whole = prompt_lookup(text, {.longest = 3, .drafts = 4});
  REQUIRE(whole.size() == 6);
  CHECK((whole[5].start == 5 && whole[5].drafts == 4 && whole[5].accepted == 2));
}

TEST_CASE("prompt lookup: the same as the published loops on random texts") {
  std::mt19937 random(1);
  std::size_t found = 0;
  for (int run = 0; run < 600; ++run) {
    Text const text = random_text(random, 60, 2 + run % 4);
    PromptLookup const options{.longest = 1 + run % 4, .drafts = 1 + run % 5, .whole = run < 300};
    auto const rounds = prompt_lookup(text, options);
    check_rounds(rounds, text, [&](Text const& before, std::size_t t) {
      auto const published = options.whole ? looked_up : looked_up_to_the_end;
      Text const draft =
          published(before, static_cast<std::size_t>(options.longest), static_cast<std::size_t>(options.drafts));
      std::size_t m = 0;
      while (m < draft.size() && t + m < text.size() && draft[m] == text[t + m]) ++m;
      return std::pair(draft.size(), m);
    });
    found +=
        static_cast<std::size_t>(std::ranges::count_if(rounds, [](auto const& each) { return each.accepted > 1; }));
  }
  CHECK(looked_up_to_the_end({1, 2, 3, 4, 2, 3}, 2, 4) == Text{4, 2, 3});
  CHECK(found > 1000);
}

TEST_CASE("retrieval: a text by hand, with itself left out") {
  std::vector<Text> const texts{{1, 2, 3, 4, 5}, {9, 1, 2, 3, 8}, {1, 2, 6}};
  Datastore const store(texts, 3);
  CHECK(store.tokens() == 13);
  Retrieval const options{.longest = 3, .shortest = 2, .drafts = 2, .prefixes = 2};
  // After 1 2 the others go on with 3 8 and 6: of 3, 3 8 and 6 the two that are kept are 3 and 6, as short as they are.
  auto const rounds = store.rounds(texts[0], options, 0);
  REQUIRE(rounds.size() == 4);
  CHECK(rounds[2].start == 2);
  CHECK(rounds[2].drafts == 2);
  CHECK(rounds[2].accepted == 1);
  // Not left out, the text finds itself: 3 is there twice, and 3 4 before 3 8.
  CHECK(store.rounds(texts[0], options)[2].accepted == 1);
  CHECK(store.rounds(texts[0], {.longest = 3, .shortest = 2, .drafts = 2, .prefixes = 4})[2].accepted == 2);
}

TEST_CASE("retrieval: the same as a search of all places on random texts") {
  std::mt19937 random(2);
  std::size_t found = 0;
  for (int run = 0; run < 100; ++run) {
    std::vector<Text> texts;
    for (int i = 0; i < 4; ++i) texts.push_back(random_text(random, 40 + i, 2 + run % 3));
    Retrieval options{.longest = 2 + run % 6, .shortest = 1 + run % 2, .drafts = 1 + run % 5};
    // All prefixes, as ties are broken by the order in which they are met, which the search below does not follow.
    options.prefixes = run % 2 == 0 ? 1000 : 1;
    if (options.prefixes == 1) options.drafts = 1;
    Datastore const store(texts, options.longest);
    auto const rounds = store.rounds(texts[1], options, 1);
    if (options.prefixes == 1) {
      for (LookupRound const& round : rounds) CHECK(round.drafts <= 1);
      continue;
    }
    check_rounds(rounds, texts[1], [&](Text const& before, std::size_t t) {
      auto const kept = retrieved(before, texts, 1, options);
      std::size_t m = 0;
      for (Text const& path : kept)
        if (same_at(path, 0, texts[1], t, path.size())) m = std::max(m, path.size());
      return std::pair(kept.size(), m);
    });
    found +=
        static_cast<std::size_t>(std::ranges::count_if(rounds, [](auto const& each) { return each.accepted > 1; }));
  }
  CHECK(found > 200);
}

TEST_CASE("retrieval: of many matches some are looked at, evenly spaced") {
  Text text;
  for (int i = 0; i < 100; ++i) text.insert(text.end(), {1, i < 50 ? 2 : 3});
  Datastore const store({text}, 1);
  Retrieval const options{.longest = 1, .shortest = 1, .drafts = 1, .matches = 2, .prefixes = 64};
  // Two of a hundred: one that goes on with 2, one with 3.
  CHECK(store.rounds(std::vector<std::int64_t>{1, 3}, options)[1].drafts == 2);
  CHECK(store.rounds(std::vector<std::int64_t>{1, 3}, options)[1].accepted == 1);
}

TEST_CASE("look-up: tokens per round and speed-up over texts") {
  std::vector<std::vector<LookupRound>> const rounds{{{0, 0, 0}, {1, 4, 2}}, {{0, 0, 0}, {1, 4, 0}, {2, 4, 3}}};
  auto const sample = std::make_shared<TextSample const>(std::vector<double>{4, 6}, 0, 1);
  CHECK(lookup_tokens(rounds, sample).value == Approx(2));
  // v(1) = 1 twice, v(5) = 2 three times, and .1 a round.
  Costs const costs{.verify = {{1, 1.}, {5, 2.}}, .overhead = .1};
  CHECK(lookup_speedup(rounds, sample, costs).value == Approx(10 / 8.5));
}

TEST_CASE("look-up: options outside their domain") {
  Text const text{1, 2};
  CHECK(message([&] { prompt_lookup(text, {.longest = 0}); }) == "the longest suffix is 0 (1 or more)");
  CHECK(message([&] { prompt_lookup(text, {.drafts = 0}); }) == "the number of drafts is 0 (1 or more)");
  Datastore const store({text}, 4);
  CHECK(message([&] { store.rounds(text, {.longest = 5}); }) == "the longest suffix of the store is 4 (5 or more)");
  CHECK(message([&] { store.rounds(text, {.longest = 1, .shortest = 2}); }) == "the longest suffix is 1 (2 or more)");
}

/// As Lookahead's pool: a list a key, the run met last at its end, each once.
std::pair<std::size_t, std::size_t> pooled(Text const& ids, std::size_t t, std::size_t drafts, std::size_t guesses) {
  std::vector<Text> runs;
  for (std::size_t i = 0; i + 1 + drafts <= t; ++i) {
    if (ids[i] != ids[t - 1]) continue;
    Text const run(ids.begin() + static_cast<int>(i + 1), ids.begin() + static_cast<int>(i + 1 + drafts));
    std::erase(runs, run);
    runs.push_back(run);
    if (runs.size() > guesses) runs.erase(runs.begin());
  }
  std::size_t accepted = 0;
  for (Text const& run : runs) {
    std::size_t n = 0;
    while (n < drafts && t + n < ids.size() && ids[t + n] == run[n]) ++n;
    accepted = std::max(accepted, n);
  }
  return {runs.size() * drafts, accepted};
}

TEST_CASE("pool of n-grams: rounds are those of a list for each key") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    Text const text = random_text(random, 40, 2 + trial % 3);
    TokenPool const options{1 + trial % 4, 1 + trial % 5};
    std::size_t t = 0;
    for (LookupRound const& round : pooled_lookup(text, options)) {
      REQUIRE(round.start == t);
      auto const [drafts, accepted] = t == 0 ? std::pair<std::size_t, std::size_t>(0, 0)
                                             : pooled(text, t, static_cast<std::size_t>(options.drafts),
                                                      static_cast<std::size_t>(options.guesses));
      REQUIRE(round.drafts == drafts);
      REQUIRE(round.accepted == accepted);
      t += accepted + 1;
    }
    REQUIRE(t >= text.size());
  }
}

TEST_CASE("pool of n-grams: a text by hand, and what is no pool") {
  // Before token 5 the pool of 1 has (2, 3), and of 2 (3, 1): of the last token 1 two drafts, both accepted.
  auto const rounds = pooled_lookup(Text{1, 2, 3, 1, 2, 3, 1}, {2, 7});
  REQUIRE(rounds.size() == 5);
  CHECK(rounds[4].start == 4);
  CHECK(rounds[4].drafts == 2);
  CHECK(rounds[4].accepted == 2);
  CHECK(pooled_lookup(Text{}, {2, 7}).empty());
  CHECK(message([] { pooled_lookup(Text{1, 2}, {0, 1}); }) == "the number of drafts is 0 (1 or more)");
  CHECK(message([] { pooled_lookup(Text{1, 2}, {1, 0}); }) == "the number of guesses is 0 (1 or more)");
}

}  // namespace
}  // namespace draftgauge
