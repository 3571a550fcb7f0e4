#include "analysis/report/why.h"

#include "analysis/report/measured.h"

namespace draftgauge {
namespace {

TimeReport time_of(double time, std::optional<double> plain_ms) {
  return {time, plain_ms ? std::optional(time * *plain_ms) : std::nullopt};
}

CauseReport cause_of(Waterfall const& of, std::optional<double> time, std::optional<Interval> const& interval,
                     std::optional<double> plain_ms, std::string const& from) {
  CauseReport cause{.ms_per_token = {}, .plain_steps = time, .share = {}, .interval = {}, .from = from};
  if (time) cause.share = share_of(of, *time);
  if (time && plain_ms) cause.ms_per_token = *time * *plain_ms;
  if (interval && plain_ms) cause.interval = scaled(*interval, *plain_ms);
  return cause;
}

Fields<WhyReport> why_fields(bool lost, bool counted) {
  using Row = WhyReport;
  Fields<Row> fields{
      {"gamma", &Row::gamma, {.says = "Tokens that a round drafts at most.", .least = 1}},
      {"mean_drafts",
       &Row::mean_drafts,
       {.says = "Tokens that a round drafted in the mean: the ideal is as many and one more.", .least = 0}},
      {"plain_ms",
       &Row::plain_ms,
       {.says = "A plain step of the target; null where times are in plain steps alone.", .least = 0, .above = true}},
      {"ideal", &Row::ideal},
      {"predicted", &Row::predicted, {.says = "The ideal and all steps that are known."}},
      {"measured", &Row::measured},
      {"steps", &Row::steps, {.says = "Those that are known sum to predicted less ideal.", .fewest = 8}},
      {"unexplained", &Row::unexplained, {.says = "Measured less predicted."}},
      {"notes", &Row::notes}};
  if (lost)
    fields.push_back({"lost",
                      [](Row const& row) { return *row.lost; },
                      {.says = "Where rounds lose tokens to rejections: expected along a recording, or as counted.",
                       .sometimes = true}});
  if (counted)
    add(fields, fields_of_counts<Row>([](Row const& row) -> CountedReport const& { return *row.counted; }, true));
  return fields;
}

Described<WhyReport> described_why(bool lost, bool counted) {
  return {{.name = "Why",
           .says = "From the ideal time per token to the measured one.",
           .document = true,
           .settable = true},
          why_fields(lost, counted)};
}

}  // namespace

std::optional<double> share_of(Waterfall const& of, double time) {
  double const all = of.distance();
  if (!(all > 0)) return std::nullopt;
  return time / all;
}

Described<TimeReport> const& describe(TimeReport const* /*time*/) {
  static Described<TimeReport> const all(
      {.name = "TimePerToken", .says = "Time per token."},
      {{"plain_steps", &TimeReport::plain_steps, {.says = "In steps of plain decoding.", .least = 0}},
       {"ms_per_token", &TimeReport::ms_per_token, {.least = 0}}});
  return all;
}

Described<CauseReport> const& describe(CauseReport const* /*cause*/) {
  using Row = CauseReport;
  static Described<Row> const all(
      {.name = "TimeLeft", .says = "What no step explains; null where it is not known."},
      {{"ms_per_token", &Row::ms_per_token},
       {"plain_steps", &Row::plain_steps},
       {"share",
        &Row::share,
        {.says = "Of measured less ideal; of predicted less ideal where nothing was measured, or less than the ideal. "
                 "Shares sum to 1, or there to (measured less ideal)/(predicted less ideal)."}},
       {"interval", &Row::interval, {.says = "Of ms_per_token."}},
       {"from", &Row::from, {.says = "The input, or why it is not known."}}});
  return all;
}

Described<NamedCauseReport> const& describe(NamedCauseReport const* /*cause*/) {
  static Described<NamedCauseReport> const all = [] {
    std::vector<std::string> names;
    for (CauseCard const& card : cause_cards()) names.emplace_back(card.name);
    Fields<NamedCauseReport> fields{{"name", &NamedCauseReport::name, {.words = std::move(names)}}};
    for (Field<CauseReport> const& field : fields_of<CauseReport>()) fields.emplace_back(field);
    return Described<NamedCauseReport>(
        {.name = "WhyStep",
         .says = "What a step adds to the time per token once those before it are there; null where it is not known."},
        std::move(fields));
  }();
  return all;
}

Described<LostGroup> const& describe(LostGroup const* /*group*/) {
  auto const of = [](auto member) {
    return [member](LostGroup const& group) { return uncertain(std::invoke(member, group)); };
  };
  static Described<LostGroup> const all(
      {.name = "LostGroup", .says = "Draft tokens that are alike in one way."},
      {{"name", &LostGroup::name},
       {"tested", &LostGroup::tested, {.least = 0}},
       {"acceptance", of(&LostGroup::acceptance), {.says = "Of draft tokens that were tested."}},
       {"share", of(&LostGroup::share), {.says = "Of the tokens that rejections cost."}}});
  return all;
}

Described<LostBy> const& describe(LostBy const* /*by*/) {
  static Described<LostBy> const all({.name = "LostBy", .says = "One way to tell draft tokens apart."},
                                     {{"name",
                                       &LostBy::name,
                                       {.words = {"draft_position", "text_position", "token_kind", "target_certainty",
                                                  "token_probability", "domain", "text"}}},
                                      {"groups", &LostBy::groups, {.fewest = 1}}});
  return all;
}

Described<LostDrafts> const& describe(LostDrafts const* /*lost*/) {
  static Described<LostDrafts> const all(
      {.name = "LostDrafts", .says = "Where rounds lose tokens to rejections."},
      {{"rounds", &LostDrafts::rounds, {.least = 0}},
       {"tested", &LostDrafts::tested, {.says = "Draft tokens up to a round's first rejection.", .least = 0}},
       {"rejected", &LostDrafts::rejected, {.least = 0}},
       {"tokens", &LostDrafts::lost, {.says = "That would have followed in the same rounds.", .least = 0}},
       {"by", &LostDrafts::by}});
  return all;
}

Described<WhyReport> const& describe(WhyReport const* /*report*/) {
  static Described<WhyReport> const all = described_why(true, true);
  return all;
}
Json document_of(WhyReport const& report) {
  auto const like = described_why(report.lost.has_value(), report.counted.has_value());
  return row_of(like.fields, report).object();
}

WhyReport report_of(Waterfall const& found, std::optional<double> plain_ms) {
  WhyReport report{
      .gamma = found.gamma,
      .mean_drafts = found.mean_drafts,
      .plain_ms = plain_ms,
      .ideal = time_of(found.ideal, plain_ms),
      .predicted = time_of(found.predicted, plain_ms),
      .measured = found.measured ? std::optional(time_of(*found.measured, plain_ms)) : std::nullopt,
      .steps = {},
      .unexplained =
          cause_of(found, found.unexplained(), found.unexplained_interval(), plain_ms, found.measured_from)};
  for (WaterfallStep const& step : found.steps)
    report.steps.push_back({cause_of(found, step.time, step.interval, plain_ms, step.from),
                            std::string(cause_cards()[static_cast<std::size_t>(step.cause)].name)});
  return report;
}

}  // namespace draftgauge
