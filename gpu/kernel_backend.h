#pragma once
#include <functional>
#include <string>
#include <vector>

#include "gpu/kernels/kernel_machine.h"
#include "sim/fast/engine.h"

namespace draftgauge {

/// Hears what a user should know of a choice, a sentence without a full stop.
using Say = std::function<void(std::string const&)>;

/// Makes the machine of a device, perhaps the first thing that is done there: throws std::runtime_error where that
/// fails.
using MakeMachine = std::function<std::shared_ptr<KernelMachine>()>;

/// What plays the simulations that kernels do not.
struct Otherwise {
  Backend generic;  ///< rules that have no kernels, on the same machine
  Backend host;     ///< where the machine cannot be used, or has not the memory
};

/// Makes a simulation ready for the kernels of gpu/kernels on machines, at least one (Backend::prepare), or for another
/// backend where they do not play it, saying which and why. The machines share each range that is played: pieces of
/// it go to whichever is free. The first decides what plays; another that cannot be used is left out, saying why. A
/// trial is played at once on each and counted nowhere: what a launch needs beside arrays, such as stacks, is then
/// known to be there.
Player prepare_kernels(Simulation const& simulation, int threads, std::vector<MakeMachine> const& make_machines,
                       Otherwise const& otherwise, Say const& say);

/// The same for `otherwise.generic`, whatever the rule.
Player prepare_generic(Simulation const& simulation, int threads, std::vector<MakeMachine> const& make_machines,
                       Otherwise const& otherwise, Say const& say);

}  // namespace draftgauge
