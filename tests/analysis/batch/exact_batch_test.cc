#include "analysis/batch/exact_batch.h"

#include <catch2/catch.hpp>

#include "analysis/batch/schedule_examples.h"
#include "analysis/exact/written_rational.h"
#include "tests/message.h"
#include "tests/random.h"

namespace draftgauge {
namespace {

/// A row of fractions; with none of them 0 where `positive`.
std::vector<Rational> some_row(testing::Random& random, std::uint32_t vocab, bool positive) {
  std::vector<std::uint64_t> weights(vocab);
  std::uint64_t sum = 0;
  while (sum == 0) {
    for (std::uint64_t& weight : weights) sum += weight = random.below(6) + positive;
  }
  std::vector<Rational> row;
  for (std::uint64_t const weight : weights) row.emplace_back(weight, sum);
  return row;
}

/// A pair of Markov chains.
ExactModel some_model(testing::Random& random, std::uint32_t vocab, bool positive) {
  std::vector<ExactModel::Row> rows;
  for (std::uint32_t i = 0; i < vocab; ++i) {
    auto p = some_row(random, vocab, positive);
    rows.push_back({std::move(p), some_row(random, vocab, false)});
  }
  return {Follow::token, std::move(rows)};
}

struct SomeBatch {
  std::vector<ExactModel> models;
  std::vector<BatchRequest> requests;

  SomeBatch(testing::Random& random, bool positive) {
    std::uint64_t const count = random.below(4) == 0 ? 1 : 2;
    std::uint32_t const vocab = count == 1 ? 3 : 2;
    for (std::uint64_t r = 0; r < count; ++r) models.push_back(some_model(random, vocab, positive));
    for (ExactModel const& model : models)
      requests.push_back({&model, static_cast<std::uint32_t>(random.below(vocab)),
                          requests.empty() ? 2 : 1 + static_cast<int>(random.below(2))});
  }
  std::size_t slots() const {
    std::size_t sum = 0;
    for (BatchRequest const& request : requests) sum += static_cast<std::size_t>(request.gamma);
    return sum;
  }
  int longest() const {
    int longest = 0;
    for (BatchRequest const& request : requests) longest = std::max(longest, request.gamma);
    return longest;
  }
  SlotEstimate some_estimate(testing::Random& random) const {
    switch (random.below(8)) {
      case 0: return right_estimates(requests);
      case 1: return largest_q(requests);
      case 2: return estimates_by_place({Rational(1 + random.below(9), 10), Rational(1 + random.below(9), 10)});
      default: break;
    }
    std::vector<Rational> by_row;  // any, by the token before
    for (int i = 0; i < 12; ++i) by_row.emplace_back(1 + 9 * random.below(2), 10);
    return [by_row](int request, std::uint32_t row, std::vector<Token> const& before) {
      return by_row[static_cast<std::size_t>(request) * 6 + row * 2 + before.size() % 2];
    };
  }
};

/// Times that never fall; convex, or with steps where they may be.
std::vector<Rational> some_times(testing::Random& random, std::size_t slots, bool convex) {
  std::vector<Rational> times{Rational(1)};
  Rational slope = 0;
  for (std::size_t n = 0; n < slots; ++n) {
    Rational const step = random.below(2) == 0 ? Rational(random.below(2), 20) : Rational(random.below(10), 10);
    slope = convex ? Rational(slope + step / 2) : step;
    times.push_back(times.back() + slope);
  }
  return times;
}

/// One of the list, its parameters drawn.
ScheduleCall some_call(testing::Random& random, std::size_t index) {
  ScheduleCard const& card = schedule_cards()[index];
  ScheduleCall call = schedule_call(card.name);
  for (std::size_t i = 0; i < card.parameters.size(); ++i)
    call.values.value[i] = card.parameters[i].whole ? Ratio{static_cast<std::uint32_t>(random.below(4)), 1}
                                                    : Ratio{1 + static_cast<std::uint32_t>(random.below(9)), 10};
  if (!card.steps.empty()) {
    call.values = {};
    call.values.step[0] = {1, static_cast<int>(random.below(3))};
    call.values.step[1] = {2, static_cast<int>(random.below(3))};
  }
  return call;
}

ExactModel written_model(std::string_view p, std::string_view q) {
  auto const rows_of = [](std::string_view text) {
    std::vector<std::vector<Rational>> rows(1);
    for (std::size_t at = 0; at <= text.size();) {
      std::size_t const end = std::min(text.find_first_of(",;", at), text.size());
      rows.back().push_back(parse_rational(std::string(text.substr(at, end - at))));
      if (end < text.size() && text[end] == ';') rows.emplace_back();
      at = end + 1;
    }
    return rows;
  };
  auto const ps = rows_of(p), qs = rows_of(q);
  std::vector<ExactModel::Row> rows;
  for (std::size_t i = 0; i < ps.size(); ++i) rows.push_back({ps[i], qs[i]});
  return {rows.size() == 1 ? Follow::independent : Follow::token, std::move(rows)};
}

TEST_CASE("a schedule that decides slot by slot leaves a lossless rule lossless, for all requests jointly") {
  for (std::size_t index = 0; index < schedule_cards().size(); ++index) {
    ScheduleCard const& card = schedule_cards()[index];
    if (card.sight != Sight::past && card.sight != Sight::sequential) continue;
    std::size_t several = 0;  // that do not verify the same lengths always
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
      testing::Random random(seed);
      SomeBatch const batch(random, false);
      ScheduleCall const call = some_call(random, index);
      INFO(schedule_text(call) << ", seed " << seed);
      ExactSchedule const schedule =
          exact_schedule(call, batch.requests, batch.some_estimate(random), some_times(random, batch.slots(), false));
      ExactBatch const found =
          exact_batch(seed % 2 == 0 ? "token" : "block", batch.requests, schedule, batch.longest() + 1);
      REQUIRE(found.distance == 0);
      REQUIRE_FALSE(first_interaction(batch.requests, schedule));
      several += found.lengths.size() > 1;
      if (seed < 40) {  // rounds that follow each other, what is remembered among them
        int const length = batch.requests.size() == 1 ? 3 : 2;
        REQUIRE(exact_stream("token", batch.requests, schedule, length) == joint_target(batch.requests, length));
      }
    }
    INFO(card.name);
    if (card.sight == Sight::sequential) CHECK(several >= 15);
  }
}

TEST_CASE(
    "the best budget of this round's estimates is lossless where times are convex, and not where they have a step") {
  std::size_t lossy = 0;
  Rational worst = 0;
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    testing::Random random(seed);
    SomeBatch const batch(random, true);
    SlotEstimate const estimate = batch.some_estimate(random);
    auto const distance = [&](std::string_view name, std::vector<Rational> const& times) {
      auto const schedule = exact_schedule(schedule_call(name), batch.requests, estimate, times);
      return exact_batch("token", batch.requests, schedule, batch.longest() + 1).distance;
    };
    INFO("seed " << seed);
    REQUIRE(distance("argmax", some_times(random, batch.slots(), true)) == 0);
    auto const steps = some_times(random, batch.slots(), false);
    Rational const found = distance("argmax", steps);
    lossy += found != 0;
    worst = std::max(worst, found);
    REQUIRE(distance("descent", steps) == 0);
  }
  CHECK(lossy >= 10);
  CHECK(worst <= Rational(1, 2));
}

TEST_CASE("each faulty schedule is refuted by the table on its card, exactly and by simulation, and hidden from a weak test") {
  // A false alarm of 1e-9 each, 6 of them; a TV of 1/8 is found by 100 000 rounds with a power above .999.
  for (ScheduleCard const& card : schedule_cards()) {
    if (!card.counterexample) continue;
    INFO(card.name);
    ScheduleExample const& example = *card.counterexample;
    ScheduleFinding const shows = examine(card, example.shows, 100'000, 1, serial_batches(), 1);
    CHECK(shows.distance.str() == example.distance);
    CHECK(shows.observed.p_value < 1e-9);
    CHECK(shows.rounds >= 100'000);
    ScheduleFinding const hides = examine(card, example.hides, 100'000, 1, serial_batches(), 1);
    CHECK(hides.distance == 0);
    CHECK(hides.observed.p_value > 1e-9);
    ExactModel const model = exact_model(schedule_source(example.shows));
    std::vector<BatchRequest> const requests(static_cast<std::size_t>(example.shows.requests),
                                             {&model, 0, example.shows.gamma});
    auto const schedule = exact_schedule(schedule_call(card.name), requests, right_estimates(requests),
                                         pass_times(example.shows));
    CHECK((exact_batch("token", requests, schedule, example.shows.gamma + 1).distance != 0) ==
          first_interaction(requests, schedule).has_value());
  }
}

TEST_CASE("no smaller table shows a schedule that drops or ranks by the drafted tokens' own q") {
  for (char const* const name : {"faulty/drop", "faulty/own-threshold", "faulty/own-rank"}) {
    ScheduleTest const shows = schedule_card(schedule_call(name)).counterexample->shows;
    std::size_t tables = 0;
    for (int requests = 1; requests <= shows.requests; ++requests)
      for (std::uint64_t whole = 1; whole <= 3; ++whole) {
        if (requests == shows.requests && whole == 3) continue;  // the denominator that shows it
        for (std::uint64_t p = 0; p <= whole; ++p)
          for (std::uint64_t q = 0; q <= whole; ++q) {
            auto const row = [&](std::uint64_t one) {
              return std::vector{Rational(one, whole), Rational(whole - one, whole)};
            };
            ExactModel const model(Follow::independent, {{row(p), row(q)}});
            std::vector<BatchRequest> const batch(static_cast<std::size_t>(requests), {&model, 0, 1});
            auto const schedule = exact_schedule(schedule_call(name), batch, right_estimates(batch), {});
            INFO(name << ", " << requests << " requests, p = " << p << '/' << whole << ", q = " << q << '/' << whole);
            CHECK(exact_batch("token", batch, schedule, 2).distance == 0);
            ++tables;
          }
      }
    CHECK(tables >= 13);
  }
}

TEST_CASE("what is blind to requests that look at each other") {
  ExactModel const model = written_model("1/2,1/2", "1/2,1/2");
  std::vector<BatchRequest> const two(2, {&model, 0, 1}), three(3, {&model, 0, 1});
  auto const neighbour = exact_schedule(schedule_call("faulty/neighbour"), two, right_estimates(two), {});
  ExactBatch const pair = exact_batch("token", two, neighbour, 2);
  CHECK(pair.distance == Rational(1, 8));
  CHECK(pair.distance_each == std::vector<Rational>{0, 0});
  auto const interaction = first_interaction(two, neighbour);
  REQUIRE(interaction);
  CHECK(interaction->requests == std::vector{0, 1});
  CHECK(abs(interaction->difference) == 1);

  auto const parity = exact_schedule(schedule_call("faulty/parity"), three, right_estimates(three), {});
  ExactBatch const all = exact_batch("token", three, parity, 1);
  CHECK(all.distance == Rational(1, 4));
  SequenceLaw of_two;
  for (auto const& [tokens, chance] : all.joint) of_two[{tokens[0], tokens[2]}] += chance;
  CHECK(of_two == joint_target(two, 1));
  CHECK(first_interaction(three, parity)->requests == std::vector{0, 1, 2});
}

TEST_CASE("where p is positive a schedule is lossless exactly if it has no interaction") {
  std::size_t lossless = 0, lossy = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    testing::Random random(seed);
    SomeBatch const batch(random, true);
    // Any map from drafts to lengths, of few values so that some maps are lossless.
    std::map<std::vector<std::vector<Token>>, std::vector<int>> table;
    bool const by_first_request = random.below(2) == 0;
    ExactSchedule const schedule{[&](DraftedBatch const& drafted) {
      auto key = drafted.drafts;
      if (by_first_request) key.resize(1);
      auto const [found, is_new] = table.try_emplace(key);
      if (is_new)
        for (std::size_t r = 0; r < batch.requests.size(); ++r)
          found->second.push_back(
              by_first_request && r == 0
                  ? batch.requests[0].gamma
                  : static_cast<int>(random.below(static_cast<std::uint64_t>(batch.requests[r].gamma) + 1)));
      return found->second;
    }};
    ExactBatch const found = exact_batch("token", batch.requests, schedule, batch.longest() + 1);
    // Where p = q at every row that is reached nothing can go wrong.
    bool const interacts = first_interaction(batch.requests, schedule).has_value();
    INFO("seed " << seed);
    REQUIRE((found.distance != 0) == interacts);
    (interacts ? lossy : lossless) += 1;
    for (std::size_t r = 0; r < batch.requests.size(); ++r) {
      Rational first = 0;
      auto const law = marginal(found.each[r], 0, batch.models[r].contexts().vocab);
      auto const& p = batch.models[r].row(batch.requests[r].start).p;
      for (std::size_t x = 0; x < p.size(); ++x) first += abs(law[x] - p[x]) / 2;
      REQUIRE(first <= Rational(1, 4));
    }
  }
  CHECK(lossless >= 50);
  CHECK(lossy >= 50);
}

TEST_CASE("schedules of more requests than a batch holds, wrong times and wrong lengths are refused") {
  ExactModel const model = written_model("1/2,1/2", "1/3,2/3");
  std::vector<BatchRequest> const two(2, {&model, 0, 1}), many(max_requests + 1, {&model, 0, 1});
  ScheduleCall const top = schedule_call("top");
  CHECK(testing::message<UsageError>([&] { exact_schedule(top, many, right_estimates(many), {}); }) ==
        "257 requests are more than a batch holds (256) give at most 256");
  CHECK(testing::message<UsageError>([&] { exact_schedule(top, two, right_estimates(two), {Rational(1)}); }) ==
        "1 time for passes that verify 0 to 2 slots (each has one) give 3");
  ExactSchedule const wrong{[](DraftedBatch const&) { return std::vector{2, 0}; }};
  CHECK(testing::message<UsageError>([&] { exact_batch("token", two, wrong, 2); }) ==
        "the schedule verifies 2 of 1 drafts mend the schedule");
  CHECK_THROWS_AS(exact_batch("one-hot", two, exact_schedule(top, two, right_estimates(two), {}), 2), NotEnumerable);
  CHECK_THROWS_AS(exact_batch("token", two, exact_schedule(top, two, right_estimates(two), {}), 2, 3), TooManyPaths);
}

}  // namespace
}  // namespace draftgauge
