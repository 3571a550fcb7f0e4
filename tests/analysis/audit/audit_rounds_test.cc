#include "analysis/audit/audit_rounds.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <optional>
#include <tuple>
#include <vector>

#include "tests/analysis/small_engine.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;
using namespace draftgauge::testing::small_engine;
using Kind = StopRule::Kind;

namespace {

RoundsCheck judged(Run const& run, AuditOptions const& options) {
  return check_rounds(trace_of(run), log_of(run), options).value();
}

/// Σ of observed − expected over all runs, weighted by their probability, and of its square less sd².
struct Moments {
  double probability = 0, excess = 0, variance = 0;
};
Moments moments(std::string const& rule, Drafts const& drafts, Engine const& ends, StopRule const& stop,
                std::optional<std::int64_t> until = {}, bool alike = true) {
  Moments sum;
  for_each_run(drafts, rule == "block" ? block_rule : token_rule, ends, [&](Run const& run) {
    TokenTrace trace = trace_of(run);
    EngineLog log = log_of(run);
    if (!alike) {  // another text, of a round of other drafts that has no test before its last token
      trace.texts.push_back({.name = "b", .log_p = {-1}, .log_q = {-1}});
      log.rounds.push_back({"b", 0, 7, 1, false});
    }
    RoundsCheck const check = check_rounds(trace, log, {.rule = rule, .stop = stop, .until = until}).value();
    double const excess = check.observed - check.expected;
    sum.probability += run.probability;
    sum.excess += run.probability * excess;
    sum.variance += run.probability * (excess * excess - check.sd * check.sd);
  });
  return sum;
}

/// That rounds are as many as expected, and vary as much.
void check_expected(Moments const& found) {
  CHECK(found.probability == Approx(1));
  CHECK(found.excess == Approx(0).margin(1e-12));
  CHECK(found.variance == Approx(0).margin(1e-12));
}

}  // namespace

// The whole law of small engines: given how texts end, rounds are as expected, and vary as much.
TEST_CASE("rounds are as many as expected of an honest engine, however its texts end") {
  auto const holds = [](Engine const& ends, StopRule const& stop, std::optional<std::int64_t> until = {}) {
    for (char const* rule : {"token", "block"})
      for (int const gamma : {1, 2, 3}) check_expected(moments(rule, always(gamma), ends, stop, until));
  };
  holds(truncated, {Kind::truncated});
  holds(maxnew, {Kind::maxnew, limit});
  holds(maxnew, {Kind::whole});
  holds(maxnew, {Kind::maxnew, limit}, 3);
  holds(maxnew, {}, limit);
  holds(end_token_or_limit, {Kind::truncated});
  holds(end_token_or_maxnew, {Kind::maxnew, limit});
  holds(end_token_or_maxnew, {}, limit);
  holds(whole_with_end_token, {Kind::whole});
  holds(whole_with_end_token, {Kind::whole}, 3);
}

// What they would be by another rule of ending, so that the test above can fail: a text is long where its last round
// was.
TEST_CASE("rounds are not as many as expected by another rule of ending") {
  CHECK(moments("token", always(2), maxnew, {Kind::truncated}).excess < -.05);
  CHECK(moments("token", always(2), whole_with_end_token, {Kind::truncated}).excess < -.05);
  CHECK(moments("token", always(2), truncated, {Kind::whole}).excess > .05);
}

TEST_CASE("rounds are as many as expected of an honest engine that does not always draft as many tokens") {
  StopRule const reaches{Kind::maxnew, limit}, cut{Kind::truncated}, whole{Kind::whole};
  for (auto const& [drafts, ends, stops] :
       {std::tuple(Drafts(up_to_limit), Engine(maxnew), std::vector{reaches, cut, whole}),
        std::tuple(Drafts(up_to_limit), Engine(end_token_or_maxnew), std::vector{reaches, cut}),
        std::tuple(Drafts(by_last_token), Engine(maxnew), std::vector{reaches, whole}),
        std::tuple(Drafts(by_last_token), Engine(end_token_or_limit), std::vector{cut})})
    for (StopRule const& stop : stops)
      for (char const* rule : {"token", "block"})
        check_expected(moments(rule, drafts, ends, stop, {}, stop == whole));
}

TEST_CASE("a round is judged by the drafts that it had") {
  // γ = 2, or 1 and a bonus token: the second token is a rejected draft, or none.
  auto const excess = [](EngineRound round) {
    RoundsCheck const check = judged({1, {0, 0}, {std::move(round)}}, {.stop = {Kind::whole}});
    return check.observed - check.expected;
  };
  CHECK(excess({"a", 0, 2, 2, false}) == Approx(.5 - .5));
  CHECK(excess({"a", 0, 1, 2, false}) == Approx(-.5));
  CHECK(excess({"a", 0, 2, 2, false, {}, 1}) == Approx(-.5));
  RoundsCheck const mixed =
      judged({1, {0, 0, 0}, {{"a", 0, 0, 1, false}, {"a", 1, 1, 2, false}}}, {.stop = {Kind::eos}});
  CHECK(mixed.tests);
  CHECK(mixed.fewest == 0);
  CHECK(mixed.most == 1);
  CHECK(mixed.observed - mixed.expected == Approx(-.5));
  CHECK(message<InputError>([&] { judged({1, {0}, {{"a", 0, 0, 1, false}}}, {}); }) ==
        "rounds.jsonl: its rounds draft 0 tokens at most (an audit asks how drafts were tested, of 1 to 256 in a "
        "round) "
        "give a log of such rounds");
}

// What is said of texts' ends can be wrong; Σ(kept − k) at any stopping time is not.
TEST_CASE("rounds carry what is known of them whatever ended the texts") {
  for (StopRule const& stop : {StopRule{Kind::maxnew, limit}, StopRule{Kind::truncated}, StopRule{Kind::whole}})
    for_each_run(always(2), token_rule, maxnew, [&](Run const& run) {
      RoundsCheck const open = judged(run, {}), told = judged(run, {.stop = stop});
      CHECK(told.whatever_ended.z == open.z);
      CHECK(told.whatever_ended.p_value == open.p_value);
      CHECK(open.whatever_ended.expected_low <= open.expected + 1e-12);
      CHECK(open.whatever_ended.expected_high >= open.expected - 1e-12);
      CHECK(open.whatever_ended.expected_high - open.whatever_ended.expected_low == Approx(open.open));
      CHECK(open.whatever_ended.least_p_value <= open.p_value);
    });
}

TEST_CASE("where it is not known how texts end, no run is further off than by the right rule") {
  for (auto const& [ends, stop] : {std::pair<Engine, StopRule>(maxnew, {Kind::whole}),
                                   std::pair<Engine, StopRule>(whole_with_end_token, {Kind::whole})})
    for_each_run(always(2), token_rule, ends, [&, &stop = stop](Run const& run) {
      RoundsCheck const known = judged(run, {.stop = stop}), open = judged(run, {});
      CHECK(open.tests);
      CHECK(open.sd == Approx(known.sd));
      CHECK(std::abs(open.observed - open.expected) <= std::abs(known.observed - known.expected) + 1e-12);
    });
  // Of texts that are cut the last draft's test is not known: rounds 0-1 and 2, drafts at 0 and 2, the latter's open.
  Run const run{1, {0, 0, 0}, {{"a", 0, 1, 2, false}, {"a", 2, 1, 1, false}}};
  RoundsCheck const check = judged(run, {});
  CHECK(check.open == Approx(.5));
  CHECK(check.observed == 2);
  CHECK(check.observed - check.expected == Approx(0).margin(1e-12));  // between .5 − 1 and .5 − 1 + .5
  CHECK(judged(run, {.stop = {Kind::whole}}).open == 0);
  CHECK(judged(run, {.until = 3}).open == 0);
  CHECK_FALSE(judged(run, {.until = 3}).tests);
  CHECK(judged(run, {.until = 4}).tests);  // a text that no end token ended is shorter
}

// What is detectable is what the check's own p-value finds: Freedman's bound draft by draft, Chebyshev's of a window.
TEST_CASE("rounds that are detectable are as many as the p-value needs") {
  double const luck = 1.2815515655;  // of power .9
  // Σk(1 − k) = .01: at 3.7 rounds the mean over bets of exp(λD − (e^λ − 1 − λ)V) is 200, at 3.5 it is less.
  double const little = detectable_rounds(.01, true, .005, .9) - luck * .1;
  CHECK(little > 3.5);
  CHECK(little < 4);
  CHECK(detectable_rounds(.01, false, .005, .9) == Approx(.1 / std::sqrt(.005) + luck * .1));
  CHECK(detectable_rounds(24, true, .005, .9) < 30);
  CHECK(detectable_rounds(24, false, .005, .9) == Approx(std::sqrt(24) * (1 / std::sqrt(.005) + luck)));
  CHECK(detectable_rounds(25, true, .005, .9) == Approx(5 * (2.8070337683 + luck)));
  CHECK(detectable_rounds(0, true, .005, .9) == 0);
  // Rounds of one rejected draft each, at a = .999: the p-value is .005 or below from so many on.
  for (int rejected = 1; rejected < 20; ++rejected) {
    Run run{1, {}, {}};
    for (int i = 0; i < rejected; ++i) {
      run.tokens.push_back(1);
      run.rounds.push_back({"a", i, 1, 1, false});
    }
    TokenTrace trace = trace_of(run);
    for (double& log_q : trace.texts.front().log_q) log_q = trace.texts.front().log_p.front() + std::log(.999);
    RoundsCheck const check = check_rounds(trace, log_of(run), {.stop = {Kind::whole}}).value();
    double const needed = detectable_rounds(check.sd * check.sd, true, .005, .5);  // of no luck
    CHECK((check.p_value <= .005) == (check.observed - check.expected >= needed));
  }
}

TEST_CASE("drafts are counted whose test is known") {
  Run const run{1, {0, 0, 0}, {{"a", 0, 1, 2, false}, {"a", 2, 1, 1, false}}};
  CHECK(judged(run, {}).tested == 1);
  CHECK(judged(run, {.stop = {Kind::whole}}).tested == 2);
  CHECK(judged(run, {.until = 1}).tested == 0);
  CHECK(judged(run, {.bonus = false}).tested == 0);
}

TEST_CASE("without a bonus token the last test of a full round is not seen") {
  Run const run{1, {0, 0}, {{"a", 0, 2, 2, false}}};
  RoundsCheck const check = judged(run, {.bonus = false, .stop = {Kind::whole}});
  CHECK(check.observed - check.expected == Approx(-.5));  // the draft at 0 was kept
}

TEST_CASE("a text that is cut may have the beginning of its last round alone") {
  Run const run{1, {0, 0, 0}, {{"a", 0, 2, 2, false}, {"a", 2, 2, 3, false}}};
  CHECK(judged(run, {.stop = {Kind::truncated}}).observed == 2);
  CHECK(
      message<InputError>([&] { judged(run, {}); }) ==
      "rounds.jsonl, text a: rounds emit 5 tokens where columns has 3 (the columns are not of this text) score what "
      "the engine emitted");
}

TEST_CASE("a log that contradicts what ends its texts is refused") {
  Run const late{1, {0, 0, 0}, {{"a", 0, 1, 2, false}, {"a", 2, 1, 1, false}}};
  CHECK(message<InputError>([&] { judged(late, {.stop = {Kind::maxnew, 2}}); }) ==
        "rounds.jsonl, text a: a round starts at token 2 (a run that ends with the round that reaches 2 tokens has "
        "none "
        "there) correct the limit of tokens");
  CHECK(judged(late, {.stop = {Kind::maxnew, 9}}).observed == 2);  // no round says how its text ended
  TokenTrace trace;
  trace.name = "columns";
  EngineLog log;
  log.file = "rounds.jsonl";
  for (char const* name : {"a", "b"}) {
    trace.texts.push_back({.name = name, .log_p = {-1, -1}, .log_q = {-1, -1}});
    log.rounds.push_back({name, 0, 1, 2, *name == 'a'});
  }
  log.tells_ends = true;
  CHECK(
      message<InputError>([&] { check_rounds(trace, log, {.stop = {Kind::maxnew, 9}}); }) ==
      "rounds.jsonl, text b: it has 2 tokens, and its last round does not end it by an end token (a run with a limit "
      "of 9 tokens goes on) correct the limit of tokens");
  CHECK(message<InputError>([&] { check_rounds(trace, log, {.stop = {Kind::eos}}); }) ==
        "rounds.jsonl, text b: its last round does not end it by an end token (all end so if only end tokens end a "
        "text) "
        "say what else may end a text");
  // A log whose rounds all say no contradicts as much; one that does not say contradicts nothing.
  log.rounds.front().ends = false;
  for (StopRule const& stop : {StopRule{Kind::maxnew, 9}, StopRule{Kind::eos}}) {
    log.tells_ends = true;
    CHECK(message<InputError>([&] {
            check_rounds(trace, log, {.stop = stop});
          }).starts_with("rounds.jsonl, text a: it"));
    log.tells_ends = false;
    CHECK(check_rounds(trace, log, {.stop = stop}).value().observed == 2);
  }
  CHECK(message([&] { audit(trace, log, {.stop = {Kind::maxnew, 0}}); }) ==
        "maxnew is 0 (a text has a token at least) give 1 or more");
  CHECK(to_string(StopRule{Kind::maxnew, 40}) == "maxnew=40");
  CHECK(to_string(StopRule{Kind::whole}) == "round");
}
