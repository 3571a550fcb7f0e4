#include "apps/interruption.h"

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
std::array<char, 128> last_words;
std::size_t last_words_size = 0;

extern "C" void end_program(int) {
  constexpr int interrupted = 130;
  static_cast<void>(!::write(STDERR_FILENO, last_words.data(), last_words_size));
  ::_exit(interrupted);
}

// Sets it for SIGINT, and returns what was set before, which where SIGINT is ignored stays.
struct sigaction set(void (*handler)(int)) {
  struct sigaction before = {}, now = {};
  ::sigaction(SIGINT, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return before;
  now.sa_handler = handler;
  now.sa_flags = SA_RESETHAND | SA_RESTART;
  ::sigemptyset(&now.sa_mask);
  ::sigaction(SIGINT, &now, nullptr);
  return before;
}

}  // namespace

Interruption::Interruption() {
  noted = false;
  before_ = set(note_interruption);
}

EndOnInterruption::EndOnInterruption(std::string const& who, bool terminal) {
  std::string const words = (terminal ? "\n" : "") + who + ": interrupted: nothing was written\n";
  last_words_size = std::min(words.size(), last_words.size());
  std::copy_n(words.begin(), last_words_size, last_words.begin());
  before_ = set(end_program);
}

EndOnInterruption::~EndOnInterruption() { ::sigaction(SIGINT, &before_, nullptr); }

Interruption::~Interruption() { ::sigaction(SIGINT, &before_, nullptr); }

Uninterrupted::Uninterrupted() { before_ = set(SIG_IGN); }

Uninterrupted::~Uninterrupted() { ::sigaction(SIGINT, &before_, nullptr); }

bool Interruption::asked() { return noted.load(std::memory_order_relaxed); }

}  // namespace draftgauge
