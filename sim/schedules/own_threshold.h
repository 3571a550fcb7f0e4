#pragma once
#include "sim/schedules/schedule.h"

namespace draftgauge::schedules {

/// Threshold with the product of the drafted tokens' own q for the survival.
struct OwnThreshold : EveryRoundAnew {
  static constexpr ParameterCard parameters[] = {
      share_parameter("product", "Π q below which a request's slots end", {1, 2})};
  static constexpr ScheduleExample counterexample{
      .shows = {.p = "2/3,1/3", .q = "2/3,1/3", .gamma = 1, .requests = 1},
      .distance = "2/9",
      .hides = {.p = "2/3,1/3", .q = "1/2,1/2"},
      .why = "where all tokens have the same q every draft is verified"};
  static constexpr ScheduleCard card{
      .name = "faulty/own-threshold",
      .summary = "a request's slots while the product of their tokens' q reaches a threshold",
      .source = "against docs/schedules.md: q of a token that is not yet verified decides",
      .sight = Sight::tokens,
      .parameters = parameters,
      .counterexample = counterexample};

  template <class Real>
  DRAFTGAUGE_HD static void decide(Parameters const& values, BatchDrafts<Real> const& drafts, int* lengths) {
    for (int r = 0; r < drafts.requests; ++r) {
      Real product = 1;
      for (lengths[r] = 0; lengths[r] < drafts.gamma[r]; ++lengths[r]) {
        product = product * drafts.own[drafts.at(r, lengths[r])];
        if (!reaches(product, values.value[0])) break;
      }
    }
  }
};

}  // namespace draftgauge::schedules
