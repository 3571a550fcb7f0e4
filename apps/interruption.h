#pragma once
#include <csignal>

namespace draftgauge {

/// While one lives, the first Ctrl-C (SIGINT) is noted instead of ending the program, so that a long run can still
/// say what it has found; the second ends the program as always. One at a time. Where SIGINT is ignored (a job in the
/// background of a script), it stays so.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(Interruption const&) = delete;
  Interruption& operator=(Interruption const&) = delete;

  /// Whether Ctrl-C was pressed since the last one was made.
  static bool asked();

 private:
  struct sigaction before_;
};

}  // namespace draftgauge
