#include "apps/verify/verify_plan.h"

#include <fmt/format.h>

#include "analysis/batch/batch_checks.h"
#include "analysis/batch/joint_tokens.h"
#include "analysis/exact/output_law.h"
#include "analysis/stats/certificate.h"
#include "analysis/stats/counted.h"
#include "analysis/stats/false_alarm.h"
#include "analysis/stats/goodness.h"
#include "analysis/stats/trials.h"
#include "apps/options/confidence.h"
#include "apps/options/number_options.h"
#include "apps/options/source_options.h"
#include "apps/options/task_words.h"
#include "apps/task/rule_options.h"
#include "apps/verify/verify_play.h"
#include "apps/verify/verify_report.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// What would be counted: its distribution if the claim is true, and how many rounds each draw of it takes.
struct PlannedPlay {
  std::vector<double> law;
  std::uint64_t rounds_per_draw;
  std::size_t checks;  ///< that a run would make
  std::string what, of;

  std::optional<std::uint64_t> rounds_for(std::optional<std::uint64_t> draws) const {
    if (!draws || *draws > ~std::uint64_t{0} / rounds_per_draw) return std::nullopt;
    return *draws * rounds_per_draw;
  }
};

/// A first token: one for each round where contexts are independent, else one for each trial.
PlannedPlay first_token(Simulation const& simulation, Task const& task) {
  return {*target_gram_law(simulation, 1), simulation.task().firsts ? 1 : longest_trial(simulation),
          checks_per_simulation, "a first token", to_string(task)};
}

/// The first tokens of all requests of a batch, as many as fit: one draw for each batch.
PlannedPlay joint_tokens_of(Invocation const& args, Task task, PairTables const& tables) {
  if (args.texts("--schedule").size() > 1 || args.text("--schedule").ends_with("all"))
    throw UsageError("--plan takes one --schedule (it plans one simulation)", "run it once for each");
  int const gamma = task.shape.gamma;
  BatchTask batch{.task = std::move(task),
                  .requests = count_at_most(args, "--requests", max_requests),
                  .schedule = args.text("--schedule"),
                  .estimates = args.text("--estimates")};
  if (batch.task.rounds_per_trial == 0) batch.task.rounds_per_trial = static_cast<std::uint32_t>(gamma) + 1;
  batch.joint = joint_tokens(tables.vocab(), batch.requests, gamma, std::uint64_t{1} << 40);
  BatchSimulation const simulation(batch, tables, args.seed());
  auto law = joint_law(simulation, batch.requests);
  if (!law)
    throw UsageError("the first tokens of so many requests are not counted jointly", "give fewer --requests");
  return {std::move(*law), static_cast<std::uint64_t>(batch.requests) * batch.task.rounds_per_trial, checks_per_batch,
          fmt::format("the first {} of all requests, jointly", counted(static_cast<std::uint64_t>(batch.joint), "token")),
          fmt::format("{}, {}", to_string(batch.task), batch_text(simulation.task().schedule, batch.requests))};
}

}  // namespace

Result verify_plan(Invocation const& args) {
  args.refuse({"--rounds", "--range", "--resolve", "--cost", "--ops-cost", "--mpi"},
              "has no meaning with --plan (it says how many rounds show --tv, and plays none)");
  if (!args.has("--tv")) throw UsageError("--plan needs --tv X (the distance that is to be shown)", "add --tv 1e-3");
  double const tv = number_of(args, "--tv");
  if (!(tv > 0 && tv < 1)) throw UsageError("--tv " + args.text("--tv") + " is out of range (above 0 and below 1)");
  double const confidence = confidence_from(args);
  auto const [rule, gamma] = one_rule_from(args, "--plan", "it plans one simulation");
  Source const source = source_from(args);
  Task const task = sampled_task_from(args, rule, gamma);
  Simulation const simulation(counted_for_checks(task, source.tables), source.tables, args.seed());
  PlannedPlay const plan =
      args.has("--schedule") ? joint_tokens_of(args, task, source.tables) : first_token(simulation, task);
  auto const certify = plan.rounds_for(draws_to_certify(plan.law, tv, confidence));
  // A run of verify on one task has this false alarm for that check.
  double const false_alarm = false_alarm_share(plan.checks);
  auto const detect = plan.rounds_for(draws_to_detect(plan.law, tv, false_alarm, stated_power));
  Result result{.inputs = inputs_of(source)};
  result.document = {{"estimator", "plan"},
                     {"source", source.description},
                     {"rounding", rounding_of(source.rounding)},
                     {"tv", tv},
                     {"confidence", confidence},
                     {"false_alarm", suite_false_alarm},
                     {"power", stated_power},
                     {"rounds_to_certify", or_null(certify)},
                     {"rounds_to_detect", or_null(detect)}};
  auto const words = [](std::optional<std::uint64_t> const& n) {
    return n ? std::to_string(*n) + " rounds" : std::string("more rounds than can be played");
  };
  result.title = fmt::format("{} would certify a TV of at most {}, and {} would find one of that: {} on {}",
                             words(certify), args.text("--tv"), words(detect), plan.of, source.description);
  if (result.title.starts_with('m')) result.title.front() = 'M';
  Section section{.table = Table{{"question", "to be shown of " + plan.what, Align::left}, {"rounds", "rounds"}}};
  if (args.has("--time") && certify) {
    double const share = args.has("--schedule") ? 1 : share_of_first_tokens(task, source.tables);
    double const rate = static_cast<double>(*certify) / (share * args.duration("--time").count());
    result.document["time"] = args.duration("--time").count();
    result.document["rounds_per_second"] = rate;
    section.notes.push_back(fmt::format("To certify it within {} takes {} rounds/s{}.", args.text("--time"),
                                        short_count(rate),
                                        share < 1 ? ", as an eighth of the time is for tokens jointly" : ""));
  }
  auto const cell = [](std::optional<std::uint64_t> const& n) {
    return n ? Cell(Exact{std::to_string(*n)}) : Cell("more than can be played");
  };
  section.table.add(
      {fmt::format("TV(output, p) ≤ {} at confidence {:g}, if the rule is lossless", args.text("--tv"), confidence),
       cell(certify)});
  section.table.add({fmt::format("any distribution at TV {} or more is found (power {:g}, false alarm {:g} in all)",
                                 args.text("--tv"), stated_power, suite_false_alarm),
                     cell(detect)});
  section.note(rounding_note(source.rounding));
  result.sections.push_back(std::move(section));
  return result;
}

}  // namespace draftgauge
