#pragma once
#include "sim/draft/policy.h"

namespace draftgauge::policies {

/// Two drafts more after a round in which all were accepted, one less (but at least one) after any other.
/// The "heuristic" schedule of Hugging Face transformers' assisted generation.
struct Heuristic : EveryRoundAlike {
  static constexpr ParameterCard parameters[] = {{.name = "start",
                                                  .meaning = "drafts of the first round",
                                                  .standard = {5, 1},
                                                  .least = {1, 1},
                                                  .most = {256, 1},
                                                  .whole = true}};
  static constexpr PolicyCard card{
      .name = "heuristic",
      .summary = "2 drafts more after a round that kept all, 1 less after others; at most γ",
      .source = "Hugging Face transformers, num_assistant_tokens_schedule",
      .watches = false,
      .adapts = true,
      .parameters = parameters};

  DRAFTGAUGE_HD static int first(Parameters const& values, int gamma) {
    int const start = static_cast<int>(values.value[0].num);
    return start < gamma ? start : gamma;
  }
  DRAFTGAUGE_HD static int next(int length, int gamma, bool all) {
    if (!all) return length > 1 ? length - 1 : 1;
    return length + 2 < gamma ? length + 2 : gamma;
  }
};

}  // namespace draftgauge::policies
