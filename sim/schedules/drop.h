#pragma once
#include "sim/schedules/schedule.h"

namespace draftgauge::schedules {

/// Ends a request's slots before the first token that its own draft model gave little. To keep that token and stop
/// behind it would be lossless.
struct Drop : EveryRoundAnew {
  static constexpr ParameterCard parameters[] = {
      share_parameter("q", "the probability below which a token is dropped", {1, 2})};
  static constexpr ScheduleExample counterexample{
      .shows = {.p = "2/3,1/3", .q = "2/3,1/3", .gamma = 1, .requests = 1},
      .distance = "2/9",
      .hides = {.p = "2/3,1/3", .q = "1/2,1/2"},
      .why = "where all tokens have the same q none is dropped"};
  static constexpr ScheduleCard card{.name = "faulty/drop",
                                     .summary = "a request's slots before the first token with q below a threshold",
                                     .source = "against docs/schedules.md: the token decides whether it is verified",
                                     .sight = Sight::tokens,
                                     .parameters = parameters,
                                     .counterexample = counterexample};

  template <class Real>
  DRAFTGAUGE_HD static void decide(Parameters const& values, BatchDrafts<Real> const& drafts, int* lengths) {
    for (int r = 0; r < drafts.requests; ++r) {
      lengths[r] = 0;
      while (lengths[r] < drafts.gamma[r] && reaches(drafts.own[drafts.at(r, lengths[r])], values.value[0]))
        ++lengths[r];
    }
  }
};

}  // namespace draftgauge::schedules
