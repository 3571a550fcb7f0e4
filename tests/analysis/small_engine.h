#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/recordings/engine_log.h"
#include "analysis/stats/token_trace.h"
#include "sim/base/lists.h"

/// All runs of an honest engine on two tokens, with their probabilities.
namespace draftgauge::testing::small_engine {

inline double const p[] = {.6, .4}, q[] = {.3, .7};
inline std::int64_t const end_token = 1;

/// A text in the making, and how likely an engine writes it in these rounds.
struct Run {
  double probability = 1;
  std::vector<std::int64_t> tokens = {};
  std::vector<EngineRound> rounds = {};
};

/// How many tokens an engine drafts in its next round.
using Drafts = std::function<int(Run const&)>;

/// What an engine does after a round: whether the text ends, and what is kept of it.
using Engine = std::function<bool(Run&)>;

/// All runs of an honest engine with these drafts a round: a round keeps τ = i drafts and emits y_0 … y_i with
/// probability p(y) P(τ = i | y). `surviving`: P(τ ≥ i | y) of the rule, from the ratios q(y_j)/p(y_j).
inline void for_each_run(Drafts const& drafts, std::function<double(std::vector<double> const&)> const& surviving,
                         Engine const& ends, std::function<void(Run const&)> const& visit, Run const& before = {}) {
  int const gamma = drafts(before);
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
        for_each_run(drafts, surviving, ends, visit, run);
    }
}
inline Drafts always(int gamma) {
  return [=](Run const&) { return gamma; };
}

inline double token_rule(std::vector<double> const& ratios) {
  double product = 1;
  for (double const r : ratios) product *= std::min(1., r);
  return product;
}
inline double block_rule(std::vector<double> const& ratios) {
  double product = 1, least = 1;
  for (double const r : ratios) least = std::min(least, product *= r);
  return least;
}

/// Tokens up to and with the first end token; the rest of its round is dropped.
inline bool cut_at_end_token(Run& run) {
  auto const found = std::ranges::find(run.tokens, end_token);
  if (found == run.tokens.end()) return false;
  auto const dropped = run.tokens.end() - found - 1;
  run.tokens.erase(found + 1, run.tokens.end());
  run.rounds.back().emitted -= dropped;
  return run.rounds.back().ends = true;
}
inline bool cut_at(Run& run, std::size_t limit) {
  if (run.tokens.size() < limit) return false;
  run.rounds.back().emitted -= static_cast<std::int64_t>(run.tokens.size() - limit);
  run.tokens.resize(limit);
  return true;
}

inline std::size_t const limit = 4;
inline bool truncated(Run& run) { return cut_at(run, limit); }
/// No more than there is room for below the limit, beside the token behind them.
inline int up_to_limit(Run const& run) { return std::min(2, static_cast<int>(limit - run.tokens.size()) - 1); }
/// More where the last token was likely.
inline int by_last_token(Run const& run) { return run.tokens.empty() || run.tokens.back() == 0 ? 2 : 1; }
inline bool maxnew(Run& run) { return run.tokens.size() >= limit; }
inline bool end_token_or_limit(Run& run) {
  bool const cut = cut_at(run, 6);
  return cut_at_end_token(run) || cut;
}
inline bool end_token_or_maxnew(Run& run) { return cut_at_end_token(run) || maxnew(run); }
/// Ends with the round that holds an end token, and keeps all of it; or with maxnew.
inline bool whole_with_end_token(Run& run) {
  bool const found = contains(run.tokens, end_token);
  run.rounds.back().ends = found;
  return found || maxnew(run);
}

/// All columns of a run's text.
inline TokenTrace trace_of(Run const& run) {
  TextTrace text;
  text.name = "a";
  for (std::int64_t const y : run.tokens) {
    text.log_p.push_back(std::log(p[y]));
    text.log_q.push_back(std::log(q[y]));
    text.beta.push_back(std::min(p[0], q[0]) + std::min(p[1], q[1]));
    text.entropy_p.push_back(-p[0] * std::log(p[0]) - p[1] * std::log(p[1]));
    text.argmax_match.push_back(y == 1);
  }
  TokenTrace trace;
  trace.name = "columns";
  trace.texts.push_back(text);
  return trace;
}
inline EngineLog log_of(Run const& run) {
  EngineLog log;
  log.file = "rounds.jsonl";
  log.rounds = run.rounds;
  return log;
}

}  // namespace draftgauge::testing::small_engine
