#include "apps/simulate_command.h"

#include <algorithm>

#include "apps/invocation.h"
#include "apps/rule_options.h"
#include "apps/source_options.h"
#include "apps/store_options.h"
#include "apps/tally_report.h"
#include "sim/error.h"
#include "sim/task_text.h"

namespace draftgauge {
namespace {

Result run(Invocation const& args) {
  if (args.has("--merge")) return merged(args, simulate_command());
  if (args.has("--id"))
    throw UsageError("--id has no meaning without --merge (the options say what is played) leave it out");
  auto const gammas = args.counts("--gamma");
  auto const rules = rules_from(args);
  if (gammas.size() != 1 || rules.size() != 1)
    throw UsageError("simulate takes one --gamma and one --rule (its result is one tally) run it once for each");
  Source const source = source_from(args);
  Task task = sampled_task_from(args, rules.front(), gammas.front());
  if (args.has("--positions"))
    task.positions = static_cast<int>(std::min<std::int64_t>(args.count("--positions"), 1 << 24));
  if (args.has("--gram")) task.gram = static_cast<int>(std::min<std::int64_t>(args.count("--gram"), 64));
  if (args.has("--gram-from"))
    task.gram_from = static_cast<std::uint32_t>(std::min<std::int64_t>(args.count("--gram-from"), 1 << 30));
  Simulation const simulation(task, source.laws, args.seed());
  Backend const backend = backend_from(args);
  StoredPlay const done = args.has("--store") ? play_stored(args, simulation, source, backend)
                                              : StoredPlay{play(args, simulation, backend)};
  Result result = tally_report(args, {simulation.task(), canonical_text(simulation, source), source.description,
                                      source.laws.contexts(), source.rounding, done.played.range, done.played.tally});
  result.backend = std::string(backend.name);
  result.inputs = inputs_of(source);
  if (args.has("--store")) add_store(result, args.text("--store"), done);
  return result;
}

}  // namespace

Command simulate_command() {
  return {
      .name = "simulate",
      .summary = "run rounds and print their tallies and estimates",
      .description = {"Plays rounds of speculative decoding on the laws of SOURCE and counts what happens. The "
                      "result depends on the task, the seed and the trial numbers, on nothing else: more threads, "
                      "another backend or a split into ranges change only the time it takes.",
                      "With --store what is played is kept, so that a run that was killed goes on where it was, "
                      "and a longer one plays only what is new. Rows of other tasks and seeds may be in the same "
                      "file, which one run at a time can write to. A stored row is used as a whole: one that is "
                      "only partly in the asked range is an error. --merge adds up the rows of several stores, "
                      "played anywhere."},
      .groups = {source_options(),
                 rule_options(),
                 sampling_options(),
                 cost_options(),
                 store_options(),
                 {"What is printed",
                  {{.name = "--positions",
                    .kind = Kind::count,
                    .summary = "count the tokens at the first N places of a trial"},
                   {.name = "--gram",
                    .kind = Kind::count,
                    .summary =
                        "count the first N tokens of a trial jointly; N ≤ --rounds-per-trial makes them complete"},
                   {.name = "--gram-from",
                    .kind = Kind::count,
                    .summary = "skip N tokens of each trial before those of --gram; together ≤ --rounds-per-trial"},
                   {.name = "--confidence",
                    .kind = Kind::probability,
                    .summary = "of the intervals",
                    .standard = "0.95"}}}},
      .examples = {{"draftgauge simulate exact-alpha:vocab=32,alpha=0.8 --gamma 5 --cost .05",
                    "E[N] = 3.689 and the speed-up at c = .05"},
                   {"draftgauge simulate markov:vocab=8 --rule block --gamma 4 --rounds 200k",
                    "64 rounds in a row make one trial where contexts depend on each other"}},
      .run = run};
}

}  // namespace draftgauge
