#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "analysis/adapting/gains.h"
#include "analysis/adapting/recorded.h"
#include "analysis/figures/figure.h"
#include "analysis/texts/text_speedup.h"
#include "analysis/texts/text_width.h"
#include "tests/analysis/figures/figure_cells.h"
#include "tests/analysis/figures/shipped_recordings.h"

namespace draftgauge {
namespace {

using namespace testing;

TEST_CASE("figures: a round that is wider than a column goes on below") {
  FigureInput input = shipped();
  input.gammas = {24};
  Figure const figure = card("leviathan-1").make(input);
  std::map<double, double> ends;
  std::set<double> lines;
  for (auto const& row : figure.data.rows()) {
    double const column = number(row[2]);
    CAPTURE(text(row[3]), column);
    CHECK(column >= ends[number(row[5])]);
    ends[number(row[5])] = column + static_cast<double>(display_width(text(row[3])));
    CHECK(ends[number(row[5])] <= 47);
    CHECK(std::floor(number(row[5])) == number(row[0]));
    lines.insert(number(row[5]));
  }
  CHECK(lines.size() > static_cast<std::size_t>(number(figure.data.rows().back()[0])));
}

TEST_CASE("figures: the marked text is the recorded one, and its rounds are rounds") {
  FigureInput input = shipped();
  input.gammas = {3};
  Figure const figure = card("leviathan-1").make(input);
  std::string shown;
  std::map<std::int64_t, std::vector<std::string>> rounds;
  for (auto const& row : figure.data.rows()) {
    std::string const kind = text(row[4]), word = text(row[3]);
    shown += kind == "accepted draft" ? word : kind[0] == '+' ? word.substr(1) : word.substr(std::string("×").size());
    rounds[std::get<std::int64_t>(row[0])].push_back(kind);
  }
  CHECK(shown.starts_with("Theartofpapermakinghasalongandoftenoverlookedhistory"));
  for (auto const& [number, kinds] : rounds) {
    CAPTURE(number);
    REQUIRE_FALSE(kinds.empty());
    for (std::size_t i = 0; i + 1 < kinds.size(); ++i) CHECK(kinds[i] == "accepted draft");
    CHECK(kinds.size() <= 4);
    CHECK((kinds.back() == "+ after γ acceptances") == (kinds.size() == 4));
  }
}

TEST_CASE("figures: what adapting wins is the best policy's and the oracle's lead over the best fixed γ") {
  FigureInput input = shipped();
  input.recordings.erase(input.recordings.begin() + 1, input.recordings.end());
  input.costs = {.02, .3};
  Figure const figure = card("adapting-gain").make(input);
  REQUIRE(figure.data.rows().size() == 4);
  FigureRecording const& of = input.recordings.front();
  RecordedTexts const recorded(of.trace, of.estimates, *Estimator::replay.card);
  for (std::size_t i = 0; i < 2; ++i) {
    Costs priced = of.costs;
    priced.draft = input.costs[i];
    std::int64_t const gamma = text_best_gamma(of.estimates, Estimator::replay, priced)->gamma;
    AdaptingTexts const texts = recorded.at(priced, gamma);
    TextEstimate const fixed = fixed_speedup(texts, of.estimates.sample());
    CHECK(fixed.value ==
          Approx(text_speedup(of.estimates, Estimator::replay, static_cast<int>(gamma), priced)->speedup.value));
    double most = -HUGE_VAL;
    for (AdaptingGain const& gain : adapting_gains(texts, of.estimates.sample()))
      if (!gain.by_order) most = std::max(most, gain.over_best.value);
    auto const& policy = figure.data.rows()[i];
    auto const& oracle = figure.data.rows()[i + 2];
    CHECK(number(policy[4]) == Approx(100 * most / fixed.value).margin(1e-9));
    CHECK(std::get<std::int64_t>(policy[3]) == gamma);
    double const lead = oracle_speedup(DraftPolicy::exact, texts, of.estimates.sample()).value - fixed.value;
    CHECK(number(oracle[4]) == Approx(100 * lead / fixed.value));
    CHECK(number(oracle[4]) > number(policy[4]));
  }
}

TEST_CASE("figures: the timeline's passes follow each other and cost what they cost") {
  FigureInput input = shipped();
  input.gammas = {4};
  std::map<std::string, double> ends;
  std::map<std::string, int> targets;
  Figure const timeline = card("leviathan-5").make(input);
  for (auto const& row : timeline.data.rows()) {
    double& end = ends[text(row[0])];
    CHECK(number(row[2]) == end);
    end = number(row[3]);
    bool const draft = text(row[1]) == "draft";
    CHECK(end - number(row[2]) == Approx(draft ? .1 : 1));
    targets[text(row[0])] += !draft;
  }
  CHECK(targets["plain"] == 48);
  CHECK(ends["plain"] == Approx(48));
  CHECK(ends["γ = 4"] == Approx(1.4 * targets["γ = 4"]));
  CHECK(targets["γ = 4"] < 48);
}

}  // namespace
}  // namespace draftgauge
