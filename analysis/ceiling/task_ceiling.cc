#include "analysis/ceiling/task_ceiling.h"

#include <cmath>
#include <optional>

#include "sim/task/rule_law.h"

namespace draftgauge {
namespace {

constexpr std::uint32_t anywhere[] = {0};

void check(Task const& task, ExactModel const& model) {
  if (!task.shape.bonus)
    throw UsageError("the ceiling is of rounds that end with a bonus token", "let rounds end with one");
  if (with_own_drafting(task).policy != "fixed")
    throw UsageError("the ceiling is of drafts of fixed length, not of the policy " + with_own_drafting(task).policy,
                     "leave the policy out");
  if (model.contexts().follow == Follow::independent && model.contexts().rows > 1)
    throw UsageError("the ceiling is of contexts that follow from the text, not of " +
                         std::to_string(model.contexts().rows) + " drawn at random",
                     "give one context, or a Markov pair");
}

/// E[τ]. None for a rule that is lossy with these drafts: one that is made for others is put to the test, where texts
/// are few enough for that.
std::optional<Rational> kept_without_loss(Task const& task, bool own_drafts, ExactModel const& model,
                                          std::span<std::uint32_t const> starts, std::uint64_t max_paths) {
  constexpr double most_texts = 2000;
  int const length = telling_length(task);
  if (own_drafts ? !claims_lossless(rule_call(task.rule)) : std::pow(model.contexts().vocab, length) > most_texts)
    return std::nullopt;
  if (!own_drafts) {
    ExactText const text = exact_text(task, model, starts, length, max_paths);
    return text.distance == 0 ? std::optional(text.round.mean_accepted()) : std::nullopt;
  }
  Rational sum = 0;
  for (std::uint32_t const start : starts) sum += exact_round(task, model, start, max_paths).mean_accepted();
  return sum / starts.size();
}

}  // namespace

TaskCeiling task_ceiling(Task const& task, ExactModel const& model, std::span<std::uint32_t const> starts,
                         std::uint64_t max_paths, std::function<void(std::uint64_t)> const& progress) {
  check(task, model);
  if (starts.empty()) starts = anywhere;
  TaskCeiling all{.value = 0, .dual = {}, .attained = true};
  for (std::uint32_t const start : starts) {
    DraftedSets const drafted = drafted_sets(task, model, start, max_paths, progress);
    Ceiling const ceiling = ceiling_of(drafted);
    all.value += ceiling.value / starts.size();
    all.attained = all.attained && ceiling.attained;
    for (std::uint32_t x = 1; x < drafted.prefixes.size(); ++x)
      if (ceiling.prices[x] > 0) all.dual.push_back({start, drafted.tokens(x), ceiling.prices[x]});
  }
  return all;
}

std::vector<KeptByRule> kept_by_rules(Task const& task, PairTables const& tables, ExactModel const& model,
                                      std::span<std::uint32_t const> starts, std::uint64_t max_paths,
                                      std::function<void()> const& progress) {
  if (starts.empty()) starts = anywhere;
  std::vector<KeptByRule> kept;
  std::map<std::string, Rational> of_law;  // those of one law are enumerated once
  std::string const drafter = with_own_drafting(task).drafter;
  for (RuleCard const& card : rule_cards()) {
    progress();
    if (card.counterexample || card.reference != Reference::target) continue;
    Task each = task;
    each.rule = card.name;
    each.drafter = drafter;
    try {
      static_cast<void>(Simulation(each, tables, 1));  // whether the rule takes such drafts
      std::string const law = card.drafter == drafter ? law_of_rule(rule_call(each.rule), each.shape.branching) : "";
      auto found = of_law.find(law);
      if (law.empty() || found == of_law.end()) {
        auto const kept_here = kept_without_loss(each, card.drafter == drafter, model, starts, max_paths);
        if (!kept_here) continue;
        found = of_law.insert_or_assign(law, *kept_here).first;
      }
      kept.push_back({each.rule, found->second});
    } catch (UsageError const&) {
    }
  }
  return kept;
}

}  // namespace draftgauge
