#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace draftgauge {

/// An open file, closed when this object goes. The functions that fail leave the reason in errno.
class Descriptor {
 public:
  /// Opens the file; not for programs that this one starts. What it makes is for all to read and write, less the
  /// umask.
  Descriptor(char const* path, int flags) : number_(::open(path, flags | O_CLOEXEC, 0666)) {}
  /// Takes over one that is open, or −1.
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor const&) = delete;
  Descriptor& operator=(Descriptor const&) = delete;

  bool open() const { return number_ >= 0; }
  int number() const { return number_; }

  /// All of the text, in one write(2) where the system takes it whole.
  bool write(std::string_view text) const {
    while (!text.empty()) {
      ssize_t const written = ::write(number_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }
  bool sync() const { return ::fsync(number_) == 0; }

 private:
  int number_;
};

}  // namespace draftgauge
