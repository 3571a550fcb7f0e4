#include "apps/verify/verify_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/report/tally.h"
#include "analysis/stats/counted.h"
#include "analysis/stats/false_alarm.h"
#include "analysis/stats/goodness.h"
#include "apps/options/source_options.h"
#include "apps/options/task_words.h"
#include "apps/output/interruption.h"
#include "apps/task/rule_options.h"
#include "sim/base/lists.h"
#include "sim/task/rule_law.h"

namespace draftgauge {
namespace {

constexpr std::size_t tables_shown = 12;  // tokens, in text for people
constexpr std::size_t checks_named = 2;   // in the first line

/// Five decimals, and where a distance is small enough for more, three digits.
int distance_decimals(double tv) {
  return tv > 0 && tv < 1e-3 ? 2 - static_cast<int>(std::floor(std::log10(tv))) : 5;
}

Cell distance_cell(double tv) { return Number{tv, distance_decimals(tv)}; }

/// Nothing of a distribution: its counts scatter, and their distance is no estimate of the one that is certified. With
/// many cells it would seem to break that bound.
Cell simulated_cell(Check const& check) {
  return check.simulated && !check.certificate ? Cell(Estimate{*check.simulated, 5}) : Cell();
}

Cell certified_cell(Check const& check) {
  return check.certificate ? distance_cell(check.certificate->tv_at_most) : Cell();
}

std::optional<Json> certificate_document(PlayedCheck const& played) {
  if (!played.check.certificate) return std::nullopt;
  Certificate const& of = *played.check.certificate;
  return Json{{"tv_at_most", of.tv_at_most},
              {"observed_tv", of.observed_tv},
              {"confidence", of.confidence},
              {"draws", of.draws},
              {"rounds", played.rounds}};
}

/// Behind a rule's name, the policy of draft lengths where it is not the usual one, and the schedule of a batch.
std::string policy_text(std::string const& policy, std::string const& batch) {
  return (policy == "fixed" ? "" : ", " + policy) + (batch.empty() ? "" : ", " + batch);
}
std::string policy_text(Check const& check) {
  return policy_text(check.policy, check.schedule.empty() ? "" : batch_text(check.schedule, check.requests));
}

/// A line of 100 has no room for what the heading says of all lines: rule and γ. The verdict leads, as words of a
/// first column are never cut.
std::vector<std::string_view> columns_shown(bool page) {
  if (page) return {"verdict", "claim", "closed_form", "exact", "simulated", "tv_at_most", "detectable"};
  return {"rule",      "gamma",      "name",  "statement",  "closed_form", "exact",
          "simulated", "tv_at_most", "draws", "detectable", "verdict"};
}

Table summary_table(bool batches) {
  return Table{{"source", "laws", Align::left},
               {"rule", "rule", Align::left},
               {"gamma", "γ"},
               {"expected", "E[N] theory"},
               {"simulated", "simulated"},
               {"tv_at_most", batches ? "jointly: TV ≤" : "first token: TV ≤"},
               {"rounds", "rounds"},
               {"verdict", "verdict", Align::left}};
}

std::string law_of(Task const& task) { return law_of_rule(rule_call(task.rule), task.shape.branching); }

/// The one line of a task in the summary.
void summarise(RuleRows& rows, std::string const& source, Verification const& seen) {
  std::optional<double> expected, tv;
  Verdict worst = seen.checks.empty() ? Verdict::inconclusive : Verdict::holds;
  for (PlayedCheck const& played : seen.checks) {
    Check const& check = played.check;
    if (check.name == "tokens per round") expected = check.closed_form ? check.closed_form : check.exact;
    // From the target: of a lossy rule the one that is a result, not how close it is to its own law.
    bool const to_target = seen.lossless || check.is_result;
    bool const shown = !check.schedule.empty() || check.name.find("first token") != std::string::npos;
    if (check.certificate && !tv && to_target && shown)
      tv = check.certificate->tv_at_most;
    if (both(status_of(check.verdict), status_of(worst)) != status_of(worst)) worst = check.verdict;
  }
  double const tokens = static_cast<double>(seen.tokens) / static_cast<double>(seen.rounds);
  rows.add(seen.task.rule, law_of(seen.task),
           {source, Cell(), std::int64_t{seen.task.shape.gamma}, cell_of(expected, 5), Number{tokens, 5},
            tv ? distance_cell(*tv) : Cell(), static_cast<std::int64_t>(seen.rounds),
            std::string(!seen.lossless && worst == Verdict::holds ? "lossy, by design" : word(worst))},
           policy_text(seen.task.policy, seen.batch));
}

Fields<CheckRow> check_fields() {
  using Row = CheckRow const&;
  auto const of = [](auto member) { return inner([](Row row) -> Check const& { return row.played.check; }, member); };
  auto const verdict = [](Row row) {
    return row.played.check.is_result ? "a result" : word(row.played.check.verdict);
  };
  auto const rule = [](Row row) { return row.played.check.rule + policy_text(row.played.check); };
  auto const claim = [](Row row) { return row.played.check.name + ": " + row.played.check.statement; };
  auto const cell = [](Cell (*get)(Check const&)) { return [get](Row row) { return get(row.played.check); }; };
  auto const estimator = [](Row row) { return row.played.check.simulated ? "simulation" : "enumeration"; };
  auto const played = [](auto get) {
    return [get](Row row) { return given(row.played.check.simulated.has_value(), std::invoke(get, row.played)); };
  };
  auto const range = [](PlayedCheck const& one) { return Json{one.range.begin, one.range.end}; };
  FieldForm const five{.decimals = 5}, optional{.optional = true};
  return {
      {"verdict", "verdict", verdict, for_people},
      {"rule", of(&Check::rule)},
      {"rule", "rule", rule, for_people},
      {"policy", of(&Check::policy)},
      {"schedule", [](Row row) { return given(!row.played.check.schedule.empty(), row.played.check.schedule); }, optional},
      {"requests", [](Row row) { return given(!row.played.check.schedule.empty(), row.played.check.requests); }, optional},
      {"gamma", "γ", of(&Check::gamma)},
      {"candidates", [](Row row) { return row.task.shape.branching; }},
      {"name", "claim", of(&Check::name)},
      {"statement", "from", of(&Check::statement)},
      {"claim", "claim, and where it is from", claim, for_people},
      {"source", [](Row row) { return row.source.description; }},
      {"rounding", [](Row row) { return rounding_of(row.source.rounding); }},
      {"closed_form", "theory", of(&Check::closed_form), five},
      {"exact", "exact", of(&Check::exact), five},
      {"simulated", of(&Check::simulated)},
      {"simulated", "simulated", cell(simulated_cell), for_people},
      {"estimator", estimator},
      {"p_value", of(&Check::p_value)},
      {"tv_at_most", "TV ≤", cell(certified_cell), for_people},
      // Fewer than the rounds where only some of their tokens are counted.
      {"draws", "draws", of(inner(&Check::certificate, &Certificate::draws)), for_people},
      {"detectable", "finds", of(&Check::detectable), five},
      {"false_alarm", of(&Check::false_alarm)},
      {"claimed", [](Row row) { return !row.played.check.is_result; }},
      {"verdict", [](Row row) { return word(row.played.check.verdict); }},
      {"range", played(range), optional},
      {"rounds_per_trial", played(&PlayedCheck::rounds_per_trial), optional},
      {"missing", [](Row row) { return given(!row.played.missing.empty(), trials_of(row.played.missing)); }, optional},
      {"tree", [](Row row) { return given(row.task.tree.size() > 1, row.task.tree.parents()); }, optional},
      {"law", [](Row row) { return given(!row.played.check.law.empty(), row.played.check.law); }, optional},
      {"certificate", [](Row row) { return certificate_document(row.played); }, optional}};
}

}  // namespace

FieldCards check_cards() { return cards_of(check_fields()); }

std::string batch_text(std::string const& schedule, int requests) {
  return fmt::format("{}, {}", schedule, counted(static_cast<std::uint64_t>(requests), "request"));
}

VerifyReport::VerifyReport(std::string_view backend, Format format, bool batches)
    : page_(format == Format::text),
      leads_(format != Format::csv),
      result_{.backend = std::string(backend)},
      summary_{.heading = "Summary"},
      rows_(summary_table(batches), 1, page_) {}

void VerifyReport::begin(Source const& source, std::string name) {
  name_ = std::move(name);
  source_ = result_.sections.size();
  for (Input const& input : inputs_of(source)) result_.inputs.push_back(input);
  result_.sections.push_back(
      {.heading = fmt::format("{} ({})", source.description, contexts_text(source.tables.contexts())),
       .table = page_ ? Table() : checks_shown({}),
       .notes = rounding_note(source.rounding)});
  for (std::string& text : memory_note(source.tables)) note(std::move(text));
  tables_bytes_ = std::max(tables_bytes_, source.tables.bytes());
}

void VerifyReport::add(Verification const& seen, Source const& source) {
  if (seen.ending != Ending::rounds) ending_ = seen.ending;
  std::string const behind =
      fmt::format("{}, {}", policy_text(seen.task.policy, seen.batch), shape_text(seen.task));
  if (page_)
    result_.sections.push_back(
        {.heading = seen.task.rule + behind, .table = seen.checks.empty() ? Table() : checks_shown({})});
  for (std::string const& text : seen.notes) note(text);
  if (seen.checks.empty()) {
    note(fmt::format("{}: nothing is known here that its rounds could be held against.", seen.task.rule));
    result_.status = both(result_.status, Status::inconclusive);
  }
  Status status = seen.checks.empty() ? Status::inconclusive : Status::done;
  for (PlayedCheck const& played : seen.checks) {
    add_check(played, seen.task, source);
    status = both(status, status_of(played.check.verdict));
  }
  Subject subject{source_, result_.sections.size() - 1, status, {seen.task.rule}, law_of(seen.task), behind};
  if (!page_ || !joins(subject, seen.notes)) subjects_.push_back(std::move(subject));
  summarise(rows_, name_, seen);
}

bool VerifyReport::joins(Subject const& last, std::vector<std::string> const& notes) {
  auto const text = [&](Subject const& of) { return to_text(result_.sections[of.section].table); };
  auto const same = std::ranges::find_if(subjects_, [&](Subject const& other) {
    auto const& said = result_.sections[other.section].notes;
    return other.source == last.source && other.law == last.law && other.behind == last.behind &&
           std::ranges::all_of(notes, [&](auto const& each) { return contains(said, each); }) &&
           text(other) == text(last);
  });
  if (same == subjects_.end()) return false;
  same->rules.push_back(last.rules.front());
  result_.sections[same->section].heading = joined_rules(same->rules) + same->behind;
  result_.sections.pop_back();
  return true;
}

Table VerifyReport::checks_shown(std::span<CheckRow const> rows) const {
  return rows_of(check_fields(), rows).table().only(columns_shown(page_));
}

void VerifyReport::add_check(PlayedCheck const& played, Task const& task, Source const& source) {
  Check const& check = played.check;
  if (!check.law.empty() && check.law.size() <= tables_shown)
    note(fmt::format("{}: a round's first token has the distribution {:.5f}.", check.rule,
                     fmt::join(check.law, ", ")));
  CheckRow const row{played, task, source};
  result_.sections.back().table.add(checks_shown({&row, 1}).rows().front());
  checks_.push_back(row_of(check_fields(), row).object());
  result_.status = both(result_.status, status_of(check.verdict));
  std::string const who =
      fmt::format("{}{}, γ = {}, {}", check.rule, policy_text(check), check.gamma, check.name);
  if (check.is_result && check.name.ends_with("(TV)") && (check.exact || check.certificate)) {
    double const tv = check.exact ? *check.exact : check.certificate->tv_at_most;
    least_tv_ = std::min(least_tv_.value_or(tv), tv);
    most_tv_ = std::max(most_tv_.value_or(tv), tv);
  }
  switch (check.verdict) {
    case Verdict::holds: ++(check.is_result ? results_ : holds_); break;
    case Verdict::fails: failed_.push_back(who); break;
    case Verdict::inconclusive: unsure_.push_back(who); break;
  }
}

std::string VerifyReport::answer() const {
  std::size_t const all = holds_ + failed_.size() + unsure_.size();
  auto const some = [&](std::vector<std::string> const& names, std::string_view what) {
    return fmt::format("{} of {} {}: {}", names.size(), counted(all, "check"), what,
                       first_joined(names, checks_named, std::identity(), "; "));
  };
  if (!failed_.empty()) return some(failed_, failed_.size() == 1 ? "fails" : "fail");
  if (!unsure_.empty())
    return some(unsure_, unsure_.size() == 1 ? "is inconclusive" : "are inconclusive, none fails");
  std::string lossy = results_ > 0 ? "; lossy by design" : "";
  if (most_tv_) lossy += fmt::format(", TV {}{:.2g}", *least_tv_ < *most_tv_ ? "up to " : "", *most_tv_);
  if (all == 0) return results_ > 0 ? "Nothing is claimed here" + lossy : "Nothing can be checked here";
  return (all == 1 ? "The check holds" : fmt::format("All {} checks hold", all)) + lossy;
}

std::vector<std::string> VerifyReport::summary_notes(Invocation const& args, std::size_t simulations,
                                                     std::size_t not_played) const {
  std::vector<std::string> notes = {
      fmt::format("Intervals of means and variances are simultaneous: all of them hold with probability {:g}.",
                  1 - suite_false_alarm),
      fmt::format("\"TV ≤\" is proved of a distribution's distance to the claimed one: each, not together, at "
                  "confidence {}. --format json has the draws, and the distance of the counts, which scatter.",
                  args.text("--confidence")),
      fmt::format("\"finds\" is the deviation that a check would have found with probability {}; where that is above "
                  "--resolve {} the check says nothing.",
                  stated_power, args.text("--resolve")),
      "Tests of distributions (TV) rest on the χ² limit of G, corrected for the number of cells; all else holds at "
      "every sample size."};
  if (!unsure_.empty())
    notes.push_back("Inconclusive: play more (--rounds; --plan says how many), or ask for less (--resolve).");
  if (ending_ == Ending::time)
    notes.push_back(fmt::format(
        "Time was up after {}, of which each simulation had an equal share; where rounds are independent an eighth "
        "of that was for tokens jointly. How many rounds it allows is all that the clock decides.",
        args.text("--time")));
  if (ending_ == Ending::time && not_played > 0)
    notes.push_back(
        fmt::format("{} of {} simulations were not played: their share of the time was up while ranks made ready.",
                    not_played, simulations));
  if (ending_ == Ending::interrupt)
    notes.push_back(
        fmt::format("{}; {} of {} simulations were not played.", interrupted_text(args), not_played, simulations));
  if (ending_ == Ending::rank)
    notes.push_back(fmt::format("The run ended since a rank failed; {} of {} simulations were not played.",
                                not_played, simulations));
  if (args.has("--rule") && args.text("--rule") == "all" && children_from(args) > 1)
    notes.push_back(fmt::format(
        "Left out: rules that do not take such drafts; most verify one draft per position. {} they are played.",
        args.has("--tree") ? "Without --tree" : "With --candidates 1"));
  return notes;
}

/// Of several subjects a reader sees at once those alone of which not all holds.
void VerifyReport::leave_out_what_holds() {
  if (subjects_.size() < 2) return;
  for (Subject const& subject : subjects_) result_.sections[subject.source].detail = page_;
  for (Subject const& subject : subjects_)
    if (subject.status == Status::done)
      result_.sections[subject.section].detail = page_;
    else
      result_.sections[subject.source].detail = false;
}

Result VerifyReport::finish(Invocation const& args, std::size_t simulations, std::size_t not_played,
                            std::optional<InputError> failure) {
  if (failure) {
    ending_ = Ending::rank;
  } else if (not_played > 0) {
    ending_ = Interruption::asked() ? Ending::interrupt : Ending::time;
    if (ending_ == Ending::time) result_.status = both(result_.status, Status::inconclusive);
  }
  result_.failure = std::move(failure);
  if (ending_ == Ending::interrupt) result_.status = both(result_.status, Status::interrupted);
  summary_.paragraphs.push_back(fmt::format(
      "{} hold{}, {} fail{}, {} {} inconclusive. If every claim is true, any \"fails\" has a chance of about {:g}.{}",
      counted(holds_, "check"), holds_ == 1 ? "s" : "", failed_.size(), failed_.size() == 1 ? "s" : "",
      unsure_.size(), unsure_.size() == 1 ? "is" : "are", suite_false_alarm,
      results_ == 0 ? std::string()
                    : fmt::format(" Beside them {} of rules that are lossy, by design: how far their output is from "
                                  "p, of which nothing is claimed.",
                                  results_ == 1 ? "is 1 result" : fmt::format("are {} results", results_))));
  summary_.table = rows_.table();
  summary_.notes = summary_notes(args, simulations, not_played);
  leave_out_what_holds();
  result_.sections.insert(leads_ ? result_.sections.begin() : result_.sections.end(), std::move(summary_));
  result_.document = {{"estimator", "simulation beside closed form and enumeration"},
                      {"checks", std::move(checks_)},
                      {"holds", holds_},
                      {"results", results_},
                      {"fails", failed_.size()},
                      {"inconclusive", unsure_.size()},
                      {"tables_bytes", tables_bytes_},
                      {"false_alarm", suite_false_alarm}};
  if (args.has("--time") || ending_ == Ending::interrupt || ending_ == Ending::rank)
    result_.document["stopping"] = {{"ended_by", word(ending_)}, {"not_played", not_played}};
  if (args.has("--time")) result_.document["stopping"]["time"] = args.duration("--time").count();
  result_.title = answer() + (not_played > 0 ? ", of those that were played" : "");
  return std::move(result_);
}

}  // namespace draftgauge
