#include "analysis/choose/draft_choice.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>

#include "tests/analysis/reference_recordings.h"
#include "tests/analysis/text_population.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

constexpr double confidence = .95;

StudyOptions options(std::size_t resamples) {
  StudyOptions asked{.confidence = confidence};
  asked.estimates.gammas = {1, 2, 3, 4, 5, 6, 7, 8};
  asked.estimates.resamples = resamples;
  asked.estimates.coin_runs = 0;
  return asked;
}

Study study(TokenTrace trace, double cost, std::size_t resamples = 400) {
  return Study(Recorded{std::move(trace), Policy::on, {}, {}, {}}, Costs{.draft = cost}, options(resamples));
}

std::optional<DraftChoice> chosen(std::vector<Study> const& studies) {
  std::vector<Study const*> pointers;
  for (Study const& each : studies) pointers.push_back(&each);
  return choose_draft(pointers, confidence);
}

}  // namespace

TEST_CASE("each draft stands at its own costs and best γ") {
  std::vector<TokenTrace> const recorded = reference_recordings("1");
  std::vector<Study> studies;
  studies.push_back(study(recorded[0], .1));
  studies.push_back(study(recorded[1], .02));
  auto const choice = chosen(studies);
  REQUIRE((choice && choice->drafts.size() == 2 && choice->pairs.size() == 1));
  for (std::size_t i = 0; i < 2; ++i) {
    DraftStanding const& each = choice->drafts[i];
    CHECK((each.gamma == studies[i].best->gamma && each.speedup.value == Approx(studies[i].best->speedup)));
    CHECK(each.interval->covers(each.speedup.value));
  }
  TextComparison const& pair = choice->pairs.front();
  CHECK((pair.paired && pair.holm == pair.p_value));
  CHECK(pair.difference.value == Approx(choice->drafts[1].speedup.value - choice->drafts[0].speedup.value));
  // P(best) is Student's t of the paired difference: 400 draws have a standard error of .025 at most.
  CHECK(*choice->drafts[0].p_best + *choice->drafts[1].p_best == Approx(1));
  CHECK(*choice->drafts[1].p_best ==
        Approx(pair.difference.value > 0 ? 1 - pair.p_value / 2 : pair.p_value / 2).margin(.08));
  CHECK(*choice->plain_p_best == 0);
  // A draft that costs as much as it gives is not taken, and costs alone turn the choice.
  std::vector<Study> dear;
  dear.push_back(study(recorded[0], 5));
  dear.push_back(study(recorded[1], .02));
  auto const other = chosen(dear);
  REQUIRE(other);
  CHECK((other->drafts[0].gamma == 0 && other->drafts[0].speedup.value == 1 && other->best == 1));
  CHECK(!other->drafts[0].interval);
  CHECK((*other->drafts[1].p_best == Approx(1) && *other->drafts[0].p_best == 0));
  // Below 20 texts it is not said.
  std::vector<Study> few;
  for (std::size_t i = 0; i < 2; ++i) {
    TokenTrace cut = recorded[i];
    cut.texts.resize(19);
    few.push_back(study(std::move(cut), .1));
  }
  auto const of_few = chosen(few);
  CHECK((of_few && !of_few->drafts[0].p_best && !of_few->plain_p_best && of_few->pairs.front().paired));
}

TEST_CASE("drafts over other texts have no common resamples, and one draft is no choice") {
  std::vector<TokenTrace> const recorded = reference_recordings("1");
  TokenTrace renamed = recorded[1];
  for (TextTrace& text : renamed.texts) {
    text.name += "x";
    std::ranges::fill(text.tokens, 1);
  }
  std::vector<Study> studies;
  studies.push_back(study(recorded[0], .1));
  CHECK_FALSE(chosen(studies));
  studies.push_back(study(renamed, .1));
  auto const choice = chosen(studies);
  REQUIRE(choice);
  CHECK((!choice->drafts[0].p_best && !choice->plain_p_best && !choice->pairs.front().paired));
}

TEST_CASE("two drafts that are as good are told apart no more often than said") {
  // Texts of one population, each with two drafts that are accepted by the same law: at the γ that these texts pick.
  Random random(20);
  TextPopulation const population;
  constexpr int runs = 400;
  int alarms = 0, sure = 0;
  for (int run = 0; run < runs; ++run) {
    TokenTrace one = population.draw(random, 24), other = one;
    for (std::size_t i = 0; i < one.texts.size(); ++i) {
      TextTrace& text = other.texts[i];
      for (std::size_t t = 0; t < text.size(); ++t) {
        double const sure = text.beta[t] / 2;
        text.log_q[t] = random.uniform() < sure ? -1 : -1 + std::log(sure / (1 - sure));
      }
    }
    other.name = "other";
    std::vector<Study> studies;
    studies.push_back(study(std::move(one), .1, 200));
    studies.push_back(study(std::move(other), .1, 200));
    auto const choice = chosen(studies);
    REQUIRE((choice && choice->pairs.size() == 1));
    alarms += choice->pairs.front().p_value < 1 - confidence;
    sure += std::max(*choice->drafts[0].p_best, *choice->drafts[1].p_best) >= .99;
  }
  // 20 are expected; more than 38 of 400 at .05 happen with probability 1e-4.
  INFO("false alarms: " << alarms);
  CHECK(alarms <= 38);
  // P(best) by 200 draws is one of 201 shares, 3 of which are .99 or more of either draft: 12 are expected. More than 20
  // happen with probability .01, spent once as the seed is fixed.
  INFO("P(best) of .99: " << sure);
  CHECK(sure <= 20);
}
