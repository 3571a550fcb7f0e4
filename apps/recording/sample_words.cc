#include "apps/recording/sample_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/report/recording.h"

namespace draftgauge {
std::string one_text_text(MeasuredRecording const& of) { return one_text_text(of.parts ? of.parts->texts() : 1); }

std::string one_text_text(std::size_t parts) {
  if (parts < 2) return "Intervals: inconclusive, since one text alone gives none.";
  return fmt::format(
      "One text: intervals are over its {} parts, and hold for more text of this kind if it goes on as it began. "
      "They say nothing of other texts.",
      parts);
}

std::string few_texts_text(std::size_t texts) {
  return fmt::format(
      "a kind of text that is one in ten is missing from {} texts with probability {:.0f} %, and no interval knows "
      "of it.",
      texts, 100 * std::pow(.9, static_cast<double>(texts)));
}

std::string dominating_text(MeasuredRecording const& of) {
  constexpr std::size_t fewest = 5;
  constexpr double most = 1. / 3;
  TextSample const& sample = *of.estimates.sample();
  auto const longest = std::ranges::max_element(sample.lengths());
  auto const text = static_cast<std::size_t>(longest - sample.lengths().begin());
  if (sample.size() < fewest || sample.leverage(text) <= most) return {};
  return fmt::format("Text {} holds {} of the tokens: intervals are as wide as those of {:.0f} texts of one length.",
                     text_name(of, text), share_text(sample.leverage(text)), sample.degrees() + 1);
}

std::string led(std::string const& caveat, std::string const& answer, std::string_view how) {
  return caveat.empty() ? answer : fmt::format("{} {}: {}", caveat, how, answer);
}

std::string influence_text(MeasuredRecording const& of) {
  auto const pull = influence_of(of);
  if (!pull || of.rejected()) return {};
  double const alpha = of.estimates.alpha()->value;
  if (!pull->outlier)
    return fmt::format("Without text {}, which moves it most, α would be {:.4f}.", pull->text,
                       pull->alpha_without);
  return fmt::format(
      "Text {} is unlike the others (Grubbs' test at 1 %): without it α would be {:.4f}, not {:.4f}. Where such "
      "texts are rare, intervals of {} texts cover less than they say.",
      pull->text, pull->alpha_without, alpha, of.estimates.texts());
}

}  // namespace draftgauge
