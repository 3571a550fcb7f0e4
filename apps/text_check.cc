#include "apps/text_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/wager.h"

namespace draftgauge {
namespace {

std::optional<double> log_odds_of(Scores const& scores) {
  MixtureOdds odds;
  std::size_t tokens = 0;
  for (TextScores const& text : scores.texts) {
    if (std::ranges::find(text.log_p, -HUGE_VAL) != text.log_p.end()) continue;
    for (std::size_t t = 0; t < text.log_p.size(); ++t) odds.step(text.log_p[t], text.log_q[t]);
    tokens += text.log_p.size();
  }
  return tokens > 0 ? std::optional(odds.log_odds()) : std::nullopt;
}

constexpr AuditOptions text_audit(bool odds) { return {.false_alarm = text_alarm, .other_checks = odds ? 1u : 0u}; }

bool high(std::optional<double> const& log_odds, Audit const& audit) {
  return log_odds && *log_odds > -std::log(audit.false_alarm);
}

bool refute(Audit const& audit, std::optional<double> const& log_odds) {
  return audit.verdict == Verdict::fails || high(log_odds, audit);
}

// Whether the text could be the draft's: judged by what is the same with the models exchanged.
bool draft_could_have_written(Scores const& scores) {
  Scores exchanged;
  for (TextScores const& text : scores.texts)
    exchanged.texts.push_back({.log_p = text.log_q, .log_q = text.log_p, .beta = text.beta});
  auto const log_odds = log_odds_of(exchanged);
  return log_odds && !refute(audit(exchanged, EngineLog{}, text_audit(true)), log_odds);
}

std::string first_impossible(Scores const& scores) {
  for (TextScores const& text : scores.texts)
    if (auto const at = std::ranges::find(text.log_p, -HUGE_VAL); at != text.log_p.end())
      return fmt::format("{}token {}", text.name.empty() ? "" : fmt::format("text {}, ", text.name),
                         at - text.log_p.begin() + 1);
  return {};
}

bool drifts(std::optional<MartingaleCheck> const& check, bool up) {
  return check && check->rejected && (check->z > 0) == up;
}

}  // namespace

TextCheck::TextCheck(Scores const& scores)
    : log_odds(log_odds_of(scores)), impossible_at_(first_impossible(scores)), exchanged_fits_(false) {
  audit = draftgauge::audit(scores, EngineLog{}, text_audit(log_odds.has_value()));
  if (odds_refute() || drifts(audit.lean, true)) exchanged_fits_ = draft_could_have_written(scores);
}

bool TextCheck::odds_refute() const { return high(log_odds, audit); }

bool TextCheck::refuted() const { return refute(audit, log_odds); }

std::string TextCheck::scores() const {
  std::string all;
  for (auto const* one : {&audit.lean, &audit.surprisal, &audit.top})
    if (*one && ((*one)->normal || (*one)->rejected))
      all += fmt::format("{}{} {:+.1f}", all.empty() ? "" : ", ", (*one)->name, (*one)->z);
  return all;
}

std::string TextCheck::evidence() const {
  std::string found = scores();
  if (!found.empty()) found = "z: " + found;
  if (odds_refute()) found += fmt::format("{}odds for the draft e^{:.1f}", found.empty() ? "" : ", ", *log_odds);
  return found;
}

std::string TextCheck::words() const {
  if (audit.impossible == 1)
    return fmt::format(
        "One token of the text has probability 0 under p ({}): the target did not write it at these laws.",
        impossible_at_);
  if (audit.impossible > 0)
    return fmt::format(
        "{} tokens of the text have probability 0 under p (the first: {}): the target did not write it at these "
        "laws.",
        audit.impossible, impossible_at_);
  std::string const found = evidence();
  if (found.empty()) return {};
  if (!refuted()) return fmt::format("Nothing speaks against the target having written the text ({}).", found);
  return fmt::format(
      "This is not a text that the target would write at these laws ({}; false alarm {:g}), and tokens per round "
      "along it are not the target's.",
      found, text_alarm);
}

std::string TextCheck::cause() const {
  if (!refuted()) return {};
  if (exchanged_fits_)
    return "With the two models exchanged nothing speaks against it: are log p and log q, or the two files, the "
           "wrong way round, or did the draft write the text?";
  if (audit.impossible > 0)
    return "Was it written at another temperature, under a wider truncation, or by another model?";
  if (drifts(audit.surprisal, false) || drifts(audit.top, true))
    return "Its tokens are likelier than p has it: was it written at a lower temperature, or under a truncation?";
  if (drifts(audit.surprisal, true) || drifts(audit.top, false))
    return "Its tokens are less likely than p has it: was it written at a higher temperature, or by another model?";
  return "Was it written by another model, or at another temperature or truncation?";
}

}  // namespace draftgauge
