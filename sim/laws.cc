#include "sim/laws.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "sim/argmax.h"
#include "sim/error.h"

namespace draftgauge {
namespace {

void check(std::vector<RowPair> const& rows, Follow follow) {
  if (rows.empty()) throw InputError("there is no context (a model needs at least one pair of rows p, q)");
  std::size_t const vocab = rows.front().p.size();
  if (vocab == 0 || vocab > max_vocab)
    throw InputError("a row has " + std::to_string(vocab) + " tokens (1 to " + std::to_string(max_vocab) +
                     " can be handled)");
  if (rows.size() > std::size_t{0xffffffff} / 2) throw InputError("there are more contexts than 2^31");
  if (follow == Follow::token && rows.size() != vocab)
    throw InputError("a Markov pair of " + std::to_string(vocab) + " tokens needs as many rows, not " +
                     std::to_string(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    RowPair const& row = rows[i];
    auto const sums_to_total = [&](std::vector<std::uint64_t> const& weights) {
      std::uint64_t sum = 0;
      for (std::uint64_t w : weights) {
        if (w > row.total - sum) return false;
        sum += w;
      }
      return sum == row.total;
    };
    if (row.p.size() != vocab || row.q.size() != vocab)
      throw InputError("row " + std::to_string(i) + " has " + std::to_string(row.p.size()) + " tokens in p and " +
                       std::to_string(row.q.size()) + " in q (all rows need " + std::to_string(vocab) + ")");
    if (row.total == 0 || row.total > max_total || !sums_to_total(row.p) || !sums_to_total(row.q))
      throw InputError("row " + std::to_string(i) + " does not sum to its total of 1 to 2^53");
  }
}

}  // namespace

Laws::Laws(std::vector<RowPair> const& rows, Follow follow) : follow_(follow) {
  check(rows, follow);
  if (follow == Follow::state)
    throw InputError("an automaton of contexts has no transitions (its next context is theirs to say) give them");
  make_tables(rows);
  if (follow == Follow::next_row) set_sequences(std::vector{rows_});
}

Laws::Laws(std::vector<RowPair> const& rows, std::vector<std::uint32_t> transitions)
    : follow_(Follow::state), transitions_(std::move(transitions)) {
  check(rows, Follow::state);
  if (transitions_.size() != rows.size() * rows.front().p.size()) {
    throw InputError("there are " + std::to_string(transitions_.size()) + " transitions for " +
                     std::to_string(rows.size()) + " contexts of " + std::to_string(rows.front().p.size()) +
                     " tokens (each token leads from each context to one) give their product");
  }
  auto const bad = std::ranges::find_if(transitions_, [&](std::uint32_t row) { return row >= rows.size(); });
  if (bad != transitions_.end()) {
    throw InputError("transition " + std::to_string(bad - transitions_.begin()) + " leads to context " +
                     std::to_string(*bad) + " (there are the contexts 0 to " + std::to_string(rows.size() - 1) +
                     ") lead it to one of them");
  }
  make_tables(rows);
}

void Laws::make_tables(std::vector<RowPair> const& rows) {
  rows_ = static_cast<std::uint32_t>(rows.size());
  vocab_ = static_cast<std::uint32_t>(rows.front().p.size());
  table_bits_ = alias_bits(vocab());
  std::size_t const entries = std::size_t{1} << table_bits_;
  p_.reserve(rows.size() * vocab());
  q_.reserve(rows.size() * vocab());
  for (auto* table : {&draft_, &target_, &residual_}) table->resize(rows.size() * entries);
  std::vector<std::uint64_t> residual(vocab());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    RowPair const& row = rows[i];
    p_.insert(p_.end(), row.p.begin(), row.p.end());
    q_.insert(q_.end(), row.q.begin(), row.q.end());
    std::ranges::transform(row.p, row.q, residual.begin(), [](auto a, auto b) { return excess(a, b); });
    totals_.push_back(row.total);
    likeliest_p_.push_back(argmax(vocab(), [&](Token x) { return row.p[x]; }));
    likeliest_q_.push_back(argmax(vocab(), [&](Token x) { return row.q[x]; }));
    residual_totals_.push_back(std::accumulate(residual.begin(), residual.end(), std::uint64_t{0}));
    auto const part = [&](std::vector<AliasEntry>& table) { return std::span(table).subspan(i * entries, entries); };
    build_alias(row.q, row.total, table_bits_, part(draft_));
    build_alias(row.p, row.total, table_bits_, part(target_));
    build_alias(residual, residual_totals_.back(), table_bits_, part(residual_));
  }
}

void Laws::set_sequences(std::span<std::uint32_t const> lengths) {
  reach_.clear();
  for (std::uint32_t length : lengths) {
    if (length > rows() - reach_.size()) throw InputError("the recorded sequences are longer than the rows");
    for (std::uint32_t left = length; left > 0; --left) reach_.push_back(left);
  }
  if (reach_.size() != rows()) throw InputError("the recorded sequences are shorter than the rows");
}

double Laws::beta(std::uint32_t row) const {
  return static_cast<double>(totals_[row] - residual_totals_[row]) / static_cast<double>(totals_[row]);
}

LawsView Laws::view(std::span<std::uint32_t const> starts) const {
  return {.contexts = contexts(),
          .table_bits = table_bits_,
          .totals = totals_.data(),
          .residual_totals = residual_totals_.data(),
          .p = p_.data(),
          .q = q_.data(),
          .draft = draft_.data(),
          .target = target_.data(),
          .residual = residual_.data(),
          .likeliest_p = likeliest_p_.data(),
          .likeliest_q = likeliest_q_.data(),
          .constants = nullptr,
          .reach = reach_.empty() ? nullptr : reach_.data(),
          .starts = starts.data(),
          .start_count = static_cast<std::uint32_t>(starts.size())};
}

Laws::Arrays Laws::arrays() const {
  return {totals_, residual_totals_, p_, q_, draft_, target_, residual_, likeliest_p_, likeliest_q_, reach_, transitions_};
}

}  // namespace draftgauge
