#include "gpu/kernel_backend.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <future>
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

/// Plays each range on all of them, whose tallies are integers and add.
Player shared(std::vector<std::shared_ptr<KernelPlayer>> players) {
  return [players = std::move(players)](Range range, Tally& tally) {
    constexpr std::uint64_t pieces_each = 4;  // so that devices of unequal speed end together, nearly
    std::uint64_t const pieces = std::min(range.size(), players.size() > 1 ? players.size() * pieces_each : 1);
    auto const cut = [&](std::uint64_t piece) {  // no product that could overflow
      return range.begin + range.size() / pieces * piece + std::min(piece, range.size() % pieces);
    };
    std::atomic<std::uint64_t> next{0};
    auto const play = [&](KernelPlayer& player, Tally& part) {
      for (std::uint64_t piece; (piece = next++) < pieces;) player.play({cut(piece), cut(piece + 1)}, part);
    };
    std::vector<Tally> parts(players.size() - 1, Tally(tally.layout()));
    std::vector<std::future<void>> others;
    for (std::size_t i = 1; i < players.size(); ++i)
      others.push_back(std::async(std::launch::async, [&, i] { play(*players[i], parts[i - 1]); }));
    play(*players.front(), tally);
    for (std::future<void>& other : others) other.get();
    for (Tally const& part : parts) tally += part;
  };
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
  return prepare_kernels_on(simulation, threads, {make_machine}, otherwise, say);
}

Player prepare_kernels_on(Simulation const& simulation, int threads, std::vector<MakeMachine> const& make_machines,
                          Otherwise const& otherwise, Say const& say) {
  auto const prepare = [&](std::shared_ptr<KernelMachine> const& machine) -> Player {
    auto const first = KernelPlayer::make(simulation, machine, threads);
    if (!first) {
      tell(say, "rule " + simulation.task().rule + " has no kernels for this task: it runs as " +
                    std::string(otherwise.generic.name));
      return otherwise.generic.prepare(simulation, threads);
    }
    if (first->on_host() > 0)
      tell(say, "the device has no room for " + size_text(first->on_host()) +
                    " of tables, which stay in host memory and are read over the bus");
    std::vector<std::shared_ptr<KernelPlayer>> players{first};
    for (std::size_t i = 1; i < make_machines.size(); ++i) {
      try {
        players.push_back(KernelPlayer::make(simulation, make_machines[i](), threads));
        Tally nowhere(simulation.plan().tally);
        players.back()->play({0, 1}, nowhere);
      } catch (std::exception const& error) {  // the others do without it
        if (players.size() > i) players.pop_back();
        tell(say, "device " + std::to_string(i) + " is left out (" + error.what() + ")");
      }
    }
    return shared(std::move(players));
  };
  return on_machine(simulation, threads, make_machines.front(), otherwise.host, say, prepare);
}

Player prepare_generic(Simulation const& simulation, int threads, MakeMachine const& make_machine,
                       Otherwise const& otherwise, Say const& say) {
  return on_machine(simulation, threads, make_machine, otherwise.host, say,
                    [&](auto const&) { return otherwise.generic.prepare(simulation, threads); });
}

}  // namespace draftgauge
