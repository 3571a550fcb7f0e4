#include "apps/exact_ceiling.h"

#include <fmt/format.h>

#include "analysis/ceiling/task_ceiling.h"
#include "apps/rule_rows.h"
#include "sim/rule_law.h"

namespace draftgauge {
namespace {

double number(Rational const& value) { return static_cast<double>(value); }

}  // namespace

void add_ceiling(Invocation const& args, Simulation const& simulation, ExactModel const& model,
                 std::uint64_t most_paths, Result& result) {
  Task const& task = simulation.task();
  auto bar = args.progress("ceiling, every draft", 0, "drafts");
  TaskCeiling const ceiling =
      task_ceiling(task, model, simulation.starts(), most_paths, [&](std::uint64_t drafts) { bar.at(drafts); });
  Json& document = result.document["ceiling"];
  document = {{"value", ceiling.value.str()},
              {"value_float", number(ceiling.value)},
              {"attained", ceiling.attained},
              {"dual", Json::array()},
              {"rules", Json::array()}};
  for (Price const& price : ceiling.dual) {
    document["dual"].push_back(
        {{"prefix", price.prefix}, {"price", price.price.str()}, {"price_float", number(price.price)}});
    if (simulation.starts().size() > 1) document["dual"].back()["start"] = price.start;
  }
  RuleRows rows(Table{{"rule", "rule", Align::left}, {"exact", "E[τ]"}, {"number", "≈"}, {"share", "of the ceiling"}},
                0, true);
  auto const share = [&](Rational const& kept) { return ceiling.value == 0 ? 1. : number(kept / ceiling.value); };
  for (KeptByRule const& kept : kept_by_rules(task, simulation.laws(), model, simulation.starts(), most_paths)) {
    document["rules"].push_back({{"rule", kept.rule},
                                 {"mean_accepted", kept.mean_accepted.str()},
                                 {"mean_accepted_float", number(kept.mean_accepted)},
                                 {"share", share(kept.mean_accepted)}});
    rows.add(kept.rule, law_of_rule(rule_call(kept.rule), task.shape.candidates),
             {Cell(), Exact{kept.mean_accepted.str()}, Number{number(kept.mean_accepted), 6},
              Number{share(kept.mean_accepted), 4}});
  }
  Section section{.heading = "The ceiling of all lossless rules", .table = rows.table()};
  section.paragraphs.push_back(fmt::format(
      "No lossless rule keeps more of these drafts than E[τ] = {} ≈ {:.6f}: proved by {} prices on prefixes{}.",
      ceiling.value.str(), number(ceiling.value), ceiling.dual.size(),
      ceiling.attained ? ", and one keeps as many" : ""));
  section.notes.push_back("Rules that are lossless with these drafts here. The prices are in --format json.");
  result.sections.push_back(std::move(section));
}

}  // namespace draftgauge
