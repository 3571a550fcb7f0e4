#include "apps/output/shared_files.h"

namespace draftgauge {

std::optional<std::filesystem::path> installed_folder() {
  std::error_code error;
  auto const program = std::filesystem::read_symlink("/proc/self/exe", error);
  auto const folder = program.parent_path().parent_path() / "share" / "draftgauge";
  if (error || !std::filesystem::is_directory(folder, error)) return std::nullopt;
  return folder;
}

std::filesystem::path shared_file(std::string_view name, std::filesystem::path const& built) {
  auto const folder = installed_folder();
  std::error_code error;
  return folder && std::filesystem::exists(*folder / name, error) ? *folder / name : built;
}

}  // namespace draftgauge
