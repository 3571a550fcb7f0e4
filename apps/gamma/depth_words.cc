#include "apps/gamma/depth_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace draftgauge {
namespace {

/// "2.078 (-2.2 %)"
std::string beside(double value, double exact) {
  return fmt::format("{:.3f} ({:+.1f} %)", value, 100 * (value / exact - 1));
}

/// At the γ where the order of rounds is most off, of those that their survival curve reaches; empty where there is none.
std::string order_alone(ReplayGamma const& found) {
  auto const off = [](ReplayedRow const& row) {
    return row.truncated ? std::abs(*row.replayed / row.tokens - 1) : -1;
  };
  ReplayedRow const& worst = *std::ranges::max_element(found.replayed, {}, off);
  if (!worst.truncated) return {};
  return fmt::format(
      "At γ = {} the texts have {:.3f} tokens per round. The order of rounds at γ = {} alone gives {}, their "
      "survival "
      "curve {}.",
      worst.gamma, worst.tokens, found.ran, beside(*worst.replayed, worst.tokens),
      beside(*worst.truncated, worst.tokens));
}

}  // namespace

std::vector<std::string> depth_words(ReplayGamma const& found) {
  if (!found.depth) return {"Rounds of one draft length cannot show whether drafts depend on their depth."};
  std::vector<std::string> words = {
      "The file says at every token how many drafts a round accepts there. So tokens per round are exact for these "
      "texts."};
  if (found.depth->places == 0) return words;
  double const share = found.depth->share();
  bool const depends = share < depth_free_from;
  words.push_back(
      fmt::format("Drafts {} on their depth: a round that starts one token later accepts one draft less at {:.0f} % "
                  "of {} places.{}",
                  depends ? "depend" : "hardly depend", 100 * share, found.depth->places,
                  depends ? " A replay of rounds alone would be off." : ""));
  if (std::string alone = order_alone(found); !alone.empty()) words.push_back(std::move(alone));
  return words;
}

std::string unbounded_words(ReplayGamma const& found) {
  if (found.bounded || found.depth) return {};
  return fmt::format(
      "No draft was rejected, so nothing bounds γ here. γ = {} is the longest that ran: run a longer one.",
      found.ran);
}

std::string still_rises_text(std::int64_t longest) {
  if (longest >= most_replayed_gamma) return {};
  return fmt::format("The speedup still rises at γ = {}: try --most {}.", longest,
                     std::min<std::int64_t>(2 * longest, most_replayed_gamma));
}

std::string parts_words(ReplayGamma const& found, double confidence) {
  return fmt::format("{:g} % intervals over {} parts of one request{}. They say nothing of other texts.",
                     100 * confidence, found.parts,
                     found.requests > 1 ? ", which has more than half of the tokens, and the other requests" : "");
}

}  // namespace draftgauge
