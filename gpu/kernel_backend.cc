#include "gpu/kernel_backend.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <future>
#include <iterator>
#include <new>

#include "gpu/kernel_player.h"
#include "sim/base/bytes_text.h"
#include "sim/base/error.h"
#include "sim/play/trial.h"

namespace draftgauge {
namespace {

void tell(Say const& say, std::string const& text) {
  if (say) say(text);
}

using Machine = std::shared_ptr<KernelMachine>;

/// Plays each range on all of them, whose tallies are integers and add.
Player shared(std::vector<Player> players) {
  return [players = std::move(players)](Range range, Tally& tally) {
    constexpr std::uint64_t pieces_each = 4;  // so that devices of unequal speed end together, nearly
    std::uint64_t const pieces = std::min(range.size(), players.size() > 1 ? players.size() * pieces_each : 1);
    auto const cut = [&](std::uint64_t piece) {  // no product that could overflow
      return range.begin + range.size() / pieces * piece + std::min(piece, range.size() % pieces);
    };
    std::atomic<std::uint64_t> next{0};
    auto const play = [&](Player const& player, Tally& part) {
      try {
        for (std::uint64_t piece; (piece = next++) < pieces;) player({cut(piece), cut(piece + 1)}, part);
      } catch (...) {
        next = pieces;  // nothing more is started for a tally that will not be whole
        throw;
      }
    };
    std::vector<Tally> parts(players.size() - 1, Tally(tally.layout()));
    std::vector<std::future<void>> others;
    for (std::size_t i = 1; i < players.size(); ++i)
      others.push_back(std::async(std::launch::async, [&, i] { play(players[i], parts[i - 1]); }));
    play(players.front(), tally);
    for (std::future<void>& other : others) other.get();
    for (Tally const& part : parts) tally += part;
  };
}

/// The generic engine on one machine, of which it does not know: the machine is chosen before each call.
Player generic_on(Simulation const& simulation, int threads, Machine const& machine, Backend const& generic) {
  machine->use();
  return [machine, player = generic.prepare(simulation, threads)](Range range, Tally& tally) {
    machine->use();
    player(range, tally);
  };
}

/// Kernels on a machine, or where there are none for the task the generic engine, saying so.
Player kernels_or_generic(Simulation const& simulation, int threads, Machine const& machine,
                          Otherwise const& otherwise, Say const& say) {
  auto const kernels = KernelPlayer::make(simulation, machine, threads);
  if (!kernels) {
    tell(say, "rule " + simulation.task().rule + " has no kernels for this task: it runs as " +
                  std::string(otherwise.generic.name));
    return generic_on(simulation, threads, machine, otherwise.generic);
  }
  if (kernels->on_host() > 0)
    tell(say, "the device has no room for " + bytes_text(kernels->on_host()) +
                  " of tables, which stay in host memory and are read over the bus");
  return [kernels](Range range, Tally& tally) { kernels->play(range, tally); };
}

/// What `prepare` makes on machines, or the host's player where that cannot be on the first.
Player on_machines(Simulation const& simulation, int threads, std::vector<MakeMachine> const& make_machines,
                   Backend const& host, Say const& say,
                   std::function<Player(Machine const&, Say const& told)> const& prepare) {
  if (host_only(simulation.rule_called())) {
    tell(say, "rule " + simulation.task().rule + " plays on the host alone: it runs as " + std::string(host.name));
    return host.prepare(simulation, threads);
  }
  auto const ready = [&](MakeMachine const& make, Say const& told) {
    Player player = prepare(make(), told);
    Tally nowhere(simulation.plan().tally);
    player({0, 1}, nowhere);
    return player;
  };
  std::string why;
  try {
    std::vector<Player> players{ready(make_machines.front(), say)};
    for (std::size_t i = 1; i < make_machines.size(); ++i) {
      try {
        players.push_back(ready(make_machines[i], {}));  // the first has said it
      } catch (std::exception const& error) {            // the others do without it
        tell(say, "device " + std::to_string(i) + " is left out (" + error.what() + ")");
      }
    }
    return shared(std::move(players));
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

Player prepare_kernels(Simulation const& simulation, int threads, std::vector<MakeMachine> const& make_machines,
                       Otherwise const& otherwise, Say const& say) {
  return on_machines(simulation, threads, make_machines, otherwise.host, say,
                     [&](Machine const& machine, Say const& told) {
                       return kernels_or_generic(simulation, threads, machine, otherwise, told);
                     });
}

Player prepare_generic(Simulation const& simulation, int threads, std::vector<MakeMachine> const& make_machines,
                       Otherwise const& otherwise, Say const& say) {
  return on_machines(simulation, threads, make_machines, otherwise.host, say,
                     [&](Machine const& machine, auto const&) {
                       return generic_on(simulation, threads, machine, otherwise.generic);
                     });
}

}  // namespace draftgauge
