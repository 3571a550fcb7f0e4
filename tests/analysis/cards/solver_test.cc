#include <catch2/catch.hpp>

#include "analysis/cards/solver.h"

using namespace draftgauge;
using enum PrintedQuantity;

namespace {

PrintedRecord printed(std::map<PrintedQuantity, PrintedNumber> numbers) { return {.numbers = std::move(numbers)}; }

}  // namespace

TEST_CASE("counts follow from other counts") {
  Solution const all = solve(printed({{emitted, {412}}, {accepted, {236}}, {rejected, {304}}, {requests, {1}}}),
                             {.first_token = FirstToken::prompt});
  CHECK(all.exact(drafted) == 540);
  CHECK(all.exact(rounds) == 175);  // 412 − 236 − 1
  CHECK(all.about(tokens_per_round).value() == Approx(1 + 236. / 175));
  CHECK_FALSE(all.broken);
  CHECK(solve(printed({{emitted, {412}}, {accepted, {236}}}), {.first_token = FirstToken::round}).exact(rounds) == 176);
  CHECK_FALSE(solve(printed({{emitted, {412}}, {accepted, {236}}}), {}).exact(rounds));  // who gave the first is unknown
}

TEST_CASE("steps without a draft and passes of prompts are no rounds") {
  PrintMeaning const meaning{.first_token = FirstToken::round};
  Solution const parked = solve(printed({{passes, {554}}, {plain_steps, {22}}, {accepted, {652}}}), meaning);
  CHECK(parked.exact(rounds) == 532);
  CHECK(parked.exact(emitted) == 652 + 554);
  Solution const prompts = solve(printed({{passes, {2247}}, {requests, {37}}, {accepted, {2197}}}),
                                 {.first_token = FirstToken::prompt});
  CHECK(prompts.exact(rounds) == 2210);
}

TEST_CASE("a number that is printed to few digits leaves a range") {
  // 5991 accepted at a mean of 2.92, that is 2.9149 to 2.9251: 5991/1.9251 to 5991/1.9149 rounds.
  Solution const all = solve(printed({{accepted, {5991}}, {tokens_per_round, {2.92, .005}}}), {});
  CHECK_FALSE(all.exact(rounds));
  CHECK(all.ranges.at(rounds).least == 3113);
  CHECK(all.ranges.at(rounds).most == 3128);
  CHECK(all.about(rounds) == 3120.5);
  // Two such numbers leave less than each by itself.
  Solution const both = solve(
      printed({{accepted, {13}}, {tokens_per_round, {2.3, .05}}, {emitted, {23}}}), {.first_token = FirstToken::round});
  CHECK(both.exact(rounds) == 10);
}

TEST_CASE("shares by position are those of all rounds, or of the rounds before them") {
  PrintedRecord record = printed({{accepted, {213}}});
  record.lists[conditional] = {{.8, .0005}, {.75, .0005}, {.7, .0005}};
  Solution const all = solve(record, {});  // .8 + .6 + .42 = 1.82 a round
  CHECK(all.cumulative.at(2).least < .42);
  CHECK(all.cumulative.at(2).most > .42);
  CHECK(all.exact(rounds) == 117);
  CHECK(all.positions(117, 213) == std::vector<std::int64_t>{94, 70, 49});
}

TEST_CASE("counts by position add up to what was accepted, as far as their digits allow it") {
  PrintedRecord record = printed({{rounds, {38214}}, {accepted, {62013}}});
  record.positions_are_shares = true;
  record.lists[by_position] = {{.7173, .00005}, {.5228, .00005}, {.3826, .00005}};
  auto const counts = solve(record, {}).positions(38214, 62013);
  CHECK(counts[0] + counts[1] + counts[2] == 62013);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(std::abs(static_cast<double>(counts[i]) / 38214 - record.lists[by_position][i].value) < .00005);
  CHECK(solve(record, {}).positions(38214, std::nullopt) == std::vector<std::int64_t>{27411, 19978, 14621});
}

TEST_CASE("printed numbers that contradict each other are named with their digits") {
  auto const broken = [](std::map<PrintedQuantity, PrintedNumber> numbers, PrintMeaning meaning = {}) {
    auto const found = solve(printed(std::move(numbers)), meaning).broken;
    return found ? found->identity + ": " + found->found : std::string();
  };
  CHECK(broken({{drafted, {540}}, {accepted, {236}}, {rejected, {303}}}) ==
        "drafted = accepted + rejected: 540 and 539");
  CHECK(broken({{accepted, {236}}, {drafted, {540}}, {acceptance_rate, {.44, .005}}}).empty());
  CHECK(broken({{accepted, {236}}, {drafted, {540}}, {acceptance_rate, {.45, .005}}}) ==
        "accepted = rate·drafted: 236 and 240.246 to 245.754");
  // The last round of a text may be cut, and gives no more than its drafts and one.
  auto const tokens = [&](double all) {
    return broken({{emitted, {all}}, {accepted, {224}}, {rounds, {180}}, {requests, {1}}, {draft_length, {4}}},
                  {.first_token = FirstToken::round});
  };
  CHECK(tokens(404).empty());
  CHECK(tokens(400).empty());
  CHECK(tokens(399).starts_with("tokens"));
  CHECK(tokens(405).starts_with("tokens"));
  // Of a text without a round a mean says nothing.
  CHECK(broken({{emitted, {1}}, {rounds, {0}}, {accepted, {0}}, {emitted_per_round, {0}}}).empty());
  // A count lies between 10.2 and 10.8: it is none.
  CHECK(broken({{accepted, {5}}, {accepted_per_round, {.476, .0005}}}).starts_with("counts are whole"));
}

TEST_CASE("shares that are printed in full have a least number of rounds") {
  auto const least = [](std::vector<double> const& shares, double within) {
    PrintedRecord record{.positions_are_shares = true};
    for (double const share : shares) record.lists[by_position].push_back({share, within * share});
    return Solution().least_rounds(record);
  };
  CHECK(least({2478. / 3100, 1820. / 3100, 873. / 3100}, 1e-6) == 3100);
  CHECK(least({.5, .25}, 1e-6) == 4);  // 3000 rounds may give the same
  CHECK_FALSE(least({.805, .632}, 5e-4));  // three digits are those of many numbers
  CHECK_FALSE(least({1, 0}, 1e-6));
  CHECK_FALSE(least({70001. / 123457}, 1e-6));
  CHECK_FALSE(least({}, 1e-6));
}

TEST_CASE("drafts that are counted for prompts' passes, too, are taken out") {
  PrintMeaning const meaning{.first_token = FirstToken::prompt, .fixed_length = true, .over_passes = true};
  PrintedRecord record = printed({{emitted, {3826}}, {accepted, {2092}}, {draft_slots, {5202}}, {requests, {24}}});
  for (double const share : {1170. / 1734, 629. / 1170, 293. / 629}) record.lists[conditional].push_back({share, 1e-6});
  Solution const all = solve(record, meaning);
  CHECK((all.exact(draft_length) == 3 && all.exact(rounds) == 1710 && all.exact(drafted) == 5130));
  CHECK((all.exact(passes) == 1734 && !all.broken));
  CHECK(all.positions(1734, 2092) == std::vector<std::int64_t>{1170, 629, 293});
  record.numbers[accepted] = {2093};
  CHECK(solve(record, meaning).broken);
}

TEST_CASE("shares far above 1 make no counts that overflow") {
  PrintedRecord record = printed({{rounds, {1e12}}, {accepted, {5}}});
  record.lists[conditional] = {{.9}, {1e300}, {1e300}};
  Solution const all = solve(record, {});
  CHECK(all.positions(1'000'000'000'000, 5).size() == 3);
  for (ValueRange const& share : all.cumulative) CHECK((share.least >= 0 && share.most <= 1));
}
