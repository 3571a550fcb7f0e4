#include "analysis/report/dependence.h"

#include <algorithm>

namespace draftgauge {
namespace {

constexpr int decimals = 3;

std::vector<LagReport> lags_of(std::vector<Autocorrelation> const& all, double confidence) {
  std::vector<LagReport> lags;
  for (Autocorrelation const& one : all) lags.push_back({one.lag, uncertain(one.value, confidence, correlation)});
  return lags;
}

}  // namespace

Described<LagReport> const& describe(LagReport const* /*at*/) {
  static Described<LagReport> const all(
      {.name = "Autocorrelation", .says = "Of a number of each token with that of the token `lag` later."},
      {{"lag", &LagReport::lag, {.says = "In tokens.", .least = 1}}, {"correlation", &LagReport::correlation}});
  return all;
}

Described<CorrelationReport> const& describe(CorrelationReport const* /*of*/) {
  static Described<CorrelationReport> const all(
      {.name = "Autocorrelations", .says = "Along the text; empty where unknown or constant."},
      {{"beta", &CorrelationReport::beta, {.says = "Of β, the acceptance rate of each context."}},
       {"a", &CorrelationReport::a, {.says = "Of a, the acceptance probability of each token."}}});
  return all;
}

Described<PositionReport> const& describe(PositionReport const* /*at*/) {
  static Described<PositionReport> const all(
      {.name = "Survival", .says = "The draft at one position of a round that starts anywhere in the text."},
      {{"position", "draft i", &PositionReport::position, {.says = "Its number, from 1.", .least = 1}},
       {"survival",
        "first i accepted",
        &PositionReport::survival,
        {.decimals = decimals, .says = "How often it and all before it are accepted."}},
       {"geometric", &PositionReport::geometric, {.says = "α to the power of the position."}},
       {"geometric",
        "α^i",
        inner(&PositionReport::geometric, &Uncertain::value),
        {.decimals = decimals, .table_only = true}},
       {"excess", &PositionReport::excess, {.says = "Survival less that power."}},
       {"conditional",
        "i, if i − 1 were",
        &PositionReport::conditional,
        {.decimals = decimals, .says = "How often it is accepted if all before it were."}},
       {"correlation_a",
        "autocorrelation of a at lag i",
        &PositionReport::correlation,
        {.decimals = decimals, .table_only = true}}});
  return all;
}

Described<GapReport> const& describe(GapReport const* /*at*/) {
  static Described<GapReport> const all(
      {.name = "Gap",
       .says = "What Eq. (1) has over the text's tokens per round: difference = runs + starts + ends."},
      {{"gamma", &GapReport::gamma, {.says = "Drafts a round.", .least = 1}},
       {"difference", &GapReport::difference, {.says = "In tokens per round."}},
       {"relative", &GapReport::relative, {.says = "Over the text's tokens per round."}},
       {"runs",
        &GapReport::runs,
        {.says = "Because acceptances come in runs: below 0 where they do. Of rounds that start anywhere."}},
       {"starts",
        &GapReport::starts,
        {.says = "Because rounds start where another ended, often behind a rejection."}},
       {"ends", &GapReport::ends, {.says = "Because a text's end cuts its last round short."}}});
  return all;
}

Described<DependenceReport> const& describe(DependenceReport const* /*of*/) {
  static Described<DependenceReport> const all(
      {.name = "Dependence", .says = "How far acceptances along the text are from the independent ones of Eq. (1)."},
      {{"autocorrelation", &DependenceReport::autocorrelation},
       {"positions", &DependenceReport::positions},
       {"eq1_minus_replay", &DependenceReport::eq1_minus_replay},
       {"sentence", &DependenceReport::sentence, {.says = "In words, at the largest draft length."}}});
  return all;
}

DependenceReport report_of(Dependence const& of, double confidence) {
  DependenceReport report{{lags_of(of.beta, confidence), lags_of(of.a, confidence)}, {}, {}, {}};
  auto const plain = [confidence](TextEstimate const& estimate) { return uncertain(estimate, confidence); };
  auto const in_share = [confidence](TextEstimate const& estimate) { return uncertain(estimate, confidence, share); };
  for (Dependence::Position const& at : of.positions) {
    auto const lag = std::ranges::find(report.autocorrelation.a, at.i, &LagReport::lag);
    bool const known = lag != report.autocorrelation.a.end();
    report.positions.push_back({at.i, in_share(at.survival), in_share(at.geometric), plain(at.excess),
                                in_share(at.conditional), known ? std::optional(lag->correlation) : std::nullopt});
  }
  for (Dependence::Gap const& gap : of.gaps)
    report.eq1_minus_replay.push_back(
        {gap.gamma, plain(gap.difference), plain(gap.relative), plain(gap.runs), plain(gap.starts), plain(gap.ends)});
  if (!of.gaps.empty()) report.sentence = dependence_sentence(of, of.gaps.back().gamma, confidence);
  return report;
}

}  // namespace draftgauge
