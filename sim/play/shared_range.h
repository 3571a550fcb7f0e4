#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "sim/task/task.h"

namespace draftgauge {

/// Shares a range among threads, each of which plays pieces of it with a worker that `make_worker` makes for it. Throws
/// what a worker throws first.
template <class MakeWorker>
void share(Range range, int threads, MakeWorker const& make_worker) {
  std::uint64_t const pieces = std::min<std::uint64_t>(range.size(), static_cast<std::uint64_t>(threads) * 16);
  std::atomic<std::uint64_t> next{0};
  auto const begin_of = [&](std::uint64_t piece) {  // no product that could overflow
    return range.begin + range.size() / pieces * piece + std::min(piece, range.size() % pieces);
  };
  std::exception_ptr failure;
  std::once_flag failed;
  {
    std::vector<std::jthread> workers;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(static_cast<std::uint64_t>(threads), pieces); ++i)
      workers.emplace_back([&] {
        try {
          auto worker = make_worker();
          for (std::uint64_t piece; (piece = next++) < pieces;) worker.play({begin_of(piece), begin_of(piece + 1)});
        } catch (...) {  // memory for a worker's counts may not be there
          std::call_once(failed, [&] { failure = std::current_exception(); });
        }
      });
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace draftgauge
