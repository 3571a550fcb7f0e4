#pragma once
#include <csignal>
#include <string>

namespace draftgauge {

/// While one lives, the first Ctrl-C (SIGINT) is noted instead of ending the program, so that a long run can still
/// say what it has found; the second ends the program as always. One at a time. Where SIGINT is ignored (a job in the
/// background of a script), it stays so. `terminate`: SIGTERM is noted as well, which is what launchers of ranks make
/// of Ctrl-C, also of a single rank, and send where a rank has died.
class Interruption {
 public:
  explicit Interruption(bool terminate = false);
  ~Interruption();
  Interruption(Interruption const&) = delete;
  Interruption& operator=(Interruption const&) = delete;

  /// Whether Ctrl-C was pressed since the last one was made.
  static bool asked();

 private:
  struct sigaction before_, before_terminate_;
};

/// While one lives, SIGINT and SIGTERM do nothing: of a process that another one tells when to stop.
class Unheard {
 public:
  Unheard();
  ~Unheard();
  Unheard(Unheard const&) = delete;
  Unheard& operator=(Unheard const&) = delete;

 private:
  struct sigaction interrupt_, terminate_;
};

/// While one lives, the first Ctrl-C ends the program with a line and exit status 130, which is what a shell calls
/// it: of a command that has nothing to say until it is done. The line says that nothing was written, until an
/// Uninterrupted has lived: from then on it says that files are there. One at a time, around any Interruption.
class EndOnInterruption {
 public:
  /// `who` begins the line: "draftgauge measure". On a terminal the line stands below a progress line.
  EndOnInterruption(std::string const& who, bool terminal);
  ~EndOnInterruption();
  EndOnInterruption(EndOnInterruption const&) = delete;
  EndOnInterruption& operator=(EndOnInterruption const&) = delete;

 private:
  struct sigaction before_;
};

/// While one lives, Ctrl-C does nothing: of files of which all are written or none. That is the last that a command
/// does, so that it ends soon.
class Uninterrupted {
 public:
  Uninterrupted();
  ~Uninterrupted();
  Uninterrupted(Uninterrupted const&) = delete;
  Uninterrupted& operator=(Uninterrupted const&) = delete;

 private:
  struct sigaction before_;
};

}  // namespace draftgauge
