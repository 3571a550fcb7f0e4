#pragma once
#include "analysis/proof/for_all.h"
#include "analysis/report/field.h"
#include "apps/cli/command.h"

namespace draftgauge {

class Invocation;

/// Where an identity was tried.
Fields<Survey> survey_fields();

/// Options of `draftgauge exact --for-all`: --for-all, --vocab, --points.
OptionGroup for_all_options();

/// Throws UsageError where an option was given that has a meaning only with --for-all.
void refuse_without_for_all(Invocation const& args);

/// `draftgauge exact --for-all`: is the rule lossless for all laws? Status failed where it is refuted, inconclusive
/// where its regions are too many to see.
Result for_all(Invocation const& args);

}  // namespace draftgauge
