#include "apps/task/schedule_options.h"

#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"

namespace draftgauge {
std::string schedule_names() {
  auto names = names_in(schedule_cards());
  std::erase_if(names, [](std::string_view name) { return name.starts_with("faulty/"); });
  return joined(names);
}

OptionGroup schedule_options(std::string const& times) {
  return {
      "Which drafts of a batch are verified",
      {{.name = "--schedule",
        .kind = Kind::text,
        .value = "NAME",
        .summary = "decides how many drafts of each request are verified: " + schedule_names() +
                   "; parameters as in top:slots=8; faulty/NAME: one that peeks (list schedules)"},
       {.name = "--requests", .kind = Kind::count, .summary = "requests of the batch", .standard = "2", .least = 1},
       {.name = "--estimates",
        .kind = Kind::text,
        .value = "WHAT",
        .summary = "a slot's chance to be accepted, as the schedule believes it: right (Σ min(p, q)), max-q, or "
                   "numbers by place such as .8,.6",
        .standard = "right"},
       {.name = "--pass-times",
        .kind = Kind::numbers,
        .summary = "time of a pass that verifies 0, 1, 2, … slots of the batch; goes on along the last step; " +
                   times + " if not given"}}};
}

void refuse_without_schedule(Invocation const& args) {
  if (args.has("--schedule")) return;
  args.refuse({"--requests", "--estimates", "--pass-times"},
              "has no meaning without --schedule (no batch is scheduled)", "add --schedule");
}

std::vector<Rational> pass_times_from(Invocation const& args, int slots, std::string const& standard) {
  std::size_t const count = static_cast<std::size_t>(slots) + 1;
  std::vector<Rational> times;
  for (Fraction const& time : parse_numbers(args.has("--pass-times") ? args.text("--pass-times") : standard)) times.emplace_back(time.num(), time.den());
  for (Rational const& time : times)
    if (time <= 0)
      throw UsageError("--pass-times has a time of 0 (each pass takes some time)", "give positive times");
  Rational const step = times.size() > 1 ? Rational(times.back() - times[times.size() - 2]) : Rational(0);
  while (times.size() < count) times.push_back(times.back() + step);
  if (times.back() <= 0)
    throw UsageError("--pass-times falls below 0 along its last step", "give a time for each number of slots");
  times.resize(count);
  return times;
}

}  // namespace draftgauge
