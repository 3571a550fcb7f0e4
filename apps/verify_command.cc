#include "apps/verify_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "analysis/checks.h"
#include "analysis/expectation.h"
#include "analysis/false_alarm.h"
#include "analysis/goodness.h"
#include "analysis/output_law.h"
#include "apps/interruption.h"
#include "apps/invocation.h"
#include "apps/museum_table.h"
#include "apps/rule_options.h"
#include "apps/source_options.h"
#include "apps/verify_play.h"
#include "sim/error.h"

namespace draftgauge {
namespace {

constexpr std::size_t laws_shown = 12;  // tokens, in text for people

/// A source with the rules and draft lengths to verify on it.
struct Subject {
  std::string source;  ///< empty: the laws of --p and --q, or the exhibit's
  std::vector<std::string> rules;
  std::vector<std::int64_t> gammas;
  std::int64_t candidates;
  std::optional<Exhibit::Test> exhibit = {};  ///< a wrong rule's own table
};

/// What is verified when nothing is named: every kind of source, every kind of rule.
std::vector<Subject> standard_subjects() {
  return {{"exact-alpha:vocab=3,alpha=0.7", right_rules(1), {2}, 1},
          {"exact-alpha:vocab=4,alpha=0.6", right_rules(2), {1}, 2},
          {"exact-alpha:vocab=32,alpha=0.8", {"token"}, {5, 8}, 1},
          {"exact-alpha:vocab=32,alpha=0.04", {"token"}, {3}, 1},
          {"exact-alpha:vocab=32,alpha=0.8", {"block"}, {5}, 1},
          {"exact-alpha:vocab=8,alpha=0.6", {"recursive", "recursive-without"}, {3}, 2},
          {"dirichlet:vocab=16,contexts=8", {"token", "block"}, {4}, 1},
          {"zipf:vocab=1000", {"token"}, {5}, 1},
          {"noisy-softmax:vocab=64,contexts=16", {"token"}, {5}, 1},
          {"markov:vocab=6", {"token", "block"}, {3}, 1}};
}

std::vector<Subject> subjects_from(Invocation const& args) {
  std::vector<Subject> subjects;
  bool const unnamed = !args.has("--p") && !args.has("--q") && !args.has("SOURCE");
  if (unnamed && args.text("--rule").starts_with("wrong/")) {
    for (std::string const& rule : rules_from(args)) {
      Exhibit::Test const& test = rule_card(rule).exhibit->shows;
      subjects.push_back({{}, {rule}, {test.gamma}, test.candidates, test});
    }
    return subjects;
  }
  bool const all = args.text("--rule") == "all";
  if (args.has("--p") || args.has("--q")) {
    subjects.push_back({});
  } else if (args.has("SOURCE")) {
    for (std::string const& text : args.texts("SOURCE")) subjects.push_back({text, {}, {}, 0});
  } else {
    subjects = standard_subjects();
  }
  for (Subject& subject : subjects) {
    if (subject.rules.empty() || (args.has("--rule") && !all)) subject.rules = rules_from(args);
    if (subject.gammas.empty() || args.has("--gamma")) subject.gammas = args.counts("--gamma");
    if (subject.candidates == 0 || args.has("--candidates")) subject.candidates = args.count("--candidates");
  }
  // What goes through all kinds of laws by itself has trees of drafts that a rule or policy that was asked for may
  // not take.
  if (unnamed && !args.has("--candidates"))
    std::erase_if(subjects, [&](Subject const& subject) {
      auto const takes_chains = [](std::string const& rule) { return !rule_card(rule).many_candidates; };
      return subject.candidates > 1 && (std::ranges::any_of(subject.rules, takes_chains) ||
                                        (args.has("--policy") && policy_card(args.text("--policy")).watches));
    });
  return subjects;
}

Source source_of(Invocation const& args, Subject const& subject) {
  if (subject.exhibit)
    return source_of_row(parse_numbers(subject.exhibit->p), parse_numbers(subject.exhibit->q), {.normalise = true});
  return subject.source.empty() ? source_from(args) : source_named(args, subject.source);
}

std::string_view word(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::fails: return "fails";
    case Verdict::inconclusive: return "inconclusive";
  }
  return {};
}

Status status_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return Status::done;
    case Verdict::fails: return Status::failed;
    case Verdict::inconclusive: return Status::inconclusive;
  }
  return Status::failed;
}

Json field(std::optional<double> const& value) { return value ? Json(*value) : Json(nullptr); }

Json as_json(PlayedCheck const& played, Source const& source) {
  Check const& check = played.check;
  Json json{{"name", check.name},
            {"statement", check.statement},
            {"source", source.description},
            {"rounding", rounding_of(source.rounding)},
            {"rule", check.rule},
            {"policy", check.policy},
            {"gamma", check.gamma},
            {"closed_form", field(check.closed_form)},
            {"exact", field(check.exact)},
            {"simulated", check.simulated ? to_json(*check.simulated) : Json(nullptr)},
            {"estimator", check.simulated ? "simulation" : "enumeration"},
            {"p_value", field(check.p_value)},
            {"detectable", field(check.detectable)},
            {"false_alarm", check.false_alarm},
            {"verdict", word(check.verdict)}};
  if (check.simulated) {
    json["range"] = {played.range.begin, played.range.end};
    json["rounds_per_trial"] = played.rounds_per_trial;
  }
  if (!check.law.empty()) json["law"] = check.law;
  if (check.certificate)
    json["certificate"] = {{"tv_at_most", check.certificate->tv_at_most},
                           {"confidence", check.certificate->confidence},
                           {"rounds", check.certificate->draws}};
  return json;
}

Cell number_cell(std::optional<double> const& value) { return value ? Cell(Number{*value, 5}) : Cell(); }

/// Five decimals, and where a distance is small enough for more, three digits.
int distance_decimals(double tv) {
  return tv > 0 && tv < 1e-3 ? 2 - static_cast<int>(std::floor(std::log10(tv))) : 5;
}

/// A distance has no lower bound worth the name: what was seen, and what the certificate proves.
Cell simulated_cell(Check const& check) {
  if (!check.simulated) return {};
  if (!check.certificate) return Estimate{*check.simulated, 5};
  auto const& [tv_at_most, observed_tv, confidence, draws] = *check.certificate;
  return Exact{fmt::format("{:.{}f} (≤ {:.{}f})", observed_tv, distance_decimals(observed_tv), tv_at_most,
                           distance_decimals(tv_at_most))};
}

/// A rule, and the policy of draft lengths where it is not the usual one.
std::string rule_words(std::string const& rule, std::string const& policy) {
  return policy == rule_card(rule).policy ? rule : rule + ", " + policy;
}

void add_row(Table& table, Check const& check) {
  table.add({rule_words(check.rule, check.policy), std::int64_t{check.gamma}, check.name, check.statement,
             number_cell(check.closed_form), number_cell(check.exact), simulated_cell(check),
             number_cell(check.detectable), std::string(check.is_result ? "a result" : word(check.verdict))});
}

Table check_table() {
  return Table{{"rule", "rule", Align::left},      {"gamma", "γ"},
               {"name", "claim", Align::left},     {"statement", "from", Align::left},
               {"closed_form", "theory"},          {"exact", "exact"},
               {"simulated", "simulated"},         {"detectable", "finds"},
               {"verdict", "verdict", Align::left}};
}

Table summary_table() {
  return Table{{"source", "laws", Align::left},
               {"rule", "rule", Align::left},
               {"gamma", "γ"},
               {"expected", "E[N] theory"},
               {"simulated", "simulated"},
               {"tv_at_most", "first token: TV ≤"},
               {"rounds", "rounds"},
               {"verdict", "verdict", Align::left}};
}

/// What the summary calls a source: a file by its name, others as they were typed.
std::string short_name(Subject const& subject, Source const& source) {
  if (subject.exhibit) return fmt::format("p={} q={}", subject.exhibit->p, subject.exhibit->q);
  if (subject.source.empty()) return "--p, --q";
  if (source.inputs.empty()) return subject.source;
  std::string const contexts = contexts_text(source.laws.contexts());
  return std::filesystem::path(source.inputs.front().path).filename().string() + ", " +
         contexts.substr(0, contexts.find(' '));
}

/// Whether a position has more drafts than there are tokens for drafts that differ.
bool wants_more_tokens(Task const& task, Laws const& laws) {
  return drafter_card(with_own_drafting(task).drafter).distinct &&
         static_cast<std::uint32_t>(task.shape.candidates) > laws.vocab();
}

/// The one line of a task in the summary.
void summarise(Table& table, std::string const& source, Verification const& seen) {
  std::optional<double> expected, tv;
  Verdict worst = seen.checks.empty() ? Verdict::inconclusive : Verdict::holds;
  for (auto const& [check, range, rounds_per_trial] : seen.checks) {
    if (check.name == "tokens per round") expected = check.closed_form ? check.closed_form : check.exact;
    // From the target: of a lossy rule the one that is a result, not how close it is to its own law.
    bool const to_target = seen.lossless || check.is_result;
    if (check.certificate && !tv && to_target && check.name.find("first token") != std::string::npos)
      tv = check.certificate->tv_at_most;
    if (both(status_of(check.verdict), status_of(worst)) != status_of(worst)) worst = check.verdict;
  }
  double const tokens = static_cast<double>(seen.tokens) / static_cast<double>(seen.rounds);
  table.add({source, rule_words(seen.task.rule, seen.task.policy), std::int64_t{seen.task.shape.gamma},
             number_cell(expected), Number{tokens, 5}, tv ? Cell(Number{*tv, distance_decimals(*tv)}) : Cell(),
             static_cast<std::int64_t>(seen.rounds), std::string(word(worst))});
}

/// Rounds after which the first tokens that verify counts on this simulation would be `draws`: one for each round
/// where contexts are independent, else one for each trial.
std::optional<std::uint64_t> rounds_for(std::optional<std::uint64_t> draws, Simulation const& simulation) {
  if (!draws || simulation.task().firsts) return draws;
  std::uint64_t const per_trial = most_rounds(simulation);
  if (*draws > ~std::uint64_t{0} / per_trial) return std::nullopt;
  return *draws * per_trial;
}

Result plan(Invocation const& args) {
  if (!args.has("--tv")) throw UsageError("--plan needs --tv X (the distance that is to be shown) add --tv 1e-3");
  double const tv = args.fraction("--tv").to_double();
  if (!(tv > 0 && tv < 1)) throw UsageError("--tv " + args.text("--tv") + " is out of range (above 0 and below 1)");
  double const confidence = args.fraction("--confidence").to_double();
  auto const rules = rules_from(args);
  auto const gammas = args.counts("--gamma");
  if (rules.size() != 1 || gammas.size() != 1)
    throw UsageError("--plan takes one --gamma and one --rule (it plans one simulation) run it once for each");
  Source const source = source_from(args);
  Task const task = sampled_task_from(args, rules.front(), gammas.front());
  Simulation const simulation(counted_for_checks(task, source.laws), source.laws, args.seed());
  auto const law = target_gram_law(simulation, 1);
  auto const certify = rounds_for(draws_to_certify(*law, tv, confidence), simulation);
  // A run of verify on one task has this false alarm for the check of a first token.
  double const false_alarm = false_alarm_share(checks_per_simulation);
  auto const detect = rounds_for(draws_to_detect(*law, tv, false_alarm, stated_power), simulation);
  Result result{.inputs = inputs_of(source)};
  auto const count = [](std::optional<std::uint64_t> const& n) { return n ? Json(*n) : Json(nullptr); };
  result.document = {{"estimator", "plan"},
                     {"source", source.description},
                     {"rounding", rounding_of(source.rounding)},
                     {"tv", tv},
                     {"confidence", confidence},
                     {"false_alarm", suite_false_alarm},
                     {"power", stated_power},
                     {"rounds_to_certify", count(certify)},
                     {"rounds_to_detect", count(detect)}};
  result.title = fmt::format("Rounds that would show a TV of {} on {}", args.text("--tv"), source.description);
  Section section{.table = Table{{"question", "to be shown of a first token", Align::left}, {"rounds", "rounds"}}};
  if (args.has("--time") && certify) {
    double const share = share_of_first_tokens(task, source.laws);
    double const rate = static_cast<double>(*certify) / (share * args.duration("--time").count());
    result.document["time"] = args.duration("--time").count();
    result.document["rounds_per_second"] = rate;
    section.notes.push_back(
        fmt::format("To certify it within {} takes {} rounds/s{}.", args.text("--time"), short_count(rate),
                    share < 1 ? ", as an eighth of the time is for tokens jointly" : ""));
  }
  auto const cell = [](std::optional<std::uint64_t> const& n) {
    return n ? Cell(Exact{std::to_string(*n)}) : Cell("more than can be played");
  };
  section.table.add(
      {fmt::format("TV(output, p) ≤ {} at confidence {:g}, if the rule is lossless", args.text("--tv"), confidence),
       cell(certify)});
  section.table.add({fmt::format("any law at TV {} or more is found (power {:g}, false alarm {:g} in all)",
                                 args.text("--tv"), stated_power, suite_false_alarm),
                     cell(detect)});
  for (std::string const& note : rounding_note(source.rounding)) section.notes.push_back(note);
  result.sections.push_back(std::move(section));
  return result;
}

Result run(Invocation const& args) {
  if (args.has("--plan")) return plan(args);
  if (args.has("--museum")) return museum_table(args);
  std::vector<Subject> const subjects = subjects_from(args);
  std::size_t simulations = 0;
  for (Subject const& subject : subjects) simulations += subject.rules.size() * subject.gammas.size();
  CheckOptions const options{.false_alarm = false_alarm_share(simulations * checks_per_simulation),
                             .resolve = args.fraction("--resolve").to_double(),
                             .cost = args.fraction("--cost").to_double(),
                             .ops_cost = args.fraction("--ops-cost").to_double(),
                             .confidence = args.fraction("--confidence").to_double()};
  Backend const backend = backend_from(args);

  Result result{.backend = std::string(backend.name)};
  Json checks_json = Json::array();
  Section summary{.heading = "Summary", .table = summary_table()};
  std::size_t counts[3] = {};
  SharedTime time(args.has("--time") ? std::optional(args.duration("--time")) : std::nullopt, simulations);
  Interruption const interruption;
  Ending ending = Ending::rounds;
  std::size_t place = 0;
  std::uint64_t tables_bytes = 0;
  for (Subject const& subject : subjects) {
    if (Interruption::asked()) break;
    Source const source = source_of(args, subject);
    for (Input const& input : inputs_of(source)) result.inputs.push_back(input);
    std::string const heading = fmt::format("{} ({})", source.description, contexts_text(source.laws.contexts()));
    Section section{.heading = heading, .table = check_table()};
    section.notes = rounding_note(source.rounding);
    for (std::string const& note : memory_note(source.laws)) section.notes.push_back(note);
    tables_bytes = std::max(tables_bytes, source.laws.bytes());
    for (std::string const& rule : subject.rules) {
      for (std::int64_t const gamma : subject.gammas) {
        if (Interruption::asked()) break;
        ++place;
        Task task = sampled_task_from(args, rule, gamma);
        task.shape.candidates = static_cast<int>(subject.candidates);
        if (args.text("--rule") == "all" && wants_more_tokens(task, source.laws)) {
          section.notes.push_back(
              fmt::format("Left out: {}, whose {} drafts of a position differ.", rule, subject.candidates));
          time.skip();
          continue;
        }
        Verification const seen = verify_task(args, task, source.laws, backend, time.next(), options,
                                              fmt::format(" ({} of {})", place, simulations));
        if (seen.ending != Ending::rounds) ending = seen.ending;
        for (std::string const& note : seen.notes) section.notes.push_back(note);
        if (seen.checks.empty()) {
          section.notes.push_back(
              fmt::format("{}: nothing is known here that its rounds could be held against.", rule));
          result.status = both(result.status, Status::inconclusive);
        }
        for (PlayedCheck const& played : seen.checks) {
          Check const& check = played.check;
          if (!check.law.empty() && check.law.size() <= laws_shown)
            section.notes.push_back(
                fmt::format("{}: a round's first token has the law {:.5f}.", rule, fmt::join(check.law, ", ")));
          add_row(section.table, check);
          checks_json.push_back(as_json(played, source));
          result.status = both(result.status, status_of(check.verdict));
          ++counts[static_cast<int>(check.verdict)];
        }
        summarise(summary.table, short_name(subject, source), seen);
      }
    }
    result.sections.push_back(std::move(section));
  }
  std::size_t const not_played = simulations - place;
  if (not_played > 0) ending = Ending::interrupt;
  summary.paragraphs.push_back(
      fmt::format("{} checks hold, {} fail, {} are inconclusive. If every claim is true, any \"fails\" has a chance "
                  "of about {:g}.",
                  counts[0], counts[1], counts[2], suite_false_alarm));
  summary.notes = {
      fmt::format(
          "Intervals are simultaneous: all of them hold with probability {:g}. Of laws (TV) they are what is proved "
          "of the distance to the claimed law at confidence {}; where many counts scatter that is less than the "
          "distance of the counts.",
          1 - suite_false_alarm, args.text("--confidence")),
      fmt::format("\"finds\" is the deviation that a check would have found with probability {}; where that is above "
                  "--resolve {} the check says nothing.",
                  stated_power, args.text("--resolve")),
      "Tests of laws (TV) rest on the χ² limit of G; the other intervals hold for every sample size."};
  if (counts[2] > 0)
    summary.notes.push_back("Inconclusive: play more (--rounds; --plan says how many), or ask for less (--resolve).");
  if (ending == Ending::time)
    summary.notes.push_back(
        fmt::format("Time was up after {}, of which each simulation had an equal share; where rounds are "
                    "independent an eighth of that was for tokens jointly. How many rounds it allows is all that the "
                    "clock decides.",
                    args.text("--time")));
  if (ending == Ending::interrupt) {
    summary.notes.push_back(
        fmt::format("Interrupted by Ctrl-C; {} of {} simulations were not played.", not_played, simulations));
    result.status = both(result.status, Status::interrupted);
  }
  if (args.has("--rule") && args.text("--rule") == "all" && args.count("--candidates") > 1)
    summary.notes.push_back("Left out: rules that verify one draft per position. --candidates 1 takes them.");
  result.sections.push_back(std::move(summary));
  result.document = {{"estimator", "simulation beside closed form and enumeration"},
                     {"checks", std::move(checks_json)},
                     {"holds", counts[0]},
                     {"fails", counts[1]},
                     {"inconclusive", counts[2]},
                     {"tables_bytes", tables_bytes},
                     {"false_alarm", suite_false_alarm}};
  if (args.has("--time") || ending == Ending::interrupt)
    result.document["stopping"] = {{"ended_by", word(ending)}, {"not_played", not_played}};
  if (args.has("--time")) result.document["stopping"]["time"] = args.duration("--time").count();
  result.title = "Do the theorems hold?";
  return result;
}

}  // namespace

Command verify_command() {
  auto sources = source_options();
  sources.options.front().many = true;
  auto sampling = sampling_options();
  sampling.options.front().standard = "4M";
  for (Option& option : sampling.options) {
    if (option.name != "--rounds-per-trial") continue;
    option.standard.clear();
    option.summary += "; if not given one and γ+1 where they do not, 16 for a Markov pair or an automaton, 2 along a text";
  }
  auto costs = cost_options();
  for (Option& option : costs.options)
    if (option.kind == Kind::number) option.standard = "0.05";
  return {
      .name = "verify",
      .summary = "do the theorems hold? closed form, exact enumeration and simulation side by side",
      .description =
          {"Puts every claim that applies to the laws beside its closed form, its exact value by "
           "enumeration in fractions where that is possible, and a simulation: tokens per round (Eq. 1), "
           "the law of N, speed-up (Theorem 3.8), operations (Theorem 3.11), and above all that the "
           "output's law is p.",
           "Without a SOURCE it goes through every kind of laws and rules. A check fails, holds, or is "
           "inconclusive: the sample could not have shown a deviation of --resolve.",
           "A lossy rule's distance from the target (TV, KL) is a result and not a failure. A wrong rule "
           "(--rule wrong/NAME, all of them wrong/all) claims to be lossless and fails; without a SOURCE it "
           "plays on the smallest table that shows it.",
           "Where rounds are independent, claims on a round are judged by trials of one round, and how its tokens and "
           "those after it go together by trials of γ+1: each has --rounds rounds, the latter up to 16M and a "
           "64th of what is beyond. --range is of both; --rounds-per-trial leaves one kind of trials, for all "
           "claims.",
           "--time is for all simulations together: each gets an equal share of what is left, of which trials of γ+1 "
           "rounds take an eighth. The clock decides how many rounds are played and nothing else; the ranges are "
           "printed, and --range plays the same again. The first Ctrl-C ends the run with the checks of what was "
           "played and exit status 130; the second ends it at once.",
           "--plan says how many rounds would show a given TV, and with --time how fast they must be; it runs "
           "none."},
      .groups =
          {sources,
           rule_options(),
           sampling,
           costs,
           {"What is asked",
            {{.name = "--resolve",
              .kind = Kind::number,
              .value = "X",
              .summary = "the deviation that must be findable: relative of means, total variation of laws",
              .standard = "0.05"},
             {.name = "--confidence",
              .kind = Kind::probability,
              .summary = "of the certificate on the output's law",
              .standard = "0.95"},
             {.name = "--museum",
              .summary = "each wrong rule on the smallest table that shows it, beside a test too weak to see it"},
             {.name = "--plan", .summary = "say how many rounds would show --tv, and run none"},
             {.name = "--tv", .kind = Kind::number, .value = "X", .summary = "the total variation of --plan"}}}},
      .examples = {{"draftgauge verify exact-alpha:vocab=32,alpha=0.8 --gamma 5", "the token rule at α = .8"},
                   {"draftgauge verify --p .3,.4,.3 --q .6,.3,.1 --rule all --gamma 2 --rounds 200k",
                    "all rules on one context, exactly and by simulation"},
                   {"draftgauge verify --plan --tv 1e-3 exact-alpha:vocab=32,alpha=0.8", "how many rounds show that"},
                   {"draftgauge verify exact-alpha:vocab=32,alpha=0.8 --time 3s --resolve .1",
                    "the distance from the target that three seconds certify"}},
      .run = run};
}

}  // namespace draftgauge
