#pragma once
#include <memory>
#include <string>

#include "analysis/ranks/communicator.h"

namespace draftgauge {

/// The ranks of the MPI job that this process is one of; MPI is started here, and ends with what is returned. Throws
/// UsageError where this build has no MPI, and where the launcher is another MPI's, which started as many jobs of one
/// rank as there should be ranks: each would play everything. Where ranks were abandoned it does not end: leave_ranks
/// does.
std::unique_ptr<Communicator> mpi_ranks();

/// How many processes a launcher of MPI started, as it says in their environment, and which of them this one is.
struct LaunchedRanks {
  int size = 0;  ///< 0 where there is no launcher
  int rank = 0;
};
LaunchedRanks launched_ranks();

/// The last that a process does: where ranks were abandoned, ends the job with that exit status, and them with it.
void leave_ranks(int status);

/// "Open MPI 4.1.4", "none".
std::string mpi_version();

}  // namespace draftgauge
