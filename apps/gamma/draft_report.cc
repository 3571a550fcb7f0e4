#include "apps/gamma/draft_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/choose/draft_choice.h"

namespace draftgauge {
namespace {

constexpr int draft_decimals = 4;

std::string const& name_of(std::span<Study const* const> studies, DraftStanding const& of) {
  return studies[of.recording]->estimates.name();
}

std::string gamma_words(int gamma) { return gamma == 0 ? std::string("no draft") : fmt::format("γ={}", gamma); }

/// The pair of these two, whichever is first in it, as the best less the other.
struct Lead {
  Interval difference;
  double holm;
  bool paired;
};
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

/// The fastest of the others.
std::size_t second_of(DraftChoice const& choice) {
  std::size_t second = choice.best == 0 ? 1 : 0;
  for (std::size_t i = 0; i < choice.drafts.size(); ++i)
    if (i != choice.best && choice.drafts[i].speedup.value > choice.drafts[second].speedup.value) second = i;
  return second;
}

std::string title_of(DraftChoice const& choice, std::span<Study const* const> studies) {
  DraftStanding const& best = choice.drafts[choice.best];
  if (best.gamma == 0) return "no draft: plain decoding is fastest at each one's costs";
  std::string words = fmt::format("{} at γ={}, S={:.4f}", name_of(studies, best), best.gamma, best.speedup.value);
  if (best.interval) words += fmt::format(" [{:.4f}, {:.4f}]", best.interval->low, best.interval->high);
  if (best.wins) words += fmt::format(", P(best) {:.3f}", *best.wins);
  std::size_t const second = second_of(choice);
  DraftStanding const& next = choice.drafts[second];
  words += fmt::format("; {} over {} at {}", next.speedup.value == best.speedup.value ? "as fast" : "leads",
                       name_of(studies, next), gamma_words(next.gamma));
  auto const lead = lead_over(choice, second);
  if (!lead) return words;
  words += fmt::format(" by {:.3f}", lead->difference.value);
  if (!std::isfinite(lead->difference.low)) return words;
  return words + fmt::format(" [{:.3f}, {:.3f}]{}", lead->difference.low, lead->difference.high,
                             lead->difference.low <= 0 ? ": not surely" : "");
}

Section section_of(DraftChoice const& choice, std::span<Study const* const> studies, double confidence) {
  Section section{.heading = "Which draft, each at its own costs and best γ",
                  .table = Table{{"name", "recording", Align::left},
                                 {"cost", "c"},
                                 {"gamma", "γ"},
                                 {"speedup", "S"},
                                 {"wins", "P(best)"},
                                 {"lead", "best less this"},
                                 {"p_value", "p-value, adjusted"},
                                 {"paired", "same texts"}}};
  for (std::size_t i = 0; i < choice.drafts.size(); ++i) {
    DraftStanding const& each = choice.drafts[i];
    auto const lead = lead_over(choice, i);
    Cell difference;
    if (lead)
      difference = std::isfinite(lead->difference.low) ? Cell(Estimate{lead->difference, 3})
                                                       : Cell(Number{lead->difference.value, 3});
    section.table.add({name_of(studies, each), Number{studies[each.recording]->costs.draft, draft_decimals},
                       std::int64_t{each.gamma},
                       each.interval ? Cell(Estimate{*each.interval, draft_decimals})
                                     : Cell(Number{each.speedup.value, draft_decimals}),
                       each.wins ? Cell(Number{*each.wins, 3}) : Cell(), difference,
                       lead ? Cell(Number{lead->holm, 4}) : Cell(), lead ? Cell(lead->paired) : Cell()});
  }
  section.notes.push_back(fmt::format(
      "Differences of S over the same texts are paired; intervals of all pairs cover together with {:g} %, and "
      "by Holm's p-values at most {:g} % of such comparisons call a draft faster that is not.",
      100 * confidence, 100 * (1 - confidence)));
  if (choice.plain_wins)
    section.notes.push_back(fmt::format(
        "P(best): the share of resamples of the texts in which a draft is the fastest, its γ chosen anew{}.",
        *choice.plain_wins > 0 ? fmt::format("; in {:.3f} of them plain decoding is", *choice.plain_wins) : ""));
  else
    section.notes.emplace_back("P(best) needs resamples, and drafts recorded over the same texts.");
  return section;
}

Json document_of(DraftChoice const& choice, std::span<Study const* const> studies) {
  Json standings = Json::array(), pairs = Json::array();
  for (DraftStanding const& each : choice.drafts)
    standings.push_back({{"name", name_of(studies, each)},
                         {"cost", studies[each.recording]->costs.draft},
                         {"gamma", each.gamma},
                         {"speedup", each.interval ? to_json(*each.interval) : Json(each.speedup.value)},
                         {"wins", or_null(each.wins)}});
  for (TextComparison const& pair : choice.pairs)
    pairs.push_back({{"first", name_of(studies, choice.drafts[pair.first])},
                     {"second", name_of(studies, choice.drafts[pair.second])},
                     {"paired", pair.paired},
                     {"difference", to_json(pair.difference)},
                     {"p_value", pair.p_value},
                     {"p_value_adjusted", pair.holm}});
  return {{"best", name_of(studies, choice.drafts[choice.best])},
          {"plain_wins", or_null(choice.plain_wins)},
          {"standings", std::move(standings)},
          {"comparisons", std::move(pairs)}};
}

}  // namespace

void add_draft_choice(Result& result, std::span<Study const* const> studies, double confidence) {
  result.document["drafts"] = nullptr;
  auto const temperature = [](Study const* of) { return of->recorded.scores.temperature; };
  if (std::ranges::any_of(studies,
                          [&](Study const* of) { return temperature(of) != temperature(studies.front()); })) {
    result.title = "Texts of different temperatures: which draft is the fastest is a question at one of them";
    return;
  }
  auto const choice = choose_draft(studies, confidence);
  if (!choice) return;
  result.document["drafts"] = document_of(*choice, studies);
  result.title = title_of(*choice, studies);
  result.sections.insert(result.sections.begin(), section_of(*choice, studies, confidence));
}

}  // namespace draftgauge
