#include <catch2/catch.hpp>
#include <cmath>
#include <tuple>

#include "analysis/audit/audit.h"
#include "tests/random.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

TokenTrace trace_of(TextTrace text) {
  TokenTrace trace;
  trace.name = "columns";
  trace.texts.push_back(std::move(text));
  return trace;
}

/// Texts of p = (m, 1 − m), q = (k, 1 − k), of which the target takes the first token with probability `truth`: all
/// columns of one text.
TokenTrace coin_text(double m, double k, double truth, std::size_t length, Random& random) {
  TextTrace text;
  text.name = "a";
  double const p[] = {m, 1 - m}, q[] = {k, 1 - k};
  for (std::size_t t = 0; t < length; ++t) {
    std::size_t const x = random.uniform() < truth ? 0 : 1;
    text.tokens.push_back(static_cast<std::int64_t>(x));
    text.log_p.push_back(std::log(p[x]));
    text.log_q.push_back(std::log(q[x]));
    text.beta.push_back(std::min(p[0], q[0]) + std::min(p[1], q[1]));
    text.entropy_p.push_back(-m * std::log(m) - (1 - m) * std::log1p(-m));
    text.max_p.push_back(m);
    text.top.push_back(x == 0);
  }
  return trace_of(std::move(text));
}

/// How many of `runs` such texts the audit says not to be of the rule, at this false alarm.
int rejected(double m, double k, double truth, std::size_t length, int runs, double false_alarm) {
  Random random(7);
  int alarms = 0;
  for (int i = 0; i < runs; ++i)
    alarms +=
        audit(coin_text(m, k, truth, length, random), {}, {.false_alarm = false_alarm}).verdict == Verdict::fails;
  return alarms;
}

}  // namespace

TEST_CASE("tokens that were all but certain are no evidence") {
  Random random(1);
  Audit const found = audit(coin_text(.99, .999, 1, 40, random), {}, {});
  for (auto const& check : {found.draft_bias, found.likelihood, found.top}) {
    REQUIRE(check);
    CHECK(std::abs(check->z) == Approx(std::sqrt(40)));
    CHECK_FALSE(check->normal);
    CHECK_FALSE(check->rejected);
    CHECK(check->p_value > .5);
  }
  CHECK(found.verdict == Verdict::inconclusive);
}

// At a false alarm of .01, 1 000 texts have 26 alarms or more with probability 2e-5, each case.
TEST_CASE("false alarms on low-entropy text are at most as many as stated") {
  for (auto const& [m, k, length] :
       {std::tuple(.99, .9999, 50u), std::tuple(.99, .999, 50u), std::tuple(.999, .9999, 1'000u),
        std::tuple(.95, .99, 60u), std::tuple(.99, .5, 400u), std::tuple(.7, .9, 100u), std::tuple(.99, .97, 3'000u)})
    CHECK(rejected(m, k, m, length, length > 1'000 ? 200 : 1'000, .01) < 26);
}

// Resolutions are of power .9: of 200 texts that drift by as much, 155 or fewer are found with probability 1e-6.
TEST_CASE("a drift of an audit's resolution is found with about the power stated") {
  for (auto const& [m, k, length] : {std::tuple(.7, .4, 2'000u), std::tuple(.95, .6, 1'000u)}) {
    Random random(3);
    Audit const honest = audit(coin_text(m, k, m, length, random), {}, {});
    double const share = m - honest.top->resolution;
    CHECK(rejected(m, k, share, length, 200, .01) > 155);
    CHECK(honest.top->resolution < 9 * std::sqrt(m * (1 - m) / length));  // at .7 z = 5.5; a normal test's is 4.2
  }
}

// Of texts of a = .999 in rounds of γ = 4 that hold a rejection (4 %) the rounds are 10 of their sd too many.
TEST_CASE("rounds of small variance are judged by a bound") {
  TextTrace text;
  text.name = "a";
  text.log_p.assign(40, 0);
  text.log_q.assign(40, std::log(.999));
  EngineLog log;
  log.file = "rounds.jsonl";
  for (std::int64_t start = 0; start < 40;) {
    std::int64_t const emitted = start == 0 ? 1 : std::min<std::int64_t>(5, 40 - start);
    log.rounds.push_back({"a", start, 4, emitted, start + emitted == 40});
    start += emitted;
  }
  Audit const found = audit(trace_of(std::move(text)), log, {});
  REQUIRE(found.rounds);
  CHECK(found.rounds->observed == 9);
  CHECK(found.rounds->z > 4);
  CHECK_FALSE(found.rounds->normal);
  CHECK(found.rounds->p_value > .01);
  CHECK_FALSE(found.rounds->rejected);
}
