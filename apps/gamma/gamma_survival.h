#pragma once
#include "apps/gamma/gamma_report.h"

namespace draftgauge {

/// Ways to give P(kept) by position.
inline constexpr char const* survival_options[] = {"--survival", "--cumulative-rates", "--conditional-rates",
                                                   "--rates"};

/// Ways to give what rounds accepted: counts of them by accepted drafts, refused where the numbers could be rounds as
/// well; the same, whatever they could be; and round by round.
inline constexpr char const *accepted_either = "--accepted", *accepted_histogram = "--accepted-histogram",
                            *accepted_rounds = "--accepted-rounds";
inline constexpr char const* accepted_options[] = {accepted_either, accepted_histogram, accepted_rounds};

/// The best γ by one of these. Throws UsageError and InputError.
GammaAnswer gamma_of_survival(Invocation const& args, GammaAsked const& asked);

}  // namespace draftgauge
