#include "analysis/audit/engine_logprobs.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace draftgauge;

namespace {

/// Two texts of 60 tokens with log-probabilities that are no two alike.
TokenTrace scored_trace() {
  TokenTrace scored;
  for (int t = 0; t < 2; ++t) {
    TextTrace text;
    for (int i = 0; i < 60; ++i) {
      text.log_p.push_back(-.3 - .37 * ((i * 7 + t) % 11));
      text.log_q.push_back(-.45 - .41 * ((i * 5 + t) % 13));
    }
    scored.texts.push_back(std::move(text));
  }
  return scored;
}

TextLogprobs reported_logprobs(TokenTrace const& scored, auto const& value) {
  TextLogprobs all;
  for (TextTrace const& text : scored.texts) {
    all.emplace_back();
    for (std::size_t i = 0; i < text.size(); ++i) all.back().push_back(value(text, i));
  }
  return all;
}

EngineLogprobs checked_logprobs(auto const& value, std::vector<LogprobAlternative> const& alternatives = {}) {
  TokenTrace const scored = scored_trace();
  return check_engine_logprobs(scored, reported_logprobs(scored, value), alternatives, .01);
}

}  // namespace

TEST_CASE("engine log-probabilities: right ones, with rounding, are right") {
  EngineLogprobs const found =
      checked_logprobs([](TextTrace const& text, std::size_t i) { return text.log_p[i] + (i % 2 ? .009 : -.009); });
  CHECK(found.right());
  CHECK(found.tokens == 120);
  CHECK(found.largest == Approx(.009));
  CHECK_FALSE(found.fault);
  CHECK(found.mean_ratio == Approx(std::cosh(.009)));
}

TEST_CASE("engine log-probabilities: each fault is named, where it is of drafts alone as well") {
  auto const accepted = [](std::size_t i) { return i % 3 != 0; };
  EngineLogprobs const zero =
      checked_logprobs([&](TextTrace const& text, std::size_t i) { return accepted(i) ? 0 : text.log_p[i]; });
  CHECK(zero.fault == LogprobFault::zero);
  CHECK(zero.differing == 80);
  CHECK(zero.explained == 80);
  REQUIRE(zero.first);
  CHECK(zero.first->token == 1);
  CHECK(zero.mean_ratio < 1);
  CHECK(checked_logprobs([&](TextTrace const& text, std::size_t i) {
          return accepted(i) ? text.log_q[i] : text.log_p[i];
        }).fault == LogprobFault::draft);
  CHECK(checked_logprobs([](TextTrace const& text, std::size_t i) {
          return text.log_p[i + 1 < text.size() ? i + 1 : i];
        }).fault == LogprobFault::early);
  CHECK(checked_logprobs([](TextTrace const& text, std::size_t i) { return text.log_p[i > 0 ? i - 1 : i]; }).fault ==
        LogprobFault::late);
  TokenTrace const scored = scored_trace();
  auto const raw = [](TextTrace const& text, std::size_t i) { return text.log_p[i] * .7 - .1; };
  CHECK(checked_logprobs(raw, {{LogprobFault::raw, reported_logprobs(scored, raw)}}).fault == LogprobFault::raw);
  CHECK_FALSE(checked_logprobs(raw).fault);
}

TEST_CASE("engine log-probabilities: what no fault explains is not named") {
  EngineLogprobs const found = checked_logprobs(
      [](TextTrace const& text, std::size_t i) { return text.log_p[i] - .05 - .003 * static_cast<double>(i); });
  CHECK_FALSE(found.right());
  CHECK_FALSE(found.fault);
  CHECK(found.differing == 120);
  constexpr double excluded = -std::numeric_limits<double>::infinity();
  EngineLogprobs const infinite = checked_logprobs([](TextTrace const&, std::size_t) { return excluded; });
  CHECK(std::isinf(infinite.largest));
  CHECK(infinite.mean_ratio == 1);  // of no finite logarithm
}
