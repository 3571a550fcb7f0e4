#include "analysis/store/store.h"

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cstring>

#include "sim/base/error.h"

namespace draftgauge {
namespace {

[[noreturn]] void cannot_read(std::string const& path, std::string const& problem) {
  throw InputError(path + ": " + problem + " (a store is a regular file of rows)", "check the path");
}

/// The file's bytes. Read, not mapped: its writer may cut an unfinished line off meanwhile.
std::string content(std::string const& path, Descriptor const& file) {
  struct stat status{};
  if (::fstat(file.number(), &status) != 0) cannot_read(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) cannot_read(path, "it is a folder");
  if (!S_ISREG(status.st_mode)) cannot_read(path, "it is not a regular file");
  std::string text;
  for (;;) {
    constexpr std::size_t piece = 1 << 20;
    std::size_t const size = text.size();
    text.resize(size + piece);
    ssize_t const got = ::read(file.number(), text.data() + size, piece);
    text.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return text;
    if (got < 0 && errno != EINTR) cannot_read(path, std::strerror(errno));
  }
}

}  // namespace

std::vector<StoreRow> read_store(std::filesystem::path const& path) {
  // Without O_NONBLOCK the open would wait for a pipe's writer before fstat could tell that it is one.
  Descriptor const file(path.c_str(), O_RDONLY | O_NONBLOCK);
  if (!file.open()) cannot_read(path.string(), errno == ENOENT ? "there is no such file" : std::strerror(errno));
  return read_rows(path.string(), content(path.string(), file));
}

Store::Store(std::filesystem::path const& path)
    : path_(path.string()), file_(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK) {
  if (!file_.open()) fail(errno);
  if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) fail(errno);
    throw InputError(
        path_ + ": another draftgauge is writing to this store (both would play the same trials)",
        "wait until it is done, or give this one a store of its own and put them together with simulate `merge`");
  }
  std::string const text = content(path_, file_);
  rows_ = read_rows(path_, text);
  size_ = complete(text);
  if (size_ < text.size() && ::ftruncate(file_.number(), static_cast<off_t>(size_)) != 0) fail(errno);
  if (size_ > 0) return;
  // A new file's name is safe only when its folder is on the disk; a system that cannot do that has nothing better.
  std::filesystem::path const folder = path.has_parent_path() ? path.parent_path() : ".";
  Descriptor const parent(folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (parent.open()) static_cast<void>(parent.sync());
}

void Store::append(std::span<StoreRow const> rows) {
  std::string lines;
  for (StoreRow const& row : rows) lines += line_of(row);
  if (!file_.write(lines) || !file_.sync()) {
    int const error = errno;
    static_cast<void>(::ftruncate(
        file_.number(), static_cast<off_t>(size_)));  // else whole rows, and a torn line that is cut off later
    fail(error);
  }
  // A file that was deleted, with its folder perhaps, takes rows that nobody will read.
  struct stat now = {};
  if (::fstat(file_.number(), &now) == 0 && now.st_nlink == 0)
    throw InputError(path_ + " was deleted during the run (what it held is lost)",
                     "give `store` a place that stays");
  size_ += lines.size();
}

void Store::fail(int error) const {
  throw InputError(fmt::format("{} cannot be written ({})", path_, std::strerror(error)),
                   "give `store` another place; what it holds stays");
}

}  // namespace draftgauge
