#include "analysis/report/audit.h"

#include <fmt/format.h>

namespace draftgauge {
namespace {

struct DraftsReport {
  std::int64_t fewest, most;
};
Described<DraftsReport> const& describe(DraftsReport const* /*drafts*/) {
  static Described<DraftsReport> const all({.name = "DraftsOfRounds", .says = "Drafts of a round, by the log."},
                                           {{"fewest", &DraftsReport::fewest, {.least = 0}},
                                            {"most", &DraftsReport::most, {.least = 1}}});
  return all;
}

/// Evidence, with what else of an audit stands beside it.
struct EvidenceReport {
  Evidence const& evidence;
  Audit const& audited;
};
Described<EvidenceReport> const& describe(EvidenceReport const* /*report*/) {
  using Row = EvidenceReport const&;
  static Described<EvidenceReport> const all(
      {.name = "Evidence",
       .says = "The odds for a fault rather than the rule, of all checks together; they convict from needed on."},
      {{"log_odds", [](Row row) { return row.evidence.log_odds; }, {.endless = true}},
       {"needed", [](Row row) { return row.evidence.needed; }},
       {"faults", [](Row row) { return row.evidence.faults; }},
       {"not_looked_for",
        [](Row row) { return faults_not_looked_for(row.audited); },
        {.says = "Faults that these columns do not show, each with the column that would: no odds are for them, and "
                 "the verdict says nothing of them."}},
       {"most_for",
        [](Row row) {
          auto const fault = accused_fault(row.audited);
          return given(!fault.empty(), std::string(fault));
        },
        {.says = "The fault that most of the odds speak for, where they convict and it has a name."}},
       {"rejected", [](Row row) { return row.evidence.rejected; }}});
  return all;
}

std::string_view fault_key(LogprobFault fault) {
  switch (fault) {
    case LogprobFault::zero: return "zero";
    case LogprobFault::draft: return "draft";
    case LogprobFault::raw: return "raw";
    case LogprobFault::no_temperature: return "no_temperature";
    case LogprobFault::no_truncation: return "no_truncation";
    case LogprobFault::early: return "early";
    case LogprobFault::late: break;
  }
  return "late";
}

struct LogprobPlaceReport {
  std::string text;
  EngineLogprobs::Place at;
};
Described<LogprobPlaceReport> const& describe(LogprobPlaceReport const* /*place*/) {
  using Row = LogprobPlaceReport;
  static Described<Row> const all(
      {.name = "LogprobPlace", .says = "A token whose log-probabilities differ."},
      {{"text", &Row::text},
       {"token", [](Row const& row) { return row.at.token + 1; }, {.says = "From 1.", .least = 1}},
       {"engine",
        [](Row const& row) { return row.at.engine; },
        {.says = "Null: the token is excluded.", .endless = true}},
       {"scored", [](Row const& row) { return row.at.scored; }, {.endless = true}}});
  return all;
}

std::optional<EvidenceReport> evidence_of(AuditReport const& report) {
  auto const& evidence = report.audited.evidence;
  return evidence ? std::optional(EvidenceReport{*evidence, report.audited}) : std::nullopt;
}

}  // namespace

Described<LogprobsReport> const& describe(LogprobsReport const* /*report*/) {
  using Row = LogprobsReport const&;
  auto const of = [](auto member) { return [member](Row row) { return std::invoke(member, row.found); }; };
  auto const fault = [](Row row) {
    return row.found.fault ? std::optional(fault_key(*row.found.fault)) : std::nullopt;
  };
  auto const first = [](Row row) {
    auto const& at = row.found.first;
    return at ? std::optional(LogprobPlaceReport{row.first_text, *at}) : std::nullopt;
  };
  static Described<LogprobsReport> const all(
      {.name = "EngineLogprobs",
       .says = "Whether the log-probabilities that an engine reported of this text are the target's."},
      {{"format", &LogprobsReport::format, {.says = "Of the engine's responses."}},
       {"tokens", of(&EngineLogprobs::tokens), {.least = 1}},
       {"differing", of(&EngineLogprobs::differing), {.says = "Tokens that differ by more than the tolerance.", .least = 0}},
       {"tolerance", of(&EngineLogprobs::tolerance), {.says = "In nats.", .least = 0}},
       {"by_floor",
        &LogprobsReport::by_floor,
        {.says = "Whether the tolerance is the largest difference between two recordings of the target."}},
       {"largest",
        of(&EngineLogprobs::largest),
        {.says = "Difference in nats; null: one alone excludes a token.", .least = 0, .endless = true}},
       {"fault",
        fault,
        {.says = "What is reported in place of log p; null: nothing differs, or no fault that is known explains nine in "
                 "ten.",
         .words = {"zero", "draft", "raw", "no_temperature", "no_truncation", "early", "late"}}},
       {"explained",
        of(&EngineLogprobs::explained),
        {.says = "Of the differing tokens, by the fault that explains most.", .least = 0}},
       {"first", first},
       {"mean_ratio",
        of(&EngineLogprobs::mean_ratio),
        {.says = "Mean importance ratio, p scored over p reported; 1 of right ones.", .least = 0, .endless = true}},
       {"largest_log_ratio", of(&EngineLogprobs::largest_log_ratio)}});
  return all;
}

std::vector<std::string> faults_not_looked_for(Audit const& audited) {
  std::vector<std::string> faults;
  for (Unseen const& unseen : audited.not_looked_for())
    faults.push_back(fmt::format("{} ({})", unseen.in_words, unseen.shown_by));
  return faults;
}

std::string_view accused_fault(Audit const& audited) {
  bool const convicted = audited.verdict == Verdict::fails && audited.evidence && audited.evidence->rejected;
  return convicted ? audited.evidence->most_for : std::string_view();
}

Described<PredictionReport> const& describe(PredictionReport const* /*report*/) {
  using Row = PredictionReport;
  static Described<Row> const all(
      {.name = "Prediction", .says = "Tokens per round of an engine's log, beside what the recording predicts."},
      {{"name", &Row::name},
       {"rule", &Row::rule},
       {"drafter", &Row::drafter},
       {"gamma", &Row::gamma, {.least = 1}},
       {"rounds", &Row::rounds},
       {"tokens", &Row::tokens},
       {"tokens_per_round_as_counted", &Row::as_counted},
       {"texts", &Row::texts, {.says = "Of the log, that measured has its interval over.", .least = 1}},
       {"measured", &Row::measured},
       {"predicted", &Row::predicted},
       {"last_rounds_whole",
        &Row::last_rounds_whole,
        share_form("The share of the log's texts whose last round is taken to be whole, else cut at the text's end: of "
                    "all shares the one whose prediction is nearest to what was measured.")},
       {"estimator", &Row::estimator},
       {"difference", &Row::difference, {.says = "Measured less predicted."}},
       {"covered",
        &Row::covered,
        {.says = "Whether the interval of the difference holds 0, or where the log has none of its own, whether the "
                 "prediction's holds what was measured; null without either."}},
       {"covered_by",
        &Row::covered_by,
        {.says = "Which of the two intervals says so.", .words = {"difference", "prediction"}}},
       {"resolution",
        &Row::resolution,
        {.says = "Half of that interval's width, relative to what is predicted.", .least = 0}},
       {"verdict",
        &Row::verdict,
        {.says = "Inconclusive where the interval is too wide to speak of agreement; null where nothing was judged: "
                 "another temperature, or one text.",
         .words = {"agree", "differ", "inconclusive"}}}});
  return all;
}

Described<MartingaleCheck> const& describe(MartingaleCheck const* /*check*/) {
  using Row = MartingaleCheck;
  static Described<Row> const all({.name = "Martingale", .says = "A sum that has mean 0 under the rule."},
                                  {{"tokens", &Row::tokens},
                                   {"mean", &Row::mean, {.says = "Per token."}},
                                   {"error", &Row::error, {.least = 0}},
                                   {"z", &Row::z, {.says = "To look at; nothing is judged by it.", .endless = true}},
                                   {"p_value", &Row::p_value, share_form("Two-sided, by betting.")},
                                   {"resolution",
                                    &Row::resolution,
                                    {.says = "The drift per token that would have been seen.", .least = 0}},
                                   {"rejected", &Row::rejected}});
  return all;
}

Described<AcceptanceGap> const& describe(AcceptanceGap const* /*gap*/) {
  using Row = AcceptanceGap;
  static Described<Row> const all(
      {.name = "AcceptanceGap",
       .says = "The share of tested drafts that were accepted, less that which the rule accepts given the text."},
      {{"drafts", &Row::drafts},
       {"kept", &Row::kept},
       {"low", &Row::low},
       {"high", &Row::high},
       {"confidence", [](Row const&) { return .95; }, share_form()}});
  return all;
}

Described<FaultOdds> const& describe(FaultOdds const* /*fault*/) {
  using Row = FaultOdds;
  static Described<Row> const all(
      {.name = "FaultOdds", .says = "The odds for a named fault."},
      {{"name", &Row::fault},
       {"log_odds", &Row::log_odds, {.endless = true}},
       {"visible", &Row::visible, {.says = "An engine with the fault would have been convicted with probability .9."}}});
  return all;
}

Described<RoundsCheck> const& describe(RoundsCheck const* /*check*/) {
  using Row = RoundsCheck;
  static Described<Row> const all(
      {.name = "RoundsGivenText", .says = "The number of rounds, given the text."},
      {{"texts", &Row::texts},
       {"tokens", &Row::tokens},
       {"observed", &Row::observed},
       {"expected", &Row::expected},
       {"expected_low",
        [](Row const& row) { return row.open > 0 ? row.whatever_ended.expected_low : row.expected; },
        {.says = "Where the last tests are open the least that may be expected; else expected."}},
       {"expected_high",
        [](Row const& row) { return row.open > 0 ? row.whatever_ended.expected_high : row.expected; },
        {.says = "The most."}},
       {"drafts", [](Row const& row) { return DraftsReport{row.fewest, row.most}; }},
       {"sd", &Row::sd, {.least = 0}},
       {"z", [](Row const& row) { return given(row.sd != 0, row.z); }, {.endless = true}},
       {"p_value", &Row::p_value, share_form()},
       {"resolution",
        &Row::resolution,
        {.says = "The relative difference of rounds that would have been seen.", .least = 0}},
       {"rejected", &Row::rejected},
       {"stop_doubtful",
        &Row::stop_doubtful,
        {.says = "Rounds are far off by what is said to have ended the texts, and not draft by draft: nothing is judged "
                 "by them."}},
       {"p_value_whatever_ended", [](Row const& row) { return row.whatever_ended.p_value; }, share_form()},
       {"by",
        [](Row const& row) { return row.tests ? "tests" : "window"; },
        {.says = "window: rounds that start before a token; tests: draft by draft, where no such token is safe.",
         .words = {"window", "tests"}}},
       {"open",
        &Row::open,
        {.says = "As many rounds more may be too many, if texts end with whole rounds.", .least = 0}},
       {"acceptance", &Row::acceptance, {.says = "Null of too few drafts."}}});
  return all;
}

Described<AuditReport> const& describe(AuditReport const* /*report*/) {
  using Row = AuditReport const&;
  auto const of = [](auto member) { return [member](Row row) { return std::invoke(member, row.audited); }; };
  static Described<AuditReport> const all(
      {.name = "EngineTextAudit", .says = "Does an engine run the rule that it claims? Judged by its own text."},
      {{"rule", of(&Audit::rule)},
       {"stop",
        [](Row row) { return to_string(row.audited.stop); },
        {.says = "What ended the engine's texts: unknown, round, eos, truncated or maxnew=N."}},
       {"rounds", of(&Audit::rounds)},
       {"lean", of(&Audit::draft_bias), {.says = "Of a − β."}},
       {"surprisal", of(&Audit::likelihood), {.says = "Of −ln p − H(p)."}},
       {"top", of(&Audit::top), {.says = "Of 1[x = argmax p] − max p."}},
       {"evidence", evidence_of},
       {"false_alarm", of(&Audit::false_alarm), share_form()},
       {"verdict",
        &AuditReport::verdict,
        {.says = "Consistent with the rule, with what was not looked for in brackets; not the rule; too little text to "
                 "say; or not judged, and why."}}});
  return all;
}

}  // namespace draftgauge
