#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "analysis/texts/estimator.h"
#include "apps/cli/invocation.h"

namespace draftgauge {

/// --estimator NAME; `summary` comes before the names. coins: whether those that toss coins are offered.
Option estimator_option(std::string_view summary, bool coins);

/// "iid is the papers' Eq. (1) at …; survival is …", of all.
std::string estimators_words();

/// What it says; none where it is not given.
std::optional<Estimator> estimator_from(Invocation const& args);

}  // namespace draftgauge
