#pragma once
#include <string_view>

#include "sim/drafters/top.h"

namespace draftgauge::rules {

/// The replay (sim/task/record.h) of rules that keep a draft of argmax q exactly where it is the token that they emit.
struct KeptWhereHit {
  static constexpr std::string_view name = "argmax";
  using Drafter = drafters::Top;
  bool kept(bool argmax_match) const { return argmax_match; }
};

}  // namespace draftgauge::rules
