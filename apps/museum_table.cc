#include "apps/museum_table.h"

#include <fmt/format.h>

#include "analysis/exhibit.h"
#include "analysis/false_alarm.h"
#include "apps/rule_options.h"
#include "sim/error.h"

namespace draftgauge {
namespace {

std::string text(Exhibit::Test const& test) {
  std::string words = fmt::format("p={} q={} γ={}", test.p, test.q, test.gamma);
  if (test.candidates > 1) words += fmt::format(" k={}", test.candidates);
  return words + (test.tokens == 1 ? ", first token" : fmt::format(", {} tokens", test.tokens));
}

Json as_json(Exhibit::Test const& test, Finding const& found, bool caught) {
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

Result museum_table(Invocation const& args) {
  for (char const* option : {"SOURCE", "--p", "--q", "--rule", "--drafter", "--policy", "--gamma", "--candidates",
                             "--tree", "--rounds", "--time", "--range"})
    if (args.has(option))
      throw UsageError(
          fmt::format("{} has no meaning with --museum (each wrong rule has its own table and rounds) leave it "
                      "out, or use --rule wrong/NAME",
                      option));
  std::vector<RuleCard> pieces;
  for (RuleCard const& card : rule_cards())
    if (card.exhibit) pieces.push_back(card);
  double const false_alarm = false_alarm_share(2 * pieces.size());
  Backend const backend = backend_from(args);

  Result result{.backend = std::string(backend.name)};
  Json museum = Json::array();
  Section shown{.heading = "Caught",
                .table = Table{{"rule", "wrong rule", Align::left},
                               {"summary", "what it does", Align::left},
                               {"shows", "is shown by", Align::left},
                               {"tv", "TV"},
                               {"rounds", "rounds"},
                               {"p_value", "p-value"},
                               {"verdict", "verdict", Align::left}}};
  Section hidden{.heading = "A test too weak",
                 .table = Table{{"rule", "wrong rule", Align::left},
                                {"hides", "passes", Align::left},
                                {"tv", "TV"},
                                {"p_value", "p-value"},
                                {"why", "because", Align::left}}};
  std::size_t caught = 0;
  for (RuleCard const& card : pieces) {
    Exhibit const& exhibit = *card.exhibit;
    auto const find = [&](Exhibit::Test const& test) {
      return examine(card, test, exhibit.rounds, args.seed(), backend, args.threads());
    };
    Finding const shows = find(exhibit.shows), hides = find(exhibit.hides);
    bool const seen = shows.distance != 0 && shows.observed.p_value < false_alarm;
    bool const passed = hides.distance == 0 && hides.observed.p_value >= false_alarm;
    caught += seen && passed;
    if (!seen || !passed) result.status = Status::failed;
    shown.table.add({std::string(card.name), std::string(card.summary), text(exhibit.shows),
                     Exact{shows.distance.str()}, static_cast<std::int64_t>(shows.rounds),
                     Number{shows.observed.p_value, 2}, std::string(seen ? "caught" : "missed")});
    hidden.table.add({std::string(card.name), text(exhibit.hides), Exact{hides.distance.str()},
                      Number{hides.observed.p_value, 2}, std::string(exhibit.why)});
    museum.push_back({{"rule", card.name},
                      {"source", card.source},
                      {"shows", as_json(exhibit.shows, shows, seen)},
                      {"hides", as_json(exhibit.hides, hides, !passed)},
                      {"why", exhibit.why}});
  }
  shown.notes = {
      fmt::format("TV: between the law of those tokens and the target's, by following every path of answers. "
                  "p-value: of G over as many rounds; \"caught\" below {:.1e}.",
                  false_alarm)};
  hidden.notes = {
      fmt::format("{} of {} wrong rules are caught by the first test and pass the second.", caught, pieces.size())};
  result.document = {{"estimator", "enumeration beside simulation"},
                     {"museum", std::move(museum)},
                     {"caught", caught},
                     {"false_alarm", suite_false_alarm}};
  result.title = "Rules that are wrong, as met in real code";
  result.sections = {std::move(shown), std::move(hidden)};
  return result;
}

}  // namespace draftgauge
