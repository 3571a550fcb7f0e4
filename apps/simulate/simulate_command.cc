#include "apps/cli/commands.h"

#include <fmt/format.h>

#include "apps/cli/invocation.h"
#include "apps/options/confidence.h"
#include "apps/options/number_options.h"
#include "apps/options/source_options.h"
#include "apps/output/interruption.h"
#include "apps/simulate/crew_of_ranks.h"
#include "apps/simulate/play.h"
#include "apps/simulate/shard.h"
#include "apps/simulate/simulated_batch.h"
#include "apps/simulate/store_options.h"
#include "apps/simulate/tally_report.h"
#include "apps/task/rule_options.h"
#include "apps/task/schedule_options.h"
#include "sim/base/error.h"
#include "sim/play/task_text.h"

namespace draftgauge {
namespace {

/// Says which trials are missing, and how to have them, or where none is how to play these again.
std::string tell_of_trials(Result& result, TallyReport& report, Invocation const& args, Play const& play) {
  if (play.missing.empty()) return again(play.played.range);
  report.missing = trials_of(play.missing);
  result.sections.front().note(fmt::format("Missing of what was asked: {}.", list_of(play.missing)));
  return args.has("--store") ? "the same command plays the rest"
                             : "with --store what was played is kept, and the same command then plays the rest";
}

/// Says what ended the play, where that was not the number of rounds alone.
void add_stopping(Result& result, TallyReport& report, Invocation const& args, Play const& play) {
  result.failure = play.failure;
  if (!args.has("--time") && !args.has("--precision") && !play.cut_short()) return;
  std::string const repeat = tell_of_trials(result, report, args, play);
  auto& notes = result.sections.front().notes;
  StoppingReport& stopping = report.stopping.emplace(StoppingReport{std::string(word(play.ending))});
  if (args.has("--time")) stopping.time = args.duration("--time").count();
  if (play.pilot) {
    stopping.precision = {number_of(args, "--precision"), play.reached, trials_of(*play.pilot)};
    if (play.pilot->size() > 0)
      notes.push_back(fmt::format("Trials {} to {} were a pilot: they set the size of this sample and are not in it.",
                                  play.pilot->begin, play.pilot->end - 1));
    if (!play.reached) notes.push_back(fmt::format("± {} of E[N] was not reached.", args.text("--precision")));
  }
  switch (play.ending) {
    case Ending::rounds: notes.push_back("All rounds that were asked for were played; " + repeat + "."); break;
    case Ending::precision:
      notes.push_back(fmt::format("± {} of E[N] was reached; {}.", args.text("--precision"), repeat));
      break;
    case Ending::time: notes.push_back(fmt::format("Time was up after {}; {}.", args.text("--time"), repeat)); break;
    case Ending::interrupt:
      notes.push_back(fmt::format("{}; {}.", interrupted_text(args), repeat));
      result.status = Status::interrupted;
      break;
    case Ending::store:
      notes.push_back("The run ended since its store could not be written, which lacks some of this; " + repeat +
                      ".");
      break;
    case Ending::rank: notes.push_back("The run ended since a rank failed; " + repeat + "."); break;
  }
}

/// The part of the trials that --shard says.
Range shard_of(Invocation const& args, Range trials) {
  Range const part = part_of(trials, shard_from(args));
  if (part.size() == 0) refuse_empty(args, trials.size());
  return part;
}

Result run(Invocation const& args) {
  if (args.has("--schedule")) return simulate_batch(args);
  refuse_without_schedule(args);
  if (args.has("--merge")) return merged(args, simulate_command());
  args.refuse({"--id"}, "has no meaning without --merge (the options say what is played)");
  auto const [rule, gamma] = one_rule_from(args, "simulate", "its result is one tally");
  args.refuse_together("--precision", {"--store"},
                       "a pilot and its sample begin and end at other trials than stored rows",
                       "run without --store, then store the --range that it says");
  args.refuse_together("--precision", {"--shard"}, "no part knows how precise all of them are",
                       "give each part --rounds or --time");
  static_cast<void>(confidence_from(args));  // before anything is played
  Source const source = source_from(args);
  Task task = sampled_task_from(args, rule, gamma);
  if (args.has("--positions")) task.positions = small_count(args, "--positions");
  if (args.has("--gram")) task.gram = small_count(args, "--gram");
  if (args.has("--gram-from")) task.gram_from = static_cast<std::uint32_t>(small_count(args, "--gram-from"));
  Simulation const simulation(task, source.tables, args.seed());
  Backend const backend = backend_from(args);
  Amount amount = amount_from(args, simulation);
  if (args.has("--shard")) amount.range = shard_of(args, amount.range);
  simulation.check(amount.range);  // before a machine is made ready
  Interruption const interruption(args.has("--mpi"));
  auto const crew = crew_for(args, simulation, source, source_text(args), backend, amount.time);
  StoredPlay const done = args.has("--store")       ? play_stored(args, simulation, source, backend, *crew, amount)
                          : args.has("--precision") ? StoredPlay{play_precisely(args, simulation, *crew, amount)}
                                                    : StoredPlay{play(args, simulation, *crew, amount)};
  require_played(done.play);
  Played const& played = done.play.played;
  Counted const counted{simulation.task(),          canonical_text(simulation, source), source.description,
                        source.tables.contexts(), source.rounding,                    played.range, played.tally};
  TallyReport report = tally_report(args, counted);
  Result result = tally_result(args, report);
  result.backend = std::string(backend.name);
  result.inputs = inputs_of(source);
  report.tables_bytes = source.tables.bytes();
  result.sections.front().note(memory_note(source.tables));
  if (args.ranks().size() > 1) report.ranks = args.ranks().size();
  add_stopping(result, report, args, done.play);
  if (args.has("--store")) add_store(result, report, args.text("--store"), done);
  result.document = document_of(report);
  return result;
}

}  // namespace

Command simulate_command() {
  auto sampling = sampling_options();
  sampling.options.insert(sampling.options.begin() + 2,
                          {.name = "--precision",
                           .kind = Kind::number,
                           .value = "X",
                           .summary = "stop when E[N] is known to ± X (half of its interval at --confidence)"});
  sampling.options.push_back(shard_option());
  sampling.options.push_back(mpi_option());
  return {
      .name = "simulate",
      .summary = "run rounds and print their tallies and estimates",
      .description =
          {"Plays rounds of speculative decoding on the distributions of SOURCE and counts what happens. The result "
           "depends on the task, the seed and the trial numbers, on nothing else: more threads, another backend or a "
           "split into ranges change only the time it takes.",
           "It ends with --rounds or --range, or with --time or --precision, whichever comes first, and says which; "
           "the range that it prints plays the same trials again. --time counts the piece of a tenth of a second or "
           "so in which it is up: to leave it out would leave out rounds that take long. The first Ctrl-C ends a run "
           "in the same way, with what was played so far and exit status 130; the second ends it at once.",
           "--precision X does not stop when the running interval looks narrow, which happens too soon where the "
           "sample shows too little spread by chance, and then the interval misses more often than it says. A pilot "
           "of 1024 trials, doubled until it is a sixteenth of what is needed, sets how many new trials are played "
           "(after Stein 1945). They alone are the result, and are looked at once, at their end: a sample that is "
           "still too wide becomes part of the pilot of a larger one. Where every trial has as many rounds that has "
           "a chance below 0.002, and the interval of the last sample misses at most 1.002 times as often as it "
           "says; elsewhere both are approximate. A --range or --rounds of fewer than 100 trials is played whole, "
           "without a pilot.",
           "With --store what is played is kept, so that a run that was killed goes on where it was, and a longer "
           "one plays only what is new. Rows of other tasks and seeds may be in the same file, which one run at a "
           "time can write to. A stored row is used as a whole: one that is only partly in the asked range is an "
           "error. --merge adds up the rows of several stores, played anywhere.",
           "--shard 3/8 plays the third of eight equal parts of the trials, so that eight jobs, each with a store of "
           "its own, play the whole; --shard slurm and --shard sge read which part it is from the array job.",
           "With --schedule the trials are batches of requests, and a schedule decides how many drafts of each are "
           "verified. Whether their texts are jointly the target's is tested where few enough tokens make it possible.",
           "mpirun -n N draftgauge simulate … --mpi plays on N ranks: rank 0 hands out pieces of the range, so that "
           "unequal machines finish together, and alone says when to stop. The result is that of one process."},
      .groups = {source_options(),
                 rule_options(),
                 sampling,
                 schedule_options(),
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
                   confidence_option()}}},
      .examples = {{"draftgauge simulate exact-alpha:vocab=32,alpha=0.8 --gamma 5 --cost .05",
                    "E[N] = 3.689 and the speed-up at c = .05"},
                   {"draftgauge simulate markov:vocab=8 --rule block --gamma 4 --rounds 200k",
                    "64 rounds in a row make one trial where contexts depend on each other"},
                   {"draftgauge simulate markov:vocab=2 --gamma 2 --schedule top:slots=2 --requests 3 --rounds 200k",
                    "three requests, of whose drafts the best two are verified"},
                   {"draftgauge simulate zipf:vocab=1000 --precision .01 --time 1m",
                    "until E[N] is known to ± .01, for a minute at most"}},
      .run = run};
}

}  // namespace draftgauge
