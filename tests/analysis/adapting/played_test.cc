#include "analysis/adapting/played.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "analysis/adapting/gains.h"
#include "analysis/adapting/halves.h"
#include "analysis/adapting/policies/acceptance_gate.h"
#include "analysis/adapting/policies/candidate_steps.h"
#include "analysis/exact/rational.h"

using namespace draftgauge;

namespace {

/// Chances of which a few are neither 0 nor 1.
std::vector<Rational> drawn_chances(std::mt19937_64& random, std::size_t tokens, std::size_t open) {
  std::vector<Rational> chances;
  for (std::size_t t = 0; t < tokens; ++t) chances.push_back(Rational(random() % 3 > 0 ? 1 : 0));
  for (std::size_t i = 0; i < open; ++i) chances[random() % tokens] = Rational(static_cast<int>(random() % 4 + 1), 5);
  return chances;
}

struct Played {
  std::vector<Rational> cost;  ///< of each text
  Rational rounds = 0, drafts = 0;
};

Rational price_of(std::int64_t gamma) { return Rational(10 + gamma, 10); }

/// By the definition: outcomes are all certain.
template <class Policy>
Played play_certain(std::vector<std::vector<bool>> const& texts, Policy const& policy, bool bonus) {
  Played found;
  auto state = policy.start();
  for (std::vector<bool> const& text : texts) {
    Rational cost = 0;
    for (std::size_t t = 0; t < text.size();) {
      std::int64_t accepted = 0;
      while (accepted < state.gamma && t + static_cast<std::size_t>(accepted) < text.size() &&
             text[t + static_cast<std::size_t>(accepted)])
        ++accepted;
      cost += price_of(state.gamma);
      found.rounds += 1;
      found.drafts += state.gamma;
      bool const all = state.gamma > 0 && accepted == state.gamma;
      t += static_cast<std::size_t>(accepted) + (all && !bonus ? 0 : 1);
      state = policy.next(state, accepted);
    }
    found.cost.push_back(cost);
    if constexpr (requires { policy.completed(state); })
      state = policy.completed(state);
    else
      state = policy.start();
  }
  return found;
}

/// PlayedPaths against all outcomes of three texts.
template <class Policy>
void check_against_all_outcomes(Policy const& policy, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (int run = 0; run < 40; ++run) {
    bool const bonus = run % 2 == 0;
    std::vector<std::vector<Rational>> texts;
    for (int text = 0; text < 3; ++text) texts.push_back(drawn_chances(random, 9, 3));
    std::vector<std::pair<std::size_t, std::size_t>> open;
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (std::size_t t = 0; t < texts[i].size(); ++t)
        if (texts[i][t] != 0 && texts[i][t] != 1) open.emplace_back(i, t);
    Rational cost = 0, rounds = 0, drafts = 0;
    std::optional<Rational> least, most;
    for (std::size_t bits = 0; bits < std::size_t{1} << open.size(); ++bits) {
      std::vector<std::vector<bool>> outcomes;
      for (auto const& text : texts) {
        outcomes.emplace_back();
        for (Rational const& a : text) outcomes.back().push_back(a == 1);
      }
      Rational chance = 1;
      for (std::size_t i = 0; i < open.size(); ++i) {
        auto const [text, t] = open[i];
        bool const one = bits >> i & 1;
        outcomes[text][t] = one;
        chance *= one ? texts[text][t] : Rational(1 - texts[text][t]);
      }
      Played const found = play_certain(outcomes, policy, bonus);
      Rational all = 0;
      for (Rational const& each : found.cost) all += each;
      cost += chance * all;
      rounds += chance * found.rounds;
      drafts += chance * found.drafts;
      if (!least || all < *least) least = all;
      if (!most || all > *most) most = all;
    }
    PlayedPaths<Rational, Policy, Rational (*)(std::int64_t)> paths(policy, price_of, bonus);
    for (auto const& text : texts) REQUIRE(paths.play(text.size(), [&](std::size_t t) { return text[t]; }));
    CHECK(paths.mean().cost == cost);
    CHECK(paths.mean().rounds == rounds);
    CHECK(paths.mean().drafts == drafts);
    CHECK(paths.least() == *least);
    CHECK(paths.most() == *most);
  }
}

AdaptingTexts texts_of(std::vector<std::vector<double>> const& chances) {
  AdaptingTexts texts{.requests = {}, .costs = {.draft = .1}, .best = 3, .most = 8};
  for (auto const& text : chances) texts.requests.push_back({{.accepted = text}});
  return texts;
}

std::vector<std::vector<double>> soft_texts(std::size_t texts, std::size_t tokens, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit;
  std::vector<std::vector<double>> all(texts);
  for (auto& text : all)
    for (std::size_t t = 0; t < tokens; ++t) text.push_back(std::sqrt(unit(random)));
  return all;
}

}  // namespace

TEST_CASE("Costs, rounds and drafts of policies are those over all outcomes, in fractions") {
  check_against_all_outcomes(FixedLength{2}, 1);
  check_against_all_outcomes(HeuristicLength{2, 4}, 2);
  // Few rounds fit into a text, so that the engine's constants are made smaller.
  check_against_all_outcomes(CandidateSteps<Rational>{.candidates = {1, 2, 4}, .warmup = 1, .interval = 2}, 3);
  check_against_all_outcomes(AcceptanceGate<Rational>{.gamma = 2, .threshold = Rational(1), .window = 2}, 4);
}

TEST_CASE("SGLang's steps: a walk along the candidates every fifth round after the tenth") {
  CandidateSteps<double> const policy{{1, 3, 5, 7}};
  auto const after = [&](int rounds, std::int64_t accepted) {
    auto state = policy.start();
    for (int round = 0; round < rounds; ++round) state = policy.next(state, std::min(accepted, state.gamma));
    return state;
  };
  CHECK(policy.start().gamma == 5);  // the middle one, with an average of 4
  CHECK(policy.start().memory.average == 4);
  CHECK(after(14, 0).gamma == 5);  // 10 rounds of warm-up and 4 more
  // 4·.8^15 = .1407 ≤ .25 = 1 − ½ − ¼: down past 3 to 1 at once.
  CHECK(after(15, 0).memory.average == Approx(4 * std::pow(.8, 15)));
  CHECK(after(15, 0).gamma == 1);
  CHECK(after(15, 100).gamma == 7);  // 5 − .8^15 = 4.965 > 4.5
  CHECK(after(15, 4).gamma == 5);    // 4 is between 2.25 and 4.5
  CHECK(after(40, 2).gamma == 3);    // towards 2, which is ≤ 2.25 and above .25
  CHECK(after(200, 2).gamma == 3);
  CHECK(policy.completed(after(7, 2)).memory.rounds == 7);  // requests share the average
}

TEST_CASE("TensorRT-LLM's gate shuts for good, by the means of the last requests") {
  AcceptanceGate<double> const gate{3, 1., 2};
  auto const request = [&](AcceptanceGate<double>::State state, std::vector<std::int64_t> const& accepted) {
    for (std::int64_t const each : accepted) state = gate.next(state, each);
    return gate.completed(state);
  };
  auto state = request(gate.start(), {0, 0});
  CHECK(state.gamma == 3);  // a window of 2 is not full
  state = request(state, {3, 1});
  CHECK(state.gamma == 3);  // (0 + 2)/2 is not below 1
  state = request(state, {0, 0, 0, 0, 1, 0});
  CHECK(state.gamma == 3);  // (2 + 1/6)/2
  state = request(state, {1, 0});
  CHECK(state.gamma == 0);  // (1/6 + 1/2)/2
  CHECK(request(state, {3, 3}).gamma == 0);
}

TEST_CASE("Draws come near to what all outcomes give, and are exact where a policy is the fixed γ") {
  auto const chances = soft_texts(6, 300, 1);
  AdaptingTexts const texts = texts_of(chances);
  HeuristicLength const heuristic{5, 8};
  PolicyTimes const exact = played(texts, heuristic), drawn = played(texts, heuristic, {.states = 1});
  REQUIRE(exact.time != drawn.time);
  double all_exact = 0, all_drawn = 0;
  for (std::size_t r = 0; r < 6; ++r) all_exact += exact.time[r], all_drawn += drawn.time[r];
  // 256 draws of some 600 rounds: a standard error below .1 %, and five of them.
  CHECK(all_drawn == Approx(all_exact).epsilon(.005));
  CHECK(drawn.drafts / drawn.rounds == Approx(exact.drafts / exact.rounds).epsilon(.005));
  CHECK(played(texts, heuristic, {.states = 1}).time == drawn.time);  // a seed's
  PolicyTimes const fixed = played(texts, FixedLength{3}), gate = played(texts, AcceptanceGate<double>{3, -1.});
  for (std::size_t r = 0; r < 6; ++r) CHECK(gate.time[r] == Approx(fixed.time[r]).epsilon(1e-12));
  CHECK_FALSE(exact.time_range);  // no token is a hole
}

TEST_CASE("What is fitted on one half of the requests is played on the other") {
  auto const chances = soft_texts(5, 20, 2);
  AdaptingTexts const texts = texts_of(chances);
  auto const starts = [](AdaptingTexts const& half) {
    std::vector<double const*> all;
    for (auto const& request : half.requests) all.push_back(request.front().accepted.data());
    return all;
  };
  auto const found = fitted_on_other_half(texts, starts, [&](AdaptingTexts const& half, auto const& fitted_on) {
    PolicyTimes times;
    for (double const* own : starts(half)) {
      CHECK(std::ranges::find(fitted_on, own) == fitted_on.end());
      times.time.push_back(*own);
    }
    CHECK(half.best == texts.best);
    CHECK(fitted_on.size() + half.requests.size() == 5);
    return times;
  });
  REQUIRE(found);
  for (std::size_t r = 0; r < 5; ++r) CHECK(found->time[r] == chances[r][0]);  // in their own order
  AdaptingTexts one = texts;
  one.requests.resize(1);
  CHECK_FALSE(fitted_on_other_half(one, starts, [](AdaptingTexts const&, auto const&) { return PolicyTimes(); }));
}

TEST_CASE("Where every context is alike no policy by outcomes beats the best fixed γ by more than chance") {
  std::vector<std::vector<double>> const chances(20, std::vector<double>(400, .8));
  AdaptingTexts texts = texts_of(chances);
  texts.costs.draft = .05;
  texts.best = 8;
  texts.most = 16;
  auto const sample = std::make_shared<TextSample const>(std::vector<double>(20, 400), 0, 1);
  auto const gains = adapting_gains(texts, sample);
  REQUIRE(gains.size() == 5);
  for (AdaptingGain const& gain : gains) {
    CAPTURE(gain.policy->name);
    CHECK(gain.over_best.value < .004 * gain.speedup.value);
    CHECK(gain.by_order == (gain.policy->name == "acceptance_gate"));
  }
  CHECK(gains[0].policy->name == "heuristic");
  CHECK(gains[0].speedup.value == Approx(2.8868).epsilon(.01));  // of a text without an end
}

TEST_CASE("Where difficulty persists the last round says how long the next draft should be") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit;
  std::vector<std::vector<double>> chances(40);
  for (auto& text : chances) {
    bool easy = unit(random) < .5;
    for (int t = 0; t < 2000; ++t) {
      text.push_back(unit(random) < (easy ? .95 : .3));
      if (unit(random) < .02) easy = unit(random) < .5;
    }
  }
  AdaptingTexts texts = texts_of(chances);
  texts.best = 5;
  texts.most = 20;
  auto const sample = std::make_shared<TextSample const>(std::vector<double>(40, 2000), 0, 1);
  auto const gains = adapting_gains(texts, sample);
  auto const& by_last =
      *std::ranges::find(gains, "by_last_round", [](AdaptingGain const& each) { return each.policy->name; });
  for (std::int64_t gamma = 1; gamma <= 20; ++gamma) {
    texts.best = gamma;
    CHECK(by_last.speedup.value > 1.02 * fixed_speedup(texts, sample).value);
  }
  CHECK(delta_interval(by_last.over_best, .95)->low > 0);
}

TEST_CASE("Every policy plays where all is known, and a draft model that knows its acceptance gains by it") {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> unit;
  std::vector<std::vector<double>> sure(12), entropy(12);
  AdaptingTexts texts{.requests = {}, .costs = {.draft = .2}, .best = 2, .most = 12};
  for (std::size_t i = 0; i < 12; ++i) {
    for (int t = 0; t < 500; ++t) {
      sure[i].push_back(random() % 4 == 0 ? .2 + .2 * unit(random) : .98);
      entropy[i].push_back(sure[i].back() < .5 ? 3 : .05);
    }
    texts.requests.push_back({{.accepted = sure[i], .q = sure[i], .max_q = sure[i], .entropy_q = entropy[i]}});
  }
  auto const sample = std::make_shared<TextSample const>(std::vector<double>(12, 500), 0, 1);
  auto const gains = adapting_gains(texts, sample);
  REQUIRE(gains.size() == adapting_policies().size());
  for (std::size_t i = 0; i < gains.size(); ++i) {
    CAPTURE(gains[i].policy->name);
    CHECK(gains[i].policy == &adapting_policies()[i]);
    CHECK(gains[i].speedup.value < oracle_speedup(DraftPolicy::exact, texts, sample).value);
    if (gains[i].policy->reads_draft) CHECK(gains[i].over_best.value > .05);
  }
}
