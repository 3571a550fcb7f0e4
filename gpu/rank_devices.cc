#include "gpu/rank_devices.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace draftgauge {

std::string devices_of_rank(std::optional<std::string_view> visible, int devices, int local_rank, int local_size) {
  std::vector<std::string> all;
  for (std::size_t begin = 0; visible && begin < visible->size();) {
    std::size_t const end = std::min(visible->find(',', begin), visible->size());
    all.emplace_back(visible->substr(begin, end - begin));
    begin = end + 1;
  }
  for (int device = 0; !visible && device < devices; ++device) all.push_back(std::to_string(device));
  auto const rank = static_cast<std::size_t>(local_rank), ranks = static_cast<std::size_t>(local_size);
  if (all.empty()) return {};
  if (all.size() < ranks) return all[rank % all.size()];
  std::string mine;
  for (std::size_t i = rank; i < all.size(); i += ranks) mine += (mine.empty() ? "" : ",") + all[i];
  return mine;
}

bool slurm_binds_devices(int ranks) {
  char const* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  char const* const tres = std::getenv("SLURM_TRES_PER_TASK");
  return tasks && tasks == std::to_string(ranks) &&
         (std::getenv("SLURM_GPUS_PER_TASK") || std::getenv("SLURM_GPU_BIND") ||
          (tres && std::string_view(tres).find("gpu") != std::string_view::npos));
}

void use_devices(RankPlace const& place) {
  if (place.local_size == 1 || slurm_binds_devices(place.ranks)) return;
  char const* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  std::error_code error;
  int devices = 0;  // CUDA cannot be asked: it reads the variable once
  for (auto const& entry : std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", error)) {
    static_cast<void>(entry);
    ++devices;
  }
  std::string const mine = devices_of_rank(visible ? std::optional<std::string_view>(visible) : std::nullopt, devices,
                                           place.local_rank, place.local_size);
  if (!mine.empty()) ::setenv("CUDA_VISIBLE_DEVICES", mine.c_str(), 1);
}

}  // namespace draftgauge
