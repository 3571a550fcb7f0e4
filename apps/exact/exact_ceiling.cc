#include "apps/exact/exact_ceiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "analysis/ceiling/task_ceiling.h"
#include "apps/exact/exact_numbers.h"
#include "apps/output/rule_rows.h"
#include "sim/task/rule_law.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t most_by_rule = 20'000;  ///< paths of answers: there are many rules

}  // namespace

void add_ceiling(Invocation const& args, Simulation const& simulation, ExactModel const& model, Rational const& kept,
                 std::uint64_t most_paths, Result& result) {
  Task const& task = simulation.task();
  auto bar = args.progress("ceiling, every draft", 0, "drafts");
  Section section{.heading = "The ceiling of all lossless rules"};
  std::optional<TaskCeiling> found;
  try {
    found = task_ceiling(task, model, simulation.starts(), most_paths, [&](std::uint64_t drafts) { bar.at(drafts); });
  } catch (NotEnumerable const&) {
    result.document["ceiling"] = Json();
    section.paragraphs.push_back(
        "There are too many drafts for it here. It has each of them with all its prefixes; draftgauge tree SOURCE "
        "--ceiling "
        "bounds it for larger tables.");
    result.sections.push_back(std::move(section));
    return;
  }
  TaskCeiling const& ceiling = *found;
  Json& document = result.document["ceiling"];
  document = Json::object();
  put_fraction(document, "value", ceiling.value);
  document["attained"] = ceiling.attained;
  Json& dual = document["dual"] = Json::array();
  for (Price const& price : ceiling.dual) {
    dual.push_back({{"prefix", price.prefix}});
    put_fraction(dual.back(), "price", price.price);
    if (simulation.starts().size() > 1) dual.back()["start"] = price.start;
  }
  auto const share = [&](Rational const& by_rule) {
    return ceiling.value == 0 ? 1. : number(by_rule / ceiling.value);
  };
  auto rules_bar = args.progress("ceiling, rules", rule_cards().size(), "rules");
  std::vector<KeptByRule> rules = kept_by_rules(task, simulation.laws(), model, simulation.starts(), most_by_rule,
                                                [&, done = std::uint64_t{0}]() mutable { rules_bar.at(++done); });
  std::ranges::stable_sort(rules, std::greater(), &KeptByRule::mean_accepted);
  RuleRows rows(Table{{"rule", "rule", Align::left}, {"exact", "E[τ]"}, {"number", "≈"}, {"share", "of the ceiling"}},
                0, true);
  Json of_rules = Json::array();
  for (KeptByRule const& by_rule : rules) {
    std::string const fraction = by_rule.mean_accepted.str();
    constexpr std::size_t readable = 24;
    of_rules.push_back({{"rule", by_rule.rule}});
    put_fraction(of_rules.back(), "mean_accepted", by_rule.mean_accepted);
    of_rules.back()["share"] = share(by_rule.mean_accepted);
    rows.add(by_rule.rule, law_of_rule(rule_call(by_rule.rule), task.shape.candidates),
             {Cell(), fraction.size() <= readable ? Cell(Exact{fraction}) : Cell(),
              Number{number(by_rule.mean_accepted), 6}, Number{share(by_rule.mean_accepted), 4}});
  }
  result.document["ceiling"]["rules"] = std::move(of_rules);
  section.table = rows.table();
  section.paragraphs.push_back(
      fmt::format("No lossless rule keeps more of these drafts than E[τ] = {} ≈ {:.6f}: proved by {} prices on "
                  "prefixes{}. {} keeps {:.6f}, "
                  "{:.1f} % of it{}.",
                  ceiling.value.str(), number(ceiling.value), ceiling.dual.size(),
                  ceiling.attained ? ", and one keeps as many" : "", task.rule, number(kept), 100 * share(kept),
                  kept > ceiling.value ? ", and so cannot be lossless" : ""));
  section.notes.push_back(
      "Rules that are made for these drafts and claim to be lossless, and others that are here. The prices are in "
      "--format json.");
  result.sections.push_back(std::move(section));
}

}  // namespace draftgauge
