#include "apps/text_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace draftgauge {
namespace {

std::optional<double> ratio_z_of(Scores const& scores) {
  constexpr double most = 10;  // keeps the steps bounded, so that z is close to a normal variable
  double sum = 0, squares = 0;
  for (TextScores const& text : scores.texts)
    for (std::size_t t = 0; t < text.log_p.size(); ++t) {
      if (!std::isfinite(text.log_p[t])) continue;
      double const step = std::min(std::exp(text.log_q[t] - text.log_p[t]), most) - 1;
      sum += step;
      squares += step * step;
    }
  return squares > 0 ? std::optional(sum / std::sqrt(squares)) : std::nullopt;
}

}  // namespace

TextCheck::TextCheck(Scores const& scores)
    : audit(draftgauge::audit(scores, EngineLog{}, {.false_alarm = text_alarm})), ratio_z(ratio_z_of(scores)) {}

bool TextCheck::refuted() const { return audit.verdict == Verdict::fails || (ratio_z && *ratio_z > ratio_alarm); }

std::string TextCheck::scores() const {
  std::string all;
  auto const add = [&](std::string_view what, double z) {
    all += fmt::format("{}{} {:+.1f}", all.empty() ? "" : ", ", what, z);
  };
  for (auto const* one : {&audit.lean, &audit.surprisal, &audit.top})
    if (*one && (*one)->error > 0) add((*one)->name, (*one)->z);
  if (ratio_z && *ratio_z > ratio_alarm) add("mean q/p above 1", *ratio_z);
  return all;
}

std::string TextCheck::words() const {
  if (audit.impossible > 0)
    return fmt::format("{} tokens of the text have probability 0 under p: the target did not write it at these laws.",
                       audit.impossible);
  std::string const all = scores();
  if (all.empty()) return {};
  if (!refuted()) return fmt::format("Nothing speaks against the target having written the text (z: {}).", all);
  return fmt::format(
      "This is not a text that the target would write at these laws (z: {}; false alarm {:g}): the other model wrote "
      "it, or another temperature or truncation, and tokens per round along it are not the target's.",
      all, text_alarm);
}

}  // namespace draftgauge
