#pragma once
#include <utility>
#include <vector>

#include "sim/base/contains.h"

namespace draftgauge {

/// Adds what the list does not have. Returns whether it did.
template <class T, class Value>
bool add_once(std::vector<T>& list, Value&& value) {
  if (contains(list, value)) return false;
  list.emplace_back(std::forward<Value>(value));
  return true;
}

}  // namespace draftgauge
