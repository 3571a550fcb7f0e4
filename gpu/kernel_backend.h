#pragma once
#include <functional>
#include <string>

#include "gpu/kernel_machine.h"
#include "sim/engine.h"

namespace draftgauge {

/// Hears what a user should know of a choice, a sentence without a full stop.
using Say = std::function<void(std::string const&)>;

/// What plays the simulations that kernels do not.
struct Otherwise {
  Backend generic;  ///< rules that have no kernels, on the same machine
  Backend host;     ///< what the machine has no memory for
};

/// Makes a simulation ready for the kernels of gpu/kernels on a machine (Backend::prepare), or for another backend where
/// they do not play it, saying which and why.
Player prepare_kernels(Simulation const& simulation, int threads, std::shared_ptr<KernelMachine> machine,
                       Otherwise const& otherwise, Say const& say);

}  // namespace draftgauge
