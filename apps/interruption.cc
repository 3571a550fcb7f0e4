#include "apps/interruption.h"

#include <atomic>

namespace draftgauge {
namespace {

std::atomic<bool> noted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

extern "C" void note_interruption(int) { noted.store(true, std::memory_order_relaxed); }

}  // namespace

Interruption::Interruption() {
  noted = false;
  ::sigaction(SIGINT, nullptr, &before_);
  if (before_.sa_handler == SIG_IGN) return;
  struct sigaction noting = {};
  noting.sa_handler = note_interruption;
  noting.sa_flags = SA_RESETHAND | SA_RESTART;
  ::sigemptyset(&noting.sa_mask);
  ::sigaction(SIGINT, &noting, nullptr);
}

Interruption::~Interruption() { ::sigaction(SIGINT, &before_, nullptr); }

bool Interruption::asked() { return noted.load(std::memory_order_relaxed); }

}  // namespace draftgauge
