#include "apps/output/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace draftgauge {
namespace {

constexpr std::size_t narrowest = 80, widest = 200;

std::string_view variable(char const* name) {
  char const* const value = std::getenv(name);
  return value ? value : "";
}

/// COLUMNS; 0 where it is not set.
std::size_t columns_said() {
  std::size_t said = 0;
  std::string_view const text = variable("COLUMNS");
  return std::from_chars(text.data(), text.data() + text.size(), said).ec == std::errc() ? said : 0;
}

/// 0 where the system does not say.
std::size_t columns_of_terminal() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

bool is_terminal(std::ostream const& stream) {
  // Open MPI's mpirun gives a rank a pseudo-terminal, and passes what comes there on to wherever it writes itself.
  if (!variable("OMPI_COMM_WORLD_SIZE").empty()) return false;
  return (&stream == &std::cout && ::isatty(STDOUT_FILENO) == 1) ||
         (&stream == &std::cerr && ::isatty(STDERR_FILENO) == 1);
}

Look look_of(std::ostream const& stream) {
  Look look;
  bool const shown = is_terminal(stream);
  std::size_t found = &stream == &std::cout ? columns_said() : 0;
  if (found == 0 && shown) found = columns_of_terminal();
  if (found > 0) look.width = std::clamp(found, narrowest, widest);
  if (!shown) return look;
  look.colour = variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  return look;
}

}  // namespace draftgauge
