#pragma once
#include "sim/schedules/schedule_card.h"
#include "sim/schedules/slots.h"

namespace draftgauge {

/// The parts of a schedule that most have in common. A schedule is a class of static functions:
///   begin(values, drafts, memory)                     before the first round; memory holds a number a request
///   next(values, slots, memory)                       the request whose next slot is verified, too; −1: no more
///   decide(values, drafts, lengths)                   in place of next(), of those that look at the round as a whole
///   after(values, drafts, lengths, accepted, memory)  when the round is verified
///   joined(values, drafts, request, memory)           one more request, the last
///   moved(from, to, memory)                           a request takes the place of one that is done
/// `next` is all that a sequential schedule has, and OpenSlots shows it no slot's own token: whether a slot is verified
/// then depends on what was admitted before it alone, in one order for the whole batch.
struct EveryRoundAnew {
  template <class Real>
  DRAFTGAUGE_HD static void begin(Parameters const&, BatchDrafts<Real> const&, Real*) {}
  template <class Real>
  DRAFTGAUGE_HD static void after(Parameters const&, BatchDrafts<Real> const&, int const*, int const*, Real*) {}
  template <class Real>
  DRAFTGAUGE_HD static void joined(Parameters const&, BatchDrafts<Real> const&, int, Real*) {}
  template <class Real>
  DRAFTGAUGE_HD static void moved(int, int, Real*) {}
};

template <class Schedule>
concept Sequential = Schedule::card.sight == Sight::sequential || Schedule::card.sight == Sight::past;

/// How many slots of each request are verified.
template <class Schedule, class Real>
DRAFTGAUGE_HD void decide_lengths(ScheduleValues const& values, BatchDrafts<Real> const& drafts, Real const* memory,
                                  int* lengths) {
  if constexpr (Sequential<Schedule>) {
    OpenSlots<Real> slots(drafts, lengths);
    for (int r = Schedule::next(values, slots, memory); r >= 0; r = Schedule::next(values, slots, memory))
      slots.admit(r);
  } else {
    Schedule::decide(values, drafts, lengths);
  }
}

/// A parameter that counts slots.
constexpr ParameterCard slots_parameter(std::string_view name, std::string_view meaning, std::uint32_t standard) {
  return {
      .name = name, .meaning = meaning, .standard = {standard, 1}, .least = {0, 1}, .most = {1000, 1}, .whole = true};
}
constexpr ParameterCard share_parameter(std::string_view name, std::string_view meaning, Ratio standard) {
  return {.name = name, .meaning = meaning, .standard = standard, .least = {0, 1}, .most = {1, 1}};
}
DRAFTGAUGE_HD inline int whole(Ratio const& value) { return static_cast<int>(value.num); }

/// Whether `part` is at least that share of 1.
template <class Real>
DRAFTGAUGE_HD bool reaches(Real const& part, Ratio const& share) {
  return !below(Real(part * Real(share.den)), Real(share.num));
}

}  // namespace draftgauge
