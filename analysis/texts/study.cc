#include "analysis/texts/study.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/stats/counted.h"
#include "analysis/texts/one_text.h"

namespace draftgauge {
namespace {

TextCheck check(Recorded const& recorded) {
  if (recorded.as_written) return *recorded.as_written;
  if (!recorded.rows || !recorded.target) return check_text(recorded.trace);
  return check_text(recorded.trace, {recorded.rows, *recorded.target, *recorded.draft});
}

}  // namespace

Study::Study(Recorded of, Costs priced, StudyOptions const& options, bool priced_by_asker)
    : recorded(std::move(of)),
      costs(std::move(priced)),
      costs_given(priced_by_asker),
      estimates(recorded.trace, options.estimates),
      parts(parts_of_one_text(recorded.trace, options.estimates)),
      dependence(draftgauge::dependence(estimates)),
      main(options.main),
      text_check(check(recorded)),
      text_standing(draftgauge::text_standing(text_check, recorded.as_written ? Policy::on : recorded.policy,
                                              recorded.rows != nullptr)) {
  // A text of another distribution was drawn with other chances than a: of it β alone is an estimate, where it is
  // known.
  if (recorded.policy == Policy::off && !options.main_given && main.card->of_token_rule && knows(Estimator::iid))
    main = Estimator::iid;
  // Whatever the recording says of itself.
  if (rejected()) recorded.policy = Policy::off;
  if (main.card->of_token_rule)
    for (Estimator const other : {Estimator::replay, Estimator::survival, Estimator::iid})
      if (!knows(main)) main = other;
  if (knows(main)) best = text_best_gamma(estimates, main, costs);
  if (parts)
    for (Estimator const estimator : estimators())
      for (int const gamma : estimates.options().gammas) {
        TextEstimate const* const whole = estimates.tokens_per_round(estimator, gamma);
        TextEstimate const* const cut = parts->tokens_per_round(estimator, gamma);
        if (whole && cut)
          with_errors_of_parts_.insert_or_assign({estimator, gamma}, with_errors_of(*cut, whole->value));
      }
  if (!best || !costs_given) return;
  std::vector<TextSpeedup> speedups;
  for (int const gamma : gammas())
    if (auto at = speedup_at(gamma)) speedups.push_back(std::move(*at));
  gamma_set = text_gamma_set(speedups, options.confidence, options.estimates.seed);
}

std::optional<TextEstimate> Study::alpha() const {
  auto const& whole = estimates.alpha();
  return whole && parts && parts->alpha() ? with_errors_of(*parts->alpha(), whole->value) : whole;
}

TextEstimate const* Study::tokens_per_round(Estimator estimator, int gamma) const {
  if (!knows(estimator)) return nullptr;
  auto const found = with_errors_of_parts_.find({estimator, gamma});
  return found != with_errors_of_parts_.end() ? &found->second : estimates.tokens_per_round(estimator, gamma);
}

std::optional<TextSpeedup> Study::speedup_at(int gamma) const {
  TextEstimate const* const tokens = tokens_per_round(main, gamma);
  if (!tokens) return std::nullopt;
  return text_speedup(*tokens, gamma, costs, estimates.options().bonus);
}

std::optional<TextSpeedup> Study::claimed_at(int gamma) const {
  return best_at_costs() ? speedup_at(gamma) : std::nullopt;
}

std::vector<int> Study::gammas() const {
  std::vector<int> growing = estimates.options().gammas;
  std::ranges::sort(growing);
  return growing;
}

int Study::longest_priced() const {
  int longest = 0;
  for (int const gamma : estimates.options().gammas)
    if (speedup_at(gamma)) longest = std::max(longest, gamma);
  return longest;
}

bool Study::too_little() const {
  return estimates.texts() < 2 && !estimates.has_room(std::ranges::min(estimates.options().gammas));
}

TextLead Study::lead(double confidence) const {
  return text_lead(estimates, parts.has_value(), best ? claimed_at(best->gamma) : std::nullopt, confidence);
}

bool Study::same_numbers() const {
  return std::ranges::all_of(recorded.trace.texts, [](TextTrace const& text) {
    return !text.log_p.empty() && text.log_p == text.log_q &&
           std::ranges::any_of(text.log_p, [](double x) { return x != 0; });
  });
}

std::string Study::size_text() const {
  return counted(estimates.tokens(), has_tokens() ? "token" : "position") + " in " +
         counted(estimates.texts(), "text");
}

std::string Study::why_not(Estimator estimator) const {
  if (too_little())
    return fmt::format("has too little text, {}, where no round fits in that was asked for", size_text());
  if (estimator.card->drafts_argmax && recorded.policy == Policy::off)
    return "needs a text of these distributions, which its hits are of";
  return estimates.why_not(estimator);
}

}  // namespace draftgauge
