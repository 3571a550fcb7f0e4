#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "analysis/replay/rule_replay.h"
#include "sim/rules/kept_where_hit.h"
#include "sim/task/record.h"
#include "sim/task/with_rule.h"

namespace draftgauge {

template <class Rule>
constexpr bool by_matches = std::is_same_v<typename Rule::Replay, rules::KeptWhereHit>;

/// Whether no draft that a round kept before changes what it keeps: a const kept says so.
template <class Rule>
constexpr bool keeps_each_alone = requires(typename Rule::Replay const replay) { replay.kept(0.); };

/// kept(t, i) of a rule, asked in order of i.
template <class Rule>
class KeptBy {
 public:
  explicit KeptBy(std::span<double const> x) : x_(x) {}

  double operator()(std::size_t t, std::size_t i) {
    if (i == 1) replay_ = start();
    double const x = x_[t + i - 1];
    if constexpr (by_matches<Rule>)
      return replay_.kept(x != 0) ? 1 : 0;
    else
      return replay_.kept(x);
  }

 private:
  static auto start() { return replay_of(rule_with<Rule>(standard_values(Rule::card.parameters))); }

  std::span<double const> x_;
  typename Rule::Replay replay_ = start();
};

template <class Rule>
std::vector<double> kept_by(std::span<double const> x) {
  KeptBy<Rule> chance(x);
  std::vector<double> all;
  for (std::size_t i = 1; i <= x.size(); ++i) all.push_back(chance(0, i));
  return all;
}

template <class Rule>
RoundMoments<double> rounds_by(std::span<double const> x, RoundShape const& shape, std::optional<std::size_t> until) {
  require_one_draft(shape);
  require_numbers(x);
  if constexpr (keeps_each_alone<Rule>) return token_rounds(kept_by<Rule>(x), shape, until);
  return rounds_along_text<double>(x.size(), std::min(until.value_or(x.size()), x.size()), shape, KeptBy<Rule>(x));
}

/// The replay that a rule's file describes.
template <Replayed Rule>
RuleReplay replay_by() {
  std::string_view name = Rule::card.name;
  if constexpr (requires { Rule::Replay::name; }) name = Rule::Replay::name;
  return {name, Rule::Replay::Drafter::card.name, by_matches<Rule>, kept_by<Rule>, rounds_by<Rule>};
}

}  // namespace draftgauge
