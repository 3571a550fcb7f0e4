#include "apps/counters/two_lengths_words.h"

#include <fmt/format.h>

#include <cmath>

#include "analysis/report/field.h"

namespace draftgauge {
namespace {

using Answer = TwoLengths::Answer;

std::string between(TwoLengths::Figure const& of) {
  return of.high - of.low < 5e-4 ? fmt::format("{:.3f}", of.low) : fmt::format("{:.3f} to {:.3f}", of.low, of.high);
}

std::string answer_words(TwoLengths const& of, std::string const& longer, std::string const& shorter) {
  std::string const runs =
      fmt::format("{} drafted {} tokens a round, {} drafted {}", longer, of.of_gamma, shorter, of.gamma);
  std::string const p_text = p_value_text(of.p_value), p = p_text.starts_with('<') ? "p " + p_text : "p = " + p_text;
  switch (of.answer) {
    case Answer::explained:
      return fmt::format("{}. Rounds that start elsewhere explain the difference in acceptance ({}).", runs, p);
    case Answer::unexplained:
      return fmt::format(
          "{}. Rounds that start elsewhere do not explain the difference in acceptance ({}). The drafts or the "
          "texts differ, or drafts depend on their depth.",
          runs, p);
    case Answer::inconclusive: break;
  }
  return fmt::format(
      "{}. These runs do not show whether rounds that start elsewhere explain the difference in acceptance.",
      runs);
}

}  // namespace

std::vector<std::string> two_lengths_words(TwoLengths const& of, std::string const& longer,
                                           std::string const& shorter) {
  std::vector<std::string> words = {answer_words(of, longer, shorter)};
  std::string const first =
      of.first ? fmt::format(" and an acceptance rate of {} at the first position", between(*of.first))
               : std::string();
  words.push_back(fmt::format("At γ = {} the {} {} tokens per round{}. {} counts {:.3f}{}.", of.gamma,
                              of.by_order ? fmt::format("order of {}'s rounds allows", longer)
                                          : fmt::format("counts of {}'s rounds allow", longer),
                              between(of.tokens), first, shorter, of.tokens.counted,
                              of.first ? fmt::format(" and {:.3f}", of.first->counted) : std::string()));
  return words;
}

}  // namespace draftgauge
