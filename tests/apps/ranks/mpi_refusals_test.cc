#include <catch2/catch.hpp>
#include <sstream>

#include "apps/cli/commands.h"
#include "apps/cli/invocation.h"
#include "apps/cli/mpi.h"
#include "apps/cli/parse.h"
#include "tests/analysis/ranks/ranks_of_threads.h"
#include "tests/message.h"

// What cannot be asked of several ranks. run_cli would start MPI, once for a process: commands are run without it.
namespace draftgauge {
namespace {

using testing::message;

/// What a command says of its words, as rank 0 of two.
std::string said_by(Command const& command, std::vector<std::string_view> const& words) {
  testing::ThreadRank lead(std::make_shared<testing::Mailboxes>(2), 0);
  std::ostringstream unheard;
  return message([&] { command.run(Invocation(command, parse(command, words), unheard, nullptr, &lead)); });
}

TEST_CASE("MPI: refused where nothing is played that ranks could share") {
  CHECK(said_by(simulate_command(), {"--merge", "absent", "--mpi"}) ==
        "--mpi has no meaning with --merge (nothing is played, and the task is in the rows) leave it out");
  CHECK(said_by(verify_command(), {"--plan", "--tv", ".1", "--mpi"}) ==
        "--mpi has no meaning with --plan (it says how many rounds show --tv, and plays none) leave it out");
  CHECK(said_by(verify_command(), {"--faulty", "--mpi"}) ==
        "--mpi has no meaning with --faulty (each faulty rule has its own table and rounds) leave it out, or use "
        "--rule faulty/NAME");
  CHECK(said_by(sweep_command(), {"absent.toml", "--plan", "--mpi"}) ==
        "--plan and --mpi cannot be given together (--plan plays nothing and has no results) keep one");
  CHECK(said_by(sweep_command(), {"absent.toml", "--merge", "absent", "--mpi"}) ==
        "--merge and --mpi cannot be given together (--merge plays nothing, and shows all tasks) keep one");
}

TEST_CASE("MPI: ranks play no faulty rule on a table of its own") {
  CHECK(said_by(verify_command(), {"--rule", "faulty/argmax-draft", "--mpi"}) ==
        "--mpi plays no faulty rules on tables of their own (those are small) name a SOURCE, or leave --mpi out");
}

TEST_CASE("MPI: a program without MPI says so") {
  if (mpi_version() != "none")
    SUCCEED("it has MPI: what it says of another MPI's launcher is in mpi_test.py");
  else
    CHECK(message([] { mpi_ranks(); }) ==
          "--mpi: this program was built without MPI (it cannot speak with other ranks) install libopenmpi-dev and "
          "build it again, or use --shard");
}

}  // namespace
}  // namespace draftgauge
