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

/// "64 contexts of 49152 tokens take 1.2 GiB there, and 0.5 GiB are free: room for 26 contexts".
std::string what_fits(Simulation const& simulation, std::uint64_t free) {
  std::uint64_t const rows = simulation.laws().rows();
  std::uint64_t const bytes = machine_bytes(simulation);
  return std::to_string(rows) + (rows == 1 ? " context of " : " contexts of ") +
         std::to_string(simulation.laws().vocab()) + " tokens take " + size_text(bytes) + " there, and " +
         size_text(free) + " are free: room for " + std::to_string(free / (bytes / rows));
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
  std::uint64_t const free = machine->free_bytes();
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
  } catch (OutOfMachineMemory const&) {
  } catch (std::bad_alloc const&) {  // as Thrust says it
  }
  tell("the device has not the memory (" + what_fits(simulation, free) + "): this runs as " +
       std::string(otherwise.host.name));
  return on(otherwise.host, simulation, threads);
}

}  // namespace draftgauge
