#include "apps/verify/faulty_rules.h"

#include <fmt/format.h>

#include "analysis/proof/counterexample.h"
#include "analysis/stats/false_alarm.h"
#include "apps/options/rule_options.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

std::string text(Counterexample::Test const& test) {
  std::string words = fmt::format("p={} q={} γ={}", test.p, test.q, test.gamma);
  if (test.candidates > 1) words += fmt::format(" k={}", test.candidates);
  return words + (test.tokens == 1 ? ", first token" : fmt::format(", {} tokens", test.tokens));
}

Json as_json(Counterexample::Test const& test, Finding const& found, bool caught) {
  return {{"p", test.p},
          {"q", test.q},
          {"gamma", test.gamma},
          {"candidates", test.candidates},
          {"tokens", test.tokens},
          {"tv", found.distance.str()},
          {"tv_float", static_cast<double>(found.distance)},
          {"rounds", found.rounds},
          {"p_value", found.observed.p_value},
          {"caught", caught}};
}

}  // namespace

Result faulty_rules(Invocation const& args) {
  for (char const* option : {"SOURCE", "--p", "--q", "--rule", "--drafter", "--policy", "--gamma", "--candidates",
                             "--tree", "--rounds", "--time", "--range"})
    if (args.has(option))
      throw UsageError(
          fmt::format("{} has no meaning with --faulty (each faulty rule has its own table and rounds)", option),
          "leave it out, or use --rule faulty/NAME");
  std::vector<RuleCard> pieces;
  for (RuleCard const& card : rule_cards())
    if (card.counterexample) pieces.push_back(card);
  double const false_alarm = false_alarm_share(2 * pieces.size());
  Backend const backend = backend_from(args);

  Result result{.backend = std::string(backend.name)};
  Json faulty = Json::array();
  Section shown{.heading = "Caught",
                .table = Table{{"rule", "faulty rule", Align::left},
                               {"summary", "what it does", Align::left},
                               {"shows", "is shown by", Align::left},
                               {"tv", "TV"},
                               {"rounds", "rounds"},
                               {"p_value", "p-value"},
                               {"verdict", "verdict", Align::left}}};
  Section hidden{.heading = "A test too weak",
                 .table = Table{{"rule", "faulty rule", Align::left},
                                {"hides", "passes", Align::left},
                                {"tv", "TV"},
                                {"p_value", "p-value"},
                                {"why", "because", Align::left}}};
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
    shown.table.add({std::string(card.name), std::string(card.summary), text(counterexample.shows),
                     Exact{shows.distance.str()}, static_cast<std::int64_t>(shows.rounds),
                     Number{shows.observed.p_value, 2}, std::string(seen ? "caught" : "missed")});
    hidden.table.add({std::string(card.name), text(counterexample.hides), Exact{hides.distance.str()},
                      Number{hides.observed.p_value, 2}, std::string(counterexample.why)});
    faulty.push_back({{"rule", card.name},
                      {"source", card.source},
                      {"shows", as_json(counterexample.shows, shows, seen)},
                      {"hides", as_json(counterexample.hides, hides, !passed)},
                      {"why", counterexample.why}});
  }
  shown.notes = {fmt::format(
      "TV: between the distribution of those tokens and the target's, by following every path of answers. "
      "p-value: of G over as many rounds; \"caught\" below {:.1e}.",
      false_alarm)};
  result.document = {{"estimator", "enumeration beside simulation"},
                     {"faulty", std::move(faulty)},
                     {"caught", caught},
                     {"false_alarm", suite_false_alarm}};
  result.title = fmt::format(
      "{} of {} faulty rules, as met in real code, are caught by the test that shows them, and pass one too weak",
      caught, pieces.size());
  result.sections = {std::move(shown), std::move(hidden)};
  return result;
}

}  // namespace draftgauge
