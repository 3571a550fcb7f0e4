#pragma once
#include <cstdint>
#include <span>

#include "sim/recordings/rows.h"

namespace draftgauge {

/// What a pair of laws p = softmax(z_p/T), q = softmax(z_q/T) at one position says. Natural logarithms.
struct RowFigures {
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

}  // namespace draftgauge
