#include "apps/verify/faulty_rules.h"

#include <fmt/format.h>

#include "analysis/proof/counterexample.h"
#include "analysis/stats/false_alarm.h"
#include "apps/task/rule_options.h"
#include "apps/task/schedule_options.h"
#include "apps/verify/faulty_schedules.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

std::string text(Counterexample::Test const& test) {
  std::string words = fmt::format("{} γ={}", table_text(test), test.gamma);
  if (test.branching > 1) words += fmt::format(" k={}", test.branching);
  return words + (test.tokens == 1 ? ", first token" : fmt::format(", {} tokens", test.tokens));
}

/// What one test says of a faulty rule.
struct FaultyTest {
  RuleCard const* card;
  Counterexample::Test test;
  Finding found;
  bool caught;
};

Fields<FaultyTest> faulty_fields() {
  using Row = FaultyTest const&;
  using Test = Counterexample::Test;
  auto const test = [](auto member) { return inner(&FaultyTest::test, member); };
  auto const card = [](auto member) { return inner(&FaultyTest::card, member); };
  auto const words = [](Row row) { return text(row.test); };
  return {{"rule", "faulty rule", card(&RuleCard::name), for_people},
          {"summary", "what it does", card(&RuleCard::summary), for_people},
          {"shows", "is shown by", words, for_people},
          {"hides", "passes", words, for_people},
          {"p", test(&Test::p)},
          {"q", test(&Test::q)},
          {"memory", test(&Test::memory)},
          {"gamma", test(&Test::gamma)},
          {"candidates", test(&Test::branching)},
          {"tokens", test(&Test::tokens)},
          {"tv", "TV", [](Row row) { return Exact{row.found.distance.str()}; }},
          {"tv_float", [](Row row) { return static_cast<double>(row.found.distance); }},
          {"rounds", "rounds", inner(&FaultyTest::found, &Finding::rounds)},
          {"p_value", "p-value", [](Row row) { return row.found.observed.p_value; }, {.kind = NumberKind::p_value}},
          {"caught", &FaultyTest::caught},
          {"verdict", "verdict", [](Row row) { return row.caught ? "caught" : "missed"; }, for_people},
          {"why", "because", [](Row row) { return row.card->counterexample->why; }, for_people}};
}

}  // namespace

FieldCards faulty_cards() { return cards_of(faulty_fields()); }

Result faulty_rules(Invocation const& args) {
  constexpr char why[] = "has no meaning with --faulty (each faulty rule has its own table and rounds)";
  constexpr char hint[] = "leave it out, or use --rule faulty/NAME";
  args.refuse({source_options(), rule_options(), schedule_options(), sampling_options(), cost_options()}, why, hint);
  args.refuse({"--resolve", "--confidence", "--mpi"}, why, hint);
  std::vector<RuleCard> pieces;
  for (RuleCard const& card : rule_cards())
    if (card.counterexample) pieces.push_back(card);
  double const false_alarm = false_alarm_share(2 * (pieces.size() + faulty_schedule_count()));
  Backend const backend = backend_from(args);

  Result result{.backend = std::string(backend.name)};
  Json faulty = Json::array();
  std::vector<FaultyTest> shown, hidden;
  std::size_t caught = 0;
  for (RuleCard const& card : pieces) {
    Counterexample const& counterexample = *card.counterexample;
    auto const find = [&](Counterexample::Test const& test) {
      return examine(card, test, counterexample.rounds, args.seed(), backend, args.threads());
    };
    Finding const shows = find(counterexample.shows), hides = find(counterexample.hides);
    bool const seen = shows.distance != 0 && shows.observed.p_value < false_alarm;
    bool const passed = hides.distance == 0 && hides.observed.p_value >= false_alarm;
    caught += seen && passed;
    if (!seen || !passed) result.status = Status::failed;
    shown.push_back({&card, counterexample.shows, shows, seen});
    hidden.push_back({&card, counterexample.hides, hides, !passed});
    faulty.push_back({{"rule", card.name},
                      {"source", card.source},
                      {"shows", row_of(faulty_fields(), shown.back()).object()},
                      {"hides", row_of(faulty_fields(), hidden.back()).object()},
                      {"why", counterexample.why}});
  }
  std::string note = fmt::format(
      "TV: between the distribution of those tokens and the target's, by following every path of answers. p-value: "
      "of G over as many rounds; \"caught\" below {:.1e}.",
      false_alarm);
  result.document = {{"estimator", "enumeration beside simulation"},
                     {"faulty", std::move(faulty)},
                     {"caught", caught},
                     {"false_alarm", suite_false_alarm}};
  result.sections = {
      {.heading = "Caught",
       .table = rows_of(faulty_fields(), shown)
                    .table()
                    .only({"rule", "summary", "shows", "tv", "rounds", "p_value", "verdict"}),
       .notes = {std::move(note)}},
      {.heading = "A test too weak",
       .table = rows_of(faulty_fields(), hidden).table().only({"rule", "hides", "tv", "p_value", "why"})}};
  CaughtSchedules const schedules = add_faulty_schedules(result, args, false_alarm);
  result.document["caught_schedules"] = schedules.caught;
  result.title = fmt::format(
      "{} of {} faulty rules and {} of {} schedules are caught by the test that shows them, and pass one too weak",
      caught, pieces.size(), schedules.caught, schedules.all);
  return result;
}

}  // namespace draftgauge
