#include "apps/measure/audit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/report/audit.h"
#include "analysis/stats/counted.h"
#include "apps/cli/as_typed.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

std::string names_of(Evidence const& evidence, bool visible) {
  std::vector<std::string_view> names;
  for (FaultOdds const& fault : evidence.faults)
    if (fault.visible == visible) names.push_back(fault.fault);
  return fmt::format("{}", fmt::join(names, "; "));
}

void add_evidence_notes(Section& section, Audit const& audited) {
  if (auto const& gap = audited.rounds->acceptance)
    section.note(
        fmt::format("Of {:g} drafts that were tested {:.4f} were kept. That differs from what the rule keeps, given "
                    "the text, by {:+.4f} to {:+.4f} (95 %).",
                    gap->drafts, gap->kept / gap->drafts, gap->low, gap->high));
  Evidence const& evidence = *audited.evidence;
  if (!audited.rounds->greedy)
    for (bool const visible : {true, false})
      if (std::string const names = names_of(evidence, visible); !names.empty())
        section.note(fmt::format("Faults that would {}have been found with probability {:g}: {}.",
                                 visible ? "" : "not ", evidence.power, names));
  if (auto const faults = faults_not_looked_for(audited); !faults.empty())
    section.note(fmt::format("Not looked for, as no column here shows it: {}.", fmt::join(faults, "; ")));
  if (std::string const words = accusation_text(audited); !words.empty())
    section.note(fmt::format("M{}.", words.substr(1)));
}

std::string sentence(std::string words) { return words.ends_with('?') ? words : words + '.'; }

/// Without the sign of what is rounded to 0.
double unsigned_zero(double x) { return std::abs(x) < .005 ? 0 : x; }

std::string range(double low, double high, int decimals) {
  return fmt::format("{:.{}f} to {:.{}f}", low, decimals, high, decimals);
}

Cell p_value_cell(double p_value) { return Number{.value = p_value, .kind = NumberKind::p_value}; }

/// Where the last tests are open each number is a range, in which the value nearest to none is judged.
void add_rounds(Table& table, RoundsCheck const& check) {
  OpenReading const& open = check.whatever_ended;
  Cell expected = Number{check.expected, 2}, z = Number{check.z, 2}, p_value = p_value_cell(check.p_value);
  if (check.sd == 0) z = Cell();
  if (check.open > 0) {
    expected = range(open.expected_low, open.expected_high, 2);
    if (check.sd > 0)
      z = range(unsigned_zero((check.observed - open.expected_high) / check.sd),
                unsigned_zero((check.observed - open.expected_low) / check.sd), 2);
    if (check.p_value >= 1e-4)
      p_value = fmt::format("{} to {}", p_value_text(open.least_p_value), p_value_text(check.p_value));
  }
  table.add({"rounds, given the text", Number{check.observed, 0}, std::move(expected), Number{check.sd, 2},
             std::move(z), std::move(p_value), check.rejected});
}

std::string drafts_text(RoundsCheck const& check) {
  return check.fewest == check.most ? counted(static_cast<std::uint64_t>(check.most), "draft")
                                    : fmt::format("{} to {} drafts", check.fewest, check.most);
}

void add_rounds_notes(Section& section, Audit const& audited, RoundsCheck const& check) {
  bool const certain = check.sd == 0;
  std::string const judged = fmt::format("{} of {}, in rounds of {}", counted(check.tokens, "token"),
                                         counted(check.texts, "text"), drafts_text(check));
  if (auto const input = audited.doubted(); !input.empty())
    section.note(fmt::format(
        "Rounds are far off only by what is said to have ended the texts (--{}{}). Draft by draft, "
        "whatever ended them, z is {:.2f}: is that right?",
        input, input == "stop" ? " " + to_string(audited.stop) : "", unsigned_zero(check.whatever_ended.z)));
  if (check.tested == 0)
    section.note(fmt::format("{}. None of its drafts is known to have been tested.", judged));
  else if (!certain)
    section.note(fmt::format("{}; a relative difference of {:.1f} % in rounds would have been seen.", judged,
                             100 * check.resolution));
  else
    section.note(
        fmt::format("{}. Such rounds are certain given the text: one more or less would be an alarm.", judged));
  if (check.tested > 0 && certain && !check.greedy)
    section.note("Above temperature 0 they are so however drafts are tested: the text alone says more.");
  if (check.open > 0)
    section.note(
        fmt::format("What ended the texts is not known: {:.1f} rounds more may be too many, as a text's last round "
                    "may be whole or cut; it is read in the engine's favour. --stop says what ended them.",
                    check.open));
}

}  // namespace

Section audit_section(Audit const& audited) {
  Section section{.heading = "Audit of the engine's own text",
                  .paragraphs = {sentence("Verdict: " + verdict_text(audited))},
                  .table = Table{{"check", "check", Align::left},
                                 {"observed", "observed"},
                                 {"expected", "expected"},
                                 {"error", "sd"},
                                 {"z", "z"},
                                 {"p_value", "p-value"},
                                 {"alarm", "alarm"}}};
  if (audited.exchanged) {
    section.paragraphs.front() +=
        " As they stand they speak against the engine, and with p and q exchanged they do not: every figure of an "
        "audit would be of the wrong columns.";
    section.table = {};
    return section;
  }
  if (auto const& check = audited.rounds) {
    add_rounds(section.table, *check);
    add_rounds_notes(section, audited, *check);
  }
  for (auto const& [words, check] : {std::pair("draft bias, a − β", &audited.draft_bias),
                                     std::pair("likelihood, −ln p − H(p)", &audited.likelihood),
                                     std::pair("top choice, 1[x = argmax p] − max p", &audited.top)})
    if (*check)
      section.table.add({words, Number{(*check)->mean, 5}, Number{0, 0}, Number{(*check)->error, 5},
                         cell_of(given((*check)->normal, (*check)->z), 2), p_value_cell((*check)->p_value),
                         (*check)->rejected});
  if (auto const& evidence = audited.evidence) {
    section.table.add({"all odds for a fault, ln", Number{evidence->log_odds, 2}, Cell(), Cell(), Cell(),
                       p_value_cell(std::min(1.0, std::exp(-evidence->log_odds))), evidence->rejected});
    add_evidence_notes(section, audited);
  }
  section.note(fmt::format("{} alarms falsely with probability {:g} at most{}.",
                           audited.evidence ? "Each of two, the rounds' check and all odds," : "Each check",
                           audited.false_alarm,
                           audited.rounds && audited.rounds->normal ? "; that of rounds is a normal limit's" : ""));
  if (audited.impossible > 0)
    section.note(fmt::format("{} {} probability 0 under p.", counted(audited.impossible, "emitted token"),
                             audited.impossible == 1 ? "has" : "have"));
  return section;
}

std::string verdict_text(Audit const& audited) { return as_typed(audited.words()); }

std::string accusation_text(Audit const& audited) {
  std::string_view const fault = accused_fault(audited);
  if (fault.empty()) return {};
  std::string words = fmt::format("most of the odds speak for: {}", fault);
  auto const unseen = audited.not_looked_for();
  if (contains(unseen, "temperature", &Unseen::what))
    words += ". A wrong temperature, which these columns do not show, could look like that";
  return words;
}

}  // namespace draftgauge
