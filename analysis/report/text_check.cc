#include "analysis/report/text_check.h"

namespace draftgauge {
namespace {

using Checked = TextCheckReport const&;

/// z of a check that was made.
auto z_of(std::optional<MartingaleCheck> Audit::* check) {
  return [check](Checked row) {
    auto const& made = row.check.audit.*check;
    return made ? std::optional(made->z) : std::nullopt;
  };
}

std::vector<DriftReport> drifts(TextCheck const& check) {
  std::vector<DriftReport> all;
  for (auto const* one : {&check.audit.draft_bias, &check.audit.likelihood, &check.audit.top})
    if (*one) all.push_back({std::string((*one)->name), (*one)->mean, (*one)->error, (*one)->z});
  return all;
}

}  // namespace

Described<DriftReport> const& describe(DriftReport const* /*drift*/) {
  static Described<DriftReport> const all(
      {.name = "Drift", .says = "A sum along the text that drifts nowhere where the target wrote it."},
      {{"name",
        &DriftReport::name,
        {.says = "lean: a − β; surprisal: −ln p − H(p); top: 1[x = argmax p] − max p.",
         .words = {"lean", "surprisal", "top"}}},
       {"mean", &DriftReport::mean, {.says = "Per token."}},
       {"error", &DriftReport::error, {.says = "Standard error of the mean.", .least = 0}},
       {"z", &DriftReport::z, {.says = "Mean over error.", .endless = true}}});
  return all;
}

Described<TextCheckReport> const& describe(TextCheckReport const* /*report*/) {
  auto const rejected = [](Checked row) { return row.check.rejected(); };
  auto const draft_odds = [](Checked row) { return row.check.draft_odds; };
  auto const odds = [](auto member) {
    return [member](Checked row) {
      auto const& found = row.check.row_odds;
      return found ? std::optional(std::invoke(member, *found)) : std::nullopt;
    };
  };
  static Described<TextCheckReport> const all(
      {.name = "TextCheck",
       .says = "Could the target have written the text? Bets on three sums reject it, and tokens of probability 0."},
      {{"rejected", rejected, {.says = "Whether a test rejects the text, or one of its tokens has probability 0."}},
       {"refuted", rejected, {.says = "The older name of rejected."}},
       {"cause",
        [=](Checked row) { return given(rejected(row), row.cause); },
        {.says = "What may have gone wrong, where the text is rejected."}},
       {"false_alarm", [](Checked) { return text_alarm; }, {.says = "Of all tests together.", .least = 0, .most = 1}},
       {"impossible_tokens",
        [](Checked row) { return row.check.audit.impossible; },
        {.says = "Tokens of the text that have probability 0 under p.", .least = 0}},
       {"lean", z_of(&Audit::draft_bias), {.says = "z of a − β, to look at; null: it cannot be known.", .endless = true}},
       {"surprisal", z_of(&Audit::likelihood), {.says = "z of −ln p − H(p).", .endless = true}},
       {"top", z_of(&Audit::top), {.says = "z of 1[x = argmax p] − max p.", .endless = true}},
       {"draft_log_odds",
        draft_odds,
        {.says = "ln of the odds that q, or a mixture of p and q, wrote the text rather than p: x or more with "
                 "probability e^−x at most; null: none.",
         .endless = true}},
       {"log_odds", draft_odds, {.says = "The older name of draft_log_odds.", .endless = true}},
       {"uniform_log_odds",
        [](Checked row) { return row.check.uniform_odds; },
        {.says = "The same odds for tokens drawn evenly from 2^20: p finds the text far too unlikely.",
         .endless = true}},
       {"row_log_odds",
        odds(&RowOdds::log_odds),
        {.says = "The same odds for another temperature or a truncation, by full rows; null without them.",
         .endless = true}},
       {"row_tokens", odds(&RowOdds::tokens), {.says = "How many tokens these rows are of.", .least = 1}},
       {"sees_temperature",
        [](Checked row) { return row.check.sees_temperature(); },
        {.says = "Whether a text of another temperature could be told: log p and log q alone do not show it."}},
       {"checked_at",
        [](Checked row) { return given(!row.check.law.empty(), row.check.law); },
        {.says = "The sampling that the recording says wrote the text, such as T = 1, where another one is measured; "
                 "null: what is measured."}},
       {"checks",
        [](Checked row) { return drifts(row.check); },
        {.says = "The sums that can be known, with what their z is made of."}}});
  return all;
}

}  // namespace draftgauge
