#include "analysis/texts/eq1_estimate.h"
#include "analysis/texts/text_estimates.h"

namespace draftgauge {
namespace {

constexpr EstimatorCard iid_card{
    .name = "iid",
    .heading = "Eq. (1)",
    .summary = "the papers' Eq. (1) at the α that was measured, acceptances independent of each other",
    .of_token_rule = true,
    .why_not = [](TextEstimates const& of) -> std::string {
      if (of.alpha()) return "";
      return of.alpha_bounds() ? "has only bounds of beta" : "needs beta, or " + of.why_no_a().substr(sizeof "needs");
    },
    .tokens =
        [](TextEstimates const& of) {
          std::vector<std::optional<TextEstimate>> all;
          for (int const gamma : of.options().gammas)
            all.push_back(through_eq1(*of.alpha(), gamma, of.options().bonus));
          return all;
        }};

}  // namespace

constinit Estimator const Estimator::iid{&iid_card};

}  // namespace draftgauge
