#include "analysis/trees/tree_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "analysis/recordings/row_walk.h"
#include "analysis/texts/one_text.h"
#include "analysis/theory/acceptance.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// A number of each token of a text.
std::vector<double> probabilities(std::vector<double> const& logarithms) {
  std::vector<double> all;
  for (double const each : logarithms) all.push_back(std::exp(each));
  return all;
}

void require_possible(TokenTrace const& trace) {
  for (TextTrace const& text : trace.texts)
    for (std::size_t t = 0; t < text.log_p.size(); ++t)
      if (!(text.log_p[t] > -HUGE_VAL))
        throw excluded_token(fmt::format("{}, text {}, token {}: p = 0", trace.name, text.name, t + 1));
}

/// One text is told by its parts, where it is long enough.
std::vector<std::size_t> parts(ReplayTask const& task, TokenTrace const& trace) {
  if (trace.texts.size() > 1) return {};
  return ends_of_parts(trace.texts.front().size(), task.tree.depth());
}

/// walk(text, t): what a round does that starts there.
TreeReplay replayed_by(ReplayTask const& task, TokenTrace const& trace, bool by_node, auto const& walk) {
  TreeReplay replay(task.tree, by_node);
  for (std::size_t text = 0; text < trace.texts.size(); ++text) {
    std::size_t const length = trace.texts[text].size();
    replay.begin_text(length, parts(task, trace));
    for (std::size_t t = 0; t < length; ++t) replay.add(walk(text, t));
  }
  return replay;
}

TreeReplay replayed_by(ReplayTask const& task, TokenTrace const& trace, TextRanks const& ranks) {
  return replayed(task.tree, ranks, parts(task, trace));
}

/// Of what a token's columns say alone: ranks_of(text) is [tokens · k].
TreeReplay replayed_by_columns(ReplayTask const& task, TokenTrace const& trace, auto const& ranks_of) {
  TextRanks ranks{.ranks = task.tree.widest()};
  for (TextTrace const& text : trace.texts) ranks.of.push_back(ranks_of(text));
  return replayed_by(task, trace, ranks);
}

TreeReplay replayed_best_path(Recorded const& recorded, ReplayTask const& task,
                              std::vector<std::vector<double>> const& lower) {
  auto const paths = static_cast<int>(task.tree.children(0).count);
  std::vector<std::vector<PathToken>> tokens;
  for (TextTrace const& text : recorded.trace.texts) {
    auto& of = tokens.emplace_back();
    for (std::size_t t = 0; t < text.size(); ++t)
      of.push_back(
          {text.log_q[t] - text.log_p[t], std::exp(text.log_q[t]), lower.empty() ? 0 : lower[tokens.size() - 1][t]});
  }
  return replayed_by(task, recorded.trace, is_chain(task), [&](std::size_t text, std::size_t t) {
    TreeRound walk = walk_best_path(paths, task.tree.depth(), std::span(tokens[text]).subspan(t));
    if (is_chain(task)) walk.passed = walk.alive;
    return walk;
  });
}

/// Calls visit(text, row, p, q, x) for every row, in whatever order; texts are numbered without empty ones.
void for_rows_of(Recorded const& recorded, ReplayTask const& task, int threads, WatchRows const& watch,
                 auto const& visit) {
  RowPairs pairs = recorded.rows();
  require_drafts(task.tree.widest(), has_distinct_drafts(task), pairs.target->layout().vocab);
  std::vector<std::size_t> number;
  std::size_t texts = 0;
  for (std::uint32_t const length : pairs.sequences) number.push_back(length > 0 ? texts++ : 0);
  walk_text(
      pairs, *recorded.target, *recorded.draft, threads,
      [&](RowPlace const& at, Token x) { visit(number[at.sequence], at, x); },
      watch("replay " + recorded.trace.name, pairs.target->layout().rows));
}

/// A walk needs the rows of as many tokens as the tree is deep: they are taken in order, whichever thread has sorted
/// them.
TreeReplay replayed_by_traversal(Recorded const& recorded, ReplayTask const& task, int threads,
                                 WatchRows const& watch) {
  TreeReplay replay(task.tree);
  auto const depth = static_cast<std::size_t>(task.tree.depth());
  bool const different = has_distinct_drafts(task);
  std::mutex in_order;
  std::map<std::uint64_t, WalkRow> early;
  std::vector<WalkRow> window;  // of rows whose rounds are not replayed yet
  std::uint64_t next = 0, start = 0;
  std::size_t text = 0, in_text = 0;
  auto const replay_first = [&] {
    std::span<WalkRow const> const rows(window);
    replay.add(different ? walk_traversal_without(task.tree, rows, TokenCoins(task.seed, start))
                         : walk_traversal(task.tree, rows));
    window.erase(window.begin());
    ++start;
  };
  for_rows_of(recorded, task, threads, watch, [&](std::size_t, RowPlace const& at, Token x) {
    WalkRow row{std::make_shared<RankedPair<double> const>(at.p, at.q), at.p[x], at.q[x]};
    std::scoped_lock const lock(in_order);
    early.emplace(at.row, std::move(row));
    for (auto found = early.find(next); found != early.end(); found = early.find(++next)) {
      std::size_t const length = recorded.trace.texts[text].size();
      if (in_text == 0) replay.begin_text(length, parts(task, recorded.trace));
      window.push_back(std::move(found->second));
      early.erase(found);
      if (window.size() == depth) replay_first();
      if (++in_text < length) continue;
      while (!window.empty()) replay_first();
      in_text = 0;
      ++text;
    }
  });
  return replay;
}

TreeReplay replayed_by_ranks(Recorded const& recorded, ReplayTask const& task, RankDrafts drafts, int threads,
                             WatchRows const& watch) {
  RowPairs pairs = recorded.rows();
  TextRanks ranks = text_ranks(pairs, *recorded.target, *recorded.draft, drafts, task.tree.widest(), task.seed,
                               threads, watch("replay " + recorded.trace.name, pairs.target->layout().rows));
  std::erase_if(ranks.of, [](auto const& text) { return text.empty(); });  // as trace has them
  return replayed_by(task, recorded.trace, ranks);
}

TreeReplay replayed_by_residual(Recorded const& recorded, ReplayTask const& task, int threads,
                                WatchRows const& watch) {
  if (is_chain(task))
    return replayed_by_columns(task, recorded.trace, [](TextTrace const& text) {
      std::vector<double> a;
      for (std::size_t t = 0; t < text.size(); ++t) a.push_back(text.acceptance(t));
      return a;
    });
  return replayed_by_ranks(recorded, task, has_distinct_drafts(task) ? RankDrafts::without : RankDrafts::with,
                           threads, watch);
}

/// q(x), and of a second draft without replacement Σ_{y ≠ x} q(y)·q(x)/(1 − q(y)).
TreeReplay replayed_where_drawn(Recorded const& recorded, ReplayTask const& task, int threads,
                                WatchRows const& watch) {
  TextRanks ranks{.ranks = 2, .of = {}, .exact = 2};
  for (TextTrace const& text : recorded.trace.texts) ranks.of.emplace_back(2 * text.size());
  for_rows_of(recorded, task, threads, watch, [&](std::size_t text, RowPlace const& at, Token x) {
    double* const a = ranks.of[text].data() + 2 * at.position;
    a[0] = at.q[x];
    auto const others = static_cast<double>(at.q.size() - 1);
    for (std::size_t y = 0; y < at.q.size(); ++y)
      if (y != x && at.q[y] > 0) a[1] += at.q[y] < 1 ? at.q[y] * at.q[x] / (1 - at.q[y]) : 1 / others;
  });
  return replayed_by(task, recorded.trace, ranks);
}

TreeReplay replayed_where_drafted(Recorded const& recorded, ReplayTask const& task, int threads,
                                  WatchRows const& watch) {
  TokenTrace const& trace = recorded.trace;
  if (has_top_drafts(task) && is_chain(task))
    return replayed_by_columns(task, trace, [](TextTrace const& text) {
      std::vector<double> a;
      for (std::size_t t = 0; t < text.size(); ++t)
        a.push_back(text.argmax_match.empty() ? text.rank_q[t] == 1 : text.argmax_match[t] != 0);
      return a;
    });
  if (has_top_drafts(task))
    return recorded.rows ? replayed_by_ranks(recorded, task, RankDrafts::top, threads, watch)
                         : replayed_by(task, trace, text_ranks_of_top(trace, task.tree.widest()));
  if (has_distinct_drafts(task) && !is_chain(task)) return replayed_where_drawn(recorded, task, threads, watch);
  if (is_chain(task))
    return replayed_by_columns(task, trace, [](TextTrace const& text) { return probabilities(text.log_q); });
  std::vector<std::vector<double>> q;
  for (TextTrace const& text : trace.texts) q.push_back(probabilities(text.log_q));
  return replayed_by(task, trace, false, [&](std::size_t text, std::size_t t) {
    return walk_trie(task.tree, std::span(q[text]).subspan(t));
  });
}

}  // namespace

TreeReplay replay_tree(Recorded const& recorded, ReplayTask const& task, int threads, WatchRows const& watch) {
  if (!can_replay(recorded, task))
    throw InputError(fmt::format("{}: it does not say what `rule` {} accepts on this tree (that takes {})",
                                 recorded.trace.name, task.rule, missing_text(replay_needs(task))),
                     "record that; log p and log q tell of target-walk, and bound recursive");
  require_possible(recorded.trace);
  switch (way_of(task)) {
    case AlongTree::residual: return replayed_by_residual(recorded, task, threads, watch);
    case AlongTree::ratio:
      return is_chain(task) ? replayed_best_path(recorded, task, {})
                            : replayed_by_traversal(recorded, task, threads, watch);
    case AlongTree::best_path: break;
    default: return replayed_where_drafted(recorded, task, threads, watch);
  }
  std::vector<std::vector<double>> lower;
  if (!is_chain(task)) {
    for (TextTrace const& text : recorded.trace.texts)
      lower.push_back(text.lower_q.empty() ? std::vector<double>(text.size()) : text.lower_q);
    if (recorded.trace.texts.front().lower_q.empty())
      for_rows_of(recorded, task, threads, watch, [&](std::size_t text, RowPlace const& at, Token x) {
        lower[text][at.position] = lower_q(at.p, at.q, x);
      });
  }
  return replayed_best_path(recorded, task, lower);
}

std::optional<TokenBounds> replay_bounds(Recorded const& recorded, ReplayTask const& task,
                                         std::shared_ptr<TextSample const> const& sample) {
  auto const children = children_by_level(task.tree);
  bool const independent = way_of(task) == AlongTree::residual && !has_distinct_drafts(task);
  if (!children || !independent || recorded.trace.texts.front().log_p.empty()) return {};
  require_possible(recorded.trace);
  std::vector<double> fewest, most;  // rounds of each text
  for (TextTrace const& text : recorded.trace.texts)
    for (bool const low : {true, false}) {
      // From the last token: a round that has come to depth d either stops or goes on, and both are linear in a.
      std::vector<double> rounds(text.size() + 1);
      for (std::size_t t = text.size(); t-- > 0;) {
        double rest = 0;  // rounds after this one, where it has come so deep
        for (auto d = static_cast<std::size_t>(task.tree.depth()) + 1; d-- > 0;) {
          if (t + d >= text.size()) continue;
          double const stopped = rounds[t + d + 1];
          if (d == children->size()) {
            rest = stopped;
            continue;
          }
          double const ratio = std::exp(text.log_q[t + d] - text.log_p[t + d]);
          double const least = std::min(1., ratio), greatest = std::min(1., (*children)[d] * ratio);
          double const a = (rest < stopped) == low ? greatest : least;
          rest = (1 - a) * stopped + a * rest;
        }
        rounds[t] = 1 + rest;
      }
      (low ? fewest : most).push_back(rounds.front());
    }
  auto const tokens = mean_over_texts(sample->lengths(), sample);
  return TokenBounds{tokens / mean_over_texts(most, sample), tokens / mean_over_texts(fewest, sample)};
}

}  // namespace draftgauge
