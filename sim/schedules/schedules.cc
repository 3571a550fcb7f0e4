#include "sim/schedules/schedules.h"

namespace draftgauge {
namespace {

template <class... All>
std::vector<ScheduleCard> cards_of_schedules(TypeList<All...>) {
  return {All::card...};
}

}  // namespace

std::vector<ScheduleCard> const& schedule_cards() {
  static std::vector<ScheduleCard> const all = cards_of_schedules(Schedules{});
  return all;
}

Call schedule_call(std::string_view text) { return parse_call("schedule", text, callables(schedule_cards())); }

ScheduleCard const& schedule_card(Call const& call) { return schedule_cards()[static_cast<std::size_t>(call.index)]; }

std::string schedule_text(Call const& call) {
  ScheduleCard const& card = schedule_card(call);
  return call_text({card.name, card.parameters}, call.values);
}

}  // namespace draftgauge
