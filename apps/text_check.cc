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

}  // namespace

TextCheck::TextCheck(Scores const& scores) : log_odds(log_odds_of(scores)) {
  audit = draftgauge::audit(scores, EngineLog{}, {.false_alarm = text_alarm, .other_checks = log_odds ? 1u : 0u});
}

bool TextCheck::odds_refute() const { return log_odds && *log_odds > -std::log(audit.false_alarm); }

bool TextCheck::refuted() const { return audit.verdict == Verdict::fails || odds_refute(); }

std::string TextCheck::scores() const {
  std::string all;
  for (auto const* one : {&audit.lean, &audit.surprisal, &audit.top})
    if (*one && ((*one)->normal || (*one)->rejected))
      all += fmt::format("{}{} {:+.1f}", all.empty() ? "" : ", ", (*one)->name, (*one)->z);
  return all;
}

std::string TextCheck::words() const {
  if (audit.impossible > 0)
    return fmt::format("{} tokens of the text have probability 0 under p: the target did not write it at these laws.",
                       audit.impossible);
  std::string found = scores();
  if (!found.empty()) found = "z: " + found;
  if (odds_refute()) found += fmt::format("{}odds for the draft e^{:.1f}", found.empty() ? "" : ", ", *log_odds);
  if (found.empty()) return {};
  if (!refuted()) return fmt::format("Nothing speaks against the target having written the text ({}).", found);
  return fmt::format(
      "This is not a text that the target would write at these laws ({}; false alarm {:g}): the other model wrote "
      "it, or another temperature or truncation, and tokens per round along it are not the target's.",
      found, text_alarm);
}

}  // namespace draftgauge
