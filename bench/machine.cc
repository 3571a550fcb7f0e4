#include "bench/machine.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <thread>

namespace draftgauge::bench {
namespace {

namespace fs = std::filesystem;

std::string first_line(fs::path const& path) {
  std::string line;
  std::getline(std::ifstream(path) >> std::ws, line);
  return line;
}

/// "48K", "1024K", "32M".
std::optional<std::uint64_t> size_of(std::string const& text) {
  std::uint64_t number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string const suffix(end, text.data() + text.size());
  int const shift = suffix == "K" ? 10 : suffix == "M" ? 20 : suffix == "G" ? 30 : suffix.empty() ? 0 : -1;
  if (error != std::errc{} || shift < 0 || number == 0 || number > (~std::uint64_t{0} >> shift)) return {};
  return number << shift;
}

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    std::size_t const colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
  }
  return "unknown";
}

/// What the C library knows, where the system's own folder is closed to us.
std::vector<Cache> caches_by_sysconf() {
  std::vector<Cache> caches;
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  constexpr int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
  for (int level = 1; level <= 3; ++level)
    if (long const bytes = ::sysconf(names[level - 1]); bytes > 0)
      caches.push_back({level, static_cast<std::uint64_t>(bytes)});
#endif
  return caches;
}

}  // namespace

Machine this_machine() {
  Machine machine{processor(), static_cast<int>(std::max(1u, std::thread::hardware_concurrency())),
                  caches_in("/sys/devices/system/cpu/cpu0/cache")};
  if (machine.caches.empty()) machine.caches = caches_by_sysconf();
  return machine;
}

std::vector<Cache> caches_in(fs::path const& folder) {
  std::vector<Cache> caches;
  std::error_code none;
  for (fs::directory_entry const& entry : fs::directory_iterator(folder, none)) {
    std::string const type = first_line(entry.path() / "type"), level = first_line(entry.path() / "level");
    auto const bytes = size_of(first_line(entry.path() / "size"));
    if (bytes && (type == "Data" || type == "Unified") && level.size() == 1 && level >= "1" && level <= "9")
      caches.push_back({level[0] - '0', *bytes});
  }
  std::ranges::sort(caches, {}, &Cache::level);
  return caches;
}

std::string place_of(std::uint64_t bytes, std::span<Cache const> caches) {
  if (caches.empty()) return "unknown";
  for (Cache const& cache : caches)
    if (bytes <= cache.bytes) return "L" + std::to_string(cache.level);
  return "memory";
}

}  // namespace draftgauge::bench
