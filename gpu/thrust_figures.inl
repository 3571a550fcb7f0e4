// The pass over pairs of rows as device code.
//
// A row is cut into `strands`: strand s has the logits s, s + strands, s + 2·strands, …, so that threads of a device
// which take neighbouring strands read neighbouring numbers. Each strand is summed up by itself, in order; sums of
// strands are merged `fan` at a time, in order. Neither depends on who does it: hence the same bits everywhere.
//
// Σ min(p, q) needs both normalisers, so there is a second sweep, which makes the exponentials anew. On a device, rows
// come in batches that its second cache holds, and are read from its memory once. A cluster of blocks could instead
// keep a pair of rows in its shared memory, 1 MB of them at a vocabulary of 128k in fp32, and spare the second sweep its
// way to that cache; Thrust has no such memory. It would not show: recordings lie on the host, and its bus brings bytes
// more slowly by far than a device reads them, or takes exponentials in double.
#include "gpu/thrust_guard.inl"

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "gpu/row_sums.h"
#include "gpu/thrust_figures.h"
#include "sim/recordings/row_numbers.h"

namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE {
namespace {

constexpr std::uint64_t strands = 256, fan = 16;
constexpr std::uint64_t batch_bytes = std::uint64_t{32} << 20;  ///< of both sides; an A100's second cache holds 40 MB
constexpr std::uint64_t batch_rows = 1024;                      ///< whose strands' sums take 28 MB

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
constexpr std::uint64_t abreast = 1;  ///< strands that a worker takes at a time
#else
constexpr std::uint64_t abreast = 32;  // so that it reads whole cache lines
#endif
static_assert(strands % abreast == 0 && strands % fan == 0);

/// How many workers share `count` pieces of work. On a device one for each piece; on the host one per thread.
std::uint64_t workers_for(std::uint64_t count, int threads) {
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
  static_cast<void>(threads);
  return count;
#elif THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CPP
  static_cast<void>(threads);
  return std::min<std::uint64_t>(count, 1);
#else
  return std::min(count, static_cast<std::uint64_t>(threads));
#endif
}

template <class Work>
struct Stride {
  Work work;
  std::uint64_t count, workers;

  DRAFTGAUGE_HD void operator()(std::uint64_t worker) const {
    for (std::uint64_t i = worker; i < count; i += workers) work(i);
  }
};

/// work(i) for all i < count.
template <class Work>
void do_all(std::uint64_t count, int threads, Work const& work) {
  OversubscribedTeam const team;
  std::uint64_t const workers = workers_for(count, threads);
  thrust::for_each_n(thrust::device, thrust::counting_iterator<std::uint64_t>(0), workers,
                     Stride<Work>{work, count, workers});
}

/// The logits of a recorded token; +∞, which nothing exceeds, where none was recorded.
struct Own {
  double p, q;
};

struct Rows {
  Encoding encoding;
  std::uint8_t const* bytes;
  std::uint64_t row_bytes;

  DRAFTGAUGE_HD std::uint8_t const* at(std::uint64_t row) const { return bytes + row * row_bytes; }
};

/// Pairs of rows where the workers are.
struct Batch {
  Rows target, draft;
  std::uint64_t vocab;
  double per_temperature;
  Own const* own;

  /// Calls use(k, i, z_p, z_q) for the logits of `abreast` strands from number `first` on, i being the k-th of these's.
  template <class Use>
  DRAFTGAUGE_HD void read(std::uint64_t row, std::uint64_t first, Use const& use) const {
    std::uint8_t const *const p = target.at(row), *const q = draft.at(row);
    for (std::uint64_t begin = first; begin < vocab; begin += strands)
      for (std::uint64_t k = 0; k < abreast && begin + k < vocab; ++k)
        use(k, begin + k, row_number(target.encoding, p, begin + k), row_number(draft.encoding, q, begin + k));
  }
};

constexpr std::uint64_t groups = strands / abreast;

struct SumStrands {
  Batch batch;
  RowSums* sums;  ///< [rows][strands]

  DRAFTGAUGE_HD void operator()(std::uint64_t piece) const {
    std::uint64_t const row = piece / groups, first = piece % groups * abreast;
    RowSums strand[abreast];
    Own const own = batch.own[row];
    batch.read(row, first, [&](std::uint64_t k, std::uint64_t i, double z_p, double z_q) {
      strand[k].add(i, z_p, z_q, own.p, own.q, batch.per_temperature);
    });
    for (std::uint64_t k = 0; k < abreast; ++k) sums[row * strands + first + k] = strand[k];
  }
};

struct OverlapStrands {
  Batch batch;
  RowSums const* rows;  ///< [rows]
  Overlap* overlaps;    ///< [rows][strands]

  DRAFTGAUGE_HD void operator()(std::uint64_t piece) const {
    std::uint64_t const row = piece / groups, first = piece % groups * abreast;
    Overlap strand[abreast];
    SideSums const p = rows[row].p, q = rows[row].q;
    double const share_p = 1 / p.sum, share_q = 1 / q.sum, per = batch.per_temperature;
    batch.read(row, first, [&](std::uint64_t k, std::uint64_t, double z_p, double z_q) {
      strand[k].add(exp_minus((p.top - z_p) * per) * share_p, exp_minus((q.top - z_q) * per) * share_q);
    });
    for (std::uint64_t k = 0; k < abreast; ++k) overlaps[row * strands + first + k] = strand[k];
  }
};

/// to[i] is from[fan·i … fan·i + fan − 1] merged.
template <class Sums>
struct Merge {
  Sums const* from;
  Sums* to;
  double per_temperature;

  DRAFTGAUGE_HD void operator()(std::uint64_t i) const {
    Sums all = from[fan * i];
    for (std::uint64_t k = 1; k < fan; ++k) all.merge(from[fan * i + k], per_temperature);
    to[i] = all;
  }
};

/// A call, with what it keeps on the device from batch to batch.
class Pass {
 public:
  Pass(EncodedPairs const& pairs, double temperature, int threads)
      : pairs_(pairs), temperature_(temperature), threads_(threads) {}

  /// Fills in the figures of rows begin … begin + out.size() − 1, all of a batch.
  std::optional<UnsoundRow> score(std::uint64_t begin, std::span<RowFigures> out) {
    std::uint64_t const rows = out.size();
    std::vector<Own> own(rows);
    for (std::uint64_t i = 0; i < rows; ++i) own[i] = own_of(begin + i);
    own_.assign(own.begin(), own.end());
    Batch const batch{rows_of(pairs_.target, pairs_.target_bytes, begin, rows, target_),
                      rows_of(pairs_.draft, pairs_.draft_bytes, begin, rows, draft_), pairs_.target.vocab,
                      1 / temperature_, thrust::raw_pointer_cast(own_.data())};
    strand_sums_.resize(rows * strands);
    do_all(rows * groups, threads_, SumStrands{batch, thrust::raw_pointer_cast(strand_sums_.data())});
    merge(rows, strand_sums_, some_sums_, row_sums_);
    strand_overlaps_.resize(rows * strands);
    do_all(rows * groups, threads_,
           OverlapStrands{batch, thrust::raw_pointer_cast(row_sums_.data()),
                          thrust::raw_pointer_cast(strand_overlaps_.data())});
    merge(rows, strand_overlaps_, some_overlaps_, row_overlaps_);

    std::vector<RowSums> sums(rows);
    std::vector<Overlap> overlaps(rows);
    thrust::copy(row_sums_.begin(), row_sums_.end(), sums.begin());
    thrust::copy(row_overlaps_.begin(), row_overlaps_.end(), overlaps.begin());
    for (std::uint64_t i = 0; i < rows; ++i) {
      if (auto const figures = figures_of_sums(pairs_, begin + i, temperature_, sums[i], overlaps[i]))
        out[i] = *figures;
      else if (auto const unsound = figures_by_definition(pairs_, begin + i, temperature_, out[i]))
        return unsound;
    }
    return {};
  }

 private:
  template <class T>
  using Vector = thrust::device_vector<T>;

  Own own_of(std::uint64_t i) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (!pairs_.tokens) return {infinity, infinity};
    auto const x = static_cast<std::uint64_t>(pairs_.tokens[i]);
    return {row_number(pairs_.target.encoding, pairs_.target_bytes + i * pairs_.target.row_bytes(), x),
            row_number(pairs_.draft.encoding, pairs_.draft_bytes + i * pairs_.draft.row_bytes(), x)};
  }

  /// Rows as workers find them: on a device a copy, whose beginning suits every number.
  static Rows rows_of(RowLayout const& layout, std::uint8_t const* bytes, std::uint64_t begin, std::uint64_t rows,
                      Vector<std::uint8_t>& copy) {
    std::uint8_t const* const from = bytes + begin * layout.row_bytes();
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
    copy.assign(from, from + rows * layout.row_bytes());
    return {layout.encoding, thrust::raw_pointer_cast(copy.data()), layout.row_bytes()};
#else
    static_cast<void>(copy);
    static_cast<void>(rows);
    return {layout.encoding, from, layout.row_bytes()};
#endif
  }

  template <class Sums>
  void merge(std::uint64_t rows, Vector<Sums> const& of_strands, Vector<Sums>& some, Vector<Sums>& of_rows) const {
    static_assert(strands == fan * fan);
    some.resize(rows * fan);
    of_rows.resize(rows);
    double const per = 1 / temperature_;
    do_all(some.size(), threads_,
           Merge<Sums>{thrust::raw_pointer_cast(of_strands.data()), thrust::raw_pointer_cast(some.data()), per});
    do_all(rows, threads_,
           Merge<Sums>{thrust::raw_pointer_cast(some.data()), thrust::raw_pointer_cast(of_rows.data()), per});
  }

  EncodedPairs pairs_;
  double temperature_;
  int threads_;
  Vector<std::uint8_t> target_, draft_;
  Vector<Own> own_;
  Vector<RowSums> strand_sums_, some_sums_, row_sums_;
  Vector<Overlap> strand_overlaps_, some_overlaps_, row_overlaps_;
};

}  // namespace

std::optional<UnsoundRow> figures_of_rows(EncodedPairs const& pairs, double temperature, std::span<RowFigures> out,
                                          int threads) {
  Pass pass(pairs, temperature, threads);
  std::uint64_t const batch =
      std::clamp<std::uint64_t>(batch_bytes / (pairs.target.row_bytes() + pairs.draft.row_bytes()), 1, batch_rows);
  for (std::uint64_t begin = 0; begin < out.size(); begin += batch)
    if (auto const unsound = pass.score(begin, out.subspan(begin, std::min(batch, out.size() - begin))))
      return unsound;
  return {};
}

}  // namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE
