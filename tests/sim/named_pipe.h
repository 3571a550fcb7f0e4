#pragma once
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "tests/sim/temporary_file.h"

namespace draftgauge {

/// A pipe with a name through which this content comes, to the one that opens it first.
class NamedPipe {
 public:
  explicit NamedPipe(std::string content) : place_(".pipe", "") {
    std::filesystem::remove(place_.path());
    REQUIRE(::mkfifo(place_.path().c_str(), 0600) == 0);
    writer_ = std::jthread([&done = done_, path = place_.path(), content = std::move(content)] {
      sigset_t broken;
      ::sigemptyset(&broken);
      ::sigaddset(&broken, SIGPIPE);
      ::pthread_sigmask(SIG_BLOCK, &broken, nullptr);    // of a reader who has read enough
      std::ofstream(path, std::ios::binary) << content;  // waits for a reader
      done = true;
    });
  }
  ~NamedPipe() {
    // A test that failed before it read would wait for a writer that waits for it.
    while (!done_) {
      if (int const reader = ::open(place_.path().c_str(), O_RDONLY | O_NONBLOCK); reader >= 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        ::close(reader);
      }
    }
  }
  NamedPipe(NamedPipe const&) = delete;
  std::string path() const { return place_.path(); }

 private:
  TemporaryFile place_;
  std::atomic<bool> done_ = false;
  std::jthread writer_;
};

}  // namespace draftgauge
