#include "apps/cli/mpi.h"

#include <cstdlib>

#include "sim/base/error.h"

namespace draftgauge {

LaunchedRanks launched_ranks() {
  struct Variables {
    char const *size, *rank;
  };
  // srun's own are last: where Open MPI's or MPICH's mpirun starts daemons by srun, they are the daemons'. A batch
  // script has none.
  for (auto [size, rank] : {Variables{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                            Variables{"PMI_SIZE", "PMI_RANK"}, Variables{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}})
    if (char const* const text = std::getenv(size)) {
      char const* const number = std::getenv(rank);
      return {std::atoi(text), number ? std::atoi(number) : 0};
    }
  return {};
}

}  // namespace draftgauge

#if DRAFTGAUGE_HAS_MPI
#include <fmt/format.h>
#include <mpi.h>

#include <iostream>
#include <list>

namespace draftgauge {
namespace {

void check(int error, char const* doing) {
  if (error == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(error, text, &length);
  throw InputError(fmt::format("MPI failed {} ({})", doing, std::string_view(text, static_cast<std::size_t>(length))),
                   "what was played before is in the store, where there is one");
}

bool are_left = false;  // ranks, that were abandoned

class MpiRanks : public Communicator {
 public:
  MpiRanks() {
    int granted = 0;  // one thread calls MPI, beside others that play
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &granted), "to start");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here);
    MPI_Comm_rank(here, &local_rank_);
    MPI_Comm_size(here, &local_size_);
    MPI_Comm_free(&here);
  }
  ~MpiRanks() override {
    if (are_left) {  // MPI_Finalize would wait for them; what was sent stays readable until the job ends
      static_cast<void>(new std::list<Sent>(std::move(sent_)));
      return;
    }
    for (Sent& each : sent_) MPI_Wait(&each.request, MPI_STATUS_IGNORE);
    MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return local_rank_; }
  int local_size() const override { return local_size_; }

  void send(int to, std::string_view text) override {
    Sent& sent = sent_.emplace_back(std::string(text));
    check(MPI_Isend(sent.text.data(), static_cast<int>(sent.text.size()), MPI_CHAR, to, tag, MPI_COMM_WORLD,
                    &sent.request),
          "to send a message");
  }

  std::optional<RankMessage> poll() override {
    std::erase_if(sent_, [](Sent& each) {
      int done = 0;
      check(MPI_Test(&each.request, &done, MPI_STATUS_IGNORE), "to send a message");
      return done != 0;
    });
    int there = 0, length = 0;
    MPI_Status status;
    check(MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status), "to look for messages");
    if (!there) return std::nullopt;
    MPI_Get_count(&status, MPI_CHAR, &length);
    RankMessage got{status.MPI_SOURCE, std::string(static_cast<std::size_t>(length), '\0')};
    check(MPI_Recv(got.text.data(), length, MPI_CHAR, got.from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
          "to receive a message");
    return got;
  }

  void abandon() override { are_left = true; }

 private:
  static constexpr int tag = 1;
  struct Sent {
    explicit Sent(std::string all) : text(std::move(all)) {}
    std::string text;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  int rank_ = 0, size_ = 1, local_rank_ = 0, local_size_ = 1;
  std::list<Sent> sent_;  ///< and perhaps not received: MPI reads the text until then
};

}  // namespace

std::unique_ptr<Communicator> mpi_ranks() {
  auto ranks = std::make_unique<MpiRanks>();
  int const launched = launched_ranks().size, found = ranks->size();
  if (launched > found)
    throw UsageError(
        fmt::format(
            "the launcher started {} ranks, and MPI knows of {} (it is another MPI's: each would play everything)",
            launched, found),
        fmt::format("use the mpirun of {}; with srun, --mpi=pmix for Open MPI and --mpi=pmi2 for MPICH",
                    mpi_version()));
  return ranks;
}

std::string mpi_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string_view version(text, static_cast<std::size_t>(length));
  version = version.substr(0, version.find_first_of(",\n"));
  std::string words(version);  // "Open MPI v4.1.4", "MPICH Version:\t4.0.2"
  if (words.starts_with("Open MPI v")) words.erase(9, 1);
  if (auto const label = words.find(" Version:"); label != words.npos) words.replace(label, sizeof " Version:", " ");
  return words;
}

void leave_ranks(int status) {
  if (!are_left) return;
  std::cout.flush();
  std::cerr.flush();
  MPI_Abort(MPI_COMM_WORLD, status);
}

}  // namespace draftgauge

#else

namespace draftgauge {

std::unique_ptr<Communicator> mpi_ranks() {
  throw UsageError("--mpi: this program was built without MPI (it cannot speak with other ranks)",
                   "install libopenmpi-dev and build it again, or use --shard");
}

std::string mpi_version() { return "none"; }

void leave_ranks(int) {}

}  // namespace draftgauge

#endif
