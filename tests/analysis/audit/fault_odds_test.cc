#include "analysis/audit/fault_odds.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/analysis/small_engine.h"

using namespace draftgauge;
using namespace draftgauge::testing::small_engine;
using Kind = StopRule::Kind;

namespace {

using Names = std::set<std::string>;

/// The mean of the odds for each fault over all runs of an honest engine.
std::map<std::string, double> mean_odds(std::string const& rule, Engine const& ends, StopRule const& stop,
                                        Drafts const& drafts = always(2)) {
  std::map<std::string, double> mean;
  for_each_run(drafts, rule == "block" ? block_rule : token_rule, ends, [&](Run const& run) {
    for (FaultOdds const& fault : fault_odds(trace_of(run), log_of(run), {.rule = rule, .stop = stop}))
      mean[std::string(fault.fault)] += run.probability * std::exp(fault.log_odds);
  });
  return mean;
}

/// That they are at most 1, and not because nothing could be told.
void check_fair(std::string const& rule, Engine const& ends, StopRule const& stop, Drafts const& drafts = always(2)) {
  for (auto const& [fault, mean] : mean_odds(rule, ends, stop, drafts)) {
    INFO(fault);
    CHECK(mean <= 1 + 1e-12);
    CHECK(mean > .1);
  }
}

/// A text of these ln q − ln p at p = e^−12 or more, in whole rounds of γ drafts that are all kept.
std::vector<FaultOdds> odds_of(std::vector<double> const& log_ratios, int gamma, AuditOptions options = {}) {
  Run run;
  TokenTrace trace = trace_of(run);
  trace.texts.front().entropy_p.clear();
  std::int64_t const emitted = gamma + (options.bonus ? 1 : 0);
  for (std::size_t t = 0; t < log_ratios.size(); ++t) {
    trace.texts.front().log_p.push_back(-12);
    trace.texts.front().log_q.push_back(log_ratios[t] - 12);
    trace.texts.front().beta.push_back(.5);
  }
  auto const size = static_cast<std::int64_t>(log_ratios.size());
  for (std::int64_t start = 0; start < size; start += emitted)
    run.rounds.push_back({"a", start, gamma, std::min(emitted, size - start), false});
  return fault_odds(trace, log_of(run), options);
}

FaultOdds named(std::vector<FaultOdds> const& all, std::string_view name) {
  auto const found = std::ranges::find(all, name, &FaultOdds::fault);
  REQUIRE(found != all.end());
  return *found;
}

Names names_of(TokenTrace const& trace, int gamma, AuditOptions const& options) {
  EngineLog log;
  log.file = "rounds.jsonl";
  log.rounds = {{"a", 0, gamma, 1, false}};
  Names names;
  for (FaultOdds const& fault : fault_odds(trace, log, options)) names.emplace(fault.fault);
  return names;
}

}  // namespace

// The whole law of small engines: what Ville's inequality needs, whatever ends the texts and whatever is said of it.
TEST_CASE("odds for a fault are at most 1 in the mean over an honest engine") {
  for (char const* rule : {"token", "block"})
    for (Engine const& ends :
         {Engine(truncated), Engine(maxnew), Engine(end_token_or_maxnew), Engine(whole_with_end_token)})
      check_fair(rule, ends, {});
}

TEST_CASE("odds for a fault are at most 1 in the mean at one draft a round") {
  for (char const* rule : {"token", "block"}) check_fair(rule, maxnew, {Kind::whole}, always(1));
}

TEST_CASE("odds for a fault are at most 1 in the mean where an engine does not always draft as many tokens") {
  for (char const* rule : {"token", "block"})
    for (Drafts const& drafts : {Drafts(up_to_limit), Drafts(by_last_token)})
      for (StopRule const& stop : {StopRule{}, StopRule{Kind::whole}}) check_fair(rule, maxnew, stop, drafts);
}

TEST_CASE("a token behind no draft is no bonus token") {
  Run const run{1, {0, 0}, {{"a", 0, 0, 1, false}, {"a", 1, 1, 1, false}}};
  TokenTrace trace = trace_of(run);
  trace.texts.front().log_q.front() = 0;
  CHECK(named(fault_odds(trace, log_of(run), {}), "bonus token from q").log_odds == Approx(0).margin(1e-12));
}

// A fault that is the rule itself could never be seen, and no honest engine would be consistent.
TEST_CASE("faults that cannot differ from the rule are left out") {
  Run const run{1, {0}, {}};
  TokenTrace const trace = trace_of(run);
  TokenTrace bare = trace;
  bare.texts.front().beta.clear();
  bare.texts.front().entropy_p.clear();
  bare.texts.front().argmax_match.clear();
  std::string const lenient = "lenience (odds of keeping a draft × 2)", rare = "drafts kept too rarely (odds × 1/2)",
                    bonus = "bonus token from q", resample = "resample from p after a rejection",
                    coin = "one coin a round", match = "exact match";
  CHECK(names_of(bare, 2, {}) == Names{lenient, rare, bonus, resample, coin, match, "block rule"});
  CHECK(names_of(bare, 1, {}) == Names{lenient, rare, bonus, resample, match});
  CHECK(names_of(bare, 2, {.bonus = false}) == Names{lenient, rare, resample, match});
  CHECK(names_of(bare, 3, {.bonus = false}) == Names{lenient, rare, resample, coin, match, "block rule"});
  CHECK(names_of(bare, 1, {.bonus = false}).empty());
  CHECK(names_of(trace, 1, {.bonus = false}) == Names{lenient, rare, resample, "temperature .95"});
  CHECK(names_of(trace, 2, {.bonus = false}).contains(coin));  // the text leans
  CHECK(names_of(bare, 2, {.rule = "block"}) == Names{lenient, rare, "token rule"});
  CHECK(names_of(bare, 1, {.rule = "block"}) == Names{lenient, rare});
  CHECK(names_of(trace, 2, {.rule = "argmax"}) ==
        Names{"text from q", "temperature .95", "argmax drafts tested as drawn ones"});
  CHECK(names_of(trace, 2, {.rule = "argmax", .temperature = 0}).empty());
}

// γ = 1: every other token is a bonus token. f = 1 + .9 (q/p − 1), as far as 20.
TEST_CASE("what is expected of a fault by hand") {
  double const f = 1 + .9 * (std::exp(1) - 1), growth = f * std::log(f) - (f - 1),
               square = f * std::pow(std::log(f), 2);
  FaultOdds const bonus = named(odds_of({0, 1, 0, 1}, 1), "bonus token from q");
  CHECK(bonus.expected == Approx(2 * growth - std::log(2)));
  CHECK(bonus.spread == Approx(std::sqrt(2 * square + 2 * growth * growth)));
  CHECK(bonus.log_odds == Approx(std::log(std::pow(f, 2) / 2 + std::pow(1 + .3 * (std::exp(1) - 1), 2) / 2)));
}

TEST_CASE("no fault is visible by one token") {
  for (double const log_ratio : {std::log(100.), 9.2, 11.9}) {
    std::vector<double> ratios(40, 0);
    ratios[1] = log_ratio;
    FaultOdds const bonus = named(odds_of(ratios, 1), "bonus token from q");
    CHECK(bonus.log_odds > log_ratio - 1.5);
    CHECK(bonus.expected - 1.2815515655 * bonus.spread < 0);
  }
  // At q/p = e^699 and above squares of logarithms overflowed.
  Run const run{1, {0, 0}, {{"a", 0, 1, 2, false}}};
  TokenTrace trace = trace_of(run);
  trace.texts.front().log_p[1] = -9999;
  for (FaultOdds const& fault : fault_odds(trace, log_of(run), {})) {
    INFO(fault.fault);
    CHECK((std::isfinite(fault.expected) && std::isfinite(fault.spread)));
  }
  // Many such tokens are enough.
  FaultOdds const bonus = named(odds_of(std::vector<double>(80, 1), 1), "bonus token from q");
  CHECK(bonus.expected - 1.2815515655 * bonus.spread > 10);
}

TEST_CASE("of a fault's strengths the most likely has a name") {
  // All drafts were kept where half were expected to be.
  auto const odds = odds_of(std::vector<double>(40, std::log(.5)), 1);
  CHECK(named(odds, "lenience (odds of keeping a draft × 2)").most_likely ==
        "lenience (odds of keeping a draft × 4)");
  CHECK(named(odds, "drafts kept too rarely (odds × 1/2)").most_likely == "drafts kept too rarely (odds × 0.8)");
}

// Given the text the rounds of argmax drafts are certain: only the text tells that they were tested as drawn ones.
TEST_CASE("argmax drafts that were tested as drawn ones show in the text") {
  TokenTrace trace;
  trace.name = "columns";
  EngineLog log;
  log.file = "rounds.jsonl";
  TextTrace text{.name = "a"};
  for (int t = 0; t < 200; ++t) {  // p(argmax q) = .3, q = .6: kept half of the time
    bool const argmax_match = t % 2 == 0;
    text.argmax_match.push_back(argmax_match);
    text.log_p.push_back(std::log(argmax_match ? .3 : .7));
    text.log_q.push_back(std::log(argmax_match ? .6 : .4));
    text.p_of_argmax_q.push_back(.3);
    text.max_q.push_back(.6);
    text.entropy_p.push_back(-.3 * std::log(.3) - .7 * std::log(.7));
    if (!argmax_match) log.rounds.push_back({"a", t - 1, 1, 2, false});
  }
  trace.texts = {text};
  auto const odds = fault_odds(trace, log, {.rule = "argmax"});
  FaultOdds const drawn = named(odds, "argmax drafts tested as drawn ones");
  CHECK(drawn.log_odds == Approx(std::log(std::pow(5. / 3, 100) / 2 + std::pow(1.2, 100) / 2)));
  CHECK(named(odds, "text from q").log_odds > 50);
  Audit const found = audit(trace, log, {.rule = "argmax"});
  CHECK(found.rounds->sd == 0);
  CHECK(found.verdict == Verdict::fails);
  CHECK(found.evidence->most_for == "text from q");
}

TEST_CASE("odds for a fault are 1 in the mean where all is seen") {
  auto const found = mean_odds("token", maxnew, {Kind::whole});
  CHECK(found.size() == 9);
  for (char const* fault : {"lenience (odds of keeping a draft × 2)", "drafts kept too rarely (odds × 1/2)",
                            "bonus token from q", "one coin a round"})
    CHECK(found.at(fault) == Approx(1));
}
