#include "apps/verify/verify_batches.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/batch/batch_checks.h"
#include "analysis/batch/joint_tokens.h"
#include "analysis/batch/schedule_examples.h"
#include "analysis/stats/counted.h"
#include "analysis/stats/false_alarm.h"
#include "apps/options/confidence.h"
#include "apps/options/number_options.h"
#include "apps/options/source_options.h"
#include "apps/output/interruption.h"
#include "apps/simulate/simulated_batch.h"
#include "apps/task/rule_options.h"
#include "apps/task/schedule_options.h"
#include "apps/verify/verify_report.h"
#include "gpu/batch_backends.h"
#include "sim/base/error.h"
#include "sim/task/suits.h"

namespace draftgauge {
namespace {

constexpr char const* growing_times = "1,1.2";  ///< 1, 1.2, 1.4, …, so that budgets have something to weigh

/// A source with the schedules to verify on it.
struct BatchSubject {
  std::string source = {};  ///< empty: --p and --q, or the test's
  std::vector<std::int64_t> gammas = {};
  std::vector<std::string> schedules = {};
  std::optional<ScheduleTest> test = {};  ///< a faulty schedule's own
};

/// What is verified where no source is named: rows that depend on the text, and rows that do not.
std::vector<BatchSubject> standard_batches() {
  return {{"markov:vocab=2", {3}}, {"exact-alpha:vocab=2,alpha=0.6", {2}}, {"dirichlet:vocab=3,contexts=4", {1}}};
}

/// The schedules that --schedule names: `all` those that claim to be lossless, `faulty/all` the faulty ones.
std::vector<std::string> schedules_named(Invocation const& args) {
  std::vector<std::string> names;
  for (std::string const& text : args.texts("--schedule")) {
    bool const every = text == "all", faulty = text == "faulty/all";
    if (!every && !faulty) names.push_back(schedule_text(schedule_call(text)));
    for (ScheduleCard const& card : schedule_cards())
      if ((every || faulty) && (card.sight == Sight::tokens) == faulty)
        names.push_back(schedule_text(schedule_call(card.name)));
  }
  return names;
}

std::vector<BatchSubject> batch_subjects(Invocation const& args) {
  std::vector<std::string> const names = schedules_named(args);
  std::vector<BatchSubject> subjects;
  if (args.has("--p") || args.has("--q")) {
    subjects.push_back({.gammas = gammas_from(args), .schedules = names});
  } else if (args.has("SOURCE")) {
    for (std::string const& source : args.texts("SOURCE")) subjects.push_back({source, gammas_from(args), names});
  } else {
    std::vector<std::string> right;
    for (std::string const& name : names) {
      ScheduleCard const& card = schedule_card(schedule_call(name));
      if (card.sight == Sight::tokens)
        subjects.push_back({.schedules = {name}, .test = card.counterexample->shows});
      else
        right.push_back(name);
    }
    for (BatchSubject& subject : standard_batches()) {
      if (right.empty()) break;
      subject.schedules = right;
      if (args.has("--gamma")) subject.gammas = gammas_from(args);
      subjects.push_back(std::move(subject));
    }
  }
  for (BatchSubject& subject : subjects)
    if (subject.test) subject.gammas = {subject.test->gamma};
  return subjects;
}

/// The rules that are verified under a schedule: of `all` those that claim to be lossless.
std::vector<std::string> rules_under_schedules(Invocation const& args) {
  std::vector<std::string> rules = rules_from(args);
  if (args.text("--rule") == "all")
    std::erase_if(rules, [](std::string const& rule) { return !claims_lossless(rule_call(rule)); });
  for (std::string const& rule : rules)
    if (!claims_lossless(rule_call(rule)))
      throw UsageError(fmt::format("rule {} is lossy by itself (a schedule claims to leave a lossless rule lossless)", rule),
                       "name another --rule");
  return rules;
}

BatchTask batch_of(Invocation const& args, BatchSubject const& subject, PairTables const& tables,
                   std::string const& rule, std::int64_t gamma, std::string const& schedule) {
  BatchTask batch{.task = sampled_task_from(args, rule, gamma),
                  .requests = subject.test ? subject.test->requests : count_at_most(args, "--requests", max_requests),
                  .schedule = schedule,
                  .estimates = args.text("--estimates")};
  if (batch.task.rounds_per_trial == 0) batch.task.rounds_per_trial = static_cast<std::uint32_t>(gamma) + 1;
  batch.joint = joint_tokens(tables.vocab(), batch.requests, static_cast<int>(gamma), batches_from(args, batch).size());
  batch.joint = std::min(batch.joint, static_cast<int>(batch.task.rounds_per_trial));
  return batch;
}

/// One schedule with one rule at one γ on the source of a subject.
Verification verify_batch(Invocation const& args, BatchSubject const& subject, Source const& source, BatchTask batch,
                          BatchBackend const& backend, std::optional<std::chrono::duration<double>> time,
                          CheckOptions const& options, std::string const& place) {
  int const slots = batch.requests * batch.task.shape.gamma;
  std::vector<Rational> times = subject.test ? pass_times(*subject.test) : std::vector<Rational>();
  if (times.empty() && slots <= max_batch_slots) times = pass_times_from(args, slots, growing_times);
  for (Rational const& each : times) batch.times.push_back(static_cast<double>(each));
  BatchSimulation const simulation(batch, source.tables, args.seed());
  Range const asked = batches_from(args, batch);
  simulation.check(asked);
  Deadline deadline(time);
  auto bar = args.progress(
      fmt::format("{}{}", batch_text(simulation.task().schedule, batch.requests), place), asked.size(), "batches");
  PlayedBatches const played =
      simulate_batches(simulation, asked, backend, args.threads(), [&](std::uint64_t done) {
        bar.at(done);
        return !deadline.reached();
      });
  Tally const each = played.tally.each();
  Verification seen{.task = simulation.task().task,
                    .batch = batch_text(simulation.task().schedule, batch.requests),
                    .lossless = true,
                    .rounds = each[TallyLayout::rounds],
                    .tokens = each[TallyLayout::tokens],
                    .checks = {},
                    .notes = {},
                    .ending = deadline.ending(Ending::rounds)};
  for (Check& check : check_batch(simulation, played.tally, options))
    seen.checks.push_back({.check = std::move(check),
                           .range = played.range,
                           .rounds_per_trial = seen.task.rounds_per_trial,
                           .rounds = seen.rounds});
  if (auto check = check_exact_batch(simulation, exact_model(source), times))
    seen.checks.push_back({.check = std::move(*check)});
  ScheduleCard const& card = schedule_card(simulation.schedule_called());
  seen.notes.push_back(fmt::format("Schedule {} is {}.", card.name, meaning(card.sight)));
  if (played.range.end < asked.end) seen.notes.push_back(fmt::format("{}: {}.", seen.batch, again(played.range)));
  return seen;
}

}  // namespace

Result verify_batches(Invocation const& args) {
  args.refuse({"--candidates", "--tree", "--policy", "--no-bonus", "--continue", "--mpi", "--cost", "--ops-cost"},
              "has no meaning with --schedule (batches are played, and what they verify is decided together)");
  std::vector<BatchSubject> const subjects = batch_subjects(args);
  std::vector<std::string> const rules = rules_under_schedules(args);
  std::size_t batches = 0;
  for (BatchSubject const& subject : subjects)
    batches += subject.schedules.size() * subject.gammas.size() * rules.size();
  CheckOptions const options{.false_alarm = false_alarm_share(batches * checks_per_batch),
                             .resolve = number_of(args, "--resolve"),
                             .confidence = confidence_from(args)};
  BatchBackend const backend =
      choose_batch_backend(args.text("--backend"), [&](std::string const& note) { args.warn(note); });
  VerifyReport report(backend.name, args.format(), true);
  SharedTime time(args.has("--time") ? std::optional(args.duration("--time")) : std::nullopt, batches);
  Interruption const interruption(false);
  std::size_t place = 0;
  for (BatchSubject const& subject : subjects) {
    if (Interruption::asked()) break;
    Source const source = subject.test              ? schedule_source(*subject.test)
                          : subject.source.empty() ? source_from(args)
                                                   : source_named(args, subject.source);
    report.begin(source, subject.test              ? source.description
                         : subject.source.empty() ? "--p, --q"
                                                  : subject.source);
    for (std::string const& schedule : subject.schedules)
      for (std::string const& rule : rules)
        for (std::int64_t const gamma : subject.gammas) {
          if (Interruption::asked()) break;
          ++place;
          BatchTask const batch = batch_of(args, subject, source.tables, rule, gamma, schedule);
          report.add(verify_batch(args, subject, source, batch, backend, time.next(), options,
                                  fmt::format(" ({} of {})", place, batches)),
                     source);
        }
  }
  return report.finish(args, batches, batches - place, std::nullopt);
}

}  // namespace draftgauge
