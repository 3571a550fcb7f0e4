#include "analysis/audit_rounds.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;
using Rule = AuditOptions::Rule;
using Kind = StopRule::Kind;

namespace {

double const p[] = {.6, .4}, q[] = {.3, .7};
std::int64_t const end_token = 1;

/// A text in the making, and how likely an engine writes it in these rounds.
struct Run {
  double probability = 1;
  std::vector<std::int64_t> tokens = {};
  std::vector<EngineRound> rounds = {};
};

/// What an engine does after a round: whether the text ends, and what is kept of it.
using Engine = std::function<bool(Run&)>;

/// All runs of an honest engine with γ drafts a round: a round keeps τ = i drafts and emits y_0 … y_i with probability
/// p(y) P(τ = i | y). `surviving`: P(τ ≥ i | y) of the rule, from the ratios q(y_j)/p(y_j).
void for_each_run(int gamma, std::function<double(std::vector<double> const&)> const& surviving, Engine const& ends,
                  std::function<void(Run const&)> const& visit, Run const& before = {}) {
  for (int i = 0; i <= gamma; ++i)
    for (int bits = 0; bits < 1 << (i + 1); ++bits) {
      Run run = before;
      std::vector<double> ratios;
      auto const start = static_cast<std::int64_t>(run.tokens.size());
      for (int j = 0; j <= i; ++j) {
        std::int64_t const y = bits >> j & 1;
        run.probability *= p[y];
        ratios.push_back(q[y] / p[y]);
        run.tokens.push_back(y);
      }
      double const all = surviving(ratios);
      ratios.pop_back();
      run.probability *= i == gamma ? surviving(ratios) : surviving(ratios) - all;
      run.rounds.push_back({"a", start, gamma, i + 1, false});
      if (run.probability == 0) continue;
      if (ends(run))
        visit(run);
      else
        for_each_run(gamma, surviving, ends, visit, run);
    }
}

double token_rule(std::vector<double> const& ratios) {
  double product = 1;
  for (double const r : ratios) product *= std::min(1., r);
  return product;
}
double block_rule(std::vector<double> const& ratios) {
  double product = 1, least = 1;
  for (double const r : ratios) least = std::min(least, product *= r);
  return least;
}

/// Tokens up to and with the first end token; the rest of its round is dropped.
bool cut_at_end_token(Run& run) {
  auto const found = std::ranges::find(run.tokens, end_token);
  if (found == run.tokens.end()) return false;
  auto const dropped = run.tokens.end() - found - 1;
  run.tokens.erase(found + 1, run.tokens.end());
  run.rounds.back().emitted -= dropped;
  return run.rounds.back().ends = true;
}
bool cut_at(Run& run, std::size_t limit) {
  if (run.tokens.size() < limit) return false;
  run.rounds.back().emitted -= static_cast<std::int64_t>(run.tokens.size() - limit);
  run.tokens.resize(limit);
  return true;
}

std::size_t const limit = 4;
bool truncated(Run& run) { return cut_at(run, limit); }
bool maxnew(Run& run) { return run.tokens.size() >= limit; }
bool end_token_or_limit(Run& run) {
  bool const cut = cut_at(run, 6);
  return cut_at_end_token(run) || cut;
}
bool end_token_or_maxnew(Run& run) { return cut_at_end_token(run) || maxnew(run); }
/// Ends with the round that holds an end token, and keeps all of it; or with maxnew.
bool whole_with_end_token(Run& run) {
  bool const found = std::ranges::find(run.tokens, end_token) != run.tokens.end();
  run.rounds.back().ends = found;
  return found || maxnew(run);
}

RoundsCheck judged(Run const& run, AuditOptions const& options) {
  TextScores text;
  text.name = "a";
  for (std::int64_t const y : run.tokens) {
    text.log_p.push_back(std::log(p[y]));
    text.log_q.push_back(std::log(q[y]));
  }
  Scores scores;
  scores.name = "columns";
  scores.texts.push_back(text);
  EngineLog log;
  log.file = "rounds.jsonl";
  log.rounds = run.rounds;
  return check_rounds(scores, log, options).value();
}

/// Σ of observed − expected over all runs, weighted by their probability, and of its square less sd².
struct Moments {
  double probability = 0, excess = 0, variance = 0;
};
Moments moments(Rule rule, int gamma, Engine const& ends, StopRule const& stop,
                std::optional<std::int64_t> until = {}) {
  Moments sum;
  for_each_run(gamma, rule == Rule::block ? block_rule : token_rule, ends, [&](Run const& run) {
    RoundsCheck const check = judged(run, {.rule = rule, .stop = stop, .until = until});
    double const excess = check.observed - check.expected;
    sum.probability += run.probability;
    sum.excess += run.probability * excess;
    sum.variance += run.probability * (excess * excess - check.sd * check.sd);
  });
  return sum;
}

}  // namespace

// The whole law of small engines: given how texts end, rounds are as expected, and vary as much.
TEST_CASE("rounds are as many as expected of an honest engine, however its texts end") {
  auto const holds = [](Engine const& ends, StopRule const& stop, std::optional<std::int64_t> until = {}) {
    for (Rule const rule : {Rule::token, Rule::block})
      for (int const gamma : {1, 2, 3}) {
        Moments const found = moments(rule, gamma, ends, stop, until);
        CHECK(found.probability == Approx(1));
        CHECK(found.excess == Approx(0).margin(1e-12));
        CHECK(found.variance == Approx(0).margin(1e-12));
      }
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
  CHECK(moments(Rule::token, 2, maxnew, {Kind::truncated}).excess < -.05);
  CHECK(moments(Rule::token, 2, whole_with_end_token, {Kind::truncated}).excess < -.05);
  CHECK(moments(Rule::token, 2, truncated, {Kind::whole}).excess > .05);
}

TEST_CASE("where it is not known how texts end, no run is further off than by the right rule") {
  for (auto const& [ends, stop] : {std::pair<Engine, StopRule>(maxnew, {Kind::whole}),
                                   std::pair<Engine, StopRule>(whole_with_end_token, {Kind::whole})})
    for_each_run(2, token_rule, ends, [&, &stop = stop](Run const& run) {
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
  Scores scores;
  scores.name = "columns";
  EngineLog log;
  log.file = "rounds.jsonl";
  for (char const* name : {"a", "b"}) {
    scores.texts.push_back({.name = name, .log_p = {-1, -1}, .log_q = {-1, -1}});
    log.rounds.push_back({name, 0, 1, 2, *name == 'a'});
  }
  CHECK(
      message<InputError>([&] { check_rounds(scores, log, {.stop = {Kind::maxnew, 9}}); }) ==
      "rounds.jsonl, text b: it has 2 tokens, and its last round does not end it by an end token (a run with a limit "
      "of 9 tokens goes on) correct the limit of tokens");
  CHECK(message<InputError>([&] { check_rounds(scores, log, {.stop = {Kind::eos}}); }) ==
        "rounds.jsonl, text b: its last round does not end it by an end token, as others do (all end so if only end "
        "tokens end a text) say what else may end a text");
  CHECK(message([&] { audit(scores, log, {.stop = {Kind::maxnew, 0}}); }) ==
        "maxnew is 0 (a text has a token at least) give 1 or more");
  CHECK(to_string(StopRule{Kind::maxnew, 40}) == "maxnew=40");
  CHECK(to_string(StopRule{Kind::whole}) == "round");
}
