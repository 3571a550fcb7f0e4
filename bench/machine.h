#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace draftgauge::bench {

/// A data cache as one core sees it.
struct Cache {
  int level;
  std::uint64_t bytes;
};

/// What figures of speed depend on.
struct Machine {
  std::string processor;  ///< as the system names it; "unknown" where it does not
  int cores;
  std::vector<Cache> caches;  ///< the nearest first; empty where the system does not say
};

Machine this_machine();

/// The data caches that a folder such as /sys/devices/system/cpu/cpu0/cache tells of; entries that make no sense are
/// left out.
std::vector<Cache> caches_in(std::filesystem::path const& folder);

/// "L1", "L2", …: the nearest cache that so many bytes fit; "memory" beyond the last, "unknown" without any.
std::string place_of(std::uint64_t bytes, std::span<Cache const> caches);

}  // namespace draftgauge::bench
