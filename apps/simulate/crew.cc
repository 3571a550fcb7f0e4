#include "apps/simulate/crew.h"

#include <chrono>

namespace draftgauge {
namespace {

using Clock = std::chrono::steady_clock;

class CrewHere : public Crew {
 public:
  CrewHere(Simulation const& simulation, Backend const& backend, int threads)
      : engine_(simulation, backend, threads) {}

  std::optional<InputError> play(Range range, Watch const& watch, KeepParts const& keep) override {
    std::uint64_t before = 0;
    for (bool goes_on = true; goes_on && range.begin < range.end;) {
      auto const part_start = Clock::now();
      Played const part = engine_.play(range, [&](std::uint64_t trials) {
        auto const now = Clock::now();
        goes_on = !watch || watch(before + trials);
        return goes_on && now - part_start < checkpoint_interval(now - start_);
      });
      keep({part});
      before += part.range.size();
      range.begin = part.range.end;
    }
    return std::nullopt;
  }

 private:
  Engine engine_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

std::unique_ptr<Crew> crew_here(Invocation const& args, Simulation const& simulation, Backend const& backend) {
  return std::make_unique<CrewHere>(simulation, backend, args.threads());
}

}  // namespace draftgauge
