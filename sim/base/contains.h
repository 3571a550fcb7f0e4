#pragma once
#include <algorithm>
#include <functional>

namespace draftgauge {

/// std::ranges::contains of C++23.
template <class List, class Value, class Projection = std::identity>
bool contains(List&& list, Value const& value, Projection const& projection = {}) {
  return std::ranges::find(list, value, projection) != std::ranges::end(list);
}

}  // namespace draftgauge
