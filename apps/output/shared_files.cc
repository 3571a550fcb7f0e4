#include "apps/output/shared_files.h"

namespace draftgauge {

std::filesystem::path shared_file(std::string_view name, std::filesystem::path const& built) {
  std::error_code error;
  auto const program = std::filesystem::read_symlink("/proc/self/exe", error);
  auto const installed = program.parent_path().parent_path() / "share" / "draftgauge" / name;
  return !error && std::filesystem::exists(installed, error) ? installed : built;
}

}  // namespace draftgauge
