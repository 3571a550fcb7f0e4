#include "apps/exact/for_all_command.h"

#include <fmt/format.h>

#include "analysis/frontier/stated.h"
#include "analysis/proof/for_all.h"
#include "apps/cli/invocation.h"
#include "apps/options/exact_numbers.h"
#include "apps/options/task_words.h"
#include "apps/task/rule_options.h"
#include "sim/base/error.h"
#include "sim/base/shell_word.h"
#include "sim/drafters/sample.h"
#include "sim/sources/source.h"

namespace draftgauge {
namespace {

std::string list(std::vector<Rational> const& law) {
  std::vector<std::string> entries;
  for (Rational const& entry : law) entries.push_back(entry.str());
  return fmt::format("{}", fmt::join(entries, ","));
}

/// The task with its defaults, checked as a simulation of it on `vocab` tokens would be.
Task checked_task(Invocation const& args, std::int64_t vocab) {
  auto const [rule, gamma] = one_rule_from(args, "--for-all", "it proves one statement");
  std::vector<Fraction> const uniform(static_cast<std::size_t>(vocab), Fraction(1, vocab));
  Source const source = source_of_row(uniform, uniform, {});
  return Simulation(task_from(args, rule, gamma), source.tables, args.seed()).task();
}

/// The command line that shows TV ≠ 0 on one table.
std::string confirming_line(Task const& task, ExactModel::Row const& row) {
  RuleCard const& rule = rule_card(task.rule);
  std::string line = "draftgauge exact --rule " + shell_word(task.rule);
  if (task.drafter != rule.drafter) line += " --drafter " + shell_word(task.drafter);
  if (task.policy != "fixed") line += " --policy " + shell_word(task.policy);
  if (task.tree.size() > 1)
    line += " --tree " + shell_word(task.tree.text());
  else
    line += fmt::format(" --gamma {}", task.shape.gamma);
  if (task.tree.size() == 1 && task.shape.branching > 1)
    line += fmt::format(" --candidates {}", task.shape.branching);
  if (!task.shape.bonus) line += " --no-bonus";
  if (task.shape.continues) line += " --continue";
  return line + fmt::format(" --p {} --q {}", list(row.p), list(row.q));
}

struct VerdictCard {
  std::string_view word;
  Status status;
};
VerdictCard const& card(ForAllVerdict verdict) {
  static constexpr VerdictCard in_order[] = {
      {"proved", Status::done}, {"refuted", Status::failed}, {"open", Status::inconclusive}};
  return in_order[static_cast<std::size_t>(verdict)];
}

/// A rule that claims nothing is not refuted by a table that shows it to be lossy.
bool lossy_by_design(ForAllResult const& result, Task const& task) {
  return result.verdict == ForAllVerdict::refuted && !claims_lossless(rule_call(task.rule));
}

// What was not seen belongs to what is proved.
std::string headline(ForAllResult const& result, Task const& task) {
  if (lossy_by_design(result, task)) return "lossy, by design";
  if (result.verdict != ForAllVerdict::proved) return std::string(card(result.verdict).word);
  return fmt::format("proved, but for at most {:.2g} % of the distributions (confidence {})",
                     100 * result.unseen_share(), ForAllResult::confidence);
}

Json as_json(ForAllResult const& result, Task const& task, std::int64_t vocab) {
  Json document{{"estimator", "random evaluation"},
                {"rule", task.rule},
                {"drafter", task.drafter},
                {"policy", task.policy},
                {"vocab", vocab},
                {"gamma", task.shape.gamma},
                {"candidates", task.shape.branching},
                {"bonus", task.shape.bonus},
                {"verdict", card(result.verdict).word},
                {"claims_lossless", claims_lossless(rule_call(task.rule))},
                {"regions", result.regions()},
                {"degree", result.degree()},
                {"error_bound", result.error_bound()},
                {"unseen_share", result.unseen_share()},
                {"confidence", ForAllResult::confidence},
                {"surveys", rows_of(survey_fields(), result.surveys).array()},
                {"tables", result.tables},
                {"counterexample", nullptr}};
  if (task.tree.size() > 1) document["tree"] = task.tree.parents();
  if (result.counterexample) {
    auto& shown = document["counterexample"] = Json::object();
    for (auto const& [name, law] :
         {std::pair("p", &result.counterexample->row.p), {"q", &result.counterexample->row.q}})
      for (Rational const& entry : *law) shown[name].push_back(entry.str());
    put_fraction(shown, "tv", result.counterexample->distance);
    shown["command"] = confirming_line(task, result.counterexample->row);
  }
  return document;
}

Section survey_section(ForAllResult const& result) {
  Section section{.heading = "Where it was tried", .table = rows_of(survey_fields(), result.surveys).table()};
  section.note(
      "A region is where all comparisons come out the same; there the rule's distribution is one rational function "
      "of p and q, of the degree shown or less.");
  if (result.tables > 0)
    section.note(
        fmt::format("Tested beside, not proved: {} random tables with a row for every prefix, γ = {}, enumerated "
                    "without a difference.",
                    result.tables, result.tables_gamma));
  return section;
}

Section verdict_section(ForAllResult const& result, ForAllClaim const& claim, Task const& task, std::int64_t vocab) {
  Section section;
  auto& says = section.paragraphs;
  switch (result.verdict) {
    case ForAllVerdict::proved:
      says.push_back(
          fmt::format("Proved: on {} tokens the output has the target's distribution for all p and q in the {} "
                      "regions that were found. The probability that this is an error is at most {:.1e}.",
                      vocab, result.regions(), result.error_bound()));
      says.push_back(
          fmt::format("Regions not found hold at most {:.1f} % of the distributions drawn, at confidence {}.",
                      100 * result.unseen_share(), ForAllResult::confidence));
      says.push_back(claim.every_gamma
                         ? "The rule decides node by node, so what holds at one node holds by induction for every γ "
                           "and every tree of such nodes, however the distributions depend on the text before."
                         : fmt::format("The rule takes the whole draft, so this is about γ = {} and distributions "
                                       "that depend on the position alone.",
                                       task.shape.gamma));
      break;
    case ForAllVerdict::open:
      says.push_back(
          fmt::format("Open: the output has the target's distribution for all p and q in the {} regions that were "
                      "found, but up to {:.1f} % of the distributions drawn may lie in others (confidence {}). More "
                      "--points, a smaller --vocab or --gamma would say more.",
                      result.regions(), 100 * result.unseen_share(), ForAllResult::confidence));
      break;
    case ForAllVerdict::refuted:
      says.push_back(
          fmt::format("{}: there are p and q for which the output does not have the target's distribution.",
                      lossy_by_design(result, task) ? "Lossy, by design" : "Refuted"));
      if (result.counterexample) {
        says.push_back(
            fmt::format("The smallest, by tokens and then by common denominator: p = ({}), q = ({}), TV = {}. This "
                        "command shows it:",
                        list(result.counterexample->row.p), list(result.counterexample->row.q),
                        readable_text(result.counterexample->distance)));
        section.code.push_back(confirming_line(task, result.counterexample->row));
      } else {
        says.push_back(
            "No table of one row and small denominators shows it: it takes rows that differ between positions, or "
            "larger weights.");
      }
      break;
  }
  return section;
}

/// The bound that the rule's source states, and whether a small table breaks it.
void add_stated(Task const& task, std::int64_t vocab, Result& result) {
  Call const rule = rule_call(task.rule);
  auto const bound = stated_bound(rule);
  if (!bound || task.drafter != drafters::Sample::card.name) return;
  auto const broken = smallest_breaking(rule, static_cast<std::uint32_t>(vocab));
  Section section{.heading = "The bound that its source states"};
  Json& document = result.document["stated_bound"];
  document = {{"words", bound->words}, {"limit", stated_limit(*bound)}, {"broken", broken.has_value()}};
  if (!broken) {
    section.paragraphs.push_back(
        fmt::format("Not refuted: \"{}\" holds on all tables of up to {} tokens and small denominators. That is no proof.",
                    bound->words, vocab));
  } else {
    Task shown = task;
    shown.shape.gamma = 1;
    section.paragraphs.push_back(fmt::format(
        "Refuted: \"{}\" is broken. The smallest table: p = ({}), q = ({}), where it is {:.6g} and not at most {:.6g}.",
        bound->words, list(broken->row.p), list(broken->row.q), broken->value, stated_limit(*bound)));
    section.code.push_back(confirming_line(shown, broken->row));
    document["value"] = broken->value;
    document["command"] = section.code.back();
    result.status = Status::failed;
    result.title += ", and the bound that its source states is broken";
  }
  result.sections.insert(result.sections.begin() + 1, std::move(section));
}

}  // namespace

Fields<Survey> survey_fields() {
  auto const where = [](Survey const& of) { return of.boundary ? "with zeros or ties" : "positive, different"; };
  return {{"identity", "what must equal the target's distribution", &Survey::identity},
          {"boundary", &Survey::boundary},
          {"where", "p and q", where, for_people},
          {"faces", &Survey::faces},
          {"points", "points", &Survey::points},
          {"regions", "regions", &Survey::regions},
          {"degree", "degree", &Survey::degree},
          {"error_bound", &Survey::error},
          {"unseen_share", "unseen ≤", &Survey::unseen_share}};
}

OptionGroup for_all_options() {
  return {
      "For all distributions",
      {{.name = "--for-all",
        .kind = Kind::flag,
        .summary = "prove that the rule is lossless whatever p and q are, or find a table that refutes it"},
       {.name = "--vocab", .kind = Kind::count, .summary = "tokens, with --for-all", .standard = "3", .least = 1},
       {.name = "--points",
        .kind = Kind::count,
        .summary =
            "distributions drawn in a batch, with --for-all; more leave a smaller share of the distributions unseen",
        .standard = "1000",
        .least = 1000}}};
}

void refuse_without_for_all(Invocation const& args) {
  args.refuse({"--vocab", "--points"},
              "needs --for-all (one distribution has its own tokens, and no others are drawn)", "add it");
}

Result for_all(Invocation const& args) {
  args.refuse({"SOURCE", "--p", "--q", "--start", "--contexts", "--temperature", "--normalise", "--memory", "--cost",
               "--ceiling"},
              "and --for-all cannot be given together (the statement is about all distributions, and about no cost)",
              "keep one");
  std::int64_t const vocab = args.count("--vocab");
  if (vocab > ForAllSearch::most_vocab)
    throw UsageError(fmt::format("--vocab {} is out of range (1 to {}: the sets of zeros and ties grow like 6^vocab)",
                                 vocab, ForAllSearch::most_vocab),
                     "use a smaller one");
  Task const task = checked_task(args, vocab);
  auto bar = args.progress(fmt::format("{}, all distributions on {} tokens", task.rule, vocab), 0, "points");
  ForAllClaim const claim = for_all_claim(task);
  ForAllResult const result = try_for_all(claim, {.vocab = static_cast<std::uint32_t>(vocab),
                                                  .points = static_cast<std::uint64_t>(args.count("--points")),
                                                  .seed = args.seed(),
                                                  .threads = args.threads(),
                                                  .progress = [&](std::uint64_t points) { bar.at(points); }});
  Result said{.status = lossy_by_design(result, task) ? Status::done : card(result.verdict).status,
              .document = as_json(result, task, vocab),
              .title = fmt::format("{}, {}, drafts by {}, on all distributions of {} tokens: {}", task.rule,
                                   shape_text(task), task.drafter, vocab, headline(result, task)),
              .sections = {verdict_section(result, claim, task, vocab), survey_section(result)}};
  add_stated(task, vocab, said);
  return said;
}

}  // namespace draftgauge
