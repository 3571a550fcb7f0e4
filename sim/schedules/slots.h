#pragma once
#include <cstdint>
#include <type_traits>

#include "sim/chance/chance.h"

namespace draftgauge {

/// The most requests of a batch.
inline constexpr int max_requests = 256;

/// Whether a < b, where one of them is not negative. Doubles that a rounding error may tell apart are equal, so that a
/// tie is decided as in fractions: .7·.7 reaches .49. surely_below: what is less than that is below.
template <class Real>
DRAFTGAUGE_HD Real surely_below(Real const& b) {
  if constexpr (std::is_floating_point_v<Real>)
    return b * (1 - 1e-12);
  else
    return b;
}
template <class Real>
DRAFTGAUGE_HD bool below(Real const& a, Real const& b) {
  return a < surely_below(b);
}

/// The drafts of a batch's round. A slot is one draft of one request, at a place from 0 on; arrays hold a row of
/// `stride` slots a request.
template <class Real>
struct BatchDrafts {
  int requests = 0;
  int stride = 0;
  int const* gamma = nullptr;    ///< [requests] slots of each
  Token const* token = nullptr;  ///< [requests][stride] what was drafted
  Real const* own = nullptr;     ///< [requests][stride] q of the token drafted
  Real const* estimate =
      nullptr;  ///< [requests][stride] of P(accepted | those before it are), from what stands before it
  Real const* time = nullptr;  ///< [slots + 1] of the pass that verifies so many slots
  Real const* envelope = nullptr;  ///< the greatest convex times nowhere above these; null: unknown

  DRAFTGAUGE_HD int at(int request, int place) const { return request * stride + place; }
};

/// Slots that are admitted to verification one after another, of each request in order. It shows estimates and never
/// tokens: of each request that of its next slot alone.
template <class Real>
class OpenSlots {
 public:
  DRAFTGAUGE_HD OpenSlots(BatchDrafts<Real> const& drafts, int* lengths)
      : drafts_(drafts), lengths_(lengths), expected_(drafts.requests) {
    for (int r = 0; r < drafts.requests; ++r) {
      lengths[r] = 0;
      reach(r, Real(1));
      winner_[drafts.requests + r] = static_cast<std::int16_t>(r);
    }
    for (int match = drafts.requests - 1; match >= 1; --match) play(match);
  }

  DRAFTGAUGE_HD int requests() const { return drafts_.requests; }
  DRAFTGAUGE_HD int length(int request) const { return lengths_[request]; }  ///< slots of it that are admitted
  DRAFTGAUGE_HD bool open(int request) const { return lengths_[request] < drafts_.gamma[request]; }
  /// The estimated chance that a request's next slot is accepted, with all before it. Domain: open.
  DRAFTGAUGE_HD Real const& survival(int request) const { return survival_[request]; }

  /// The request whose slot was admitted last, 0 before any: where schedules go on that take one request after another.
  DRAFTGAUGE_HD int last() const { return last_; }
  DRAFTGAUGE_HD int admitted() const { return admitted_; }
  /// Tokens that the round is expected to emit: one a request, and the survivals of what is admitted.
  DRAFTGAUGE_HD Real const& expected() const { return expected_; }
  DRAFTGAUGE_HD Real const& time() const { return drafts_.time[admitted_]; }
  DRAFTGAUGE_HD Real const& time_with_next() const { return drafts_.time[admitted_ + 1]; }

  /// The open request whose next slot survives most, the first of equal ones; −1 where none is open.
  DRAFTGAUGE_HD int best() const { return open(winner_[1]) ? winner_[1] : -1; }

  DRAFTGAUGE_HD void admit(int request) {
    expected_ += survival_[request];
    ++lengths_[request];
    ++admitted_;
    last_ = request;
    reach(request, survival_[request]);
    for (int match = (drafts_.requests + request) / 2; match >= 1; match /= 2) play(match);
  }

 private:
  /// Who survives more of two, which of equal ones stands before the other; the closed come last.
  DRAFTGAUGE_HD void play(int match) {
    int const a = winner_[2 * match], b = winner_[2 * match + 1];
    winner_[match] = static_cast<std::int16_t>(wins(a, b) ? a : b);
  }
  DRAFTGAUGE_HD bool wins(int a, int b) const {
    return a < b ? !(survival_[a] < below_[b]) : survival_[b] < below_[a];
  }
  DRAFTGAUGE_HD void reach(int request, Real const& before) {
    survival_[request] =
        open(request) ? Real(before * drafts_.estimate[drafts_.at(request, lengths_[request])]) : Real(-1);
    below_[request] = surely_below(survival_[request]);
  }

  BatchDrafts<Real> const& drafts_;
  int* lengths_;
  int admitted_ = 0, last_ = 0;
  Real expected_;
  Real survival_[max_requests];            ///< −1 of the closed
  Real below_[max_requests];               ///< surely_below of it
  std::int16_t winner_[2 * max_requests];  ///< a tournament: match m is between the winners of 2m and 2m + 1
};

/// The number of slots n that maximises tokens over time, if the n that survive most are verified; of equal ones the
/// smallest. Tokens over convex times never rise again once they have fallen, so that none behind is best where these
/// have fallen below what was found.
template <class Real>
DRAFTGAUGE_HD int best_budget(BatchDrafts<Real> const& drafts) {
  int lengths[max_requests];
  OpenSlots<Real> slots(drafts, lengths);
  int best = 0;
  Real tokens = slots.expected(), time = slots.time();
  for (int r = slots.best(); r >= 0; r = slots.best()) {
    if (drafts.envelope) {
      Real const now = drafts.envelope[slots.admitted()], next = drafts.envelope[slots.admitted() + 1];
      bool const falls = below(Real((slots.expected() + slots.survival(r)) * now), Real(slots.expected() * next));
      if (falls && !below(Real(tokens * now), Real(slots.expected() * time))) break;
    }
    slots.admit(r);
    if (!below(Real(tokens * slots.time()), Real(slots.expected() * time))) continue;
    best = slots.admitted();
    tokens = slots.expected();
    time = slots.time();
  }
  return best;
}

}  // namespace draftgauge
