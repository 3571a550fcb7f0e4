#include "apps/output/interruption.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>

namespace draftgauge {
namespace {

std::atomic<bool> noted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

extern "C" void note_interruption(int) { noted.store(true, std::memory_order_relaxed); }

// Made before the handler is set: it may call nothing that allocates.
struct LastWords {
  std::array<char, 128> text;
  std::size_t size = 0;

  void set(std::string const& words) {
    size = std::min(words.size(), text.size());
    std::copy_n(words.begin(), size, text.begin());
  }
};
LastWords before_writing, after_writing;
std::atomic<bool> has_written{false};  // also while the files take their places, which no signal interrupts

extern "C" void end_program(int) {
  constexpr int interrupted = 130;
  LastWords const& said = has_written.load(std::memory_order_relaxed) ? after_writing : before_writing;
  static_cast<void>(!::write(STDERR_FILENO, said.text.data(), said.size));
  ::_exit(interrupted);
}

}  // namespace

SignalHandler::SignalHandler(void (*handler)(int), int signal) : signal_(signal) {
  ::sigaction(signal, nullptr, &before_);
  if (before_.sa_handler == SIG_IGN) return;
  struct sigaction now = {};
  now.sa_handler = handler;
  now.sa_flags = SA_RESETHAND | SA_RESTART;
  ::sigemptyset(&now.sa_mask);
  ::sigaction(signal, &now, nullptr);
}

Interruption::Interruption(bool terminate) {
  noted = false;
  interrupt_.emplace(note_interruption);
  if (terminate) terminate_.emplace(note_interruption, SIGTERM);
}

bool Interruption::asked() { return noted.load(std::memory_order_relaxed); }

EndOnInterruption::EndOnInterruption(std::string const& who, bool terminal) {
  std::string const words = (terminal ? "\n" : "") + who + ": interrupted: ";
  before_writing.set(words + "nothing was written\n");
  after_writing.set(words + "files were written, each of them whole\n");
  has_written = false;
  interrupt_.emplace(end_program);
}

Uninterrupted::Uninterrupted() : interrupt_(SIG_IGN) { has_written = true; }

}  // namespace draftgauge
