#pragma once
#include <cstdint>
#include <limits>
#include <optional>

#include "gpu/exponential.h"
#include "sim/host_device.h"
#include "sim/recordings/figures.h"

/// What the figures of a pair of rows are made of, in doubles: sums that any part of the row can begin and that two parts
/// merge into the sums of both. They are relative to the largest logit met so far (Milakov & Gimelshein, arXiv
/// 1805.02867), so that a row's normalisers, entropies and divergences need one look at it.
namespace draftgauge {

/// One law of the two. A logit z below the top weighs e^-((top − z)/T).
struct SideSums {
  double top = -std::numeric_limits<double>::infinity();
  double sum = 0;           ///< Σ weight
  double moment = 0;        ///< Σ weight · (top − z)
  double distance = 0;      ///< Σ weight · ((other top − other z) − (top − z)) over tokens that both laws have
  std::uint64_t first = 0;  ///< index of the top, of equal ones the smallest
  std::uint64_t above = 0;  ///< logits larger than the recorded token's
  bool alone = false;       ///< this law has a token that the other has not
  bool unsound = false;     ///< a logit is NaN or +∞

  /// Makes `to` the top, the other side's distances following.
  DRAFTGAUGE_HD void raise(double to, double per_temperature, SideSums& other) {
    if (!(to > top)) return;
    if (sum > 0) {
      double const step = to - top, factor = exp_minus(step * per_temperature);
      moment = factor * (moment + step * sum);
      distance = factor * (distance - step * sum);
      other.distance += step * other.sum;
      sum *= factor;
    }
    top = to;
  }

  /// The argmax, before the tops meet.
  DRAFTGAUGE_HD void take_first(SideSums const& part) {
    first = part.top > top || (part.top == top && part.first < first) ? part.first : first;
  }

  /// Of parts with one top each.
  DRAFTGAUGE_HD void add(SideSums const& part) {
    sum += part.sum;
    moment += part.moment;
    distance += part.distance;
    above += part.above;
    alone = alone || part.alone;
    unsound = unsound || part.unsound;
  }
};

struct RowSums {
  SideSums p, q;

  /// Adds the pair of logits of token i, which comes after those that are in. own: the recorded token's logits, +∞
  /// where none was recorded.
  DRAFTGAUGE_HD void add(std::uint64_t i, double z_p, double z_q, double own_p, double own_q,
                         double per_temperature) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    bool const sound_p = z_p < infinity, sound_q = z_q < infinity;  // false for NaN too
    p.unsound = p.unsound || !sound_p;
    q.unsound = q.unsound || !sound_q;
    bool const has_p = sound_p && z_p > -infinity, has_q = sound_q && z_q > -infinity;
    if (has_p && z_p > p.top) {
      p.raise(z_p, per_temperature, q);
      p.first = i;
    }
    if (has_q && z_q > q.top) {
      q.raise(z_q, per_temperature, p);
      q.first = i;
    }
    double const a = p.top - z_p, b = q.top - z_q;
    double const weight_p = has_p ? exp_minus(a * per_temperature) : 0;
    double const weight_q = has_q ? exp_minus(b * per_temperature) : 0;
    p.above += z_p > own_p;
    q.above += z_q > own_q;
    if (has_p) {
      p.sum += weight_p;
      p.moment += weight_p * a;
    }
    if (has_q) {
      q.sum += weight_q;
      q.moment += weight_q * b;
    }
    if (has_p && has_q) {
      p.distance += weight_p * (b - a);
      q.distance += weight_q * (a - b);
    }
    p.alone = p.alone || (has_p && !has_q);
    q.alone = q.alone || (has_q && !has_p);
  }

  DRAFTGAUGE_HD void merge(RowSums part, double per_temperature) {
    p.take_first(part.p);
    q.take_first(part.q);
    p.raise(part.p.top, per_temperature, q);
    q.raise(part.q.top, per_temperature, p);
    part.p.raise(p.top, per_temperature, part.q);
    part.q.raise(q.top, per_temperature, part.p);
    p.add(part.p);
    q.add(part.q);
  }
};

/// What needs both normalisers.
struct Overlap {
  double both = 0;   ///< Σ min(p, q)
  double apart = 0;  ///< Σ |p − q|

  DRAFTGAUGE_HD void add(double p, double q) {
    both += p < q ? p : q;
    apart += p < q ? q - p : p - q;
  }
  DRAFTGAUGE_HD void merge(Overlap const& part, double) {
    both += part.both;
    apart += part.apart;
  }
};

/// The figures of pair i from its sums; nothing where the sums show that a row is no law, or too wide for doubles.
std::optional<RowFigures> figures_of_sums(EncodedPairs const& pairs, std::uint64_t i, double temperature,
                                          RowSums const& sums, Overlap const& overlap);

}  // namespace draftgauge
