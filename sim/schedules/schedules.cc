#include "sim/schedules/schedules.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "sim/base/error.h"

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

constexpr int longest_step = 1000;  // as slots_parameter allows

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// "8=3" of "1=5,8=3,32=1".
BatchStep step_in(std::string_view entry, std::string_view text) {
  std::size_t const equals = entry.find('=');
  auto const from = whole_number(entry.substr(0, equals));
  auto const length = equals < entry.size() ? whole_number(entry.substr(equals + 1)) : std::nullopt;
  if (!from || !length || *from < 1 || *from > max_requests || *length < 0 || *length > longest_step)
    throw UsageError("'" + std::string(entry) + "' in '" + std::string(text) + "' is not REQUESTS=LENGTH (requests from 1 to " +
                         std::to_string(max_requests) + ", lengths up to " + std::to_string(longest_step) + ")",
                     "write as in by-batch:1=5,8=3,32=1");
  return {*from, *length};
}

ScheduleValues values_of(std::span<BatchStep const> steps) {
  ScheduleValues values;
  std::ranges::copy(steps, values.step);
  return values;
}

/// The steps behind the colon of `text`.
ScheduleValues parse_steps(std::string_view text) {
  std::vector<BatchStep> steps;
  std::string_view const list = text.substr(text.find(':') + 1);
  for (std::size_t at = 0; at <= list.size();) {
    std::size_t const end = std::min(list.find(',', at), list.size());
    BatchStep const step = step_in(list.substr(at, end - at), text);
    if (steps.empty() ? step.from != 1 : step.from <= steps.back().from)
      throw UsageError("'" + std::string(text) + "' has a step from " + std::to_string(step.from) + " requests " +
                           (steps.empty() ? "first" : "after one from " + std::to_string(steps.back().from)) +
                           " (steps begin at 1 and grow)",
                       "write as in by-batch:1=5,8=3,32=1");
    steps.push_back(step);
    at = end + 1;
  }
  if (steps.size() > max_steps)
    throw UsageError("'" + std::string(text) + "' has " + std::to_string(steps.size()) + " steps (at most " +
                         std::to_string(max_steps) + " are taken)",
                     "join some");
  return values_of(steps);
}

}  // namespace

std::string_view word(Sight sight) { return sights[static_cast<std::size_t>(sight)].word; }
std::string_view meaning(Sight sight) { return sights[static_cast<std::size_t>(sight)].meaning; }

std::vector<ScheduleCard> const& schedule_cards() {
  static std::vector<ScheduleCard> const all = cards_of_schedules(Schedules{});
  return all;
}

ScheduleCall schedule_call(std::string_view text) {
  auto const& cards = schedule_cards();
  auto const stepped = std::ranges::find(cards, text.substr(0, text.find(':')), &ScheduleCard::name);
  if (stepped == cards.end() || stepped->steps.empty()) {
    Call const call = parse_call("schedule", text, callables(cards));
    return {call.index, {call.values}};
  }
  return {static_cast<int>(stepped - cards.begin()),
          text.find(':') < text.size() ? parse_steps(text) : values_of(stepped->steps)};
}

ScheduleCard const& schedule_card(ScheduleCall const& call) { return schedule_cards()[static_cast<std::size_t>(call.index)]; }

std::string schedule_text(ScheduleCall const& call) {
  ScheduleCard const& card = schedule_card(call);
  if (card.steps.empty()) return call_text({card.name, card.parameters}, call.values);
  std::string text(card.name);
  for (BatchStep const& step : call.values.step)
    if (step.from > 0)
      text += (step.from == 1 ? ":" : ",") + std::to_string(step.from) + "=" + std::to_string(step.length);
  return text;
}

}  // namespace draftgauge
