#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/array.h"
#include "sim/chance/alias.h"
#include "sim/model/contexts.h"
#include "sim/rows/order.h"

namespace draftgauge {

/// The laws at a node that have a table. The type decides which random bits a pick reads (sim/chance/layout.h).
struct DraftLaw {
  AliasTable table;
};
struct VerifierLaw {  ///< p, or norm((p − q)₊)
  AliasTable table;
};

/// A model's laws as the engine reads them: integers, p and q of a row over one common total, so that p/q is P/Q and
/// (p − q)₊ is (P − Q)₊. Pointers into a PairTables, on the host or on a device.
struct PairTablesView {
  Contexts contexts;
  int table_bits;
  std::uint64_t const* totals;           ///< [rows]
  std::uint64_t const* residual_totals;  ///< [rows] Σ(P − Q)₊
  std::uint64_t const* p;                ///< [rows][vocab]
  std::uint64_t const* q;                ///< [rows][vocab]
  AliasEntry const* draft;               ///< [rows][2^table_bits]
  AliasEntry const* target;              ///< [rows][2^table_bits]
  AliasEntry const* residual;            ///< [rows][2^table_bits]
  std::uint32_t const* most_likely_p;    ///< [rows] argmax p, of equal ones the smallest
  std::uint32_t const* most_likely_q;    ///< [rows] argmax q
  double const* constants;               ///< [children][rows] what the rule derives from a row once; null: nothing
  Token const* order;     ///< [rows][vocab] tokens by falling p/q; null: nobody asks (sim/rows/order.h)
  SumPair const* sums;    ///< [rows][vocab + 1] of P and Q along the order
  RowGuides guides = {};  ///< to places in the order; null: they are found without
  Token const* top;       ///< [rows][top_count] the most likely tokens of q; null: nobody asks
  std::uint32_t top_count;
  std::uint32_t const* reach;   ///< [rows] rows from this one to the end of its sequence; null: no end
  std::uint32_t const* starts;  ///< [start_count] rows where a trial may start, equally likely
  std::uint32_t start_count;    ///< 0: contexts are i.i.d. and there is nothing to choose
};

/// One context: integer weights of p and q over a common total ≤ 2^53.
struct RowPair {
  std::vector<std::uint64_t> p, q;
  std::uint64_t total;
};

/// The contexts of a model, one row after another.
struct RowArrays {
  std::uint32_t vocab = 0;
  Array<std::uint64_t> p = {}, q = {};     ///< [rows][vocab]
  std::vector<std::uint64_t> totals = {};  ///< [rows]
};

/// Bytes that a model of so many rows takes as PairTables: a row's weights, and its three tables of 2^alias_bits(vocab)
/// entries; without the order of its tokens, which is made once a rule asks for it and takes about 28 bytes a token,
/// and 512 a row at least. Domain: 1 ≤ vocab ≤ max_vocab, rows < 2^32.
std::uint64_t tables_bytes(std::uint64_t rows, std::uint32_t vocab);

/// Largest total of a row: weights and totals are then exact as doubles too.
inline constexpr std::uint64_t max_total = std::uint64_t{1} << 53;
inline constexpr std::uint32_t max_vocab = 1u << 22;  ///< a context's tables then still leave 10 bits to decide with

/// Owns the rows of a model and the tables made from them once.
class PairTables {
 public:
  /// rows: at least one, all of one vocabulary size 1…max_vocab, weights summing to their totals.
  /// Follow::token needs as many rows as tokens; Follow::state is made by another constructor. Throws InputError.
  PairTables(std::vector<RowPair> const& rows, Follow follow);
  /// The same of rows already in place, which are not copied. The tables are made on so many threads ≥ 1, and are the
  /// same for any number of them.
  PairTables(RowArrays rows, Follow follow, int threads = 1);

  /// A finite automaton of contexts (Follow::state): token x at row s leads to row transitions[s·vocab + x]. Throws
  /// InputError where there are not rows·vocab of them, each the number of a row.
  PairTables(std::vector<RowPair> const& rows, std::vector<std::uint32_t> transitions);
  PairTables(RowArrays rows, std::vector<std::uint32_t> transitions, int threads = 1);

  /// For Follow::next_row: lengths of the recorded sequences, which must sum to the number of rows.
  void set_sequences(std::span<std::uint32_t const> lengths);
  /// The row that texts begin with, where it is one: a task that names no start starts there. Domain: row < rows(), of
  /// Follow::token and Follow::state.
  void set_beginning(std::uint32_t row) { beginning_ = row; }
  std::optional<std::uint32_t> beginning() const { return beginning_; }
  /// Each `states` rows are one context of a target with a memory (Contexts::states), whose faults so many tokens of a
  /// text show. Domain: Follow::state, rows() a multiple of `states`.
  void set_memory(std::uint32_t states, int tokens) {
    states_ = states;
    telling_tokens_ = tokens;
  }
  int telling_tokens() const { return telling_tokens_; }  ///< 0: there is no memory

  /// Valid while this object lives and is not moved.
  Contexts contexts() const {
    return {follow_, rows_, vocab_, transitions_.empty() ? nullptr : transitions_.data(), states_};
  }
  std::uint32_t vocab() const { return vocab_; }
  std::uint32_t rows() const { return rows_; }
  std::span<std::uint64_t const> p(std::uint32_t row) const { return {p_.data() + offset(row), vocab()}; }
  std::span<std::uint64_t const> q(std::uint32_t row) const { return {q_.data() + offset(row), vocab()}; }
  std::uint64_t total(std::uint32_t row) const { return totals_[row]; }
  /// p and q of a token as numbers: its weight over the row's total, rounded once, as both are exact as doubles.
  double target_probability(std::uint32_t row, Token x) const { return probability(p(row)[x], row); }
  double draft_probability(std::uint32_t row, Token x) const { return probability(q(row)[x], row); }
  /// The same of all tokens of a row, in their order.
  std::vector<double> target_probabilities(std::uint32_t row) const { return probabilities(p(row), row); }
  std::vector<double> draft_probabilities(std::uint32_t row) const { return probabilities(q(row), row); }
  /// Memory of the weights and tables: tables_bytes of these rows.
  std::uint64_t bytes() const { return tables_bytes(rows_, vocab_); }
  /// Rows from this one to the end of its sequence, itself included; 2^32 − 1 where there is no end.
  std::uint32_t reach(std::uint32_t row) const { return reach_.empty() ? ~0u : reach_[row]; }
  /// Σ min(p, q) of a row: the acceptance probability β of the token rule there.
  double beta(std::uint32_t row) const;

  /// The rows by falling p/q (sim/rows), sorted when this is first called, on any thread.
  RowOrders const& orders() const;

  /// Valid while this object lives and `starts` does. Has no constants, orders and tops: they are the task's.
  PairTablesView view(std::span<std::uint32_t const> starts) const;

  /// The arrays behind a view, for a copy to a device.
  struct Arrays {
    std::span<std::uint64_t const> totals, residual_totals, p, q;
    std::span<AliasEntry const> draft, target, residual;
    std::span<std::uint32_t const> most_likely_p, most_likely_q, reach, transitions;
  };
  Arrays arrays() const;

 private:
  struct Orders;

  std::size_t offset(std::uint32_t row) const { return std::size_t{row} * vocab(); }
  double probability(std::uint64_t weight, std::uint32_t row) const {
    return static_cast<double>(weight) / static_cast<double>(totals_[row]);
  }
  std::vector<double> probabilities(std::span<std::uint64_t const> weights, std::uint32_t row) const;
  void make_tables(int threads);

  Follow follow_;
  std::uint32_t rows_, vocab_;
  int table_bits_;
  std::vector<std::uint64_t> totals_, residual_totals_;
  Array<std::uint64_t> p_, q_;
  Array<AliasEntry> draft_, target_, residual_;
  std::vector<std::uint32_t> most_likely_p_, most_likely_q_, reach_, transitions_;
  int threads_;
  std::optional<std::uint32_t> beginning_;
  std::uint32_t states_ = 1;
  int telling_tokens_ = 0;
  std::shared_ptr<Orders> orders_;
};

}  // namespace draftgauge
