#include "sim/base/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "sim/base/descriptor.h"
#include "sim/base/error.h"
#include "sim/base/path_hint.h"
#include "sim/base/piped_input.h"

namespace draftgauge {
namespace {

std::string reason(int error) {
  switch (error) {
    case ENOENT: return "there is no such file";
    case EACCES: return "it may not be read";
    default: return std::strerror(error);
  }
}

[[noreturn]] void refuse(std::filesystem::path const& path, std::string const& problem,
                         std::string const& hint = "check the path") {
  throw InputError(path.string() + ": " + problem + " (distributions and recordings are read from files and pipes)",
                   path == "/dev/stdin" ? "pipe into it what is to be read, or name a file" : hint);
}

}  // namespace

MappedFile::MappedFile(std::filesystem::path const& path) {
  // A socket that is standard input cannot be opened by its path. Without O_NONBLOCK the open would wait for a pipe's
  // writer before fstat could tell that it is one.
  Descriptor const file = path == "/dev/stdin" ? Descriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0))
                                               : Descriptor(path.c_str(), O_RDONLY | O_NONBLOCK);
  if (!file.open()) refuse(path, reason(errno), errno == ENOENT ? path_hint(path) : "check the path");
  struct stat status{};
  if (::fstat(file.number(), &status) != 0) refuse(path, reason(errno));
  if (S_ISDIR(status.st_mode)) refuse(path, "it is a folder");
  if (::isatty(file.number())) refuse(path, "it is a terminal");
  int number = file.number();
  if (comes_once(status)) {
    number = kept_input(path, number, status);
    if (::fstat(number, &status) != 0) refuse(path, reason(errno));
  }
  if (!S_ISREG(status.st_mode)) refuse(path, "it is neither a file nor a pipe");
  auto const size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;  // mmap takes no empty range
  void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, number, 0);
  if (start == MAP_FAILED) refuse(path, reason(errno));
  bytes_ = {static_cast<std::uint8_t const*>(start), size};
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

void MappedFile::put_aside(std::span<std::uint8_t const> part) const {
  auto const page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  auto const start = reinterpret_cast<std::uintptr_t>(bytes_.data());
  auto const first = reinterpret_cast<std::uintptr_t>(part.data());
  // Numbers that a reader converted lie in memory that nothing would fill again: it would be zeros.
  std::uintptr_t const from = std::max(first, start), to = std::min(first + part.size(), start + bytes_.size());
  std::uintptr_t const begin = (from + page - 1) / page * page, end = to / page * page;
  // Pages of a private mapping that was never written to are read from the file again. It is a hint: whether the
  // system takes it changes no byte.
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

}  // namespace draftgauge
