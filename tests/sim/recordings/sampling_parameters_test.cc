#include "sim/recordings/sampling_parameters.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "sim/base/error.h"
#include "sim/chance/philox.h"

using namespace draftgauge;
using Order = SamplingParameters::Order;

namespace {

std::vector<double> logits(std::vector<double> const& law) {
  std::vector<double> z;
  for (double p : law) z.push_back(std::log(p) + 3);  // a row's constant changes nothing
  return z;
}

std::vector<double> folded(SamplingParameters const& how, std::vector<double> const& z) {
  std::vector<double> law(z.size());
  truncate(how, z, law);
  return law;
}

void check_law(std::vector<double> const& law, std::vector<double> const& weights) {
  double const sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  REQUIRE(law.size() == weights.size());
  for (std::size_t i = 0; i < law.size(); ++i) {
    CAPTURE(i);
    CHECK((weights[i] == 0 ? law[i] == 0 : law[i] == Approx(weights[i] / sum)));
  }
}

/// The same by whole sorts, one step after the other, on laws that are renormalised after each.
std::vector<double> by_sorting(SamplingParameters const& how, std::vector<double> law) {
  std::size_t const size = law.size();
  auto const normalise = [&] {
    double const sum = std::accumulate(law.begin(), law.end(), 0.0);
    for (double& p : law) p /= sum;
  };
  auto const order = [&] {
    std::vector<std::size_t> by(size);
    std::iota(by.begin(), by.end(), std::size_t{0});
    std::stable_sort(by.begin(), by.end(), [&](std::size_t a, std::size_t b) { return law[a] > law[b]; });
    return by;
  };
  auto const heat = [&] {
    for (double& p : law) p = std::pow(p, 1 / how.temperature);
    normalise();
  };
  auto const k = [&](bool exactly) {
    if (how.top_k == 0 || how.top_k >= size) return;
    auto const by = order();
    double const least = law[by[how.top_k - 1]];
    for (std::size_t i = how.top_k; i < size; ++i)
      if (exactly || law[by[i]] < least) law[by[i]] = 0;
    normalise();
  };
  auto const p = [&] {
    if (how.top_p == 1) return;
    double above = 0;
    for (std::size_t i : order()) {
      double const own = law[i];
      if (above > 0 && above >= how.top_p) law[i] = 0;
      above += own;
    }
    normalise();
  };
  auto const m = [&] {
    double const least = how.min_p * *std::max_element(law.begin(), law.end());
    for (double& v : law)
      if (v < least) v = 0;
    normalise();
  };
  if (how.order == Order::hf) heat(), k(false), p(), m();
  if (how.order == Order::vllm) heat(), m(), k(false), p();
  if (how.order == Order::llama_cpp) k(true), p(), m(), heat();
  return law;
}

}  // namespace

TEST_CASE("sampling parameters: temperature, and none at all") {
  check_law(folded({}, logits({.5, .3, .2})), {.5, .3, .2});
  check_law(folded({.temperature = 0.5}, logits({.5, .3, .2})), {.25, .09, .04});
  for (Order order : {Order::hf, Order::vllm, Order::llama_cpp})
    check_law(folded({.temperature = 0, .top_k = 2, .order = order}, {1, 4, 4, 2}), {0, 1, 0, 0});
  check_law(folded({.temperature = 1e-320}, {1, 4, 2}), {0, 1, 0});
}

TEST_CASE("sampling parameters: top-k keeps ties in transformers and vLLM, exactly k in llama.cpp") {
  std::vector<double> const z = logits({.1, .3, .2, .2, .2});
  check_law(folded({.top_k = 2, .order = Order::hf}, z), {0, .3, .2, .2, .2});
  check_law(folded({.top_k = 2, .order = Order::vllm}, z), {0, .3, .2, .2, .2});
  check_law(folded({.top_k = 2, .order = Order::llama_cpp}, z), {0, .3, .2, 0, 0});
  check_law(folded({.top_k = 9}, z), {.1, .3, .2, .2, .2});
}

TEST_CASE("sampling parameters: top-p keeps the token that crosses, and not one more where the mass is met") {
  std::vector<double> const z = logits({.125, .5, .25, .125});
  check_law(folded({.top_p = .6}, z), {0, .5, .25, 0});
  check_law(folded({.top_p = .75}, z), {0, .5, .25, 0});
  check_law(folded({.top_p = .76}, z), {.125, .5, .25, 0});  // of equal ones the smallest index
  check_law(folded({.top_p = 0}, z), {0, .5, 0, 0});
}

TEST_CASE("sampling parameters: min-p keeps a token at the bound") {
  std::vector<double> const z{std::log(.5), 0, std::log(.25), std::log(.2)};
  check_law(folded({.min_p = .25}, z), {.5, 1, .25, 0});
  check_law(folded({.min_p = 1}, z), {0, 1, 0, 0});
}

TEST_CASE("sampling parameters: the engines differ by their order") {
  // p = (.4, .3, .2, .1). At T = 1/2 the squares, (.16, .09, .04, .01)/.3: the first two hold .833.
  std::vector<double> const z = logits({.4, .3, .2, .1});
  SamplingParameters how{.temperature = .5, .top_p = .8};
  check_law(folded(how, z), {.16, .09, 0, 0});
  how.order = Order::llama_cpp;  // truncates before it heats: .4 + .3 is below .8
  check_law(folded(how, z), {.16, .09, .04, 0});
  // min-p .5 leaves (.4, .3, .2), over .9, of which two hold .777; after top-p .72 there are three left of four.
  how = {.top_p = .72, .min_p = .5};
  check_law(folded(how, z), {.4, .3, .2, 0});
  how.order = Order::vllm;
  check_law(folded(how, z), {.4, .3, 0, 0});
}

TEST_CASE("sampling parameters: tokens that a row excludes stay out") {
  double const none = -std::numeric_limits<double>::infinity();
  for (Order order : {Order::hf, Order::vllm, Order::llama_cpp})
    check_law(
        folded({.temperature = .7, .top_k = 3, .top_p = .999, .min_p = 1e-6, .order = order}, {none, 2, none, none}),
        {0, 1, 0, 0});
}

TEST_CASE("sampling parameters: as by whole sorts") {
  std::uint32_t draw = 0;
  auto const uniform = [&] { return Philox::bits({{draw++, 0, 0, 0}}, {{11, 0}}).word[0] * 0x1p-32; };
  for (int trial = 0; trial < 300; ++trial) {
    SamplingParameters how{.temperature = .3 + 1.5 * uniform(), .order = static_cast<Order>(trial % 3)};
    if (trial % 2) how.top_k = 1 + static_cast<std::uint32_t>(40 * uniform());
    if (trial % 5) how.top_p = uniform();
    if (trial % 7 < 3) how.min_p = .2 * uniform();
    std::vector<double> law;
    double const steep = 12 * uniform();
    for (int i = 0; i < 60; ++i) law.push_back(std::exp(steep * uniform()));
    double const sum = std::accumulate(law.begin(), law.end(), 0.0);
    for (double& p : law) p /= sum;
    CAPTURE(trial, how.temperature, how.top_k, how.top_p, how.min_p);
    check_law(folded(how, logits(law)), by_sorting(how, law));
  }
}

TEST_CASE("sampling parameters: numbers outside their domain are refused") {
  CHECK_NOTHROW(SamplingParameters{}.check());
  CHECK_THROWS_AS((SamplingParameters{.temperature = -1}.check()), UsageError);
  CHECK_THROWS_WITH((SamplingParameters{.temperature = -1}.check()),
                    "temperature -1.000000 is outside its domain (it is a number from 0 on) change it");
  CHECK_THROWS_WITH((SamplingParameters{.top_p = 1.5}.check()),
                    "top-p 1.500000 is outside its domain (it is a probability, 0 to 1) change it");
  CHECK_THROWS_WITH((SamplingParameters{.min_p = std::nan("")}.check()),
                    "min-p nan is outside its domain (it is a share of the largest probability, 0 to 1) change it");
}
