#include "sim/base/piped_input.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/descriptor.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

[[noreturn]] void cannot_keep(std::filesystem::path const& path, int error) {
  throw InputError(path.string() + ": what comes through the pipe cannot be kept in a temporary file (" +
                       std::strerror(error) + ")",
                   "make room, or save it to a file and name that");
}

void copy_to_end(std::filesystem::path const& path, int from, Descriptor const& to) {
  // Opened so as not to wait, a named pipe that nobody has written to yet looks as if it had ended.
  pollfd any{from, POLLIN, 0};
  while (::poll(&any, 1, -1) < 0 && errno == EINTR) continue;
  ::fcntl(from, F_SETFL, ::fcntl(from, F_GETFL) & ~O_NONBLOCK);
  std::vector<char> piece(std::size_t{1} << 16);
  for (;;) {
    ssize_t const got = ::read(from, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) return;
    if (got < 0 || !to.write({piece.data(), static_cast<std::size_t>(got)})) cannot_keep(path, errno);
  }
}

/// An open file without a name.
int temporary_file() {
  std::FILE* const made = std::tmpfile();
  if (!made) return -1;
  int const number = ::fcntl(::fileno(made), F_DUPFD_CLOEXEC, 0);
  std::fclose(made);
  return number;
}

struct Kept {
  explicit Kept(int descriptor)
      : file(temporary_file()), pipe(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), O_PATH) {}

  Descriptor file;
  Descriptor pipe;  ///< not to read from: as long as it is open no other pipe has its number
};

}  // namespace

bool comes_once(struct stat const& status) { return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode); }

bool is_input_file(std::filesystem::path const& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && (S_ISREG(status.st_mode) || comes_once(status));
}

int kept_input(std::filesystem::path const& path, int descriptor, struct stat const& status) {
  static std::mutex one_at_a_time;
  static std::map<std::pair<dev_t, ino_t>, Kept> all;  // by what they are of, which may have several paths
  std::lock_guard const lock(one_at_a_time);
  auto const [kept, is_new] = all.try_emplace({status.st_dev, status.st_ino}, descriptor);
  if (is_new) try {
      if (!kept->second.file.open()) cannot_keep(path, errno);
      copy_to_end(path, descriptor, kept->second.file);
    } catch (...) {
      all.erase(kept);
      throw;
    }
  return kept->second.file.number();
}

}  // namespace draftgauge
