#include "sim/model/pair_tables.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/for_rows.h"
#include "sim/model/argmax.h"

namespace draftgauge {
namespace {

void check_shape(std::size_t rows, std::size_t vocab, Follow follow) {
  if (rows == 0) throw InputError("there is no context (a model needs at least one pair of rows p, q)");
  if (vocab == 0 || vocab > max_vocab)
    throw InputError("a row has " + std::to_string(vocab) + " tokens (1 to " + std::to_string(max_vocab) +
                     " can be handled)");
  if (rows > std::size_t{0xffffffff} / 2) throw InputError("there are more contexts than 2^31");
  if (follow == Follow::token && rows != vocab)
    throw InputError("a Markov pair of " + std::to_string(vocab) + " tokens needs as many rows, not " +
                     std::to_string(rows));
}

RowArrays in_arrays(std::vector<RowPair> const& rows, Follow follow) {
  std::size_t const vocab = rows.empty() ? 0 : rows.front().p.size();
  check_shape(rows.size(), vocab, follow);
  RowArrays all{.vocab = static_cast<std::uint32_t>(vocab)};
  all.p.reserve(rows.size() * vocab);
  all.q.reserve(rows.size() * vocab);
  for (RowPair const& row : rows) {
    if (row.p.size() != vocab || row.q.size() != vocab)
      throw InputError("row " + std::to_string(all.totals.size()) + " has " + std::to_string(row.p.size()) +
                       " tokens in p and " + std::to_string(row.q.size()) + " in q (all rows need " +
                       std::to_string(vocab) + ")");
    all.p.insert(all.p.end(), row.p.begin(), row.p.end());
    all.q.insert(all.q.end(), row.q.begin(), row.q.end());
    all.totals.push_back(row.total);
  }
  return all;
}

bool sums_to(std::uint64_t total, std::span<std::uint64_t const> weights) {
  std::uint64_t sum = 0;
  for (std::uint64_t const w : weights) {
    if (w > total - sum) return false;
    sum += w;
  }
  return sum == total;
}

}  // namespace

std::uint64_t tables_bytes(std::uint64_t rows, std::uint32_t vocab) {
  // Below 2^32 rows and 2^22 tokens: the product stays below 2^61.
  return rows *
         (3 * sizeof(AliasEntry) * (std::uint64_t{1} << alias_bits(vocab)) + 2 * sizeof(std::uint64_t) * vocab);
}

struct PairTables::Orders {
  std::once_flag made;
  RowOrders rows;
};

PairTables::PairTables(std::vector<RowPair> const& rows, Follow follow)
    : PairTables(in_arrays(rows, follow), follow) {}

PairTables::PairTables(std::vector<RowPair> const& rows, std::vector<std::uint32_t> transitions)
    : PairTables(in_arrays(rows, Follow::state), std::move(transitions)) {}

PairTables::PairTables(RowArrays rows, Follow follow, int threads)
    : follow_(follow),
      rows_(static_cast<std::uint32_t>(rows.totals.size())),
      vocab_(rows.vocab),
      totals_(std::move(rows.totals)),
      p_(std::move(rows.p)),
      q_(std::move(rows.q)) {
  check_shape(totals_.size(), vocab_, follow);
  if (follow == Follow::state)
    throw InputError("an automaton of contexts has no transitions (its next context is theirs to say)", "give them");
  make_tables(threads);
  if (follow == Follow::next_row) set_sequences(std::vector{rows_});
}

PairTables::PairTables(RowArrays rows, std::vector<std::uint32_t> transitions, int threads)
    : follow_(Follow::state),
      rows_(static_cast<std::uint32_t>(rows.totals.size())),
      vocab_(rows.vocab),
      totals_(std::move(rows.totals)),
      p_(std::move(rows.p)),
      q_(std::move(rows.q)),
      transitions_(std::move(transitions)) {
  check_shape(totals_.size(), vocab_, Follow::state);
  if (transitions_.size() != std::size_t{rows_} * vocab_) {
    throw InputError("there are " + std::to_string(transitions_.size()) + " transitions for " +
                         std::to_string(rows_) + " contexts of " + std::to_string(vocab_) +
                         " tokens (each token leads from each context to one)",
                     "give their product");
  }
  auto const bad = std::ranges::find_if(transitions_, [&](std::uint32_t row) { return row >= rows_; });
  if (bad != transitions_.end()) {
    throw InputError("transition " + std::to_string(bad - transitions_.begin()) + " leads to context " +
                         std::to_string(*bad) + " (there are the contexts 0 to " + std::to_string(rows_ - 1) + ")",
                     "lead it to one of them");
  }
  make_tables(threads);
}

void PairTables::make_tables(int threads) {
  if (p_.size() != offset(rows_) || q_.size() != offset(rows_))
    throw InputError("there are " + std::to_string(p_.size()) + " weights of p and " + std::to_string(q_.size()) +
                         " of q for " + std::to_string(rows_) + " contexts of " + std::to_string(vocab_) +
                         " tokens (each token has one in each context)",
                     "give their product");
  threads_ = threads;
  orders_ = std::make_shared<Orders>();
  table_bits_ = alias_bits(vocab());
  std::size_t const entries = std::size_t{1} << table_bits_;
  residual_totals_.resize(rows_);
  most_likely_p_.resize(rows_);
  most_likely_q_.resize(rows_);
  for (auto* table : {&draft_, &target_, &residual_}) table->resize(rows_ * entries);
  for_rows(rows_, threads, [&] {
    return [&, residual = std::vector<std::uint64_t>(vocab())](std::uint64_t i) mutable {
      auto const row = static_cast<std::uint32_t>(i);
      auto const p_here = p(row), q_here = q(row);
      std::uint64_t const total_here = totals_[i];
      if (total_here == 0 || total_here > max_total || !sums_to(total_here, p_here) || !sums_to(total_here, q_here))
        throw InputError("row " + std::to_string(i) + " does not sum to its total of 1 to 2^53");
      std::ranges::transform(p_here, q_here, residual.begin(), [](auto a, auto b) { return excess(a, b); });
      residual_totals_[i] = std::accumulate(residual.begin(), residual.end(), std::uint64_t{0});
      most_likely_p_[i] = argmax(vocab(), [&](Token x) { return p_here[x]; });
      most_likely_q_[i] = argmax(vocab(), [&](Token x) { return q_here[x]; });
      auto const part = [&](Array<AliasEntry>& table) { return std::span(table).subspan(i * entries, entries); };
      build_alias(q_here, total_here, table_bits_, part(draft_));
      build_alias(p_here, total_here, table_bits_, part(target_));
      build_alias(residual, residual_totals_[i], table_bits_, part(residual_));
    };
  });
}

void PairTables::set_sequences(std::span<std::uint32_t const> lengths) {
  reach_.clear();
  for (std::uint32_t length : lengths) {
    if (length > rows() - reach_.size()) throw InputError("the recorded sequences are longer than the rows");
    for (std::uint32_t left = length; left > 0; --left) reach_.push_back(left);
  }
  if (reach_.size() != rows()) throw InputError("the recorded sequences are shorter than the rows");
}

std::vector<double> PairTables::probabilities(std::span<std::uint64_t const> weights, std::uint32_t row) const {
  std::vector<double> all;
  all.reserve(weights.size());
  for (std::uint64_t const weight : weights) all.push_back(probability(weight, row));
  return all;
}

double PairTables::beta(std::uint32_t row) const {
  return static_cast<double>(totals_[row] - residual_totals_[row]) / static_cast<double>(totals_[row]);
}

RowOrders const& PairTables::orders() const {
  std::call_once(orders_->made, [&] { orders_->rows = make_orders(p_, q_, vocab_, threads_); });
  return orders_->rows;
}

PairTablesView PairTables::view(std::span<std::uint32_t const> starts) const {
  return {.contexts = contexts(),
          .table_bits = table_bits_,
          .totals = totals_.data(),
          .residual_totals = residual_totals_.data(),
          .p = p_.data(),
          .q = q_.data(),
          .draft = draft_.data(),
          .target = target_.data(),
          .residual = residual_.data(),
          .most_likely_p = most_likely_p_.data(),
          .most_likely_q = most_likely_q_.data(),
          .constants = nullptr,
          .order = nullptr,
          .sums = nullptr,
          .top = nullptr,
          .top_count = 0,
          .reach = reach_.empty() ? nullptr : reach_.data(),
          .starts = starts.data(),
          .start_count = static_cast<std::uint32_t>(starts.size())};
}

PairTables::Arrays PairTables::arrays() const {
  return {totals_,        residual_totals_, p_,     q_,          draft_, target_, residual_,
          most_likely_p_, most_likely_q_,   reach_, transitions_};
}

}  // namespace draftgauge
