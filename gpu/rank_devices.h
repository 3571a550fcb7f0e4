#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace draftgauge {

/// Which CUDA devices a rank may use, as CUDA_VISIBLE_DEVICES says it, of those that its machine's ranks share: each
/// its share where there are enough, else one that it shares with others. `visible`: what the variable says now, if
/// it is set (a scheduler does that, and where it says nothing all are hidden); else there are `devices` of them.
std::string devices_of_rank(std::optional<std::string_view> visible, int devices, int local_rank, int local_size);

/// Whether Slurm started these ranks itself (mpirun in a job does not ask it to) and gave each devices of its own, as
/// --gpus-per-task, --tres-per-task and --gpu-bind have it do (srun(1), output environment variables). A rank then
/// sees what is its alone, perhaps under the same numbers as the others.
bool slurm_binds_devices(int ranks);

/// Ranks of a job, and where one stands among those of its machine.
struct RankPlace {
  int ranks, local_rank, local_size;
};

/// Sets the variable so, before anything asks for a device; leaves it where the launcher has shared the devices out.
void use_devices(RankPlace const& place);

}  // namespace draftgauge
