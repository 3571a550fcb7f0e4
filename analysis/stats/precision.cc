#include "analysis/stats/precision.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/stats/least_enough.h"
#include "analysis/stats/tails.h"
#include "analysis/theory/domain.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t first_pilot = 1024;
constexpr std::uint64_t most_per_pilot = 16;  // the pilot costs a sixteenth or so
constexpr std::uint64_t few_trials = 100;     // a pilot of a sixteenth of them tells nothing of the spread

/// How far from its value either end of an interval is.
double half_width(Interval const& interval) {
  return std::max(interval.value - interval.low, interval.high - interval.value);
}

/// What a pilot of some trials says of the half width that other trials will have.
class Forecast {
 public:
  Forecast(TrialShape const& shape, Tally const& pilot, double confidence)
      : Forecast(replicates(shape, pilot, TallyLayout::tokens), confidence) {
    units_per_trial_ = static_cast<double>(sums_.trials) / static_cast<double>(pilot[TallyLayout::trials]);
  }

  double half_width(std::uint64_t trials) const {
    double const n = units_per_trial_ * static_cast<double>(trials);
    double const doubt = uncertainty(static_cast<double>(sums_.trials)) + uncertainty(n);
    double const most = deviation_ + doubt, least = std::max(0.0, deviation_ - doubt);
    if ((n - 1) * least * least >= enough_spread * range_ * range_) return limit(n, most);
    return std::max(limit(n, most), bernstein(n, most));
  }

 private:
  Forecast(Replicates const& units, double confidence)
      : sums_(units.sums), range_(units.range), confidence_(confidence) {
    auto const n = static_cast<double>(sums_.trials);
    deviation_ = std::sqrt(residual_squares(sums_) / (n - 1));
    rounds_ = static_cast<double>(sums_.rounds) / n;
    double const squares = static_cast<double>(sums_.rounds2) / n - rounds_ * rounds_;
    deviation_of_rounds_ = std::sqrt(std::max(0.0, squares) * n / (n - 1));
  }

  double uncertainty(double n) const { return range_ * std::sqrt(-2 * std::log(width_doubt) / (n - 1)); }

  double limit(double n, double deviation) const {
    return student_quantile((1 - confidence_) / 2, n - 1) * deviation / (std::sqrt(n) * rounds_);
  }

  /// The radius of bounded_ratio.
  double bernstein(double n, double deviation) const {
    double const log = std::log(4 / (1 - confidence_)), slope = std::sqrt(2 * log / n);
    double const per_round = rounds_ - deviation_of_rounds_ * slope;
    if (per_round <= 0) return std::numeric_limits<double>::infinity();
    return (deviation * slope + 7 * range_ * log / (3 * (n - 1))) / per_round;
  }

  RatioSums sums_;
  double range_, confidence_, deviation_, rounds_, deviation_of_rounds_, units_per_trial_ = 1;
};

}  // namespace

std::optional<std::uint64_t> trials_for(Precision const& wanted, TrialShape const& shape, Tally const& pilot) {
  require_confidence(wanted.confidence);
  if (pilot[TallyLayout::trials] < 2 || pilot[TallyLayout::rounds] == 0) return std::nullopt;
  Forecast const forecast(shape, pilot, wanted.confidence);
  auto const enough = [&](std::uint64_t n) { return forecast.half_width(n) <= wanted.half_width; };
  return least_enough(enough, 2, std::uint64_t{1} << 62, 1024);
}

PreciseSample play_to(Precision const& wanted, TrialShape const& shape, TallyLayout const& layout, Range most,
                      std::function<Played(Range, std::uint64_t)> const& play) {
  require_confidence(wanted.confidence);
  auto const reached_by = [&](Tally const& tally) {
    auto const interval = tally_ratio(shape, tally, TallyLayout::tokens, wanted.confidence);
    return interval && half_width(*interval) <= wanted.half_width;
  };
  if (most.size() < few_trials) {
    Played all = play(most, most.end);
    bool const reached = reached_by(all.tally);
    return {std::move(all), {most.begin, most.begin}, reached};
  }
  std::uint64_t const first = std::clamp<std::uint64_t>(most.size() / most_per_pilot, 2, first_pilot);
  Played pilot{Tally(layout), {most.begin, most.begin}};
  while (true) {
    std::uint64_t const played = pilot.range.size(), left = most.end - pilot.range.end;
    std::uint64_t const needed = std::max(first, trials_for(wanted, shape, pilot.tally).value_or(left));
    bool const sized = played > 0 && std::min(needed, most.size()) / most_per_pilot <= played;
    std::uint64_t const size = std::min(left, sized ? needed : std::max(first, played));
    Range const range{pilot.range.end, pilot.range.end + size};
    Played part = play(range, played > 0 ? range.begin + std::min(left, needed) : 0);
    bool const ended = part.range != range || size == left;
    if (sized && part.range.begin < part.range.end) {  // else the pilot is all that there is
      bool const reached = reached_by(part.tally);
      if (reached || ended) return {std::move(part), pilot.range, reached};
    }
    pilot.tally += part.tally;
    pilot.range.end = part.range.end;
    if (ended) return {std::move(pilot), {most.begin, most.begin}, false};
  }
}

}  // namespace draftgauge
