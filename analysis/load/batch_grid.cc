#include "analysis/load/batch_grid.h"

#include <algorithm>
#include <iterator>

namespace draftgauge {

bool BatchGrid::add(std::int64_t length, std::int64_t batch, double value) {
  return rows_[length].emplace(batch, value).second;
}

std::vector<std::int64_t> BatchGrid::lengths() const {
  std::vector<std::int64_t> all;
  for (auto const& [length, ignored] : rows_) all.push_back(length);
  return all;
}

std::vector<std::int64_t> BatchGrid::batches(std::int64_t length) const {
  std::vector<std::int64_t> all;
  if (auto const row = rows_.find(length); row != rows_.end())
    for (auto const& [batch, ignored] : row->second) all.push_back(batch);
  return all;
}

std::optional<GridValue> BatchGrid::at(std::int64_t length, std::int64_t batch) const {
  auto const found = rows_.find(length);
  if (found == rows_.end()) return std::nullopt;
  auto const& row = found->second;
  auto const above = row.lower_bound(batch);
  if (above != row.end() && (above->first == batch || above == row.begin()))
    return GridValue{above->second, above->first != batch};
  auto const slope = [](auto const& low, auto const& high) {
    return (high->second - low->second) / static_cast<double>(high->first - low->first);
  };
  auto const below = std::prev(above);
  auto const beyond = static_cast<double>(batch - below->first);
  if (above != row.end()) return GridValue{below->second + slope(below, above) * beyond, false};
  double const grows = below == row.begin() ? 0 : std::max(0., slope(std::prev(below), below));
  return GridValue{below->second + grows * beyond, true};
}

}  // namespace draftgauge
