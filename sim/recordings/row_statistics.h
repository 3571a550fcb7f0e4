#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sim/base/vector_target.h"
#include "sim/recordings/rows.h"

namespace draftgauge {

/// What a pair of laws p = softmax(z_p/T), q = softmax(z_q/T) at one position says. Natural logarithms.
struct RowStatistics {
  double beta;          ///< Σ min(p, q), the token rule's acceptance probability (arXiv 2211.17192, Thm 3.5)
  double tv;            ///< ½ Σ |p − q| = 1 − β
  double kl_pq, kl_qp;  ///< Σ p ln(p/q), Σ q ln(q/p); infinite where the second law lacks a token of the first
  double entropy_p, entropy_q;
  std::uint32_t argmax_p, argmax_q;  ///< of equal ones the smallest
  double max_p, max_q;               ///< p(argmax p), q(argmax q)
  double p_of_argmax_q;              ///< the acceptance probability of an argmax draft under exact match

  // Of the recorded token x; not a number, and 0, where none was recorded.
  double log_p, log_q;
  std::uint32_t rank_p, rank_q;  ///< 1 + the number of tokens that are likelier than x
};

/// The definition, plainly in doubles. p, q: [V] probabilities, each summing to 1; x < V the recorded token, if any.
RowStatistics figures_of_tables(std::span<double const> p, std::span<double const> q, std::optional<std::int64_t> x);

/// The same of two rows of logits at a temperature, in the log domain: a probability too small for a double still has
/// its logarithm. z_p, z_q: [V] sound rows (see unsound_logit). T ≥ 0; T = 0 puts all of a law on its argmax.
RowStatistics figures_of_logits(std::span<double const> z_p, std::span<double const> z_q, double temperature,
                                std::optional<std::int64_t> x);

/// What makes a row of logits no law: a column that is not a number or +∞ (the first such), or −∞ throughout.
struct UnsoundLogit {
  std::optional<std::uint64_t> column;  ///< none: the whole row
  double value;

  /// "column 17 is nan", "−inf throughout"
  std::string text() const;
};
std::optional<UnsoundLogit> unsound_logit(std::span<double const> z);

/// A stretch of pairs of rows as they are encoded. Row i of each starts i · row_bytes() bytes in; equal vocab.
struct EncodedPairs {
  RowLayout target, draft;  ///< `rows` of them is not read
  std::uint8_t const* target_bytes;
  std::uint8_t const* draft_bytes;
  std::int64_t const* tokens = nullptr;  ///< the recorded token of each row; null: not recorded
};

struct UnsoundRow {
  std::uint64_t row;
  bool in_draft;
  UnsoundLogit logit;
};

/// The figures of pair i by figures_of_logits, or what makes one of its rows no law.
std::optional<UnsoundRow> figures_by_definition(EncodedPairs const& pairs, std::uint64_t i, double temperature,
                                                RowStatistics& out);

/// The figures of `out.size()` pairs of rows at a temperature T > 0, in one pass over their bytes: what a core can read
/// it can score. Sums of floats in 16 lanes whatever the machine's vectors hold, with fused multiply-adds and a fixed
/// order of addition: the same bits on every target and for any split of rows into calls. Next to figures_of_logits,
/// for logits within ±1e3 · T of each other: β, TV, probabilities and ln p(x), ln q(x) within 5e-7 (2.4e-7 seen on
/// real rows), KL and entropies within 1e-6 · (1 + value), ranks and argmaxes exact. Rows of f64 are taken in doubles,
/// as figures_of_logits does. Returns the first row that is no law, if any; the figures from it on are not filled in
/// then.
std::optional<UnsoundRow> statistics_of_rows(EncodedPairs const& pairs, double temperature,
                                             std::span<RowStatistics> out, VectorTarget target = vector_target());

}  // namespace draftgauge
