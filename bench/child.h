#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace draftgauge::bench {

/// A program that answers lines with lines, ended when this object goes. What it writes as errors is dropped.
class Child {
 public:
  /// words[0] is looked up in PATH. Where it cannot be started there is no first line to read. Throws
  /// std::system_error where this system has no more processes or descriptors.
  explicit Child(std::vector<std::string> const& words);
  ~Child();
  Child(Child const&) = delete;
  Child& operator=(Child const&) = delete;

  /// False where the child is gone.
  bool write(std::string_view text) const;
  /// The next line without its end; false where there is none: the child is gone, or says nothing for `seconds`, or
  /// its line is longer than 64 KiB.
  bool read_line(std::string& line, double seconds);

 private:
  int socket_ = -1;
  int process_ = -1;
  std::string read_;
};

}  // namespace draftgauge::bench
