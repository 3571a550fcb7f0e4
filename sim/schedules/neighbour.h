#pragma once
#include "sim/schedules/schedule.h"

namespace draftgauge::schedules {

/// Verifies a request where the first draft of the next one is token 0, in a ring. No request looks at its own tokens,
/// and of two each one's own text is right; there is no order, though, in which each is decided before it is looked at.
struct Neighbour : EveryRoundAnew {
  static constexpr ScheduleExample counterexample{
      .shows = {.p = "1/2,1/2", .q = "1/2,1/2", .gamma = 1, .requests = 2},
      .distance = "1/8",
      .hides = {.p = "1/2,1/2", .q = "1/2,1/2", .requests = 2, .first = 1},
      .why = "the text of each request by itself is right"};
  static constexpr ScheduleCard card{
      .name = "faulty/neighbour",
      .summary = "a request is verified where the next one, in a ring, drafted token 0",
      .source = "against docs/schedules.md: two requests that look at each other",
      .sight = Sight::tokens,
      .counterexample = counterexample};

  template <class Real>
  DRAFTGAUGE_HD static void decide(Parameters const&, BatchDrafts<Real> const& drafts, int* lengths) {
    for (int r = 0; r < drafts.requests; ++r)
      lengths[r] = drafts.token[drafts.at((r + 1) % drafts.requests, 0)] == 0 ? drafts.gamma[r] : 0;
  }
};

}  // namespace draftgauge::schedules
