#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/draft/children.h"
#include "sim/model/pair_tables.h"
#include "sim/rows/ratio_row.h"
#include "sim/rows/struck_law.h"

namespace draftgauge {

/// A place in the text as rules see it in simulation: p and q there (integers over total()), and the tokens drafted
/// for the next position. Enumeration has a node of the same form over fractions (sim/model/table_model.h).
class Node {
 public:
  using Weight = std::uint64_t;
  using Real = double;

  DRAFTGAUGE_HD Node(PairTablesView const& tables, std::uint32_t row, Children const* drafted)
      : tables_(&tables), row_(row), drafted_(drafted) {}

  DRAFTGAUGE_HD std::uint32_t vocab() const { return tables_->contexts.vocab; }
  DRAFTGAUGE_HD Weight total() const { return tables_->totals[row_]; }
  DRAFTGAUGE_HD Weight p(Token x) const { return tables_->p[at(x)]; }
  DRAFTGAUGE_HD Weight q(Token x) const { return tables_->q[at(x)]; }

  DRAFTGAUGE_HD Token argmax_p() const { return tables_->most_likely_p[row_]; }
  DRAFTGAUGE_HD Token argmax_q() const { return tables_->most_likely_q[row_]; }
  /// The i-th most likely token of q, i = 0…; of equal ones the smaller first. Of drafters that say `reads_top`.
  DRAFTGAUGE_HD Token top_q(int i) const {
    return i == 0 ? argmax_q() : tables_->top[std::size_t{row_} * tables_->top_count + static_cast<unsigned>(i)];
  }

  DRAFTGAUGE_HD int children() const { return drafted_->count; }
  DRAFTGAUGE_HD Token child(int i) const { return drafted_->token[i]; }

  /// What the rule derived from this row once, for so many children (sim/model/row_constant.h). Domain: there is one.
  DRAFTGAUGE_HD Real constant() const {
    return tables_->constants[static_cast<std::size_t>(children() - 1) * tables_->contexts.rows + row_];
  }

  DRAFTGAUGE_HD DraftLaw draft() const { return {table(tables_->draft, total())}; }
  DRAFTGAUGE_HD VerifierLaw target() const { return {table(tables_->target, total())}; }
  DRAFTGAUGE_HD VerifierLaw residual() const { return {table(tables_->residual, tables_->residual_totals[row_])}; }

  /// The distributions below are made on the spot, in O(log vocab), of rules and drafters that say `reads_order`
  /// (sim/rows/order.h).

  /// (a·p − b·q)₊, where p and q sum to 1. Domain: a, b ≥ 0.
  DRAFTGAUGE_HD ExcessLaw<Against::draft> excess(Real a, Real b) const { return {order(), a, b}; }
  /// (a·p − b)₊ on the tokens that q excludes.
  DRAFTGAUGE_HD ExcessLaw<Against::rest> excess_of_rest(Real a, Real b) const { return {order(), a, b}; }
  /// p, and q, without the first `count` children.
  DRAFTGAUGE_HD auto p_without(int count) const { return without<&SumPair::p>(count); }
  DRAFTGAUGE_HD auto q_without(int count) const { return without<&SumPair::q>(count); }

  /// The row's tokens by falling p/q, with the sums of both along it.
  DRAFTGAUGE_HD RatioRow order() const {
    return {tables_->order + std::size_t{row_} * vocab(), tables_->sums + std::size_t{row_} * (vocab() + 1), vocab(),
            tables_->guides, row_};
  }
  /// Where a token stands in it.
  DRAFTGAUGE_HD std::uint32_t place_of(Token token) const {
    return order().place_of(token, [this](Token x) { return SumPair{p(x), q(x)}; });
  }

 private:
  template <std::uint64_t SumPair::* side>
  DRAFTGAUGE_HD StruckLaw<side> without(int count) const {
    return {order(), *drafted_, count, [this](Token x) { return SumPair{p(x), q(x)}; }};
  }
  DRAFTGAUGE_HD std::size_t at(Token x) const { return std::size_t{row_} * vocab() + x; }
  DRAFTGAUGE_HD AliasTable table(AliasEntry const* entries, std::uint64_t total) const {
    return {entries + (std::size_t{row_} << tables_->table_bits), total, tables_->table_bits};
  }

  PairTablesView const* tables_;
  std::uint32_t row_;
  Children const* drafted_;
};

}  // namespace draftgauge
