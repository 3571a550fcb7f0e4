#include "sim/schedules/schedules.h"

namespace draftgauge {
namespace {

template <class... All>
std::vector<ScheduleCard> cards_of_schedules(TypeList<All...>) {
  return {All::card...};
}

struct SightWords {
  std::string_view word, meaning;
};
constexpr SightWords sights[] = {
    {"past", "lossless: it looks at past rounds alone"},
    {"sequential", "lossless: it decides on each draft before it sees the draft's token"},
    {"estimates", "lossless where pass times are convex: it looks at all estimates of the round"},
    {"tokens", "lossy with Algorithm 1: drafted tokens decide whether they are verified"},
};

}  // namespace

std::string_view word(Sight sight) { return sights[static_cast<std::size_t>(sight)].word; }
std::string_view meaning(Sight sight) { return sights[static_cast<std::size_t>(sight)].meaning; }

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
