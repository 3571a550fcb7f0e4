#include "apps/verify/faulty_schedules.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/batch/schedule_examples.h"
#include "analysis/stats/counted.h"
#include "gpu/batch_backends.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t rounds_to_find = 200'000;  // of requests, which find a TV of 1/8 with a power above .999

std::string schedule_test_text(ScheduleTest const& test) {
  auto const count = [](int requests) { return counted(static_cast<std::uint64_t>(requests), "request"); };
  std::string words = fmt::format("p={} q={} γ={}, {}", test.p, test.q, test.gamma, count(test.requests));
  if (!test.times.empty()) words += fmt::format(", times {}", test.times);
  return test.compared() < test.requests ? fmt::format("{}, of which {}", words, test.compared()) : words;
}

/// What one test says of a schedule.
struct FaultySchedule {
  ScheduleCard const* card;
  ScheduleTest test;
  ScheduleFinding found;
  bool caught;
};

Fields<FaultySchedule> faulty_schedule_fields() {
  using Row = FaultySchedule const&;
  auto const test = [](auto member) { return inner(&FaultySchedule::test, member); };
  auto const card = [](auto member) { return inner(&FaultySchedule::card, member); };
  auto const words = [](Row row) { return schedule_test_text(row.test); };
  return {{"schedule", "schedule", card(&ScheduleCard::name), for_people},
          {"summary", "what it does", card(&ScheduleCard::summary), for_people},
          {"shows", "is shown by", words, for_people},
          {"hides", "passes", words, for_people},
          {"p", test(&ScheduleTest::p)},
          {"q", test(&ScheduleTest::q)},
          {"gamma", test(&ScheduleTest::gamma)},
          {"requests", test(&ScheduleTest::requests)},
          {"compared", test(&ScheduleTest::compared)},
          {"pass_times", test(&ScheduleTest::times)},
          {"tv", "TV", [](Row row) { return Exact{row.found.distance.str()}; }},
          {"tv_float", [](Row row) { return static_cast<double>(row.found.distance); }},
          {"rounds", "rounds", inner(&FaultySchedule::found, &ScheduleFinding::rounds)},
          {"p_value", "p-value", [](Row row) { return row.found.observed.p_value; }, {.kind = NumberKind::p_value}},
          {"caught", &FaultySchedule::caught},
          {"verdict", "verdict", [](Row row) { return row.caught ? "caught" : "missed"; }, for_people},
          {"why", "because", [](Row row) { return row.card->counterexample->why; }, for_people}};
}

std::vector<ScheduleCard> faulty_schedule_list() {
  std::vector<ScheduleCard> cards;
  std::ranges::copy_if(schedule_cards(), std::back_inserter(cards),
                       [](ScheduleCard const& card) { return card.counterexample.has_value(); });
  return cards;
}

}  // namespace

FieldCards faulty_schedule_cards() { return cards_of(faulty_schedule_fields()); }
std::size_t faulty_schedule_count() { return faulty_schedule_list().size(); }

CaughtSchedules add_faulty_schedules(Result& result, Invocation const& args, double false_alarm) {
  std::vector<ScheduleCard> const cards = faulty_schedule_list();
  BatchBackend const backend = choose_batch_backend(args.text("--backend"));
  Json all = Json::array();
  std::vector<FaultySchedule> shown, hidden;
  std::size_t caught = 0;
  for (ScheduleCard const& card : cards) {
    ScheduleExample const& example = *card.counterexample;
    auto const find = [&](ScheduleTest const& test) {
      return examine(card, test, rounds_to_find, args.seed(), backend, args.threads());
    };
    ScheduleFinding const shows = find(example.shows), hides = find(example.hides);
    bool const seen = shows.distance != 0 && shows.observed.p_value < false_alarm;
    bool const passed = hides.distance == 0 && hides.observed.p_value >= false_alarm;
    caught += seen && passed;
    if (!seen || !passed) result.status = Status::failed;
    shown.push_back({&card, example.shows, shows, seen});
    hidden.push_back({&card, example.hides, hides, !passed});
    all.push_back({{"schedule", card.name},
                   {"source", card.source},
                   {"shows", row_of(faulty_schedule_fields(), shown.back()).object()},
                   {"hides", row_of(faulty_schedule_fields(), hidden.back()).object()},
                   {"why", example.why}});
  }
  result.document["schedules"] = std::move(all);
  result.sections.push_back({.heading = "Schedules of verification, caught",
                             .table = rows_of(faulty_schedule_fields(), shown)
                                          .table()
                                          .only({"schedule", "summary", "shows", "tv", "rounds", "p_value", "verdict"})});
  result.sections.push_back(
      {.heading = "A test of them too weak",
       .table = rows_of(faulty_schedule_fields(), hidden).table().only({"schedule", "hides", "tv", "p_value", "why"})});
  return {caught, cards.size()};
}

}  // namespace draftgauge
