#include "analysis/texts/request_counts.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "sim/base/error.h"

using namespace draftgauge;

namespace {

/// Requests of `rounds` rounds at γ, each draft kept with probability .7 by a coin that is the one before with
/// probability `again`, so that rounds of a request depend on each other.
RequestCounts requests(int how_many, int rounds, double again, std::mt19937_64& bits, int gamma = 3) {
  std::uniform_real_distribution<double> uniform;
  RequestCounts counts;
  for (int r = 0; r < how_many; ++r) {
    std::vector<std::int64_t> kept(static_cast<std::size_t>(gamma) + 1);
    int last = -1;
    for (int k = 0; k < rounds; ++k) {
      if (last < 0 || uniform(bits) >= again) {
        last = 0;
        while (last < gamma && uniform(bits) < .7) ++last;
      }
      ++kept[static_cast<std::size_t>(last)];
    }
    counts.push_back(std::move(kept));
  }
  return counts;
}

RequestSurvival over_requests(RequestCounts const& counts) {
  return survival_over_requests(one_length_each(counts), 0, 1);
}

constexpr double truth = 1 + .7 + .49 + .343;

}  // namespace

TEST_CASE("counts by request are those of all together, with errors over requests") {
  RequestCounts const counts{{2, 1, 1, 4}, {0, 0, 3, 1}, {5, 2, 0, 1}, {0, 0, 0, 0}, {1, 4}};
  RequestSurvival const found = over_requests(counts);
  CHECK(found.requests() == 4);  // one has no round
  KaplanMeier const all = kaplan_meier(counts);
  REQUIRE(found.survival.size() == all.survival.size());
  for (std::size_t i = 0; i < all.survival.size(); ++i) CHECK(found.survival[i].value == Approx(all.survival[i]));
  auto const tokens = tokens_over_requests(found.survival, true);
  CHECK(tokens.back().value == Approx(1 + all.survival[0] + all.survival[1] + all.survival[2]));
  CHECK(tokens_over_requests(found.survival, false).back().value == Approx(1 + all.survival[0] + all.survival[1]));
  // Of rounds of one length and requests as long: the mean over requests.
  RequestCounts const even{{2, 1, 1}, {0, 2, 2}, {1, 1, 2}};
  RequestSurvival const three = over_requests(even);
  std::vector<double> const means = {.75, 1.5, 1.25};
  double const mean = 3.5 / 3,
               sd = std::sqrt(
                   (std::pow(means[0] - mean, 2) + std::pow(means[1] - mean, 2) + std::pow(means[2] - mean, 2)) / 2);
  CHECK(tokens_over_requests(three.survival, true).back().value == Approx(1 + mean));
  CHECK(tokens_over_requests(three.survival, true).back().standard_error() == Approx(sd / std::sqrt(3.)));
}

TEST_CASE("a request may draft by several lengths, as the last round of most texts does, and is one request still") {
  std::mt19937_64 bits(5);
  RequestCounts const even = requests(30, 60, .9, bits);
  LengthCounts uneven;
  for (auto const& row : even) {
    uneven.push_back({row, {1, 1}});
    auto& longest = uneven.back().front();
    --longest[longest[0] > 0 ? 0 : 3];
    --longest[longest[3] > 0 ? 3 : 0];
  }
  auto const tokens = [](RequestSurvival const& of) { return tokens_over_requests(of.survival, true).back(); };
  RequestSurvival const found = survival_over_requests(uneven, 0, 1);
  CHECK(found.requests() == 30);
  CHECK(found.survival.size() == 3);
  KaplanMeier const pooled = kaplan_meier(all_rows(uneven));
  for (std::size_t i = 0; i < 3; ++i) CHECK(found.survival[i].value == Approx(pooled.survival[i]));
  double const error = tokens(over_requests(even)).standard_error();
  CHECK(tokens(found).standard_error() == Approx(error).epsilon(.05));
}

TEST_CASE("intervals over requests cover as often as they say, however rounds depend on each other") {
  // 1000 worlds each: at .95 at least 917 cover with probability 1 − 1e-5. As if rounds were independent, .91 would be
  // .5 at again = .9.
  std::mt19937_64 bits(11);
  for (double const again : {0., .9, .99}) {
    int covered = 0;
    for (int k = 0; k < 1000; ++k) {
      RequestSurvival const found = over_requests(requests(30, 60, again, bits));
      auto const interval = delta_interval(tokens_over_requests(found.survival, true).back(), .95);
      covered += interval && interval->covers(truth);
    }
    CAPTURE(again);
    CHECK(covered >= 917);
  }
}

TEST_CASE("intervals cover where few requests draft far, and end where a single one tells") {
  // 30 requests at γ = 2 and `far` at 4. 400 worlds each: at .95 more than 45 miss with probability 1e-6. With the
  // degrees of all requests, and errors by their share of all rounds, some 80, 55 and 25 would.
  std::mt19937_64 bits(19);
  for (double const again : {0., .9})
    for (int const far : {2, 3, 5}) {
      int missed = 0, known = 0;
      for (int k = 0; k < 400; ++k) {
        RequestCounts counts = requests(30, 60, again, bits, 2);
        for (auto& row : requests(far, 60, again, bits, 4)) counts.push_back(std::move(row));
        RequestSurvival const found = over_requests(counts);
        auto const tokens = tokens_over_requests(found.survival, true);
        CHECK(tokens[2].degrees() == Approx(29 + far));
        if (tokens.size() < 5) continue;
        CHECK(tokens[4].degrees() <= far - 1 + 1e-9);
        auto const interval = delta_interval(tokens[4], .95);
        REQUIRE(interval);
        ++known;
        missed += !interval->covers(1 + .7 + .49 + .343 + .2401);
      }
      CAPTURE(again, far, missed, known);
      CHECK(missed <= 45);
      if (again == 0) CHECK(known >= 350);
    }
  RequestCounts one = requests(30, 60, 0, bits, 2);
  one.push_back({10, 5, 5, 5, 5});
  RequestSurvival const cut = over_requests(one);
  CHECK(cut.survival.size() == 2);
  CHECK(cut.pooled.reached.size() == 2);
  REQUIRE(cut.unknown);
  CHECK(cut.unknown->draft == 3);
  CHECK(cut.unknown->requests == 1);
  // Two that agree have no spread, either; and of one γ every request tells of every draft.
  CHECK(over_requests({{3, 4, 5}, {1, 2, 3}, {1, 1, 0, 4}, {1, 2, 0, 9}}).unknown->requests == 2);
  CHECK_FALSE(over_requests({{3, 2, 1}, {4, 2, 0}, {5, 1, 0}}).unknown);
  CHECK(over_requests({{3, 2, 1}, {4, 2, 0}, {5, 1, 0}}).survival.size() == 2);
}

TEST_CASE("a test that rounds are independent: its alarms, and what it finds") {
  std::mt19937_64 bits(13);
  int alarms = 0, found = 0;
  double effect = 0;
  for (int k = 0; k < 200; ++k) {
    auto const p = [&](double again) {
      RequestCounts const counts = requests(20, 25, again, bits);
      RequestSurvival const survival = over_requests(counts);
      auto const dependence = round_dependence(counts, survival, static_cast<std::uint64_t>(k));
      REQUIRE(dependence);
      effect += again == 0 ? dependence->design_effect / 200 : 0;
      return dependence->p_value;
    };
    alarms += p(0) <= .05;
    found += p(.9) <= .05;
  }
  CHECK(alarms <= 25);  // of 200 at .05: more than 25 with probability 1e-5
  CHECK(found >= 195);
  CHECK(effect == Approx(1).margin(.15));
  RequestCounts const same{{0, 5}, {0, 7}};
  CHECK_FALSE(round_dependence(same, over_requests(same), 1));
}

TEST_CASE("of very many rounds the test of dependence has its level too, and takes no room for each of them") {
  // 4000 requests of 150 rounds, of which one in 1000 is rejected. χ² of each request would alarm in 13 % at .01.
  std::mt19937_64 bits(17);
  std::binomial_distribution<std::int64_t> rejected(150, .001);
  int alarms = 0, low = 0;
  for (int k = 0; k < 300; ++k) {
    RequestCounts counts;
    for (int r = 0; r < 4000; ++r) {
      std::int64_t const none = rejected(bits);
      counts.push_back({none, 150 - none});
    }
    auto const dependence = round_dependence(counts, over_requests(counts), 1);
    REQUIRE(dependence);
    CHECK(dependence->permutations == 0);
    alarms += dependence->p_value < .01;
    low += dependence->p_value < .5;
  }
  CHECK(alarms <= 12);  // of 300 at .01: more than 12 with probability 2e-5
  CHECK(low >= 111);    // of 300 at .5: fewer with probability 3e-6
  CHECK(low <= 189);
  auto const p = [](RequestCounts const& counts) { return round_dependence(counts, over_requests(counts), 1); };
  CHECK(p({{1'000'000'000, 1'000'000'000}, {1'000'000'000, 5}})->p_value < 1e-12);
  CHECK(p({{500'000'000'000, 500'000'000'000}, {400'000'000'000, 400'000'000'000}})->p_value > .99);
  CHECK_FALSE(p({{2, 999'998}, {3, 999'997}}));  // five events are too few to judge by χ²
}

TEST_CASE("requests that are all the same have no spread, however many there are") {
  RequestCounts const same(10'000, std::vector<std::int64_t>{30, 20, 10, 40});
  RequestSurvival const found = survival_over_requests(one_length_each(same), 0, 1);
  auto const dependence = round_dependence(same, found, 1);
  REQUIRE(dependence);
  CHECK(dependence->p_value == 1);
  CHECK(dependence->design_effect == Approx(0).margin(1e-12));
  CHECK(found.survival.back().texts_agree());
}

TEST_CASE("one long draft among very many requests is refused before there is room for it in each") {
  RequestCounts many(300'000, std::vector<std::int64_t>{1, 2});
  many.front() = std::vector<std::int64_t>(65, 1);
  CHECK(
      testing::message<UsageError>([&] { survival_over_requests(one_length_each(many), 0, 1); }) ==
      "300000 requests with drafts of up to 64 tokens are too many (at most 8388608 requests times tokens are held) "
      "give fewer requests, or drafts of fewer tokens");
}

TEST_CASE("rows of requests are read in every way that people write them") {
  RequestCounts const two{{3, 1, 2}, {0, 4, 1}};
  for (char const* text :
       {"3,1,2\n0,4,1\n", "3\t1\t2\r\n0\t4\t1", "+3, 1 ,2 \r\n0,4,1\r\n", "3 1 2\n\n# a comment\n0 4 1\n",
        "0,1,2 or more\n3,1,2\n0,4,1\n", "request;0;1;2\na;3;1;2\nb;0;4;1\n",
        "request_id,0,1,2\n17,3,1,2\n18,0,4,1\n", "[3, 1, 2]\n{\"id\": 7, \"accepted\": [0, 4, 1]}\n"}) {
    CAPTURE(text);
    CHECK(read_request_counts("x", text) == two);
  }
  CHECK(read_request_counts("x", "counts\n0,1,2\n5,6,7\n") == RequestCounts{{0, 1, 2}, {5, 6, 7}});
  CHECK(read_request_counts("x", "# 0,1,2\n5,6,7\n0,1,2\n") == RequestCounts{{5, 6, 7}, {0, 1, 2}});
  CHECK(read_request_counts("x", "0,1,2\n") == RequestCounts{{0, 1, 2}});  // a heading of nothing it is not
  auto const refusal = [](std::string_view text) -> std::string {
    try {
      read_request_counts("x", text);
    } catch (InputError const& error) {
      return error.what();
    }
    return "";
  };
  std::string const rest =
      " (a row holds the counts of one request) expected counts of rounds that kept 0, 1, … γ "
      "drafts, such as 30,20,10,40";
  CHECK(refusal("\n0,1,2\n5,6,7\n3,3,3\n") ==
        "x: line 2 can be read in two ways (0, 1, 2, … may be a heading, or the counts of a request) put # before a "
        "heading, or the line 'counts' above counts");
  CHECK(refusal("3,1\n3,-1\n") == "x: line 2: '-1' is no count" + rest);
  CHECK(refusal("3,1\n3\n") == "x: line 2: has one count" + rest);
  CHECK(refusal("[1, 2.5]\n") == "x: line 1: has the count 2.5" + rest);
  CHECK(refusal("3,x,1\n") == "x: line 1: 'x' is no count" + rest);
  CHECK(refusal("[1, 2]\n[18446744073709551615, 1]\n") ==
        "x: line 2: has the count 18446744073709551615, and 1000000000000 is the most" + rest);
  CHECK(refusal("1,2\n1,1000000000001\n") ==
        "x: line 2: has the count 1000000000001, and 1000000000000 is the most" + rest);
  CHECK(read_request_counts("x", "1,1000000000000\n").front().back() == 1'000'000'000'000);
  CHECK(refusal("0,0\n0,0\n") ==
        "x: all counts are 0 (there is no round to estimate from) expected counts of rounds that kept 0, 1, … γ "
        "drafts, such as 30,20,10,40");
  CHECK(refusal("{\"kept\": [1, 2]}\n") == "x: line 1: has no field \"accepted\"" + rest);
  CHECK(refusal("[1, 2\n") == "x: line 1: it is not JSON from its byte 5 of 5 on" + rest);
  CHECK(refusal("{\"accepted\": 3}\n") == "x: line 1: has 3 for a list" + rest);
  CHECK(refusal("[[1]]") == "x: line 1: has the count array" + rest);
  CHECK(refusal("{\"accepted\": {\"a\": 1}}") == "x: line 1: has object for a list" + rest);
  std::string const open(1'000'000, '['), close(1'000'000, ']');
  CHECK(refusal(open + close).starts_with("x: line 1: it is nested deeper than 100 levels"));
  CHECK(refusal(R"({"accepted": [1, 2], "accepted": [3, 4]})") ==
        "x: line 1: it has the key 'accepted' twice (readers differ in which of them they take) keep one");
  CHECK(refusal("\n") ==
        "x: holds no request (there is nothing to count) expected counts of rounds that kept 0, 1, … γ "
        "drafts, such as 30,20,10,40");
}
