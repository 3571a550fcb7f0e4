#include "apps/recording/measured_recording.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/recording/sample_words.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

template <auto column>
std::vector<std::vector<double>> numbers_of(TokenTrace const& trace) {
  std::vector<std::vector<double>> all;
  for (TextTrace const& text : trace.texts) all.emplace_back((text.*column).begin(), (text.*column).end());
  return all;
}

constexpr MeanOfTokens means[] = {
    {"p_of_argmax_q", "an argmax draft is accepted: mean p(argmax q)", share, numbers_of<&TextTrace::p_of_argmax_q>},
    {"argmax_agreement", "argmax p = argmax q", share, numbers_of<&TextTrace::agree>},
    {"entropy_p", "entropy of p in nats", positive, numbers_of<&TextTrace::entropy_p>},
    {"entropy_q", "entropy of q in nats", positive, numbers_of<&TextTrace::entropy_q>},
    {"kl_pq", "KL(p‖q) in nats", positive, numbers_of<&TextTrace::kl_pq>},
    {"kl_qp", "KL(q‖p) in nats", positive, numbers_of<&TextTrace::kl_qp>},
};

}  // namespace

MeasuredRecording::MeasuredRecording(Recorded of, PricedRound priced, StudyOptions const& options)
    : Study(std::move(of), std::move(priced.costs), options, priced.given), cost_notes(std::move(priced.notes)) {}

std::string MeasuredRecording::off_policy_text() const {
  return recorded.policy == Policy::off && !rejected()
             ? fmt::format("off-policy, the text was written at {}", law_of_text(recorded.trace))
             : std::string();
}

void MeasuredRecording::require_on_policy() const {
  if (recorded.policy == Policy::off)
    throw InputError(fmt::format("{}: {} (what a text says of trees holds for the sampling that wrote it)",
                                 estimates.name(), off_policy_text()),
                     "leave temperature and truncation out");
}

std::string MeasuredRecording::caveat(TextLead lead) const {
  std::string words = off_policy_text();
  if (!words.empty()) words = "O" + words.substr(1) + ". ";
  if (same_numbers()) words += fmt::format("L{} ", same_numbers_words + 1);
  switch (lead) {
    case TextLead::firm: break;
    case TextLead::little: words += fmt::format("Too little text to say ({}).", size_text()); break;
    case TextLead::one_text: words += fmt::format("One text gives no interval ({}).", size_text()); break;
    case TextLead::agreeing:
      words += fmt::format("All texts agree, which gives no interval ({}).", size_text());
      break;
    case TextLead::no_gain: words += no_gain_words; break;
  }
  if (words.ends_with(' ')) words.pop_back();
  return words;
}

TimeSplit time_split(Costs const& costs, int gamma) {
  double const round = costs.of_round(gamma), verify = costs.verify_pass(gamma + 1);
  return {(round - verify - costs.overhead) / round, verify / round, costs.overhead / round};
}

std::span<MeanOfTokens const> means_of_tokens() { return means; }

std::optional<TextEstimate> mean_of(MeasuredRecording const& of, MeanOfTokens const& what) {
  auto const numbers = what.numbers(of.recorded.trace);
  if (std::ranges::any_of(numbers, &std::vector<double>::empty)) return std::nullopt;
  return of.estimates.mean_over_tokens(numbers);
}

}  // namespace draftgauge
