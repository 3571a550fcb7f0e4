#pragma once
#include <algorithm>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace draftgauge {

/// Calls work(row) for the rows 0…rows−1 on up to `threads` threads, each with a `work` of its own from make_work(),
/// for its scratch. Where it has a member read(row), that is called before, of all rows in order, and of none behind one
/// that failed. Of the exceptions thrown the one of the smallest row is passed on, as it would be without threads.
template <class MakeWork>
void for_rows(std::uint64_t rows, int threads, MakeWork const& make_work) {
  std::mutex mutex;
  std::uint64_t next = 0;  // rows are taken in order, so that no smaller one is left out when one fails
  std::uint64_t failed = rows;
  std::exception_ptr failure;
  auto const take = [&](std::uint64_t& row, auto& work) {
    std::lock_guard const lock(mutex);
    if (next >= failed) return false;
    row = next++;
    if constexpr (requires { work.read(row); }) {
      try {
        work.read(row);
      } catch (...) {
        failed = row;  // while the lock is held, so that nobody reads on
        throw;
      }
    }
    return true;
  };
  auto const run = [&] {
    std::uint64_t row = 0;
    try {
      auto work = make_work();
      while (take(row, work)) work(row);
    } catch (...) {
      std::lock_guard const lock(mutex);
      if (failure && row >= failed) return;
      failed = row;
      failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::uint64_t i = 1; i < std::min<std::uint64_t>(static_cast<std::uint64_t>(threads), rows); ++i)
      others.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace draftgauge
