#pragma once
#include <csignal>
#include <optional>
#include <string>

namespace draftgauge {

/// What a signal does while one lives; then what it did before. Where it is ignored (a job in the background of a
/// script), it stays so. The first of them ends it: the second does what signals do.
class SignalHandler {
 public:
  explicit SignalHandler(void (*handler)(int), int signal = SIGINT);
  ~SignalHandler() { ::sigaction(signal_, &before_, nullptr); }
  SignalHandler(SignalHandler const&) = delete;
  SignalHandler& operator=(SignalHandler const&) = delete;

 private:
  int signal_;
  struct sigaction before_ = {};
};

/// While one lives, the first Ctrl-C (SIGINT) is noted instead of ending the program, so that a long run can still
/// say what it has found; the second ends the program as always. One at a time. `terminate`: SIGTERM is noted as well,
/// which is what launchers of ranks make of Ctrl-C, also of a single rank, and send where a rank has died.
class Interruption {
 public:
  explicit Interruption(bool terminate = false);

  /// Whether Ctrl-C was pressed since the last one was made.
  static bool asked();

 private:
  std::optional<SignalHandler> interrupt_, terminate_;
};

/// While one lives, SIGINT and SIGTERM do nothing: of a process that another one tells when to stop.
struct Unheard {
  SignalHandler interrupt{SIG_IGN}, terminate{SIG_IGN, SIGTERM};
};

/// While one lives, the first Ctrl-C ends the program with a line and exit status 130, which is what a shell calls
/// it: of a command that has nothing to say until it is done. The line says that nothing was written, until an
/// Uninterrupted has lived: from then on it says that files are there. One at a time, around any Interruption.
class EndOnInterruption {
 public:
  /// `who` begins the line: "draftgauge measure". On a terminal the line stands below a progress line.
  EndOnInterruption(std::string const& who, bool terminal);

 private:
  std::optional<SignalHandler> interrupt_;
};

/// While one lives, Ctrl-C does nothing: of files of which all are written or none. That is the last that a command
/// does, so that it ends soon.
class Uninterrupted {
 public:
  Uninterrupted();

 private:
  SignalHandler interrupt_;
};

}  // namespace draftgauge
