#include "analysis/texts/text_lead.h"

#include <catch2/catch.hpp>

#include "tests/analysis/reference_recordings.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

TextLead lead(TokenTrace trace, double cost) {
  TextEstimates const found(std::move(trace), {.gammas = {4}, .resamples = 0});
  Costs costs;
  costs.draft = cost;
  return text_lead(found, false, text_speedup(found, Estimator::replay, 4, costs), .95);
}

}  // namespace

TEST_CASE("what must be said before a best draft length") {
  TokenTrace const all = reference_recording("prune2", "1");
  REQUIRE(all.tokens() >= fewest_tokens);
  CHECK(lead(all, .1) == TextLead::firm);
  // E[N] is 2.97 ± .1 there: at c = .49 a round of four drafts costs 2.96 steps.
  CHECK(lead(all, .49) == TextLead::no_gain);
  TokenTrace one = all;
  one.texts.resize(1);
  CHECK(lead(one, .1) == (one.tokens() < fewest_tokens ? TextLead::little : TextLead::one_text));
  TextTrace& text = one.texts.front();
  for (std::size_t i = 1; one.tokens() < fewest_tokens; ++i) {
    text.log_p.insert(text.log_p.end(), all.texts[i].log_p.begin(), all.texts[i].log_p.end());
    text.log_q.insert(text.log_q.end(), all.texts[i].log_q.begin(), all.texts[i].log_q.end());
  }
  one.texts.front() = {.name = "0", .log_p = text.log_p, .log_q = text.log_q};
  CHECK(lead(one, .1) == TextLead::one_text);
  TextEstimates const whole(one, {.gammas = {4}, .resamples = 0});
  CHECK(text_lead(whole, true, {}, .95) == TextLead::firm);
  one.texts.front().log_p.resize(fewest_tokens - 1);
  one.texts.front().log_q.resize(fewest_tokens - 1);
  CHECK(lead(one, .1) == TextLead::little);
  TokenTrace same;
  for (int i = 0; i < 10; ++i)
    same.texts.push_back({.log_p = std::vector<double>(40, -1.), .log_q = std::vector<double>(40, -1.5)});
  CHECK(lead(same, .1) == TextLead::agreeing);
  CHECK(text_lead(TextEstimates(all, {.gammas = {4}, .resamples = 0}), false, {}, .95) == TextLead::firm);
}
