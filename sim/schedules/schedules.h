#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/draft/call.h"
#include "sim/schedules/list.h"
#include "sim/schedules/schedule.h"

namespace draftgauge {

/// One of the list and what it is called with.
struct ScheduleCall {
  int index = 0;
  ScheduleValues values = {};

  friend bool operator==(ScheduleCall const&, ScheduleCall const&) = default;
};

/// The cards of all schedules, in the order of their list.
std::vector<ScheduleCard> const& schedule_cards();
/// What a text such as "top:slots=8" or "by-batch:1=5,8=3" calls. Throws UsageError.
ScheduleCall schedule_call(std::string_view text);
ScheduleCard const& schedule_card(ScheduleCall const& call);
/// What a schedule looks at, in a word: "past", "sequential", "estimates", "tokens".
std::string_view word(Sight sight);
/// What follows for a rule that is lossless, in words.
std::string_view meaning(Sight sight);
/// The same call in one spelling, every parameter written out.
std::string schedule_text(ScheduleCall const& call);

/// One of the list, chosen at run time.
class AnySchedule {
 public:
  AnySchedule() = default;
  explicit AnySchedule(ScheduleCall const& call) : call_(call) {}

  template <class Real>
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD void begin(BatchDrafts<Real> const& drafts, Real* memory) const {
    with([&]<class One>(ScheduleValues const& values, One) { One::begin(values, drafts, memory); }, Schedules{});
  }
  template <class Real>
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD void decide(BatchDrafts<Real> const& drafts, Real const* memory,
                                              int* lengths) const {
    with([&]<class One>(ScheduleValues const& values, One) { decide_lengths<One>(values, drafts, memory, lengths); },
         Schedules{});
  }
  template <class Real>
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD void after(BatchDrafts<Real> const& drafts, int const* lengths, int const* accepted,
                                             Real* memory) const {
    with([&]<class One>(ScheduleValues const& values, One) { One::after(values, drafts, lengths, accepted, memory); },
         Schedules{});
  }

  template <class Real>
  void joined(BatchDrafts<Real> const& drafts, int request, Real* memory) const {
    with([&]<class One>(ScheduleValues const& values, One) { One::joined(values, drafts, request, memory); },
         Schedules{});
  }
  template <class Real>
  void moved(int from, int to, Real* memory) const {
    with([&]<class One>(ScheduleValues const&, One) { One::moved(from, to, memory); }, Schedules{});
  }

 private:
  template <class F, class... All>
  DRAFTGAUGE_HD void with(F const& f, TypeList<All...>) const {
    int i = 0;
    ((i++ == call_.index ? f(call_.values, All{}) : void()), ...);
  }

  ScheduleCall call_;
};

}  // namespace draftgauge
