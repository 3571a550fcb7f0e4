#pragma once
#include <array>
#include <cmath>
#include <vector>

#include "analysis/stats/token_trace.h"
#include "tests/random.h"

namespace draftgauge::testing {

/// A population of texts whose figures are known exactly, and whose acceptances depend on each other in the ways that
/// real ones do: texts differ from each other (three kinds, the harder the shorter), and within a text easy and hard
/// passages take turns (a Markov chain of two states). In a state of acceptance β the token's a is 1 with probability
/// ½β, else ½β/(1 − ½β), so that E[a | state] = β.
class TextPopulation {
 public:
  struct Kind {
    double share;
    std::array<double, 2> beta;  ///< in its hard and its easy passages
    int shortest, longest;       ///< lengths, equally likely
  };
  static constexpr std::array<Kind, 3> kinds = {
      {{.3, {.2, .6}, 20, 60}, {.4, {.45, .85}, 40, 120}, {.3, {.6, .97}, 60, 200}}};
  static constexpr double stay =
      .8;  ///< in the same state at the next token; both states are equally likely at first

  TextTrace draw(Random& random) const {
    double const u = random.uniform();
    Kind const& kind = u < kinds[0].share ? kinds[0] : u < kinds[0].share + kinds[1].share ? kinds[1] : kinds[2];
    auto const length = static_cast<std::size_t>(kind.shortest) +
                        random.below(static_cast<std::uint64_t>(kind.longest - kind.shortest + 1));
    TextTrace text;
    text.tokens.resize(length);
    std::size_t state = random.uniform() < .5;
    for (std::size_t t = 0; t < length; ++t) {
      double const beta = kind.beta[state], sure = beta / 2;
      text.beta.push_back(beta);
      text.log_p.push_back(-1);
      text.log_q.push_back(random.uniform() < sure ? -1 : -1 + std::log(sure / (1 - sure)));
      if (random.uniform() >= stay) state = 1 - state;
    }
    return text;
  }
  TokenTrace draw(Random& random, std::size_t texts) const {
    TokenTrace trace;
    trace.name = "population";
    trace.temperature = 1;
    while (trace.texts.size() < texts) trace.texts.push_back(draw(random));
    return trace;
  }

  /// E[Σβ] / E[T].
  double alpha() const {
    double beta = 0, tokens = 0;
    each([&](double share, Kind const& kind, int length) {
      beta += share * length * (kind.beta[0] + kind.beta[1]) / 2;
      tokens += share * length;
    });
    return beta / tokens;
  }
  /// E[Σ_t a_t ⋯ a_{t+i−2} β_{t+i−1}] / E[number of t].
  double survival(int i) const {
    double sum = 0, starts = 0;
    each([&](double share, Kind const& kind, int length) {
      std::array<double, 2> reached = {.5, .5};
      for (int k = 0; k < i; ++k) {
        if (k > 0) reached = step(reached);
        for (std::size_t s : {0u, 1u}) reached[s] *= kind.beta[s];
      }
      double const windows = std::max(0, length - i + 1);
      sum += share * windows * (reached[0] + reached[1]);
      starts += share * windows;
    });
    return sum / starts;
  }
  /// E[T] / E[R] of the token rule, by what is left to expect at each token, state, and number of drafts accepted.
  double tokens_per_round(int gamma) const {
    double tokens = 0, rounds = 0;
    for (Kind const& kind : kinds) {
      auto const levels = static_cast<std::size_t>(gamma) + 1;
      std::vector<std::array<double, 2>> left(levels, {1, 1});  // a round that the end cuts off counts
      left[0] = {0, 0};
      for (int length = 1; length <= kind.longest; ++length) {
        std::vector<std::array<double, 2>> now(levels);
        for (std::size_t j = 0; j < levels; ++j)
          for (std::size_t s : {0u, 1u}) {
            auto const then = [&](std::size_t k) { return stay * left[k][s] + (1 - stay) * left[k][1 - s]; };
            double const accepted = j + 1 < levels ? kind.beta[s] : 0;  // behind γ drafts stands the bonus token
            now[j][s] = (1 - accepted) * (1 + then(0)) + (accepted > 0 ? accepted * then(j + 1) : 0);
          }
        left = now;
        if (length < kind.shortest) continue;
        double const share = kind.share / (kind.longest - kind.shortest + 1);
        tokens += share * length;
        rounds += share * (left[0][0] + left[0][1]) / 2;
      }
    }
    return tokens / rounds;
  }

 private:
  static std::array<double, 2> step(std::array<double, 2> const& law) {
    return {stay * law[0] + (1 - stay) * law[1], stay * law[1] + (1 - stay) * law[0]};
  }
  static void each(auto const& visit) {
    for (Kind const& kind : kinds)
      for (int length = kind.shortest; length <= kind.longest; ++length)
        visit(kind.share / (kind.longest - kind.shortest + 1), kind, length);
  }
};

}  // namespace draftgauge::testing
