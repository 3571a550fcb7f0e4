#include "sim/play/pieces.h"

#include <algorithm>
#include <stdexcept>

namespace draftgauge {
namespace {

constexpr std::uint64_t first_size = 16;  // trials of the very first piece, since one may take seconds
constexpr std::uint64_t growth = 16;      // of a piece to the next
constexpr double shortest = .02;          // seconds; messages take a thousandth
constexpr double share_of_passed = 1. / 8;
constexpr double messages_per_second = 1000;  // that rank 0 can well answer
constexpr double late = 2;                    // times as long as expected

std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

}  // namespace

Pieces::Pieces(Range range, int ranks, double now)
    : range_(range),
      start_(now),
      longest_(std::max(1., ranks / messages_per_second)),
      begin_(range.begin),
      holds_(at(ranks)),
      rates_(at(ranks)),
      sizes_(at(ranks)) {}

std::uint64_t Pieces::size_for(int rank, double now) const {
  if (known_ == 0) return first_size;
  double const mean = total_rate_ / known_;
  double const rate = rates_[at(rank)] > 0 ? rates_[at(rank)] : mean / 4;  // it may be slower
  double const goal = std::clamp((now - start_) * share_of_passed, shortest, longest_);
  double const left = static_cast<double>(range_.end - begin_);
  double const share = left * rate / (mean * static_cast<double>(rates_.size()));
  double const size = std::max(std::min(rate * goal, share / 2), rate * shortest);
  std::uint64_t const most = sizes_[at(rank)] > 0 ? sizes_[at(rank)] * growth : std::uint64_t{1} << 62;
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::min(size, 0x1p62)), 1, most);
}

std::optional<Range> Pieces::next(int rank, double now) {
  if (auto const late_piece = copy_for(rank, now)) return late_piece;
  Range piece;
  if (!returned_.empty()) {
    piece = returned_.back();
    returned_.pop_back();
  } else if (begin_ < range_.end) {
    piece = {begin_, begin_ + std::min(size_for(rank, now), range_.end - begin_)};
    begin_ = piece.end;
  } else {
    return std::nullopt;
  }
  double const rate = rates_[at(rank)] > 0 ? rates_[at(rank)] : known_ > 0 ? total_rate_ / known_ : 0;
  double const expected = rate > 0 ? static_cast<double>(piece.size()) / rate : longest_;
  double const is_late = now + late * std::max(expected, longest_ / 4);
  out_[piece.begin] = {piece, now, expected, is_late};
  queue_.emplace(is_late, piece.begin);
  holds_[at(rank)] = piece.begin;
  return piece;
}

std::optional<Range> Pieces::copy_for(int rank, double now) {
  double const rate = rates_[at(rank)];
  if (!(rate > 0)) return std::nullopt;
  Out* latest = nullptr;
  for (auto late_one = queue_.begin(); late_one != queue_.end() && late_one->first < now; ++late_one) {
    Out& out = out_.at(late_one->second);
    // Not to a rank that would take as long again as all have waited.
    double const here = static_cast<double>(out.range.size()) / rate;
    if (now - out.since > late * here && (!latest || out.since < latest->since)) latest = &out;
  }
  if (!latest) return std::nullopt;
  queue_.erase({latest->late, latest->range.begin});
  holds_[at(rank)] = latest->range.begin;
  return latest->range;
}

double Pieces::patience() const {
  double slowest = longest_ / 2;
  for (auto const& [begin, out] : out_) slowest = std::max(slowest, out.expected);
  return late * late * slowest;  // until it is late, and as long again for a copy
}

bool Pieces::took(int rank, Range played, double seconds) {
  auto& held = holds_[at(rank)];
  if (!held || played.begin != *held || played.begin >= played.end)
    throw std::invalid_argument("these trials are not those of the rank's piece");
  held.reset();
  if (seconds > 0) {
    double& rate = rates_[at(rank)];
    known_ += !(rate > 0);
    total_rate_ -= rate;
    rate = static_cast<double>(played.size()) / seconds;
    total_rate_ += rate;
    sizes_[at(rank)] = played.size();
  }
  auto const found = out_.find(played.begin);
  if (found == out_.end()) return false;  // another was first
  Range const piece = found->second.range;
  if (played.end > piece.end) throw std::invalid_argument("these trials are not those of the rank's piece");
  queue_.erase({found->second.late, found->first});
  out_.erase(found);
  played_ += played.size();
  if (played.end < piece.end) returned_.push_back({played.end, piece.end});
  return true;
}

}  // namespace draftgauge
