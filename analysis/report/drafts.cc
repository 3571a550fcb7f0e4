#include "analysis/report/drafts.h"

#include <cmath>

namespace draftgauge {
namespace {

std::string_view verdict_of(TwoLengths::Answer answer) {
  switch (answer) {
    case TwoLengths::Answer::explained: return "explained";
    case TwoLengths::Answer::unexplained: return "unexplained";
    case TwoLengths::Answer::inconclusive: break;
  }
  return "inconclusive";
}

}  // namespace

Described<StandingReport> const& describe(StandingReport const* /*standing*/) {
  using Row = StandingReport;
  static Described<Row> const all(
      {.name = "Standing", .says = "A recorded draft beside the best."},
      {{"name", "recording", &Row::name},
       {"cost", "c", &Row::cost, {.says = "c, a step of the draft model.", .least = 0}},
       {"gamma", "γ", &Row::gamma, {.says = "Its best.", .least = 0}},
       {"speedup", "S", &Row::speedup, {.least = 0}},
       {"wins",
        &Row::wins,
        share_form("P(best), by Student's t over the texts; null below 20 texts, and where drafts are not over the "
                      "same texts.")},
       {"wins", "P(best)", &Row::wins, p_best_form},
       {"lead",
        "best less this",
        inner(&Row::lead, &Row::Lead::difference),
        {.decimals = 3, .difference = true, .table_only = true}},
       {"p_value",
        "p-value, adjusted",
        inner(&Row::lead, &Row::Lead::holm),
        {.spare = true, .table_only = true, .kind = NumberKind::p_value}},
       {"paired", "same texts", inner(&Row::lead, &Row::Lead::paired), {.spare = true, .table_only = true}}});
  return all;
}

Described<PairReport> const& describe(PairReport const* /*pair*/) {
  using Row = PairReport;
  auto const of = [](auto member) { return inner(&Row::found, member); };
  static Described<Row> const all(
      {.name = "DraftPair", .says = "Two recorded drafts."},
      {{"first", &Row::first},
       {"second", &Row::second},
       {"paired", of(&TextComparison::paired), {.says = "Whether both are over the same texts."}},
       {"difference", of(&TextComparison::difference), {.says = "S of the second less S of the first."}},
       {"p_value", of(&TextComparison::p_value), share_form()},
       {"p_value_adjusted", of(&TextComparison::holm), share_form("Holm's.")}});
  return all;
}

Described<FastestReport> const& describe(FastestReport const* /*report*/) {
  using Row = FastestReport;
  static Described<Row> const all(
      {.name = "FastestDraft", .says = "Which recorded draft is the fastest, each at its own costs and best γ."},
      {{"best", &Row::best},
       {"plain_wins", &Row::plain_wins, share_form("The chance that plain decoding is the fastest.")},
       {"standings", &Row::standings, {.fewest = 2}},
       {"comparisons", &Row::comparisons}});
  return all;
}

Described<CountedStandingReport> const& describe(CountedStandingReport const* /*standing*/) {
  using Row = CountedStandingReport;
  static Described<Row> const all = [] {
    auto const behind = [](Row const& row) { return given(!row.best, Estimated{row.behind, row.lead}); };
    Fields<Row> fields{
        {"name", "draft", &Row::name, {.says = "As `cost` has it."}},
        {"cost", "c", &Row::cost, {.says = "c, a step of the draft model.", .least = 0}},
        {"gamma", "γ", &Row::gamma, {.says = "Its best.", .least = 0}},
        {"mean_tokens", &Row::mean_tokens, {.says = "E[N] there.", .least = 1}},
        {"speedup", "S", &Row::speedup, {.least = 0}},
        {"wins",
         &Row::wins,
         share_form("P(best), the share of draws, shared where drafts are as fast; null where one of the drafts decides "
                       "nothing by itself, or was counted over fewer than 20 requests.")},
        {"wins", "P(best)", &Row::wins, p_best_form},
        {"behind", &Row::lead, {.says = "S of the best less this one's; all intervals cover together."}},
        {"behind", "best less this", behind, {.decimals = 3, .difference = true, .table_only = true}},
        {"paired",
         &Row::paired,
         {.says = "Over the same requests as the best, so that the difference is taken request by request."}},
        {"over",
         "intervals over",
         &Row::over,
         {.says = "What intervals and draws are of.", .words = {"requests", "parts", "rounds", "totals", "none"}}}};
    add(fields, fields_of_counts<Row>([](Row const& row) -> CountedReport const& { return row.counted; }));
    return Described<Row>({.name = "CountedStanding", .says = "A draft that an engine counted, beside the best."},
                          std::move(fields));
  }();
  return all;
}

Described<TwoLengths::Figure> const& describe(TwoLengths::Figure const* /*figure*/) {
  using Row = TwoLengths::Figure;
  static Described<Row> const all(
      {.name = "TwoLengthsFigure", .says = "A count of the shorter drafts' run, and what the longer drafts say of it."},
      {{"counted", &Row::counted, {.says = "Of the shorter drafts' run.", .least = 0}},
       {"low", &Row::low, {.says = "By the longer drafts' rounds, at least.", .least = 0}},
       {"high", &Row::high, {.says = "At most.", .least = 0}},
       {"p_value", &Row::p_value, share_form()},
       {"detectable",
        [](Row const& row) { return given(std::isfinite(row.detectable), row.detectable); },
        {.says = "The difference of two drafts that is found with probability .8 at least, as a share of accepted drafts; "
                 "null where nothing says how far chance moves it.",
         .least = 0}}});
  return all;
}

Described<TwoLengthsReport> const& describe(TwoLengthsReport const* /*report*/) {
  using Row = TwoLengthsReport;
  auto const of = [](auto member) { return inner(&Row::found, member); };
  static Described<Row> const all(
      {.name = "TwoLengths",
       .says = "Two runs whose drafts have different lengths: do rounds that start elsewhere in the text explain the "
               "difference?"},
      {{"longer", &Row::longer},
       {"shorter", &Row::shorter},
       {"gamma_longer", of(&TwoLengths::of_gamma), {.least = 1}},
       {"gamma_shorter", of(&TwoLengths::gamma), {.least = 1}},
       {"by_order",
        of(&TwoLengths::by_order),
        {.says = "False: by counts of the longer drafts' rounds, whose order is not known."}},
       {"paired", of(&TwoLengths::paired), {.says = "Whether both have the same requests."}},
       {"mean_tokens", of(&TwoLengths::tokens)},
       {"first_position", of(&TwoLengths::first), {.says = "Acceptance rate of the first position; by order alone."}},
       {"p_value", of(&TwoLengths::p_value), share_form("Of both figures.")},
       {"verdict",
        [](Row const& row) { return verdict_of(row.found.answer); },
        {.words = {"explained", "unexplained", "inconclusive"}}}});
  return all;
}

Described<CountedDraftsReport> const& describe(CountedDraftsReport const* /*report*/) {
  using Row = CountedDraftsReport;
  static Described<Row> const all(
      {.name = "CountedDrafts",
       .says = "Several drafts by what engines counted of each, at its own costs and best γ."},
      {{"best", &Row::best, {.says = "Null where plain decoding is the fastest."}},
       {"plain_wins", &Row::plain_wins, share_form("Share of draws in which plain decoding is the fastest.")},
       {"standings", &Row::standings, {.fewest = 2}},
       {"two_lengths", &Row::two_lengths, {.optional = true}}});
  return all;
}

Described<DraftsByCounters> const& describe(DraftsByCounters const* /*report*/) {
  static Described<DraftsByCounters> const all(
      {.name = "DraftsByCounters",
       .says = "Drafts that `cost` names, by their counters.",
       .document = true,
       .settable = true},
      {{"counted_drafts", &DraftsByCounters::counted_drafts}, {"notes", &DraftsByCounters::notes}});
  return all;
}

}  // namespace draftgauge
