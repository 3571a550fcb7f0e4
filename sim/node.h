#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/laws.h"

namespace draftgauge {

inline constexpr int max_candidates = 32;
inline constexpr int max_gamma = 256;

/// The tokens drafted for one position.
struct Candidates {
  Token token[max_candidates];
  int count = 0;

  DRAFTGAUGE_HD Candidates() { token[0] = 0; }  // the others are not read before they are drawn

  DRAFTGAUGE_HD void add(Token x) { token[count++] = x; }
};

/// A place in the text as rules see it in simulation: p and q there (integers over total()), and the tokens drafted
/// for the next position. Enumeration has a node of the same form over fractions (analysis/exact_node.h).
class Node {
 public:
  using Weight = std::uint64_t;
  using Real = double;

  DRAFTGAUGE_HD Node(LawsView const& laws, std::uint32_t row, Candidates const* drafted)
      : laws_(&laws), row_(row), drafted_(drafted) {}

  DRAFTGAUGE_HD std::uint32_t vocab() const { return laws_->contexts.vocab; }
  DRAFTGAUGE_HD Weight total() const { return laws_->totals[row_]; }
  DRAFTGAUGE_HD Weight p(Token x) const { return laws_->p[at(x)]; }
  DRAFTGAUGE_HD Weight q(Token x) const { return laws_->q[at(x)]; }

  DRAFTGAUGE_HD Token argmax_p() const { return laws_->likeliest_p[row_]; }
  DRAFTGAUGE_HD Token argmax_q() const { return laws_->likeliest_q[row_]; }

  DRAFTGAUGE_HD int candidates() const { return drafted_->count; }
  DRAFTGAUGE_HD Token candidate(int i) const { return drafted_->token[i]; }

  /// What the rule derived from this row once (sim/row_constant.h).
  DRAFTGAUGE_HD Real constant() const { return laws_->constants[row_]; }

  DRAFTGAUGE_HD DraftLaw draft() const { return {table(laws_->draft, total())}; }
  DRAFTGAUGE_HD VerifierLaw target() const { return {table(laws_->target, total())}; }
  DRAFTGAUGE_HD VerifierLaw residual() const { return {table(laws_->residual, laws_->residual_totals[row_])}; }

 private:
  DRAFTGAUGE_HD std::size_t at(Token x) const { return std::size_t{row_} * vocab() + x; }
  DRAFTGAUGE_HD AliasTable table(AliasEntry const* entries, std::uint64_t total) const {
    return {entries + (std::size_t{row_} << laws_->table_bits), total, laws_->table_bits};
  }

  LawsView const* laws_;
  std::uint32_t row_;
  Candidates const* drafted_;
};

}  // namespace draftgauge
