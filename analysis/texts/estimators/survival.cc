#include "analysis/texts/text_estimates.h"
#include "analysis/theory/closed_form.h"

namespace draftgauge {
namespace {

constexpr EstimatorCard survival_card{
    .name = "survival",
    .heading = "survival",
    .summary = "an average over all places where a round might start",
    .of_token_rule = true,
    .why_not = [](TextEstimates const& of) { return of.why_no_a().empty() ? of.why_short(0) : of.why_no_a(); },
    .tokens =
        [](TextEstimates const& of) {
          std::vector<std::optional<TextEstimate>> all;
          for (int const gamma : of.options().gammas) {
            int const drafts = static_cast<int>(theory::longest_round(gamma, of.options().bonus)) - 1;
            TextEstimate sum = certain(1, of.sample());
            bool known = true;
            for (int i = 1; known && i <= drafts; ++i)
              if (auto const kept = of.survival(i))
                sum = sum + *kept;
              else
                known = false;
            all.push_back(known ? std::optional(std::move(sum)) : std::nullopt);
          }
          return all;
        }};

}  // namespace

constinit Estimator const Estimator::survival{&survival_card};

}  // namespace draftgauge
