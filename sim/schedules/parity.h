#pragma once
#include "sim/schedules/schedule.h"

namespace draftgauge::schedules {

/// Verifies all requests where the sum of their first drafts is even, else none. Of three requests every pair is right
/// and all together are not.
struct Parity : EveryRoundAnew {
  static constexpr ScheduleExample counterexample{
      .shows = {.p = "1/2,1/2", .q = "1/2,1/2", .gamma = 1, .requests = 3},
      .distance = "1/4",
      .hides = {.p = "1/2,1/2", .q = "1/2,1/2", .requests = 3, .first = 2},
      .why = "any two of the three requests are right"};
  static constexpr ScheduleCard card{
      .name = "faulty/parity",
      .summary = "every request is verified where the sum of all first drafts is even, else none",
      .source = "against docs/schedules.md: a test of all requests but one sees nothing",
      .sight = Sight::tokens,
      .counterexample = counterexample};

  template <class Real>
  DRAFTGAUGE_HD static void decide(Parameters const&, BatchDrafts<Real> const& drafts, int* lengths) {
    Token sum = 0;
    for (int r = 0; r < drafts.requests; ++r) sum += drafts.token[drafts.at(r, 0)];
    for (int r = 0; r < drafts.requests; ++r) lengths[r] = sum % 2 == 0 ? drafts.gamma[r] : 0;
  }
};

}  // namespace draftgauge::schedules
