#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "analysis/ceiling/ceiling.h"

namespace draftgauge {

/// A price on passing a prefix, above 0, in rounds that start in a context.
struct Price {
  std::uint32_t start;
  std::vector<Token> prefix;
  Rational price;
};

/// The ceiling of a task's rounds, in the mean over the contexts in which they may start.
struct TaskCeiling {
  Rational value;
  std::vector<Price> dual;
  bool attained;  ///< a lossless rule keeps as many
};

/// `starts` empty: the round starts in the one context that there is. Throws UsageError for a policy that is not
/// `fixed`, rounds without a bonus token, and contexts drawn at random, whose prefixes do not say their rows;
/// NotEnumerable as drafted_sets and ceiling_of do.
TaskCeiling task_ceiling(
    Task const& task, ExactModel const& model, std::span<std::uint32_t const> starts, std::uint64_t max_paths,
    std::function<void(std::uint64_t)> const& progress = [](std::uint64_t) {});

struct KeptByRule {
  std::string rule;
  Rational mean_accepted;  ///< E[τ]
};

/// Of the rules that compare themselves with p, those that are lossless with the task's drafts, in the order of the
/// list: the rules that are made for them and say so, and on small tables others, by enumeration of texts. Rules that
/// do not take such drafts are left out, as are those that have too many paths. progress() before each rule of the
/// list.
std::vector<KeptByRule> kept_by_rules(
    Task const& task, PairTables const& tables, ExactModel const& model, std::span<std::uint32_t const> starts,
    std::uint64_t max_paths, std::function<void()> const& progress = [] {});

}  // namespace draftgauge
