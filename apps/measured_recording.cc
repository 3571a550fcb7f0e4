#include "apps/measured_recording.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/counted.h"

namespace draftgauge {
namespace {

constexpr int lags = 8;

template <auto column>
std::vector<std::vector<double>> numbers_of(Scores const& scores) {
  std::vector<std::vector<double>> all;
  for (TextScores const& text : scores.texts) all.emplace_back((text.*column).begin(), (text.*column).end());
  return all;
}

constexpr MeanOfTokens means[] = {
    {"p_of_argmax_q", "an argmax draft is accepted: mean p(argmax q)", share, numbers_of<&TextScores::p_of_argmax_q>},
    {"argmax_agreement", "argmax p = argmax q", share, numbers_of<&TextScores::agree>},
    {"entropy_p", "entropy of p in nats", positive, numbers_of<&TextScores::entropy_p>},
    {"entropy_q", "entropy of q in nats", positive, numbers_of<&TextScores::entropy_q>},
    {"kl_pq", "KL(p‖q) in nats", positive, numbers_of<&TextScores::kl_pq>},
    {"kl_qp", "KL(q‖p) in nats", positive, numbers_of<&TextScores::kl_qp>},
};

TextCheck check_of(Recorded const& recorded) {
  if (recorded.as_written) return *recorded.as_written;
  if (!recorded.rows || !recorded.target) return check_text(recorded.scores);
  return check_text(recorded.scores, {recorded.rows, *recorded.target, *recorded.draft});
}

}  // namespace

MeasuredRecording::MeasuredRecording(Recorded of, PricedRound priced, MeasureOptions const& options)
    : recorded(std::move(of)),
      costs(std::move(priced.costs)),
      estimates(recorded.scores, options.estimates),
      parts(parts_of_one_text(recorded.scores, options.estimates)),
      dependence(draftgauge::dependence(estimates, lags)),
      main(options.main),
      text_check(check_of(recorded)),
      text_standing(draftgauge::text_standing(text_check, recorded.as_written ? Policy::on : recorded.policy,
                                              recorded.rows != nullptr)),
      cost_notes(std::move(priced.notes)),
      costs_given(priced.given) {
  // A text of other laws was drawn with other chances than a: of it β alone is an estimate, where it is known.
  if (recorded.policy == Policy::off && !options.main_given && of_token_rule(main) && knows(Estimator::iid))
    main = Estimator::iid;
  // Whatever the recording says of itself.
  if (rejected()) recorded.policy = Policy::off;
  if (of_token_rule(main))
    for (Estimator const other : {Estimator::replay, Estimator::survival, Estimator::iid})
      if (!knows(main)) main = other;
  if (knows(main)) best = text_best_gamma(estimates, main, costs);
  if (parts)
    for (Estimator const estimator : estimators)
      for (int const gamma : estimates.options().gammas) {
        TextEstimate const* const whole = estimates.tokens_per_round(estimator, gamma);
        TextEstimate const* const cut = parts->tokens_per_round(estimator, gamma);
        if (whole && cut)
          with_errors_of_parts_.insert_or_assign({estimator, gamma}, with_errors_of(*cut, whole->value));
      }
  if (!best || !costs_given) return;
  std::vector<TextSpeedup> speedups;
  std::vector<int> gammas = estimates.options().gammas;
  std::ranges::sort(gammas);
  for (int const gamma : gammas)
    if (auto at = speedup_at(gamma)) speedups.push_back(std::move(*at));
  gamma_set = text_gamma_set(speedups, options.confidence, options.estimates.seed);
}

std::optional<TextEstimate> MeasuredRecording::alpha() const {
  auto const& whole = estimates.alpha();
  return whole && parts && parts->alpha() ? with_errors_of(*parts->alpha(), whole->value) : whole;
}

TextEstimate const* MeasuredRecording::tokens_per_round(Estimator estimator, int gamma) const {
  if (!knows(estimator)) return nullptr;
  auto const found = with_errors_of_parts_.find({estimator, gamma});
  return found != with_errors_of_parts_.end() ? &found->second : estimates.tokens_per_round(estimator, gamma);
}

std::optional<TextSpeedup> MeasuredRecording::speedup_at(int gamma) const {
  TextEstimate const* const tokens = tokens_per_round(main, gamma);
  if (!tokens) return std::nullopt;
  return text_speedup(*tokens, gamma, costs, estimates.options().bonus);
}

int MeasuredRecording::longest_priced() const {
  int longest = 0;
  for (int const gamma : estimates.options().gammas)
    if (speedup_at(gamma)) longest = std::max(longest, gamma);
  return longest;
}

bool MeasuredRecording::too_little() const {
  return estimates.texts() < 2 && !estimates.has_room(std::ranges::min(estimates.options().gammas));
}

TextLead MeasuredRecording::lead(double confidence) const {
  return text_lead(estimates, parts.has_value(), best_at_costs() ? speedup_at(best->gamma) : std::nullopt,
                   confidence);
}

std::string MeasuredRecording::off_policy_words() const {
  return recorded.policy == Policy::off && !rejected()
             ? fmt::format("off-policy, the text was written at {}", law_of_text(recorded.scores))
             : std::string();
}

std::string MeasuredRecording::caveat(TextLead lead) const {
  std::string words = off_policy_words();
  if (!words.empty()) words = "O" + words.substr(1) + ". ";
  if (same_numbers()) words += fmt::format("L{} ", same_numbers_words + 1);
  switch (lead) {
    case TextLead::firm: break;
    case TextLead::little: words += fmt::format("Too little text to say ({}).", size_words()); break;
    case TextLead::one_text: words += fmt::format("One text gives no interval ({}).", size_words()); break;
    case TextLead::agreeing:
      words += fmt::format("All texts agree, which gives no interval ({}).", size_words());
      break;
    case TextLead::no_gain: words += "No gain is shown: the interval of the speed-up reaches 1 or less."; break;
  }
  if (words.ends_with(' ')) words.pop_back();
  return words;
}

bool MeasuredRecording::same_numbers() const {
  return std::ranges::all_of(recorded.scores.texts, [](TextScores const& text) {
    return !text.log_p.empty() && text.log_p == text.log_q &&
           std::ranges::any_of(text.log_p, [](double x) { return x != 0; });
  });
}

std::string MeasuredRecording::size_words() const {
  return counted(estimates.tokens(), has_tokens() ? "token" : "position") + " in " +
         counted(estimates.texts(), "text");
}

std::string MeasuredRecording::why_not(Estimator estimator) const {
  if (too_little())
    return fmt::format("has too little text, {}, where no round fits in that was asked for", size_words());
  if (estimator == Estimator::replay_argmax && recorded.policy == Policy::off)
    return "needs a text of these laws, which its hits are of";
  return estimates.why_not(estimator);
}

std::string MeasuredRecording::dependence_words(double confidence) const {
  return dependence.gaps.empty() ? std::string()
                                 : dependence_sentence(dependence, dependence.gaps.back().gamma, confidence);
}

TimeSplit time_split(Costs const& costs, int gamma) {
  double const round = costs.of_round(gamma), verify = costs.verify_pass(gamma + 1);
  return {(round - verify - costs.overhead) / round, verify / round, costs.overhead / round};
}

std::span<MeanOfTokens const> means_of_tokens() { return means; }

std::optional<TextEstimate> mean_of(MeasuredRecording const& of, MeanOfTokens const& what) {
  auto const numbers = what.numbers(of.recorded.scores);
  if (std::ranges::any_of(numbers, &std::vector<double>::empty)) return std::nullopt;
  return of.estimates.mean_over_tokens(numbers);
}

}  // namespace draftgauge
