#include "analysis/adapting/confident.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "analysis/adapting/policies/sureness.h"
#include "analysis/theory/draft_policies.h"

using namespace draftgauge;

namespace {

struct ConfidentText {
  std::vector<double> accepted, q, max_q, entropy;
  AdaptingText text() const { return {.accepted = accepted, .q = q, .max_q = max_q, .entropy_q = entropy}; }
};

ConfidentText drawn_text(std::size_t tokens, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit;
  ConfidentText text;
  for (std::size_t t = 0; t < tokens; ++t) {
    text.accepted.push_back(random() % 5 == 0 ? 0 : random() % 4 == 0 ? 1 : unit(random));
    text.max_q.push_back(.3 + .7 * unit(random));
    text.q.push_back(text.max_q.back() * (random() % 2 ? 1 : unit(random)));
    text.entropy.push_back(3 * unit(random));
  }
  return text;
}

/// A policy as an engine acts: at each place the outcome of the draft is known, then whether the draft ends.
struct Brute {
  std::vector<double> accepted, of_text, of_other;
  ConfidenceRule rule;
  double threshold;
  std::int64_t most;
  Costs costs;
  bool bonus;

  std::vector<double> times = round_times(costs, static_cast<int>(most));

  double from(std::size_t t) const { return t >= accepted.size() ? 0 : place(t, 0, 1, std::nullopt); }

 private:
  /// The place behind `made` drafts, of which `rejected` is the first rejected one.
  double place(std::size_t t, std::size_t made, double sure, std::optional<std::size_t> rejected) const {
    if (std::cmp_equal(made, std::min(most, rule.most))) return ended(t, made, rejected, false);
    std::size_t const at = t + made, turned = at % accepted.size();
    // Of a draft that is dropped nobody knows whether it would have been accepted: only rules that are as sure of both drop.
    double const next = (rule.product ? sure : 1) * (rejected ? of_other : of_text)[turned];
    if (rule.drops && next < threshold) return ended(t, made, rejected, true);
    auto const made_it = [&](double now, std::optional<std::size_t> first) {
      return !rule.drops && now < threshold ? ended(t, made + 1, first, false) : place(t, made + 1, now, first);
    };
    if (rejected || at >= accepted.size()) return made_it(next, rejected);
    double const other = (rule.product ? sure : 1) * of_other[turned], a = accepted[at];
    return (a > 0 ? a * made_it(next, std::nullopt) : 0) + (a < 1 ? (1 - a) * made_it(other, made) : 0);
  }
  double ended(std::size_t t, std::size_t made, std::optional<std::size_t> rejected, bool step) const {
    double const time = times[made] + (step ? costs.draft : 0);
    return time + from(t + (rejected ? *rejected + 1 : made + (bonus || made == 0)));
  }
};

constexpr ConfidenceRule known_rules[] = {
    {.of_text = q_of_text, .of_other = greatest_q},
    {.of_text = q_of_text, .of_other = greatest_q, .most = 3},
    {.of_text = greatest_q, .of_other = greatest_q, .drops = true},
    {.of_text = greatest_q, .of_other = greatest_q, .product = true},
    {.of_text = entropy_bound<20>, .of_other = entropy_bound<20>},
};

}  // namespace

TEST_CASE("A draft that ends by confidence takes what its rounds take, outcome by outcome") {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    ConfidentText const text = drawn_text(9, seed);
    bool const bonus = seed % 3 > 0;
    AdaptingTexts const texts{.requests = {{text.text()}},
                              .costs = {.draft = .1, .verify = {{1, 1}, {9, 1.4}}, .overhead = .05},
                              .most = 5,
                              .bonus = bonus};
    for (ConfidenceRule const& rule : known_rules)
      for (double const threshold : {.2, .5, .7}) {
        auto const found = stopped_below(texts, rule, threshold);
        REQUIRE(found);
        Brute const brute{
            text.accepted, rule.of_text(text.text()), rule.of_other(text.text()), rule, threshold, 5, texts.costs,
            bonus};
        CHECK(found->time.front() == Approx(brute.from(0)).epsilon(1e-12));
      }
  }
}

TEST_CASE("Thresholds that never end a draft give the fixed γ, and those that always do one draft, or none") {
  ConfidentText const text = drawn_text(200, 3);
  AdaptingTexts const texts{.requests = {{text.text()}}, .costs = {.draft = .1}, .most = 6};
  for (ConfidenceRule const& rule : known_rules) {
    auto const never = stopped_below(texts, rule, -HUGE_VAL), always = stopped_below(texts, rule, 2);
    CHECK(never->drafts == Approx(never->rounds * static_cast<double>(std::min<std::int64_t>(6, rule.most))));
    CHECK(always->drafts == Approx(rule.drops ? 0 : always->rounds));
    if (rule.drops) CHECK(always->time.front() == Approx(200 * 1.1));  // a step of the draft model for nothing
  }
}

TEST_CASE("A fitted threshold is the fastest one of the other half") {
  // max q is the chance of acceptance in one half, and says nothing in the other.
  std::vector<ConfidentText> all;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit;
  for (int request = 0; request < 8; ++request) {
    ConfidentText& text = all.emplace_back(drawn_text(400, static_cast<std::uint64_t>(request)));
    for (std::size_t t = 0; t < 400; ++t) text.accepted[t] = request % 2 ? unit(random) : (text.max_q[t] > .65);
  }
  AdaptingTexts texts{.requests = {}, .costs = {.draft = .1}, .most = 8};
  for (ConfidentText const& text : all) texts.requests.push_back({text.text()});
  ConfidenceRule const rule = {.of_text = greatest_q, .of_other = greatest_q, .drops = true};
  auto const best = stopped_at_best(texts, rule);
  REQUIRE(best);
  // The odd ones are played as the even ones want it, which is at .6 or .7.
  auto const six = stopped_below(texts, rule, .6), seven = stopped_below(texts, rule, .7);
  CHECK((best->time[1] == six->time[1] || best->time[1] == seven->time[1]));
  CHECK(best->time[0] > std::min(six->time[0], seven->time[0]));
  texts.requests.resize(1);
  CHECK_FALSE(stopped_at_best(texts, rule));
  texts.requests.front().front().max_q = {};
  CHECK_FALSE(stopped_below(texts, rule, .5));
}
