#include "apps/audit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/counted.h"

namespace draftgauge {
namespace {

Json martingale(std::optional<MartingaleCheck> const& check) {
  if (!check) return nullptr;
  return {{"tokens", check->tokens},    {"mean", check->mean},
          {"error", check->error},      {"z", std::isfinite(check->z) ? Json(check->z) : Json()},
          {"p_value", check->p_value},  {"resolution", check->resolution},
          {"rejected", check->rejected}};
}

Json acceptance_json(std::optional<AcceptanceGap> const& gap) {
  if (!gap) return nullptr;
  return {{"drafts", gap->drafts}, {"kept", gap->kept}, {"low", gap->low}, {"high", gap->high}, {"confidence", .95}};
}

/// Faults that the columns do not show, so that none of the odds is for them, and the column that would: "consistent"
/// says nothing of these. (Of argmax drafts they are among the faults, as not visible.)
std::vector<std::string> not_looked_for(Audit const& audited) {
  std::vector<std::string> faults;
  if (audited.rule == AuditOptions::Rule::argmax || audited.rounds->greedy) return faults;
  if (!audited.surprisal) faults.emplace_back("a temperature such as .95 (the entropy of p would show it)");
  constexpr std::string_view of_hits = "argmax drafts tested as drawn ones";
  if (audited.rule == AuditOptions::Rule::token && audited.rounds->tested > 0 &&
      std::ranges::find(audited.evidence->faults, of_hits, &FaultOdds::fault) == audited.evidence->faults.end())
    faults.push_back(fmt::format("{} (hits of argmax q would show them)", of_hits));
  return faults;
}

Json evidence_json(Audit const& audited) {
  auto const& evidence = audited.evidence;
  if (!evidence) return nullptr;
  Json faults = Json::array();
  for (FaultOdds const& fault : evidence->faults)
    faults.push_back({{"name", fault.fault}, {"log_odds", fault.log_odds}, {"visible", fault.visible}});
  return {{"log_odds", evidence->log_odds},
          {"needed", evidence->needed},
          {"faults", faults},
          {"not_looked_for", not_looked_for(audited)},
          {"rejected", evidence->rejected}};
}

std::string names_of(Evidence const& evidence, bool visible) {
  std::vector<std::string_view> names;
  for (FaultOdds const& fault : evidence.faults)
    if (fault.visible == visible) names.push_back(fault.fault);
  return fmt::format("{}", fmt::join(names, "; "));
}

void add_evidence_notes(Section& section, Audit const& audited) {
  if (auto const& gap = audited.rounds->acceptance)
    section.notes.push_back(fmt::format(
        "Of {:g} drafts that were tested {:.4f} were kept. That is {:+.4f} to {:+.4f} of the rule's share, given "
        "the text (95 %).",
        gap->drafts, gap->kept / gap->drafts, gap->low, gap->high));
  Evidence const& evidence = *audited.evidence;
  if (!audited.rounds->greedy)
    for (bool const visible : {true, false})
      if (std::string const names = names_of(evidence, visible); !names.empty())
        section.notes.push_back(fmt::format("Faults that would {}have been found with probability {:g}: {}.",
                                            visible ? "" : "not ", evidence.power, names));
  if (auto const faults = not_looked_for(audited); !faults.empty())
    section.notes.push_back(fmt::format("Not looked for, as no column here shows it: {}.", fmt::join(faults, "; ")));
  if (evidence.rejected && !evidence.most_for.empty())
    section.notes.push_back(fmt::format("Most of the odds speak for: {}.", evidence.most_for));
}

Json rounds_json(std::optional<RoundsCheck> const& check) {
  if (!check) return nullptr;
  return {{"texts", check->texts},
          {"tokens", check->tokens},
          {"observed", check->observed},
          {"expected", check->expected},
          {"sd", check->sd},
          {"z", check->sd == 0 ? Json() : Json(check->z)},
          {"p_value", check->p_value},
          {"resolution", check->resolution},
          {"rejected", check->rejected},
          {"by", check->tests ? "tests" : "window"},
          {"open", check->open},
          {"acceptance", acceptance_json(check->acceptance)}};
}

}  // namespace

Section audit_section(Audit const& audited) {
  Section section{.heading = "Audit of the engine's own text",
                  .paragraphs = {fmt::format("Verdict: {}.", audited.words())},
                  .table = Table{{"check", "check", Align::left},
                                 {"observed", "observed"},
                                 {"expected", "expected"},
                                 {"error", "sd"},
                                 {"z", "z"},
                                 {"p_value", "p-value"},
                                 {"alarm", "alarm"}}};
  if (auto const& check = audited.rounds) {
    bool const certain = check->sd == 0;
    section.table.add({"rounds, given the text", Number{check->observed, 0}, Number{check->expected, 2},
                       Number{check->sd, 2}, certain ? Cell() : Cell(Number{check->z, 2}), Number{check->p_value, 4},
                       check->rejected});
    std::string const judged = counted(check->tokens, "token") + " of " + counted(check->texts, "text");
    if (check->tested == 0)
      section.notes.push_back(fmt::format("{}. None of its drafts is known to have been tested.", judged));
    else if (!certain)
      section.notes.push_back(fmt::format("{}; a relative difference of {:.1f} % in rounds would have been seen.",
                                          judged, 100 * check->resolution));
    else
      section.notes.push_back(
          fmt::format("{}. Such rounds are certain given the text: one more or less would be an alarm.", judged));
    if (check->tested > 0 && certain && !check->greedy)
      section.notes.push_back("Above temperature 0 they are so however drafts are tested: the text alone says more.");
    if (check->open > 0)
      section.notes.push_back(fmt::format(
          "What ended the texts is not known: {:.1f} rounds more may be too many, as a text's last round may be "
          "whole or cut; it is read in the engine's favour. --stop says what ended them.",
          check->open));
  }
  for (auto const& [words, check] : {std::pair("lean towards the draft, a − β", &audited.lean),
                                     std::pair("surprisal, −ln p − H(p)", &audited.surprisal),
                                     std::pair("top choice, 1[x = argmax p] − max p", &audited.top)})
    if (*check)
      section.table.add({words, Number{(*check)->mean, 5}, Number{0, 0}, Number{(*check)->error, 5},
                         (*check)->normal ? Cell(Number{(*check)->z, 2}) : Cell(), Number{(*check)->p_value, 4},
                         (*check)->rejected});
  if (auto const& evidence = audited.evidence) {
    section.table.add({"all odds for a fault, ln", Number{evidence->log_odds, 2}, Cell(), Cell(), Cell(),
                       Number{std::min(1.0, std::exp(-evidence->log_odds)), 4}, evidence->rejected});
    add_evidence_notes(section, audited);
  }
  section.notes.push_back(fmt::format(
      "{} alarms falsely with probability {:g} at most{}.",
      audited.evidence ? "Each of two, the rounds' check and all odds," : "Each check", audited.false_alarm,
      audited.rounds && audited.rounds->normal ? "; that of rounds is a normal limit's" : ""));
  if (audited.impossible > 0)
    section.notes.push_back(fmt::format("{} {} probability 0 under p.", counted(audited.impossible, "emitted token"),
                                        audited.impossible == 1 ? "has" : "have"));
  return section;
}

Json audit_document(Audit const& audited) {
  return {{"rule", name(audited.rule)},
          {"stop", to_string(audited.stop)},
          {"rounds", rounds_json(audited.rounds)},
          {"lean", martingale(audited.lean)},
          {"surprisal", martingale(audited.surprisal)},
          {"top", martingale(audited.top)},
          {"evidence", evidence_json(audited)},
          {"false_alarm", audited.false_alarm},
          {"verdict", audited.words()}};
}

}  // namespace draftgauge
