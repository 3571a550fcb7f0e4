#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace draftgauge {

/// Memory for arrays of many megabytes. Its numbers are not set before someone writes them: its pages are then made by
/// the threads that fill them, and not by one that only sets them to 0. Large arrays ask for pages of 2 MiB, of which
/// fewer are made, and fewer have to be found when tables are read at random.
template <class T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <class U>
  LargeAllocator(LargeAllocator<U> const&) {}

  T* allocate(std::size_t n) {
    if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    std::size_t const bytes = n * sizeof(T);
    void* const place = ::operator new(bytes, alignment(n));
#ifdef MADV_HUGEPAGE
    if (bytes >= huge_page) madvise(place, bytes, MADV_HUGEPAGE);  // advice: where it is refused all works the same
#endif
    return static_cast<T*>(place);
  }
  void deallocate(T* place, std::size_t n) { ::operator delete(place, alignment(n)); }

  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }

  friend bool operator==(LargeAllocator const&, LargeAllocator const&) { return true; }

 private:
  static constexpr std::size_t huge_page = std::size_t{1} << 21;
  static std::align_val_t alignment(std::size_t n) {
    return std::align_val_t{n * sizeof(T) >= huge_page ? huge_page : alignof(std::max_align_t)};
  }
};

/// A vector whose resize() leaves new numbers unset.
template <class T>
using Array = std::vector<T, LargeAllocator<T>>;

}  // namespace draftgauge
