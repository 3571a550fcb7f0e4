#include "analysis/fault_odds.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>

#include "tests/analysis/small_engine.h"

using namespace draftgauge;
using namespace draftgauge::testing::small_engine;
using Rule = AuditOptions::Rule;
using Kind = StopRule::Kind;

namespace {

/// The mean of the odds for each fault over all runs of an honest engine.
std::map<std::string, double> mean_odds(Rule rule, Engine const& ends, StopRule const& stop) {
  std::map<std::string, double> mean;
  for_each_run(2, rule == Rule::block ? block_rule : token_rule, ends, [&](Run const& run) {
    for (FaultOdds const& fault : fault_odds(scores_of(run), log_of(run), {.rule = rule, .stop = stop}))
      mean[std::string(fault.fault)] += run.probability * std::exp(fault.log_odds);
  });
  return mean;
}

}  // namespace

// The whole law of small engines: what Ville's inequality needs, whatever ends the texts and whatever is said of it.
TEST_CASE("odds for a fault are at most 1 in the mean over an honest engine") {
  for (Rule const rule : {Rule::token, Rule::block})
    for (Engine const& ends :
         {Engine(truncated), Engine(maxnew), Engine(end_token_or_maxnew), Engine(whole_with_end_token)})
      for (auto const& [fault, mean] : mean_odds(rule, ends, {})) {
        INFO(fault);
        CHECK(mean <= 1 + 1e-12);
        CHECK(mean > .1);
      }
}

TEST_CASE("odds for a fault are 1 in the mean where all is seen") {
  auto const found = mean_odds(Rule::token, maxnew, {Kind::whole});
  CHECK(found.size() == 9);
  for (char const* fault : {"lenience (odds of keeping a draft × 2)", "drafts kept too rarely (odds × 1/2)",
                            "bonus token from q", "one coin a round"})
    CHECK(found.at(fault) == Approx(1));
}
