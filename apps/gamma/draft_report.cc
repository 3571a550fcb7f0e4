#include "apps/gamma/draft_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/choose/draft_choice.h"
#include "analysis/texts/text_errors.h"

namespace draftgauge {
namespace {

std::string const& name_of(std::span<Study const* const> studies, DraftStanding const& of) {
  return studies[of.recording]->estimates.name();
}

/// The pair of these two, whichever is first in it, as the best less the other.
using Lead = StandingReport::Lead;
std::optional<Lead> lead_over(DraftChoice const& choice, std::size_t other) {
  for (TextComparison const& pair : choice.pairs) {
    if (pair.first == other && pair.second == choice.best) return Lead{pair.difference, pair.holm, pair.paired};
    if (pair.first == choice.best && pair.second == other) {
      Interval const& d = pair.difference;
      return Lead{{-d.value, -d.high, -d.low, d.confidence, d.asymptotic}, pair.holm, pair.paired};
    }
  }
  return std::nullopt;
}

std::string title_of(DraftChoice const& choice, std::span<Study const* const> studies) {
  std::vector<RankedDraft> drafts;
  for (DraftStanding const& each : choice.drafts)
    drafts.push_back({name_of(studies, each), each.gamma, each.speedup.value, each.interval, each.p_best});
  auto const lead = lead_over(choice, second_of(drafts, choice.best));
  return lead_sentence(drafts, choice.best, lead ? std::optional(lead->difference) : std::nullopt);
}

FastestReport report_of(DraftChoice const& choice, std::span<Study const* const> studies) {
  FastestReport report{name_of(studies, choice.drafts[choice.best]), choice.plain_p_best, {}, {}};
  for (std::size_t i = 0; i < choice.drafts.size(); ++i) {
    DraftStanding const& of = choice.drafts[i];
    report.standings.push_back({name_of(studies, of), studies[of.recording]->costs.draft, of.gamma,
                                Estimated{of.speedup.value, of.interval}, of.p_best, lead_over(choice, i)});
  }
  for (TextComparison const& pair : choice.pairs)
    report.comparisons.push_back(
        {name_of(studies, choice.drafts[pair.first]), name_of(studies, choice.drafts[pair.second]), pair});
  return report;
}

Section section_of(FastestReport const& report, DraftChoice const& choice, std::span<Study const* const> studies,
                   double confidence) {
  Section section{.heading = drafts_heading, .table = described_rows(report.standings).table()};
  section.note(
      fmt::format("Differences of S over the same texts are paired; intervals of all pairs cover together with {:g} "
                  "%, and by Holm's p-values at most {:g} % of such comparisons call a draft faster that is not.",
                  100 * confidence, 100 * (1 - confidence)));
  if (choice.plain_p_best)
    section.note(fmt::format(
        "P(best): the chance that a draft is the fastest at its best γ, by Student's t over the texts{}.",
        plain_wins_text(*choice.plain_p_best)));
  else if (studies.front()->recorded.trace.texts.size() < fewest_for_chances)
    section.note(few_for_chances("texts"));
  else
    section.note("P(best) needs resamples, and drafts recorded over the same texts.");
  return section;
}

}  // namespace

std::size_t second_of(std::span<RankedDraft const> drafts, std::size_t best) {
  std::size_t second = best == 0 ? 1 : 0;
  for (std::size_t i = 0; i < drafts.size(); ++i)
    if (i != best && drafts[i].speedup > drafts[second].speedup) second = i;
  return second;
}

std::string lead_sentence(std::span<RankedDraft const> drafts, std::size_t best,
                          std::optional<Interval> const& lead) {
  RankedDraft const &first = drafts[best], &next = drafts[second_of(drafts, best)];
  if (first.gamma == 0) return "no draft: plain decoding is fastest at each one's costs";
  std::string words =
      fmt::format("{} at γ={}, S={:.4f}{}", first.name, first.gamma, first.speedup, bounds_text(first.interval));
  if (first.p_best) words += fmt::format(", P(best) {}", chance_text(*first.p_best));
  std::string const other =
      fmt::format("{} at {}", next.name, next.gamma == 0 ? std::string("no draft") : fmt::format("γ={}", next.gamma));
  if (next.speedup == first.speedup) return words + "; as fast as " + other;
  words += fmt::format("; leads {} by {:.3f}", other, first.speedup - next.speedup);
  if (!lead || !std::isfinite(lead->low)) return words;
  return words + bounds_text(lead, 3) + (lead->low <= 0 ? ": not surely" : "");
}

std::string plain_wins_text(double chance) {
  return chance > 0 ? fmt::format("; that of plain decoding is {}", chance_text(chance)) : "";
}

std::string few_for_chances(std::string_view unit) {
  return fmt::format("P(best) is not said below {} {}: of so few it is surer than it is right.", fewest_for_chances,
                     unit);
}

Fastest add_fastest(Result& result, std::span<Study const* const> studies, double confidence) {
  auto const temperature = [](Study const* of) { return of->recorded.trace.temperature; };
  if (std::ranges::any_of(studies,
                          [&](Study const* of) { return temperature(of) != temperature(studies.front()); })) {
    result.title = "Texts of different temperatures: which draft is the fastest is a question at one of them";
    return {};
  }
  auto const choice = choose_draft(studies, confidence);
  if (!choice) return {};
  Fastest fastest{choice->drafts[choice->best].recording, report_of(*choice, studies)};
  result.title = title_of(*choice, studies);
  result.sections.insert(result.sections.begin(), section_of(*fastest.report, *choice, studies, confidence));
  return fastest;
}

}  // namespace draftgauge
