#include "gpu/rank_devices.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>
#include <utility>

#include "tests/variable.h"

namespace draftgauge {
namespace {

using testing::Variable;

TEST_CASE("devices of ranks: each has its share, and where they are too few ranks share them") {
  CHECK(devices_of_rank(std::nullopt, 4, 0, 2) == "0,2");
  CHECK(devices_of_rank(std::nullopt, 4, 1, 2) == "1,3");
  CHECK(devices_of_rank(std::nullopt, 3, 1, 2) == "1");
  CHECK(devices_of_rank(std::nullopt, 1, 3, 4) == "0");
  CHECK(devices_of_rank(std::nullopt, 2, 3, 4) == "1");
  CHECK(devices_of_rank(std::nullopt, 0, 1, 4).empty());
  CHECK(devices_of_rank("GPU-ab,GPU-cd", 8, 1, 2) == "GPU-cd");  // what a scheduler allows, and no more
  CHECK(devices_of_rank("5", 8, 1, 2) == "5");
  CHECK(devices_of_rank("", 8, 1, 2).empty());  // all are hidden, and stay so
}

TEST_CASE("devices of ranks: what Slurm has given a task is the task's own, all of it") {
  Variable const visible("CUDA_VISIBLE_DEVICES", "0,1"), tasks("SLURM_STEP_NUM_TASKS", "4");
  CHECK_FALSE(slurm_binds_devices(4));
  for (auto const& [name, value] : {std::pair("SLURM_GPUS_PER_TASK", "2"), std::pair("SLURM_GPU_BIND", "per_task:2"),
                                    std::pair("SLURM_TRES_PER_TASK", "cpu=4,gres/gpu=2")}) {
    INFO(name);
    Variable const told(name, value);
    CHECK(slurm_binds_devices(4));
    use_devices({4, 1, 2});
    CHECK(visible.now() == "0,1");
  }
  {  // as mpirun starts ranks in such a job, by one task of Slurm's on each machine
    Variable const told("SLURM_GPUS_PER_TASK", "2");
    CHECK_FALSE(slurm_binds_devices(8));
  }
  {
    Variable const cores("SLURM_TRES_PER_TASK", "cpu=4");
    CHECK_FALSE(slurm_binds_devices(4));
  }
  use_devices({4, 1, 2});
  CHECK(visible.now() == "1");
}

}  // namespace
}  // namespace draftgauge
