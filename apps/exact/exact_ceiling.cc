#include "apps/exact/exact_ceiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "analysis/ceiling/task_ceiling.h"
#include "apps/options/exact_numbers.h"
#include "apps/output/rule_rows.h"
#include "sim/task/rule_law.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t most_by_rule = 20'000;  ///< paths of answers: there are many rules

double share_of(Rational const& kept, Rational const& ceiling) { return ceiling == 0 ? 1. : number(kept / ceiling); }

}  // namespace

Fields<KeptByRule> kept_fields(Rational const& ceiling) {
  using Row = KeptByRule const&;
  auto const share = [ceiling](Row row) { return share_of(row.mean_accepted, ceiling); };
  return {{"rule", "rule", &KeptByRule::rule},
          {"mean_accepted", [](Row row) { return Exact{row.mean_accepted.str()}; }},
          {"exact", "E[τ]", [](Row row) { return readable(row.mean_accepted); }, for_people},
          {"mean_accepted_float", "≈", [](Row row) { return number(row.mean_accepted); }, {.decimals = 6}},
          {"share", "of the ceiling", share}};
}

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
        "--ceiling bounds it for larger tables.");
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
  auto rules_bar = args.progress("ceiling, rules", rule_cards().size(), "rules");
  std::vector<KeptByRule> rules = kept_by_rules(task, simulation.tables(), model, simulation.starts(), most_by_rule,
                                                [&, done = std::uint64_t{0}]() mutable { rules_bar.at(++done); });
  std::ranges::stable_sort(rules, std::greater(), &KeptByRule::mean_accepted);
  auto const fields = kept_fields(ceiling.value);
  Table const shown = rows_of(fields, rules).table();
  RuleRows rows(Table(shown.columns()), 0, true);
  for (std::size_t i = 0; i < rules.size(); ++i)
    rows.add(rules[i].rule, law_of_rule(rule_call(rules[i].rule), task.shape.branching), shown.rows()[i]);
  result.document["ceiling"]["rules"] = rows_of(fields, rules).array();
  section.table = rows.table();
  section.paragraphs.push_back(
      fmt::format("No lossless rule keeps more of these drafts than E[τ] = {} ≈ {:.6f}: proved by {} prices on "
                  "prefixes{}. {} keeps {:.6f}, {:.1f} % of it{}.",
                  ceiling.value.str(), number(ceiling.value), ceiling.dual.size(),
                  ceiling.attained ? ", and one keeps as many" : "", task.rule, number(kept),
                  100 * share_of(kept, ceiling.value), kept > ceiling.value ? ", and so cannot be lossless" : ""));
  section.note(
      "Rules that are made for these drafts and claim to be lossless, and others that are here. The prices are in "
      "--format json.");
  result.sections.push_back(std::move(section));
}

}  // namespace draftgauge
