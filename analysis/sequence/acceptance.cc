#include "analysis/sequence/acceptance.h"

namespace draftgauge {

AcceptanceSequence sequence_of(std::span<OrderedRound const> rounds) {
  AcceptanceSequence sequence;
  for (auto const& [accepted, drafted] : rounds) {
    sequence.insert(sequence.end(), static_cast<std::size_t>(accepted), Outcome::accepted);
    sequence.push_back(accepted < drafted ? Outcome::rejected : Outcome::hole);
  }
  return sequence;
}

AcceptanceSequence sequence_of_runs(std::span<std::int64_t const> accepted_from) {
  AcceptanceSequence sequence;
  for (std::int64_t const run : accepted_from) sequence.push_back(run > 0 ? Outcome::accepted : Outcome::rejected);
  return sequence;
}

HoleRate& HoleRate::operator+=(HoleRate const& other) {
  accepted += other.accepted;
  tested += other.tested;
  all_accepted += other.all_accepted;
  all_tested += other.all_tested;
  return *this;
}

HoleRate hole_rate(std::span<OrderedRound const> rounds) {
  HoleRate counted;
  bool after_full = false;
  for (auto const& [accepted, drafted] : rounds) {
    if (after_full && drafted > 0) {
      counted.accepted += accepted > 0;
      ++counted.tested;
    }
    counted.all_accepted += accepted;
    counted.all_tested += accepted + (accepted < drafted);
    after_full = drafted > 0 && accepted == drafted;
  }
  return counted;
}

}  // namespace draftgauge
