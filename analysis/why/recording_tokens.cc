#include "analysis/why/recording_tokens.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/texts/one_text.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

RoundTokens over_texts(TextEstimate const& tokens) { return {.value = tokens.value, .over_texts = tokens}; }

/// With the errors of parts, where there is one text (analysis/texts/one_text.h).
TextEstimate with_parts(Study const& study, TextEstimate const& whole, TextEstimate Dependence::Gap::* of,
                        int gamma) {
  if (!study.parts) return whole;
  Dependence const cut = dependence(*study.parts, 1);
  auto const gap = std::ranges::find(cut.gaps, gamma, &Dependence::Gap::gamma);
  return gap == cut.gaps.end() ? whole : with_errors_of((*gap).*of, whole.value);
}

}  // namespace

WaterfallInput recording_tokens(Study const& study, std::int64_t gamma, Known<Estimator> const& engine) {
  std::string const& name = study.estimates.name();
  auto const at = static_cast<int>(gamma);
  if (study.rejected())
    throw InputError(fmt::format("{}: its text is rejected (the target did not write it at what the recording says, "
                                 "so that nothing of its rounds is known)",
                                 name),
                     "draftgauge measure says why");
  WaterfallInput input{.gamma = gamma, .bonus = study.estimates.options().bonus};
  TextEstimate const* const independent = study.tokens_per_round(Estimator::iid, at);
  if (!independent)
    throw InputError(fmt::format("{}: α is not known ({})", name, study.why_not(Estimator::iid)),
                     "record log p and log q of each token, or full rows");
  input.independent = {over_texts(*independent), fmt::format("{}: α = {:.4f}", name, study.alpha()->value)};
  TextEstimate const* const replay = study.tokens_per_round(Estimator::replay, at);
  if (study.recorded.policy == Policy::off || !replay) {
    std::string const why = study.recorded.policy == Policy::off ? "the text is of another distribution"
                                                                 : study.why_not(Estimator::replay);
    for (auto* each : {&input.dependent, &input.ended, &input.engine}) each->from = fmt::format("{}: {}", name, why);
    return input;
  }
  auto const& gaps = study.dependence.gaps;
  if (auto const gap = std::ranges::find(gaps, at, &Dependence::Gap::gamma); gap != gaps.end()) {
    TextEstimate const ends = with_parts(study, gap->ends, &Dependence::Gap::ends, at);
    input.dependent = {over_texts(*replay + ends), name + ": replay less Eq. (1)"};
    input.ended = {over_texts(*replay), name + ": lengths of texts"};
  } else {
    input.dependent = {over_texts(*replay), name + ": replay less Eq. (1), with the ends"};
    input.ended.from = name + ": no text is as long as a round";
  }
  if (!engine.value)
    input.engine.from = engine.from;
  else if (TextEstimate const* const rounds = study.tokens_per_round(*engine.value, at))
    input.engine = {over_texts(*rounds), fmt::format("{}: {}", name, engine.value->card->name)};
  else
    input.engine.from = fmt::format("{}: {}", name, study.why_not(*engine.value));
  return input;
}

}  // namespace draftgauge
