#include "analysis/audit/text_check_words.h"

#include <fmt/format.h>

#include "sim/base/lists.h"

namespace draftgauge {
namespace {

using Kind = TextCause::Kind;

std::string evidence(TextCheck const& check) {
  std::string found = z_text(check);
  if (!found.empty()) found = "z: " + found;
  auto const add = [&](std::optional<double> const& log_odds, std::string_view what) {
    if (check.rejected_by(log_odds))
      found += fmt::format("{}odds for {} e^{:.1f}", found.empty() ? "" : ", ", what, *log_odds);
  };
  add(check.draft_odds, "the draft");
  add(check.uniform_odds, "tokens at random");
  if (check.row_odds) add(check.row_odds->log_odds, "another temperature or a truncation");
  return found;
}

bool drifts(std::optional<MartingaleCheck> const& check, bool up) {
  return check && check->rejected && (check->z > 0) == up;
}

std::string cut_text(SamplingParameters const& sampling) {
  if (sampling.top_k > 0) return fmt::format("top-k {}", sampling.top_k);
  if (sampling.top_p < 1) return fmt::format("top-p {:g}", sampling.top_p);
  return fmt::format("min-p {:g}", sampling.min_p);
}

std::string one_cause(TextCause const& cause, bool rows) {
  switch (cause.kind) {
    case Kind::exchanged:
      return fmt::format(
          "With the two models exchanged nothing speaks against it: are {}, or the two files, the wrong way round, "
          "or did the draft write the text?",
          rows ? "the rows of p and q" : "log p and log q");
    case Kind::row_ahead:
      return "With the tokens moved one row up nothing speaks against it: row i must be the distribution of token i, "
             "and here it is that of token i + 1. Give `shift` one more than it is (0 of `tokens`, 1 of `input_ids` "
             "and `labels`).";
    case Kind::row_behind:
      return "With the tokens moved one row down nothing speaks against it: row i must be the distribution of token "
             "i, and here it is that of token i - 1. Give `shift` one less than it is; where it is 0, leave out the "
             "first row and the last token of each text.";
    case Kind::column_late:
    case Kind::column_early:
      return fmt::format(
          "log p goes with log q of the row {} (correlation {:.2f}, and {:.2f} with its own): are the two columns "
          "one token apart?",
          cause.kind == Kind::column_late ? "below" : "above", cause.correlation, cause.correlation_before);
    case Kind::temperature:
      if (!cause.fitted) return "At T = 0 nothing speaks against it: was it written greedily?";
      return fmt::format("At T = {:.3g} ± {:.1g} nothing speaks against it: was it written at that temperature?",
                         cause.fitted->temperature, cause.fitted->radius());
    case Kind::truncation:
      return fmt::format("Under {} nothing speaks against it: was it drawn from a truncated distribution?",
                         cut_text(cause.sampling));
  }
  return {};
}

}  // namespace

std::string z_text(TextCheck const& check) {
  std::string all;
  for (auto const& [what, one] :
       {std::pair("draft bias", &check.audit.draft_bias), std::pair("likelihood", &check.audit.likelihood),
        std::pair("top", &check.audit.top)})
    if (*one && ((*one)->normal || (*one)->rejected))
      all += fmt::format("{}{} {:+.1f}", all.empty() ? "" : ", ", what, (*one)->z);
  return all;
}

std::string unseen_text(TextCheck const& check) {
  if (check.rejected() || !check.draft_odds || check.sees_temperature()) return {};
  return fmt::format("{} at which temperature the text was written.",
                     check.audit.draft_bias ? "Without entropies of p or full rows nothing shows"
                                            : "Two columns, log p and log q, cannot show");
}

std::string finding_text(TextCheck const& check) {
  std::string const there = check.law.empty() ? "at these distributions" : "at " + check.law;
  if (check.audit.impossible == 1)
    return fmt::format("One token of the text has probability 0 under p ({}): the target did not write it {}.",
                       check.impossible_at, there);
  if (check.audit.impossible > 0)
    return fmt::format(
        "{} tokens of the text have probability 0 under p (the first: {}): the target did not write it {}.",
        check.audit.impossible, check.impossible_at, there);
  std::string const found = evidence(check);
  if (check.rejected())
    return fmt::format(
        "This is not a text that the target would write {} ({}; false alarm {:g}), and tokens per round along it are "
        "not the target's.",
        there, found, text_alarm);
  if (!check.draft_odds) return {};
  std::string words;
  if (!found.empty())
    words = fmt::format("Nothing speaks against the target having written the text{} ({}).",
                        check.law.empty() ? "" : " " + there, found);
  std::string const unseen = unseen_text(check);
  return words.empty() || unseen.empty() ? words + unseen : words + " " + unseen;
}

std::string cause_text(TextCheck const& check) {
  if (!check.rejected()) return {};
  if (!check.causes.empty())
    return joined(check.causes, [&](TextCause const& cause) { return one_cause(cause, check.rows_tried); }, " ");
  if (check.rows_tried)
    return fmt::format(
        "No temperature from {:g} to {:g}, no usual truncation, no exchange of the models and no shift by one token "
        "explains it: was it written by another model, or tokenised otherwise?",
        least_temperature, greatest_temperature);
  if (check.audit.impossible > 0)
    return "Was it written at another temperature, under a wider truncation, or by another model?";
  if (check.rejected_by(check.uniform_odds))
    return "Its tokens are far less likely than any that p would draw: do the numbers stand one token off, are they "
           "of another text or tokeniser, or are they no natural logarithms of probabilities?";
  if (drifts(check.audit.likelihood, false) || drifts(check.audit.top, true))
    return "Its tokens are likelier than p has it: was it written at a lower temperature, or under a truncation?";
  if (drifts(check.audit.likelihood, true) || drifts(check.audit.top, false))
    return "Its tokens are less likely than p has it: was it written at a higher temperature, or by another model?";
  return "Was it written by another model, or at another temperature or truncation?";
}

std::string finding_with_cause(TextCheck const& check) {
  std::string const finding = finding_text(check);
  return finding.empty() || !check.rejected() ? finding : finding + " " + cause_text(check);
}

std::string rejection_text(TextCheck const& check, TextStanding standing) {
  return fmt::format(
      "{} {} {}",
      standing == TextStanding::off_policy
          ? "rejected, no draft length and no speed-up follows from it; what is known of each position, as β, holds."
          : "rejected, no figure below is to be used.",
      finding_text(check), cause_text(check));
}

}  // namespace draftgauge
