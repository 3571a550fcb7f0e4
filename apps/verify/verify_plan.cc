#include "apps/verify/verify_plan.h"

#include <fmt/format.h>

#include "analysis/exact/output_law.h"
#include "analysis/stats/certificate.h"
#include "analysis/stats/false_alarm.h"
#include "analysis/stats/goodness.h"
#include "analysis/stats/trials.h"
#include "apps/options/confidence.h"
#include "apps/options/number_options.h"
#include "apps/options/source_options.h"
#include "apps/options/task_words.h"
#include "apps/task/rule_options.h"
#include "apps/verify/verify_play.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// Rounds after which the first tokens that verify counts on this simulation would be `draws`: one for each round
/// where contexts are independent, else one for each trial.
std::optional<std::uint64_t> rounds_for(std::optional<std::uint64_t> draws, Simulation const& simulation) {
  if (!draws || simulation.task().firsts) return draws;
  std::uint64_t const per_trial = longest_trial(simulation);
  if (*draws > ~std::uint64_t{0} / per_trial) return std::nullopt;
  return *draws * per_trial;
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
  auto const law = target_gram_law(simulation, 1);
  auto const certify = rounds_for(draws_to_certify(*law, tv, confidence), simulation);
  // A run of verify on one task has this false alarm for the check of a first token.
  double const false_alarm = false_alarm_share(checks_per_simulation);
  auto const detect = rounds_for(draws_to_detect(*law, tv, false_alarm, stated_power), simulation);
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
                             words(certify), args.text("--tv"), words(detect), to_string(task), source.description);
  if (result.title.starts_with('m')) result.title.front() = 'M';
  Section section{.table = Table{{"question", "to be shown of a first token", Align::left}, {"rounds", "rounds"}}};
  if (args.has("--time") && certify) {
    double const share = share_of_first_tokens(task, source.tables);
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
