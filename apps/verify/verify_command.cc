#include "apps/cli/commands.h"

#include <fmt/format.h>

#include "analysis/stats/false_alarm.h"
#include "apps/cli/invocation.h"
#include "apps/options/confidence.h"
#include "apps/options/number_options.h"
#include "apps/options/source_options.h"
#include "apps/output/interruption.h"
#include "apps/simulate/crew_of_ranks.h"
#include "apps/task/rule_options.h"
#include "apps/task/schedule_options.h"
#include "apps/verify/faulty_rules.h"
#include "apps/verify/verify_batches.h"
#include "apps/verify/verify_plan.h"
#include "apps/verify/verify_play.h"
#include "apps/verify/verify_report.h"
#include "apps/verify/verify_subjects.h"

namespace draftgauge {
namespace {

/// One rule at one γ on the source of a subject.
Task task_of(Invocation const& args, Subject const& subject, std::string const& rule, std::int64_t gamma) {
  Task task = sampled_task_from(args, rule, gamma);
  if (!args.has("--tree")) task.shape.branching = static_cast<int>(subject.branching);
  return task;
}

Result run(Invocation const& args) {
  args.refuse_together("--plan", {"--faulty"}, "each faulty rule has its own rounds");
  refuse_without_schedule(args);
  if (args.has("--plan")) return verify_plan(args);
  args.refuse({"--tv"}, "has no meaning without --plan (a run finds what its rounds can)",
              "add --plan, or ask for --resolve");
  if (args.has("--faulty")) return faulty_rules(args);
  if (args.has("--schedule")) return verify_batches(args);
  std::vector<Subject> const subjects = subjects_from(args);
  std::size_t simulations = 0;
  for (Subject const& subject : subjects) simulations += subject.rules.size() * subject.gammas.size();
  CheckOptions const options{.false_alarm = false_alarm_share(simulations * checks_per_simulation),
                             .resolve = number_of(args, "--resolve"),
                             .cost = number_of(args, "--cost"),
                             .ops_cost = number_of(args, "--ops-cost"),
                             .confidence = confidence_from(args)};
  Backend const backend = backend_from(args);
  VerifyReport report(backend.name, args.format());
  SharedTime time(args.has("--time") ? std::optional(args.duration("--time")) : std::nullopt, simulations);
  Interruption const interruption(args.has("--mpi"));
  std::optional<InputError> failure;   // with which the run ends
  std::optional<InputError> unplayed;  // why a task was not
  auto const is_over = [&] { return Interruption::asked() || failure; };
  std::size_t place = 0;
  for (Subject const& subject : subjects) {
    if (is_over()) break;
    Source const source = source_of(args, subject);
    Given const words = source_words_of(args, subject);
    report.begin(source, short_name(subject, source));
    for (std::string const& rule : subject.rules) {
      for (std::int64_t const gamma : subject.gammas) {
        if (is_over()) break;
        ++place;
        Task const task = task_of(args, subject, rule, gamma);
        if (std::string const why = subject.all ? left_out(task, source.tables) : ""; !why.empty()) {
          report.note(why);
          time.skip();
          continue;
        }
        try {
          Verification const seen = verify_task(args, task, source, words, backend, time.next(), options,
                                                fmt::format(" ({} of {})", place, simulations));
          report.add(seen, source);
          failure = seen.failure;
        } catch (NothingPlayed const& nothing) {  // of this task, which is no reason to lose the others
          if (nothing.ending == Ending::rank) failure = nothing;
          unplayed = nothing;
          --place;
        }
      }
    }
  }
  if (report.empty() && unplayed) throw InputError(*unplayed);
  return report.finish(args, simulations, simulations - place, std::move(failure));
}

}  // namespace

Command verify_command() {
  auto sources = source_options();
  sources.options.front().many = true;
  OptionGroup schedules = schedule_options("1, 1.2, 1.4, …");
  schedules.options.front().many = true;
  schedules.options.front().summary += "; all: each that is right; faulty/all";
  auto sampling = sampling_options();
  sampling.options.front().standard = "4M";
  sampling.options.push_back(mpi_option());
  for (Option& option : sampling.options) {
    if (option.name != "--rounds-per-trial") continue;
    option.standard.clear();
    option.summary +=
        "; if not given one and γ+1 where they do not, 16 for a Markov pair or an automaton, 2 along a text";
  }
  return {
      .name = "verify",
      .summary = "do the theorems hold? closed form, exact enumeration and simulation side by side",
      .description =
          {"Puts every claim that applies to the distributions beside its closed form, its exact value by "
           "enumeration in fractions where that is possible, and a simulation: tokens per round (Eq. 1), the "
           "distribution of N, speed-up (Theorem 3.8), operations (Theorem 3.11), and above all that the output's "
           "distribution is p.",
           "Without a SOURCE it goes through every kind of distributions and rules. A check fails, holds, or is "
           "inconclusive: the sample could not have shown a deviation of --resolve.",
           "A lossy rule's distance from the target (TV, KL) is a result and not a failure. A bound that its source "
           "states is a claim, where the rule is named (docs/lossy.md). A faulty rule (--rule "
           "faulty/NAME, all of them faulty/all) claims to be lossless and fails; without a SOURCE it plays on the "
           "smallest table that shows it.",
           "Where rounds are independent, claims on a round are judged by trials of one round, and how its tokens "
           "and those after it go together by trials of γ+1: each has --rounds rounds, the latter up to 16M and a "
           "64th of what is beyond. --range is of both; --rounds-per-trial leaves one kind of trials, for all "
           "claims.",
           "--time is for all simulations together: each gets an equal share of what is left, of which trials of γ+1 "
           "rounds take an eighth. The clock decides how many rounds are played and nothing else; the ranges are "
           "printed, and --range plays the same again. The first Ctrl-C ends the run with the checks of what was "
           "played and exit status 130; the second ends it at once.",
           "With --schedule a batch of requests is played whose verified lengths a schedule decides, and the claim is that "
           "the rule stays lossless: for all requests jointly, and for each by itself. Where the batch is small its "
           "joint distribution is enumerated, too. A faulty schedule plays on the smallest batch that shows it where "
           "no SOURCE is named.",
           "--plan says how many rounds would show a given TV, and with --time how fast they must be; it runs none."},
      .groups =
          {sources,
           rule_options(),
           schedules,
           sampling,
           cost_options(),
           {"What is asked",
            {{.name = "--resolve",
              .kind = Kind::number,
              .value = "X",
              .summary = "the deviation that must be findable: relative of means, total variation of distributions",
              .standard = "0.05"},
             confidence_option("of each certificate on an output's distribution, not of all together"),
             {.name = "--faulty",
              .summary = "each faulty rule and schedule on the smallest table that shows it, beside a test too weak to see "
                         "it"},
             {.name = "--plan", .summary = "say how many rounds would show --tv, and run none"},
             {.name = "--tv", .kind = Kind::number, .value = "X", .summary = "the total variation of --plan"}}}},
      .examples = {{"draftgauge verify exact-alpha:vocab=32,alpha=0.8 --gamma 5", "the token rule at α = .8"},
                   {"draftgauge verify --p .3,.4,.3 --q .6,.3,.1 --rule all --gamma 2 --rounds 200k",
                    "all rules on one context, exactly and by simulation"},
                   {"draftgauge verify --schedule all --rounds 1M", "schedules of verification, on small batches"},
                   {"draftgauge verify --plan --tv 1e-3 exact-alpha:vocab=32,alpha=0.8", "how many rounds show that"},
                   {"draftgauge verify exact-alpha:vocab=32,alpha=0.8 --time 3s --resolve .1",
                    "the distance from the target that three seconds certify"}},
      .run = run};
}

}  // namespace draftgauge
