#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sim/chance/philox.h"
#include "sim/task/suits.h"
#include "sim/task/task.h"

/// One list of small tasks on which every backend must agree bit for bit. Between them they reach every rule of the
/// list (those with most code of their own in all shapes), every drafter and policy of draft lengths, uneven trees,
/// each way in which contexts follow each other, narrow and wide alias tables (V = 1025 is the first wide one),
/// tables that are not full, ties (totals of 2^53), tokens of weight 0, rows with p = q, and the largest shapes.
namespace draftgauge::testing {

struct Case {
  std::string name;
  Task task;
  std::shared_ptr<PairTables const> tables;
  Range range;
  bool on_device = true;  ///< false: few threads would have much to do for long, which says nothing of a device
};

/// Integer weights that sum to `total`: small ones, a fifth of them 0, and one token that takes what is left.
inline std::vector<std::uint64_t> some_weights(std::uint32_t stream, std::uint32_t vocab, std::uint64_t total) {
  std::vector<std::uint64_t> weights(vocab);
  std::uint64_t left = total;
  for (std::uint32_t x = 0; x < vocab; ++x) {
    std::uint64_t const word = Philox::bits({{x, stream, 0, 0}}, {{0xca5e, 0}}).word[0];
    weights[x] = word % 5 == 0 ? 0 : word * (total / vocab) >> 32;
    left -= weights[x];
  }
  weights[Philox::bits({{vocab, stream, 1, 0}}, {{0xca5e, 0}}).word[0] % vocab] += left;
  return weights;
}

/// Rows of three kinds in turn: an odd total, p = q, the largest total.
inline std::shared_ptr<PairTables const> some_tables(Follow follow, std::uint32_t vocab, std::uint32_t count) {
  std::vector<RowPair> rows;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint64_t const total = i % 3 == 2 ? max_total : 1'000'003 + i;
    std::uint32_t const stream = 1000 * vocab + 2 * i;
    rows.push_back({some_weights(stream, vocab, total), some_weights(stream + (i % 3 != 1), vocab, total), total});
  }
  if (follow == Follow::state) {
    std::vector<std::uint32_t> transitions;
    for (std::uint32_t i = 0; i < count * vocab; ++i)
      transitions.push_back(Philox::bits({{i, vocab, 2, 0}}, {{0xca5e, 0}}).word[0] % count);
    return std::make_shared<PairTables>(rows, transitions);
  }
  auto tables = std::make_shared<PairTables>(rows, follow);
  if (follow == Follow::next_row) {
    std::vector<std::uint32_t> const lengths = {count / 3, count - count / 3};
    tables->set_sequences(lengths);
  }
  return tables;
}

/// Rows at the ends of what laws may be: p = q, the largest totals with tails of 2^-53, laws apart, a certain draft.
inline std::vector<RowPair> edge_rows() {
  std::uint64_t const most = max_total;
  return {{{1, 1, 1}, {1, 1, 1}, 3},
          {{most - 2, 1, 1}, {most - 2, 1, 1}, most},
          {{most - 5, 5, 0}, {1, most - 2, 1}, most},
          {{0, 0, 4, 4}, {4, 4, 0, 0}, 8},
          {{0, 1, 7}, {8, 0, 0}, 8}};
}

/// A rule with a number of children that it takes.
struct Ruled {
  std::string rule;
  int branching;
};
/// Rules on which all shapes are played: between them they ask every kind of question.
inline bool in_all_shapes(std::string const& rule) {
  return rule == "token" || rule == "block" || rule == "recursive" || rule == "recursive-without";
}
inline std::vector<Ruled> every_rule() {
  std::vector<Ruled> all;
  for (RuleCard const& card : rule_cards())
    for (int branching : {1, 2, 3})
      if (branching == 1 || card.many_children) all.push_back({std::string(card.name), branching});
  return all;
}

/// Where a draft is longest, a node widest, and a vocabulary as large as real ones. Few trials, since they are slow.
inline std::vector<Case> large_cases() {
  auto const few = some_tables(Follow::independent, 3, 7), some = some_tables(Follow::token, 32, 32),
             most = some_tables(Follow::independent, 262144, 1);
  return {{"block, γ=256", {.rule = "block", .shape = {.gamma = max_gamma}, .positions = 3}, few, {0, 40}},
          {"recursive ×32", {.rule = "recursive", .shape = {2, max_children, true}, .positions = 2}, some, {0, 8}},
          {"token, V=262144, γ=64", {.rule = "token", .shape = {.gamma = 64}, .positions = 1}, most, {0, 40}},
          {"block, V=262144, γ=64", {.rule = "block", .shape = {.gamma = 64}, .positions = 1}, most, {0, 4}, false},
          {"recursive-without ×2, V=262144, γ=64",
           {.rule = "recursive-without", .shape = {20, 2, true}, .positions = 1},
           most,
           {0, 4},
           false}};
}

/// What is drafted otherwise than a rule's own drafter does it in even trees, and parameters beside the usual ones.
inline std::vector<Case> uneven_cases() {
  auto const tables = some_tables(Follow::independent, 32, 7), markov = some_tables(Follow::token, 6, 6);
  std::vector<Case> all;
  auto const add = [&](Task task, std::string const& how) {
    task.positions = 3;
    task.gram = 2;
    for (auto const& on : {tables, markov}) all.push_back({task.rule + how, task, on, {0, 60}});
  };
  for (RuleCard const& card : rule_cards())
    for (char const* tree : {"[-1,0,0,1,1,3]", "levels:3,1"}) {
      if (!card.many_children) continue;
      Task task{.rule = std::string(card.name)};
      draft_tree(task, parse_tree(tree));
      add(task, std::string(" on ") + tree);
    }
  for (DrafterCard const& card : drafter_cards())
    for (int branching : {1, 2})
      add({.rule = branching == 1  ? "token"
                   : card.distinct ? "recursive-without"
                                   : "recursive",
           .drafter = std::string(card.name),
           .shape = {3, branching, true}},
          " by " + std::string(card.name));
  for (char const* rule :
       {"lenient:lenience=3/4", "typical:epsilon=1/2,delta=1", "google:coin=3", "deepmind:coin=11"})
    add({.rule = rule, .shape = {.gamma = 3}}, "");
  return all;
}

inline std::vector<Case> cases() {
  struct Sourced {
    char const* name;
    Follow follow;
    std::uint32_t rows;  ///< 0: as many as the kind needs
  };
  constexpr Sourced sources[] = {
      {"one context", Follow::independent, 1}, {"bag", Follow::independent, 7}, {"markov", Follow::token, 0},
      {"automaton", Follow::state, 5},         {"path", Follow::next_row, 60},  {"prefix", Follow::prefix, 0}};
  constexpr int gammas[] = {1, 2, 5, 8};

  std::vector<Case> all = large_cases();
  std::ranges::move(uneven_cases(), std::back_inserter(all));
  for (std::uint32_t vocab : {1u, 2u, 3u, 32u, 1025u, 2048u})
    for (Sourced const& source : sources) {
      bool const large = vocab > 1000;
      if (large && source.follow == Follow::token) continue;  // a million entries a table
      int const deepest = source.follow != Follow::prefix ? 8 : vocab == 1 ? 8 : vocab == 2 ? 8 : vocab == 3 ? 5 : 1;
      if (large && source.follow == Follow::prefix) continue;
      std::uint32_t count = source.rows;
      if (source.follow == Follow::token) count = vocab;
      if (source.follow == Follow::prefix) {
        std::uint32_t level = 1;
        for (int depth = 0; depth <= deepest; ++depth, level *= vocab) count += level;
      }
      auto const tables = some_tables(source.follow, vocab, count);
      for (Ruled const& rule : every_rule()) {
        if (static_cast<std::uint32_t>(rule.branching) > vocab) continue;
        bool const few_shapes = !in_all_shapes(rule.rule);
        if (rule.branching == 2 && !(few_shapes && vocab == 3)) continue;  // three are all the tokens there
        if (few_shapes && (vocab == 2 || vocab == 32 || vocab == 2048)) continue;
        if (few_shapes && vocab != 3 && source.follow != Follow::independent) continue;
        for (int gamma : gammas) {
          if (gamma > deepest || (few_shapes && gamma != 2 && gamma != 5)) continue;
          bool const bonus = (all.size() + all.size() / 4) % 2 == 0;
          Task task{.rule = rule.rule, .shape = {gamma, rule.branching, bonus}};
          task.positions = large ? 1 : 3;
          task.gram = large ? 0 : vocab < 32 ? 3 : 2;
          if (large) task.rounds_per_trial = 2;
          if (source.follow == Follow::prefix) task.rounds_per_trial = 1;
          if (unsuited(task, tables.get())) continue;
          all.push_back({rule.rule + " ×" + std::to_string(rule.branching) + " on " + source.name + ", V=" +
                             std::to_string(vocab) + ", γ=" + std::to_string(gamma) + (bonus ? "" : ", no bonus"),
                         task,
                         tables,
                         {0, large ? 4u : 60u}});
        }
      }
      if (vocab != 3 && vocab != 32) continue;
      for (PolicyCard const& policy : policy_cards())
        for (char const* rule : {"token", "block"}) {
          Task task{.rule = rule, .policy = std::string(policy.name), .shape = {std::min(deepest, 8), 1, vocab == 3}};
          task.positions = 3;
          all.push_back(
              {std::string(policy.name) + ", " + rule + " on " + source.name + ", V=" + std::to_string(vocab),
               task,
               tables,
               {0, 60}});
        }
    }
  return all;
}

}  // namespace draftgauge::testing
