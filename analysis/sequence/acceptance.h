#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace draftgauge {

/// A round in its place among the rounds of its request.
struct OrderedRound {
  std::int64_t accepted = 0, drafted = 0;
  friend bool operator==(OrderedRound const&, OrderedRound const&) = default;
};
using OrderedRounds = std::vector<OrderedRound>;

/// Whether a draft of a token would have been accepted. `hole`: the token after a full round, which nobody tested.
enum class Outcome : std::uint8_t { rejected, accepted, hole };
/// One outcome for each token of a text. Where a draft depends on the text alone (a draft model, n-grams, and the token
/// rule), it is the same whatever rounds the text was made in: that is why other rounds can be replayed along it.
using AcceptanceSequence = std::vector<Outcome>;

/// A round that accepted k of its drafts shows k accepted tokens, then a rejected one, or a hole where it accepted all.
/// Domain: 0 ≤ accepted ≤ drafted.
AcceptanceSequence sequence_of(std::span<OrderedRound const> rounds);

/// At every token of a text: how many drafts a round that starts there gets accepted, of as many as were looked at.
using AcceptedFrom = std::vector<std::int64_t>;

/// Whether the first draft is accepted at each token. It has no holes.
AcceptanceSequence sequence_of_runs(std::span<std::int64_t const> accepted_from);

/// How often the token after a full round is accepted: estimated one token later, where the next round tests it.
struct HoleRate {
  std::int64_t accepted = 0, tested = 0;          ///< first drafts of the rounds right after a full round
  std::int64_t all_accepted = 0, all_tested = 0;  ///< every draft that was tested
  HoleRate& operator+=(HoleRate const& other);
  /// Of first drafts, else of all; 0 where nothing was tested.
  template <class Number>
  Number rate() const {
    auto const [of, among] = tested > 0 ? std::pair(accepted, tested) : std::pair(all_accepted, all_tested);
    return among > 0 ? Number(of) / Number(among) : Number(0);
  }
};
HoleRate hole_rate(std::span<OrderedRound const> rounds);

}  // namespace draftgauge
