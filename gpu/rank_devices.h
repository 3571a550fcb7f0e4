#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace draftgauge {

/// Which CUDA devices a rank may use, as CUDA_VISIBLE_DEVICES says it, of those that its machine's ranks share: each its
/// share where there are enough, else one that it shares with others. `visible`: what the variable says now, if it is set
/// (a scheduler does that, and where it says nothing all are hidden); else there are `devices` of them.
std::string devices_of_rank(std::optional<std::string_view> visible, int devices, int local_rank, int local_size);

/// Sets the variable so, before anything asks for a device.
void use_devices_of_rank(int local_rank, int local_size);

}  // namespace draftgauge
