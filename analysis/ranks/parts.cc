#include "analysis/ranks/parts.h"

#include <iterator>

namespace draftgauge {

void Parts::add(Played const& part) {
  auto next = parts_.upper_bound(part.range.begin);
  auto here = next;
  if (next != parts_.begin() && std::prev(next)->second.range.end == part.range.begin) {
    here = std::prev(next);
    here->second.tally += part.tally;
    here->second.range.end = part.range.end;
  } else {
    here = parts_.emplace_hint(next, part.range.begin, part);
  }
  if (next == parts_.end() || next->first != part.range.end) return;
  here->second.tally += next->second.tally;
  here->second.range.end = next->second.range.end;
  parts_.erase(next);
}

void Parts::add(std::vector<Played> const& parts) {
  for (Played const& part : parts) add(part);
}

Played Parts::all() const {
  Played all = parts_.begin()->second;
  for (auto part = std::next(parts_.begin()); part != parts_.end(); ++part) all.tally += part->second.tally;
  all.range.end = std::prev(parts_.end())->second.range.end;
  return all;
}

Played Parts::from(std::uint64_t begin, TallyLayout const& layout) const {
  auto const found = parts_.find(begin);
  return found == parts_.end() ? Played{Tally(layout), {begin, begin}} : found->second;
}

std::vector<Range> Parts::missing() const {
  std::vector<Range> gaps;
  for (auto part = parts_.begin(); part != parts_.end(); ++part)
    if (auto const next = std::next(part); next != parts_.end())
      gaps.push_back({part->second.range.end, next->first});
  return gaps;
}

std::vector<Range> Parts::missing(Range asked) const {
  if (parts_.empty()) return {asked};
  std::vector<Range> gaps = missing();
  std::uint64_t const begin = parts_.begin()->first;
  if (asked.begin < begin) gaps.insert(gaps.begin(), {asked.begin, begin});
  if (end() < asked.end) gaps.push_back({end(), asked.end});
  return gaps;
}

std::uint64_t Parts::end() const { return parts_.empty() ? 0 : std::prev(parts_.end())->second.range.end; }

std::vector<Played> Parts::take(std::uint64_t before) {
  std::vector<Played> taken;
  auto const behind = parts_.lower_bound(before);
  for (auto part = parts_.begin(); part != behind; ++part) taken.push_back(std::move(part->second));
  parts_.erase(parts_.begin(), behind);
  return taken;
}

}  // namespace draftgauge
