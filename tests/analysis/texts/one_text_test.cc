#include "analysis/texts/one_text.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/random.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

/// One text whose acceptances come in passages: β stays as it is with probability `stay`, else it is .4 or .9.
TokenTrace one_text(std::size_t tokens, double stay, Random& random) {
  TokenTrace trace;
  trace.name = "one";
  trace.temperature = 1;
  TextTrace text;
  text.name = "0";
  bool easy = random.uniform() < .5;
  for (std::size_t t = 0; t < tokens; ++t) {
    double const beta = easy ? .9 : .4;
    text.tokens.push_back(0);
    text.beta.push_back(beta);
    text.log_p.push_back(-1);
    text.log_q.push_back(-1 + std::log(beta));
    if (random.uniform() >= stay) easy = random.uniform() < .5;
  }
  trace.texts.push_back(std::move(text));
  return trace;
}

}  // namespace

TEST_CASE("one text is cut by its length and γ alone") {
  Random random(1);
  EstimateOptions const options{.gammas = {1, 8}, .resamples = 0, .coin_runs = 0};
  auto const parts = [&](std::size_t tokens) {
    auto const found = parts_of_one_text(one_text(tokens, .5, random), options);
    return found ? found->texts() : 0;
  };
  CHECK(parts(511) == 0);  // 8 parts of 64 tokens at least
  CHECK(parts(512) == 8);
  CHECK(parts(1000) == 15);
  CHECK(parts(100'000) == 20);
  CHECK_FALSE(parts_of_one_text(one_text(5000, .5, random), {.gammas = {256}, .coin_runs = 0}));
  TokenTrace two = one_text(5000, .5, random);
  two.texts.push_back(two.texts.front());
  CHECK_FALSE(parts_of_one_text(two, options));
  TokenTrace const text = one_text(4000, .5, random);
  TextEstimates const whole(text, options);
  auto const cut = parts_of_one_text(text, options);
  REQUIRE(cut);
  CHECK(cut->tokens() == 4000);
  CHECK(cut->alpha()->value == Approx(whole.alpha()->value));
  TextEstimate const moved = with_errors_of(*cut->tokens_per_round(Estimator::replay, 8),
                                            whole.tokens_per_round(Estimator::replay, 8)->value);
  CHECK(moved.value == whole.tokens_per_round(Estimator::replay, 8)->value);
  CHECK(delta_interval(moved, .95));
}

TEST_CASE("intervals over parts of one text cover, where passages are short beside parts") {
  // 500 texts each. At .95, 453 or more cover with probability 1 − 1e-4. Passages of 20 tokens in parts of 200.
  for (double const stay : {0., .9}) {
    Random random(9);
    EstimateOptions const options{.gammas = {4}, .resamples = 0, .coin_runs = 0};
    double const truth = [&] {
      TextEstimates const all(one_text(400'000, stay, random), options);
      return all.tokens_per_round(Estimator::replay, 4)->value;
    }();
    int alpha = 0, tokens = 0;
    for (int k = 0; k < 500; ++k) {
      TokenTrace const text = one_text(4000, stay, random);
      TextEstimates const whole(text, options);
      auto const cut = parts_of_one_text(text, options);
      auto const covers = [&](TextEstimate const& of, TextEstimate const& value, double what) {
        auto const interval = delta_interval(with_errors_of(of, value.value), .95);
        return interval && interval->covers(what);
      };
      alpha += covers(*cut->alpha(), *whole.alpha(), .65);
      tokens +=
          covers(*cut->tokens_per_round(Estimator::replay, 4), *whole.tokens_per_round(Estimator::replay, 4), truth);
    }
    CAPTURE(stay, alpha, tokens);
    CHECK(alpha >= (stay > 0 ? 445 : 453));
    CHECK(tokens >= (stay > 0 ? 445 : 453));
  }
}
