#include "apps/output.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sim/descriptor.h"
#include "sim/error.h"

namespace draftgauge {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(std::string const& path, int error) {
  throw InputError(fmt::format("{} cannot be written ({}) choose another place with -o", path, std::strerror(error)));
}

// The file that a link leads to, so that writing replaces the file and keeps the link.
fs::path target_of(std::string const& path) {
  std::error_code error;
  fs::path const target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : fs::path(path);
  return error ? fs::path(path) : target;
}

bool is_device(fs::path const& path) {
  std::error_code error;
  fs::file_status const status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

fs::path folder_of(fs::path const& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

}  // namespace

void require_writable(std::string const& path) {
  fs::path const target = target_of(path);
  std::error_code error;
  if (path.empty()) cannot_write("''", ENOENT);
  if (fs::is_directory(target, error)) cannot_write(path, EISDIR);
  fs::path const asked = is_device(target) ? target : folder_of(target);
  if (::access(asked.c_str(), W_OK) != 0) cannot_write(path, errno);
}

void write_whole(std::string const& path, std::string_view text) {
  require_writable(path);
  fs::path const target = target_of(path);
  if (is_device(target)) {
    Descriptor const device(target.c_str(), O_WRONLY);
    if (!device.open() || !device.write(text)) cannot_write(path, errno);
    return;
  }
  fs::path const temporary = folder_of(target) / fmt::format(".{}.{}.tmp", target.filename().string(), ::getpid());
  try {
    Descriptor const file(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    if (!file.open() || !file.write(text) || !file.sync()) cannot_write(path, errno);
    if (::rename(temporary.c_str(), target.c_str()) != 0) cannot_write(path, errno);
  } catch (InputError const&) {
    ::unlink(temporary.c_str());
    throw;
  }
  // The name is safe only when its folder is on the disk too; a system that cannot do that has nothing better.
  Descriptor const folder(folder_of(target).c_str(), O_RDONLY | O_DIRECTORY);
  if (folder.open()) static_cast<void>(folder.sync());
}

}  // namespace draftgauge
