#include "analysis/report/recording.h"

#include <fmt/format.h>

#include "analysis/audit/text_check_words.h"
#include "analysis/texts/text_influence.h"
#include "analysis/texts/token_means.h"

namespace draftgauge {
namespace {

constexpr std::string_view order_names[] = {"hf", "vllm", "llama.cpp"};

/// Fields of the best γ; none of a report without one.
Fields<RecordingReport> best_fields() {
  auto const of = [](auto member) {
    return [member](RecordingReport const& report) { return std::invoke(member, *report.best); };
  };
  using Best = BestGammaReport;
  FieldForm wins = share_form("Share of the resamples in which each γ is best."),
            set{.says = "The γ that the texts do not show to be worse than the best, which is one of them with the "
                        "confidence of the intervals. Empty below two texts.",
                .least = 0},
            regret{.says = "What best_gamma is expected to lose to the truly best γ, as a share of its speed-up.",
                   .least = 0};
  FieldForm split{.says = "Null of plain decoding."};
  for (FieldForm* form : {&wins, &set, &regret, &split}) form->sometimes = true;
  return {{"best_gamma_wins", of(&Best::wins), wins},
          {"confidence_set", of(&Best::confidence_set), set},
          {"expected_regret", of(&Best::expected_regret), regret},
          {"time_split", of(&Best::time_split), split}};
}

Fields<RecordingReport> recording_fields(bool best) {
  using Report = RecordingReport;
  auto const of_best = [](auto member) {
    return [member](Report const& report) {
      return report.best ? std::optional(std::invoke(member, *report.best)) : std::nullopt;
    };
  };
  Fields<Report> fields{
      {"name", &Report::name},
      {"format", &Report::format},
      {"texts", &Report::texts, {.least = 1}},
      {"tokens", &Report::tokens, {.least = 1}},
      {"temperature_of_text",
       &Report::temperature_of_text,
       {.says = "Of the sampling that wrote the text; null where it is not known.", .least = 0}},
      {"truncation_of_text", &Report::truncation_of_text},
      {"fold", &Report::fold},
      {"policy",
       &Report::policy,
       {.says = "Whether the text is a sample of the target's distribution as it is measured.",
        .words = {"on-policy", "off-policy", "unknown"}}},
      {"usable",
       &Report::usable,
       {.says = "False where the text is rejected: best γ and speed-up are null, and nothing along the text is to be "
                "used."}},
      {"alpha", &Report::alpha, {.says = "The acceptance rate; null where the recording does not say it."}},
      {"alpha_estimator", &Report::alpha_estimator, {.says = "What it is the mean of.", .words = {"mean beta", "mean a"}}},
      {"alpha_bounds", &Report::alpha_bounds, {.says = "Where β is not known but bounded."}},
      {"mean_a", &Report::mean_a, {.says = "Mean of min(1, q/p) at the text's tokens."}},
      {"costs", &Report::costs},
      {"estimator",
       &Report::estimator,
       {.says = "Of speedup, break_even_cost and best_gamma; `draftgauge list estimators` explains it."}},
      {"tokens_per_round", &Report::tokens_per_round},
      {"best_gamma",
       of_best(&BestGammaReport::gamma),
       {.says = "0: plain decoding is fastest; null where no costs are given, and of a rejected text.", .least = 0}},
      {"best_speedup", of_best(&BestGammaReport::speedup), {.says = "Speed-up there."}},
      {"dependence", &Report::dependence},
      {"notes", &Report::notes},
      {"cost_notes", &Report::cost_notes, {.says = "What to know of the costs."}}};
  if (best) add(fields, best_fields());
  add(fields,
      {{"intervals",
        &Report::intervals,
        {.says = "Over parts: one text that is long enough, whose parts stand for texts; inconclusive: one that is not.",
         .words = {"over texts", "over parts of one text", "inconclusive"}}},
       {"influence",
        &Report::influence,
        {.says = "The text without which α would change most; null below three texts and where α is not known."}},
       {"rounds_unknown", &Report::rounds_unknown, {.says = "Why no estimator says tokens per round."}},
       {"text_check", &Report::text_check},
       {"means", &Report::means, {.says = "Over all tokens, of what the recording says of each."}}});
  return fields;
}

Described<RecordingReport> described(bool best) {
  return {{.name = "Measurement",
           .says = "What a recording says. Nothing is to be used of one that is not `usable`: the target did not write "
                   "its text."},
          recording_fields(best)};
}

std::optional<BestGammaReport> best_of(Study const& study) {
  TextBestGamma const* const best = study.best_at_costs();
  if (!best) return std::nullopt;
  BestGammaReport report{.gamma = best->gamma, .speedup = best->speedup};
  for (auto const& [gamma, won] : best->p_best) report.wins.push_back({std::to_string(gamma), won});
  if (study.gamma_set) {
    report.confidence_set = study.gamma_set->gammas;
    report.expected_regret = study.gamma_set->regret;
  }
  if (best->gamma > 0) report.time_split = time_split(study.costs, best->gamma);
  return report;
}

}  // namespace

Described<TruncationReport> const& describe(TruncationReport const* /*truncation*/) {
  static Described<TruncationReport> const all(
      {.name = "Truncation", .says = "How the sampling that wrote the text cut the target's distribution."},
      {{"top_k", &TruncationReport::top_k, {.says = "The k most likely tokens; 0: all.", .least = 0}},
       {"top_p", &TruncationReport::top_p, share_form("The most likely tokens until they hold this mass.")}});
  return all;
}

std::string_view order_name(SamplingParameters::Order order) { return order_names[static_cast<std::size_t>(order)]; }

Described<SamplingParameters> const& describe(SamplingParameters const* /*sampling*/) {
  static Described<SamplingParameters> const all(
      {.name = "Sampling", .says = "How a row of logits became a distribution."},
      {{"temperature", &SamplingParameters::temperature, {.least = 0}},
       {"top_k", &SamplingParameters::top_k, {.says = "0: all.", .least = 0}},
       {"top_p", &SamplingParameters::top_p, share_form()},
       {"min_p", &SamplingParameters::min_p, share_form()},
       {"order",
        [](SamplingParameters const& sampling) { return order_name(sampling.order); },
        {.says = "Whose order of temperature and truncations.",
         .words = {std::begin(order_names), std::end(order_names)}}}});
  return all;
}

Described<FoldReport> const& describe(FoldReport const* /*fold*/) {
  static Described<FoldReport> const all(
      {.name = "SamplingOfBoth",
       .says = "How rows of logits became distributions; null for columns, which are taken as they are."},
      {{"target", &FoldReport::target}, {"draft", &FoldReport::draft}});
  return all;
}

Described<BoundsReport> const& describe(BoundsReport const* /*bounds*/) {
  static Described<BoundsReport> const all(
      {.name = "Bounds", .says = "Between two estimates, with the interval that both make."},
      {{"low", &BoundsReport::low}, {"high", &BoundsReport::high}});
  return all;
}

Described<AlphaBoundsReport> const& describe(AlphaBoundsReport const* /*bounds*/) {
  static Described<AlphaBoundsReport> const all = [] {
    Fields<AlphaBoundsReport> fields;
    for (Field<BoundsReport> const& field : fields_of<BoundsReport>()) fields.emplace_back(field);
    add(fields, {{"mean_low", &AlphaBoundsReport::mean_low, share_form("Mean of the lower bound of β.")},
                 {"mean_high", &AlphaBoundsReport::mean_high, share_form("Mean of its upper bound.")}});
    return Described<AlphaBoundsReport>({.name = "AlphaBounds", .says = "α, where β is not known but bounded."},
                                        std::move(fields));
  }();
  return all;
}

TimeSplit time_split(Costs const& costs, int gamma) {
  double const round = costs.of_round(gamma), verify = costs.verify_pass(gamma + 1);
  return {(round - verify - costs.overhead) / round, verify / round, costs.overhead / round};
}

Described<TimeSplit> const& describe(TimeSplit const* /*split*/) {
  static Described<TimeSplit> const all({.name = "TimeSplit", .says = "What a round's time is spent on, as shares."},
                                        {{"draft", &TimeSplit::draft, share_form()},
                                         {"target", &TimeSplit::target, share_form()},
                                         {"overhead", &TimeSplit::overhead, share_form()}});
  return all;
}

Described<InfluenceReport> const& describe(InfluenceReport const* /*influence*/) {
  static Described<InfluenceReport> const all(
      {.name = "Influence", .says = "The text without which α would change most."},
      {{"text", &InfluenceReport::text, {.says = "Its name, or its number from 1."}},
       {"alpha_without", &InfluenceReport::alpha_without, {.says = "α of the other texts."}},
       {"outlier", &InfluenceReport::outlier, {.says = "Whether it is unlike the others, by Grubbs' test at 1 %."}}});
  return all;
}

std::string text_name(Study const& study, std::size_t text) {
  std::string const& name = study.recorded.trace.texts[text].name;
  return name.empty() ? std::to_string(text + 1) : name;
}

std::optional<InfluenceReport> influence_of(Study const& study) {
  if (!study.estimates.alpha()) return std::nullopt;
  auto const pull = strongest_pull(*study.estimates.alpha());
  if (!pull) return std::nullopt;
  return InfluenceReport{text_name(study, pull->text), pull->without, pull->outlier};
}

BoundsReport bounds_between(TextEstimates::Bounds const& bounds, double confidence) {
  if (auto const interval = bounded_interval(bounds, confidence)) return {interval->low, interval->high};
  return {bounds.low.value, bounds.high.value};
}

Described<RecordingReport> const& describe(RecordingReport const* /*report*/) {
  static Described<RecordingReport> const all = described(true);
  return all;
}
Described<RecordingReport> describe_like(RecordingReport const& report) { return described(report.best.has_value()); }
Json document_of(RecordingReport const& report) { return row_of(describe_like(report).fields, report).object(); }

RecordingReport report_of(Study const& study, StudyOptions const& options) {
  double const confidence = options.confidence;
  TextEstimates const& estimates = study.estimates;
  TokenTrace const& trace = study.recorded.trace;
  auto const in_share = [&](std::optional<TextEstimate> const& estimate) {
    return estimate ? std::optional(uncertain(*estimate, confidence, share)) : std::nullopt;
  };
  RecordingReport report{
      .name = estimates.name(),
      .format = trace.estimated_as,
      .texts = estimates.texts(),
      .tokens = estimates.tokens(),
      .temperature_of_text = trace.temperature,
      .truncation_of_text = {trace.top_k, trace.top_p},
      .fold = {study.recorded.target, study.recorded.draft},
      .policy = std::string(policy_name(study.recorded.policy)),
      .usable = !study.rejected(),
      .alpha = in_share(study.alpha()),
      .mean_a = in_share(estimates.mean_a()),
      .costs = {study.costs, study.costs_given},
      .estimator = std::string(study.main.card->name),
      .best = best_of(study),
      .dependence = report_of(study.dependence, confidence),
      .notes = trace.notes,
      .intervals = study.parts ? "over parts of one text" : estimates.texts() < 2 ? "inconclusive" : "over texts",
      .influence = influence_of(study),
      .text_check = {study.text_check, cause_text(study.text_check)}};
  if (estimates.alpha()) report.alpha_estimator = estimates.alpha_from_beta() ? "mean beta" : "mean a";
  if (auto const& bounds = estimates.alpha_bounds())
    report.alpha_bounds = {bounds_between(*bounds, confidence), bounds->low.value, bounds->high.value};
  for (int const gamma : study.gammas()) report.tokens_per_round.push_back(tokens_report(study, gamma, confidence));
  if (!study.knows(study.main)) report.rounds_unknown = fmt::format("it {}", study.why_not(study.main));
  for (TokenMean const& what : token_means())
    if (auto const mean = mean_of(trace, estimates, what))
      report.means.push_back({std::string(what.key), uncertain(*mean, confidence, what.limits)});
  return report;
}

}  // namespace draftgauge
