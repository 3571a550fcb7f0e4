#include "gpu/kernel_backend.h"

#include <cstdio>
#include <iterator>
#include <new>

#include "gpu/kernel_player.h"

namespace draftgauge {
namespace {

std::string size_text(std::uint64_t bytes) {
  constexpr char const* units[] = {"KiB", "MiB", "GiB"};
  double size = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; size >= 1024 && unit + 1 < std::size(units); size /= 1024) ++unit;
  char text[32];
  std::snprintf(text, sizeof text, "%.4g %s", size, units[unit]);
  return text;
}

Player on(Backend const& backend, Simulation const& simulation, int threads) {
  return backend.prepare(simulation, threads);
}

}  // namespace

Player prepare_kernels(Simulation const& simulation, int threads, std::shared_ptr<KernelMachine> machine,
                       Otherwise const& otherwise, Say const& say) {
  auto const tell = [&](std::string const& text) {
    if (say) say(text);
  };
  std::string why;
  try {
    if (auto const player = KernelPlayer::make(simulation, machine)) {
      if (player->on_host() > 0)
        tell("the device has no room for " + size_text(player->on_host()) +
             " of tables, which stay in host memory and are read over the bus");
      return [player](Range range, Tally& tally) { player->play(range, tally); };
    }
    tell("rule " + simulation.task().rule + " has no kernels for this task: it runs as " +
         std::string(otherwise.generic.name));
    return on(otherwise.generic, simulation, threads);
  } catch (OutOfMachineMemory const& error) {
    why = error.what();
  } catch (std::bad_alloc const& error) {  // as Thrust says it
    why = error.what();
  }
  tell("the device has not the memory (" + why + "): this runs as " + std::string(otherwise.host.name));
  return on(otherwise.host, simulation, threads);
}

}  // namespace draftgauge
