#include "analysis/proof/counterexample.h"

#include <string>
#include <vector>

#include "analysis/exact/exact.h"
#include "analysis/exact/output_law.h"

namespace draftgauge {
namespace {

std::vector<Fraction> numbers(std::string_view list) {
  std::vector<Fraction> all;
  for (;;) {
    std::size_t const comma = list.find(',');
    all.push_back(parse_fraction(list.substr(0, comma)));
    if (comma == std::string_view::npos) return all;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

Source counterexample_source(Counterexample::Test const& test) {
  if (!test.memory.empty()) {
    auto const key = [](std::string_view name, std::string_view list) {
      return "," + std::string(name) + "=\"" + std::string(list) + "\"";
    };
    return open_source(std::string(test.memory) + key("p", test.p) + key("q", test.q));
  }
  return source_of_row(numbers(test.p), numbers(test.q), {.normalise = true});
}

std::string table_text(Counterexample::Test const& test) {
  std::string words = "p=" + std::string(test.p) + " q=" + std::string(test.q);
  return test.memory.empty() ? words : words + " of " + std::string(test.memory);
}

Finding examine(RuleCard const& rule, Counterexample::Test const& test, std::uint64_t rounds, std::uint64_t seed,
                Backend const& backend, int threads) {
  Source const source = counterexample_source(test);
  Task task;
  task.rule = rule.name;
  task.shape = {.gamma = test.gamma, .branching = test.branching};
  task.gram = test.tokens;
  task.rounds_per_trial = static_cast<std::uint32_t>(test.tokens);
  Simulation const simulation(task, source.tables, seed);
  std::uint64_t const trials = (rounds + task.rounds_per_trial - 1) / task.rounds_per_trial;
  Played const played = simulate(simulation, {0, trials}, backend, threads);
  auto const law = target_gram_law(simulation, test.tokens);
  return {.distance = exact_text(simulation.task(), exact_model(source), simulation.starts(), test.tokens).distance,
          .observed = g_test(played.tally.grams(), *law),
          .rounds = played.tally[TallyLayout::rounds]};
}

}  // namespace draftgauge
