#include "sim/recordings/picked_rows.h"

#include <algorithm>
#include <utility>

namespace draftgauge {
namespace {

RowLayout layout_of(RowBytes const& all, std::vector<std::uint8_t> const& kept, std::uint64_t vocab) {
  RowLayout layout = all.layout();
  if (!kept.empty()) layout.rows = static_cast<std::uint64_t>(std::ranges::count(kept, 1));
  layout.vocab = vocab;
  return layout;
}

}  // namespace

PickedRows::PickedRows(std::unique_ptr<RowBytes> all, std::vector<std::uint8_t> const& kept, std::uint64_t vocab)
    : RowBytes(layout_of(*all, kept, vocab)), all_(std::move(all)) {
  if (kept.empty()) runs_.push_back({0, 0, layout().rows});
  std::uint64_t here = 0;
  for (std::uint64_t there = 0; there < kept.size(); ++there) {
    if (kept[there] == 0) continue;
    if (!runs_.empty() && runs_.back().there + runs_.back().count == there)
      ++runs_.back().count;
    else
      runs_.push_back({here, there, 1});
    ++here;
  }
}

std::vector<PickedRows::Run>::const_iterator PickedRows::run_of(std::uint64_t here) const {
  return std::ranges::upper_bound(runs_, here, {}, &Run::here) - 1;
}

std::uint64_t PickedRows::file_row(std::uint64_t i) const {
  auto const run = run_of(i);
  return all_->file_row(run->there + (i - run->here));
}

std::span<std::uint8_t const> PickedRows::rows(std::uint64_t begin, std::uint64_t count) {
  std::uint64_t const size = layout().row_bytes(), full = all_->layout().row_bytes();
  auto run = run_of(begin);
  bool const whole = begin + count <= run->here + run->count;
  if (whole && size == full) return all_->rows(run->there + (begin - run->here), count);
  copy_.resize(count * size);
  for (std::uint64_t done = 0; done < count; ++run) {
    std::uint64_t const at = begin + done - run->here, part = std::min(count - done, run->count - at);
    auto const bytes = all_->rows(run->there + at, part);
    for (std::uint64_t i = 0; i < part; ++i)
      std::ranges::copy(bytes.subspan(i * full, size),
                        copy_.begin() + static_cast<std::ptrdiff_t>((done + i) * size));
    done += part;
  }
  return copy_;
}

}  // namespace draftgauge
