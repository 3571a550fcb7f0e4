#include "analysis/scheduling/scheduled_server.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/theory/closed_form.h"
#include "tests/message.h"

namespace draftgauge {
namespace {

constexpr double alpha = .8;

LoadTable batch_table() {
  LoadTable table{.file = "x"};
  for (std::int64_t const batch : {1, 8, 32})
    for (std::int64_t const tokens : {1, 2, 4, 8})
      table.models["model"].ms.add(tokens, batch, 10 + .02 * static_cast<double>(batch * tokens));
  return table;
}

std::vector<EstimatedTexts> independent_drafts() {
  return {{"mean", {{std::vector<double>(4096, alpha), std::vector<double>(4096, alpha)}}}};
}

ServedSchedule const& served_row(ServedSchedules const& served, std::string const& name) {
  auto const one = std::ranges::find(served.rows, name, &ServedSchedule::schedule);
  REQUIRE(one != served.rows.end());
  return *one;
}

TEST_CASE("served schedules: fixed lengths take what the formula of a rate says") {
  // By serve(), whose own tests hold it within .5 %; 3 intervals of confidence .9999 and that allowance: a false alarm
  // has a chance of about .0003, and a bias of 2 % is found.
  BatchCosts const costs(batch_table(), {}, {.draft = .05});
  Requests const requests{.per_second = 6, .tokens = 64};
  auto const tokens = [](std::int64_t gamma, std::int64_t) -> std::optional<double> {
    return theory::expected_tokens(alpha, gamma);
  };
  BatchAcceptance const accepted = acceptance_by_tokens({1, tokens(1, 1).value(), tokens(2, 1).value(), tokens(3, 1).value(),
                                                         tokens(4, 1).value()},
                                                        true);
  auto const formula = serve_by_gamma(costs, accepted, 4, false, requests);
  std::vector<ScheduleCall> const calls = {schedule_call("fixed:length=1"), schedule_call("fixed:length=2"),
                                           schedule_call("fixed:length=4")};
  ServedSchedules const served = serve_schedules(independent_drafts(), costs, 32, requests, calls,
                                                 {.gamma = 4, .confidence = .9999, .request_rounds = 32'768});
  for (std::size_t const length : {1, 2, 4}) {
    ServedSchedule const& one = served_row(served, "fixed:length=" + std::to_string(length));
    double const expected = formula[length].served.poisson_ms_per_token.value();
    INFO("length " << length << ", " << one.ms_per_token->value << " ms, by the formula " << expected);
    CHECK(one.ms_per_token->low < expected * 1.005);
    CHECK(one.ms_per_token->high > expected * .995);
    CHECK(one.ms_per_token_p99.value() > one.ms_per_token->value);
    CHECK(one.in_progress.value() == Approx(one.ms_per_token->value * 6 * 64 / 1e3));
  }
  CHECK(served.rows.back().schedule == "accepted drafts known");
  CHECK(served.rows.back().ms_per_token->value < served_row(served, "fixed:length=2").ms_per_token->value);
}

TEST_CASE("served schedules: what no batch serves piles up, and is not timed") {
  BatchCosts const costs(batch_table(), {}, {.draft = .05});
  ServedSchedules const served =
      serve_schedules(independent_drafts(), costs, 8, {.per_second = 1e4, .tokens = 64},
                      {schedule_call("descent"), schedule_call("average")}, {.gamma = 2, .request_rounds = 2048});
  for (ServedSchedule const& one : served.rows) {
    CHECK_FALSE(one.ms_per_token);
    CHECK(one.most_requests_per_second > 0);
    CHECK(one.most_requests_per_second < 1e4);
  }
  CHECK_THROWS_AS(serve_schedules(independent_drafts(), costs, 257, {.per_second = 1, .tokens = 8}, {}, {}), UsageError);
}

TEST_CASE("served schedules: a schedule remembers the requests that are there, whichever come and go") {
  // With the average, each request's length follows its own rounds: easy texts are drafted long, hard ones short.
  std::vector<EstimatedTexts> kinds = {{"mean", {}}};
  for (double const easy : {.95, .2})
    for (int i = 0; i < 4; ++i)
      kinds[0].texts.push_back({std::vector<double>(400, easy), std::vector<double>(400, .6)});
  BatchCosts const costs(batch_table(), {}, {.draft = .05});
  ServedSchedules const served = serve_schedules(kinds, costs, 8, {.per_second = 3, .tokens = 200},
                                                 {schedule_call("average")}, {.gamma = 6, .request_rounds = 8192});
  CHECK(served_row(served, "average").ms_per_token->value < served.rows.front().ms_per_token->value);
}

}  // namespace
}  // namespace draftgauge
