#include <iostream>

#include "apps/cli.h"
#include "apps/cli/mpi.h"

int main(int count, char** words) {
  int const status = draftgauge::run_cli({words + 1, words + count}, std::cout, std::cerr);
  draftgauge::leave_ranks(status);
  return status;
}
