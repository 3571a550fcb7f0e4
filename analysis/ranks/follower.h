#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "analysis/ranks/communicator.h"
#include "analysis/store/store_row.h"

namespace draftgauge {

/// A simulation that a rank has made ready to play, and whatever it needs.
struct RankWork {
  std::shared_ptr<void const> keeps;
  Simulation const* simulation = nullptr;
  StoredTask of = {};
  Backend backend = {};
  int threads = 1;
};

/// Every other rank's part: plays the pieces that rank 0 hands out, of the newest task that it has named, until it is
/// dismissed. `make` makes a simulation from what rank 0 was given for `how`; where it throws an Error, rank 0 hears
/// of it and ends the run.
void follow(Communicator& ranks, std::uint64_t seed, std::string_view version,
            std::function<RankWork(std::string const& how)> const& make);

/// Waits until rank 0 asks for anything, and says that this rank cannot.
void follow_in_vain(Communicator& ranks, Error const& why);

}  // namespace draftgauge
