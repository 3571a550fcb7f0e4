#include "apps/output/output.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <list>
#include <utility>
#include <vector>

#include "apps/output/interruption.h"
#include "sim/base/descriptor.h"
#include "sim/base/error.h"
#include "sim/base/path_hint.h"

namespace draftgauge {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(std::string const& path, int error) {
  if (fs::path const folder = missing_folder(path); error == ENOENT && !folder.empty())
    throw InputError(fmt::format("{} cannot be written (there is no folder '{}')", path, folder.string()),
                     "make the folder, or choose another place");
  throw InputError(fmt::format("{} cannot be written ({})", path, std::strerror(error)), "choose another place");
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

void write_device(FileText const& file) {
  Descriptor const device(target_of(file.path).c_str(), O_WRONLY);
  if (!device.open() || !device.write(file.text)) cannot_write(file.path, errno);
}

/// The text on the disk, beside the file that it is to replace; gone again unless it takes its place.
class NewFile {
 public:
  explicit NewFile(FileText const& file)
      : path_(file.path),
        target_(target_of(file.path)),
        temporary_(folder_of(target_) / fmt::format(".{}.{}.tmp", target_.filename().string(), ::getpid())) {
    Descriptor const made(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    if (made.open() && made.write(file.text) && made.sync()) return;
    int const error = errno;
    ::unlink(temporary_.c_str());
    cannot_write(path_, error);
  }
  NewFile(NewFile&& other) noexcept
      : path_(std::move(other.path_)),
        target_(std::move(other.target_)),
        temporary_(std::exchange(other.temporary_, fs::path())) {}
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }

  void take_place() {
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) cannot_write(path_, errno);
    temporary_.clear();
    // The name is safe only when its folder is on the disk too; a system that cannot do that has nothing better.
    Descriptor const folder(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY);
    if (folder.open()) static_cast<void>(folder.sync());
  }

 private:
  std::string path_;
  fs::path target_, temporary_;
};

/// A folder and those above it, as far as they had to be made; gone again unless kept.
class NewFolder {
 public:
  explicit NewFolder(std::string const& path) {
    std::error_code error;
    for (fs::path at = fs::absolute(path, error); !fs::exists(at, error) && at.has_relative_path();
         at = at.parent_path())
      if (at.has_filename()) made_.push_back(at);
    fs::create_directories(path, error);
    if (!error) return;
    remove();
    cannot_write(path, error.value());
  }
  NewFolder(NewFolder const&) = delete;
  NewFolder& operator=(NewFolder const&) = delete;
  ~NewFolder() { remove(); }

  void keep() { made_.clear(); }

 private:
  // From below, and only what is empty: another program may have put something there since.
  void remove() const {
    std::error_code ignored;
    for (fs::path const& each : made_) fs::remove(each, ignored);
  }

  std::vector<fs::path> made_;  ///< the deepest first
};

}  // namespace

void require_writable(std::string const& path) {
  fs::path const target = target_of(path);
  std::error_code error;
  if (path.empty()) cannot_write("''", ENOENT);
  if (fs::is_directory(target, error)) cannot_write(path, EISDIR);
  fs::path const asked = is_device(target) ? target : folder_of(target);
  if (::access(asked.c_str(), W_OK) != 0) cannot_write(path, errno);
}

void require_writable_folder(std::string const& path) {
  std::error_code error;
  fs::path there = fs::absolute(path, error);
  while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  if (!fs::is_directory(there, error)) cannot_write(path, ENOTDIR);
  if (::access(there.c_str(), W_OK | X_OK) != 0) cannot_write(path, errno);
}

void write_whole(std::string const& path, std::string_view text) {
  FileText const file{path, std::string(text)};
  write_whole(std::span(&file, 1));
}

void write_whole(std::span<FileText const> files) {
  Uninterrupted const now;
  for (FileText const& file : files) require_writable(file.path);
  std::vector<NewFile> written;
  written.reserve(files.size());
  for (FileText const& file : files) {
    if (is_device(target_of(file.path)))
      write_device(file);
    else
      written.emplace_back(file);
  }
  for (NewFile& file : written) file.take_place();
}

void write_whole(std::string const& folder, std::span<FileText const> files) {
  write_whole(std::vector{folder}, files);
}

void write_whole(std::vector<std::string> const& folders, std::span<FileText const> files) {
  Uninterrupted const now;
  std::list<NewFolder> made;  // which cannot be moved
  for (std::string const& folder : folders)
    if (!folder.empty()) made.emplace_back(folder);
  write_whole(files);
  for (NewFolder& each : made) each.keep();
}

}  // namespace draftgauge
