#include "analysis/trees/drafted_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "analysis/trees/breadth_first.h"
#include "sim/base/error.h"
#include "sim/draft/path_down.h"
#include "sim/rows/most_likely.h"

namespace draftgauge {
namespace {

constexpr std::size_t most_prefixes = 100'000;

/// A draft that may be chosen; entry 0 of a pool is the root.
struct Candidate {
  std::uint32_t parent;
  Token token;
  Rational claimed;
  int depth;
};
using Pool = std::vector<Candidate>;

void require_counts(std::initializer_list<std::pair<int, char const*>> counts) {
  constexpr int most = 4096;
  for (auto const& [count, what] : counts)
    if (count < 1 || count > most)
      throw UsageError(fmt::format("{} {} are out of range (1 to {})", count, what, most));
}

std::vector<Token> path_of(Pool const& pool, std::uint32_t node) {
  return path_down(
      node, [&](std::uint32_t at) { return pool[at].parent; }, [&](std::uint32_t at) { return pool[at].token; });
}

/// Adds the `most` most likely tokens below a node to the pool; those of probability 0 are no drafts.
void expand(Pool& pool, std::uint32_t node, NextToken const& draft, std::size_t most) {
  std::vector<Rational> const q = draft(path_of(pool, node));
  for (Token const x : most_likely(q, std::min(most, q.size()))) {
    if (!(q[x] > 0)) return;
    pool.push_back({node, x, pool[node].claimed * q[x], pool[node].depth + 1});
  }
}

/// The better of two drafts first: by what is claimed, parents before children, and those that came first.
std::vector<std::uint32_t> best_of(Pool const& pool, std::vector<std::uint32_t> nodes, std::size_t most) {
  std::ranges::stable_sort(nodes, [&](std::uint32_t a, std::uint32_t b) {
    if (pool[a].claimed != pool[b].claimed) return pool[b].claimed < pool[a].claimed;
    return pool[a].depth < pool[b].depth;
  });
  nodes.resize(std::min(most, nodes.size()));
  return nodes;
}

std::vector<std::uint32_t> numbers(std::size_t begin, std::size_t end) {
  std::vector<std::uint32_t> all(end - begin);
  std::iota(all.begin(), all.end(), static_cast<std::uint32_t>(begin));
  return all;
}

/// The tree of the n best of a pool, which hold their parents.
DraftedTree pick(Pool const& pool, int n) {
  auto chosen = best_of(pool, numbers(1, pool.size()), static_cast<std::size_t>(n));
  std::ranges::sort(chosen);
  std::vector<std::vector<std::uint32_t>> children(pool.size());
  for (std::uint32_t const node : chosen) children[pool[node].parent].push_back(node);
  auto const [tree, nodes] = breadth_first(children);
  DraftedTree picked{tree.parents(), {}, {}};
  for (std::uint32_t const node : nodes) {
    picked.tokens.push_back(pool[node].token);
    picked.claimed.push_back(pool[node].claimed);
  }
  return picked;
}

Pool root() { return {{0, 0, Rational(1), 0}}; }

NextToken next_of(ExactModel const& model, std::uint32_t start, std::vector<Rational> ExactModel::Row::* side) {
  auto const shared = std::make_shared<ExactModel const>(model);
  return [shared, start, side](std::span<Token const> before) {
    std::uint32_t row = start;
    for (Token const x : before) row = shared->contexts().after(row, x);
    return shared->row(row).*side;
  };
}

}  // namespace

NextToken next_of_target(ExactModel const& model, std::uint32_t start) {
  return next_of(model, start, &ExactModel::Row::p);
}
NextToken next_of_draft(ExactModel const& model, std::uint32_t start) {
  return next_of(model, start, &ExactModel::Row::q);
}

NextToken marginals_of(NextToken const& next, std::uint32_t vocab, int depth) {
  require_counts({{depth, "levels"}});
  std::vector<std::pair<std::vector<Token>, Rational>> prefixes{{{}, Rational(1)}};
  std::vector<std::vector<Rational>> all;
  for (int i = 0; i < depth; ++i) {
    bool const more = i + 1 < depth;
    std::vector<Rational> marginal(vocab);
    std::vector<std::pair<std::vector<Token>, Rational>> longer;
    for (auto const& [tokens, probability] : prefixes) {
      std::vector<Rational> const law = next(tokens);
      for (Token x = 0; x < vocab; ++x) {
        if (law[x] == 0) continue;
        marginal[x] += probability * law[x];
        if (!more) continue;
        longer.emplace_back(tokens, probability * law[x]);
        longer.back().first.push_back(x);
        if (longer.size() > most_prefixes)
          throw UsageError(
              fmt::format(
                  "the distribution of position {} alone sums over more than {} texts (each is followed once)", i + 2,
                  most_prefixes),
              "ask for fewer levels");
      }
    }
    all.push_back(std::move(marginal));
    prefixes = std::move(longer);
  }
  return
      [all = std::move(all)](std::span<Token const> before) { return all[std::min(before.size(), all.size() - 1)]; };
}

Rational DraftedTree::claim() const {
  Rational sum = 0;
  for (std::size_t node = 1; node < claimed.size(); ++node) sum += claimed[node];
  return sum;
}

std::vector<Token> DraftedTree::path(std::size_t node) const {
  return path_down(
      node, [&](std::size_t at) { return static_cast<std::size_t>(parents[at]); },
      [&](std::size_t at) { return tokens[at]; });
}

Rational accepted_drafts(DraftedTree const& tree, NextToken const& target) {
  std::vector<Rational> reached(tree.parents.size());
  reached[0] = 1;
  Rational sum = 0;
  for (std::size_t node = 1; node < tree.parents.size(); ++node) {
    auto const parent = static_cast<std::size_t>(tree.parents[node]);
    reached[node] = reached[parent] * target(tree.path(parent))[tree.tokens[node]];
    sum += reached[node];
  }
  return sum;
}

DraftedTree best_first(NextToken const& draft, int n, int height) {
  require_counts({{n, "drafts"}, {height, "levels"}});
  Pool pool = root();
  auto const most = static_cast<std::size_t>(n);
  std::vector<std::uint32_t> open;
  auto const expand_into_open = [&](std::uint32_t node) {
    std::size_t const before = pool.size();
    if (pool[node].depth < height) expand(pool, node, draft, most);
    for (std::uint32_t const child : numbers(before, pool.size())) open.push_back(child);
  };
  expand_into_open(0);
  for (std::size_t chosen = 0; chosen < most && !open.empty(); ++chosen) {
    std::uint32_t const next = best_of(pool, open, 1).front();
    std::erase(open, next);
    expand_into_open(next);
  }
  return pick(pool, n);
}

DraftedTree eagle2_tree(NextToken const& draft, int k, int depth, int n) {
  require_counts({{k, "children"}, {depth, "levels"}, {n, "drafts"}});
  Pool pool = root();
  std::vector<std::uint32_t> level{0};
  for (int d = 0; d < depth; ++d) {
    std::size_t const before = pool.size();
    for (std::uint32_t const node : level) expand(pool, node, draft, static_cast<std::size_t>(k));
    level = best_of(pool, numbers(before, pool.size()), static_cast<std::size_t>(k));
  }
  return pick(pool, n);
}

DraftedTree opt_tree(NextToken const& draft, int n, int depth, Rational const& delta) {
  require_counts({{n, "drafts"}, {depth, "levels"}});
  Pool pool = root();
  auto const most = static_cast<std::size_t>(n);
  std::vector<std::uint32_t> level{0};
  Rational before = 0;
  for (int d = 0; d < depth; ++d) {
    std::size_t const begin = pool.size();
    for (std::uint32_t const node : level) expand(pool, node, draft, most);
    level = best_of(pool, numbers(begin, pool.size()), most);
    Rational sum = 0;
    for (std::uint32_t const node : best_of(pool, numbers(1, pool.size()), most)) sum += pool[node].claimed;
    if (sum - before <= delta) {
      pool.resize(begin);
      break;
    }
    before = sum;
  }
  return pick(pool, n);
}

}  // namespace draftgauge
