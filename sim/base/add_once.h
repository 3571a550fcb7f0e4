#pragma once
#include <algorithm>
#include <utility>
#include <vector>

namespace draftgauge {

/// Adds what the list does not have. Returns whether it did.
template <class T, class Value>
bool add_once(std::vector<T>& list, Value&& value) {
  if (std::ranges::find(list, value) != list.end()) return false;
  list.emplace_back(std::forward<Value>(value));
  return true;
}

}  // namespace draftgauge
