#include "gpu/kernel_backend.h"

#include <cstdio>
#include <iterator>
#include <new>

#include "gpu/kernel_player.h"
#include "sim/error.h"
#include "sim/trial.h"

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

void tell(Say const& say, std::string const& text) {
  if (say) say(text);
}

/// What `prepare` makes on a machine, or the host's player where that cannot be.
template <class Prepare>
Player on_machine(Simulation const& simulation, int threads, MakeMachine const& make_machine, Backend const& host,
                  Say const& say, Prepare const& prepare) {
  if (host_only(simulation.rule_called())) {
    tell(say, "rule " + simulation.task().rule + " plays on the host alone: it runs as " + std::string(host.name));
    return host.prepare(simulation, threads);
  }
  std::string why;
  try {
    Player const player = prepare(make_machine());
    Tally nowhere(simulation.plan().tally);
    player({0, 1}, nowhere);
    return player;
  } catch (OutOfMachineMemory const& error) {
    why = std::string("memory ran out (") + error.what();
  } catch (std::bad_alloc const& error) {  // the host's, or a device's as Thrust says it
    why = std::string("memory ran out (") + error.what();
  } catch (Error const&) {  // of what the user asks
    throw;
  } catch (std::runtime_error const& error) {
    why = std::string("the device cannot be used (") + error.what();
  }
  tell(say, why + "): this runs as " + std::string(host.name));
  return host.prepare(simulation, threads);
}

}  // namespace

Player prepare_kernels(Simulation const& simulation, int threads, MakeMachine const& make_machine,
                       Otherwise const& otherwise, Say const& say) {
  auto const prepare = [&](std::shared_ptr<KernelMachine> const& machine) -> Player {
    if (auto const player = KernelPlayer::make(simulation, machine, threads)) {
      if (player->on_host() > 0)
        tell(say, "the device has no room for " + size_text(player->on_host()) +
                      " of tables, which stay in host memory and are read over the bus");
      return [player](Range range, Tally& tally) { player->play(range, tally); };
    }
    tell(say, "rule " + simulation.task().rule + " has no kernels for this task: it runs as " +
                  std::string(otherwise.generic.name));
    return otherwise.generic.prepare(simulation, threads);
  };
  return on_machine(simulation, threads, make_machine, otherwise.host, say, prepare);
}

Player prepare_generic(Simulation const& simulation, int threads, MakeMachine const& make_machine,
                       Otherwise const& otherwise, Say const& say) {
  return on_machine(simulation, threads, make_machine, otherwise.host, say,
                    [&](auto const&) { return otherwise.generic.prepare(simulation, threads); });
}

}  // namespace draftgauge
