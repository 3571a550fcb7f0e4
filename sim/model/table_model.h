#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/draft/verdict.h"
#include "sim/model/argmax.h"
#include "sim/model/contexts.h"
#include "sim/model/node.h"
#include "sim/rows/most_likely.h"

namespace draftgauge {

/// A model whose rows are written out in any type of number: fractions for exact laws, doubles for unit tests. Host
/// only. Rows are normalised (they sum to 1), one per context, numbered as Contexts::follow says.
template <class Number>
class TableModel {
 public:
  struct Row {
    std::vector<Number> p, q;
  };

  /// A place in the text, of the form that sim/model/node.h has for integers.
  class Node {
   public:
    using Weight = Number;
    using Real = Number;

    Node(Row const& row, Children const& drafted, Number const* constants, std::size_t rows)
        : row_(&row), drafted_(&drafted), constants_(constants), rows_(rows) {}

    std::uint32_t vocab() const { return static_cast<std::uint32_t>(row_->p.size()); }
    Number total() const { return Number(1); }
    Number const& p(Token x) const { return row_->p[x]; }
    Number const& q(Token x) const { return row_->q[x]; }
    Token argmax_p() const {
      return argmax(vocab(), [row = row_](Token x) -> Number const& { return row->p[x]; });
    }
    Token argmax_q() const {
      return argmax(vocab(), [row = row_](Token x) -> Number const& { return row->q[x]; });
    }
    /// The i-th most likely token of q, i = 0…; of equal ones the smaller first.
    Token top_q(int i) const { return most_likely(row_->q, static_cast<std::size_t>(i) + 1).back(); }

    int children() const { return drafted_->count; }
    Token child(int i) const { return drafted_->token[i]; }
    Number const& constant() const { return constants_[static_cast<std::size_t>(children() - 1) * rows_]; }

    auto draft() const {
      return Weights{vocab(), [row = row_](Token x) { return row->q[x]; }};
    }
    auto target() const {
      return Weights{vocab(), [row = row_](Token x) { return row->p[x]; }};
    }
    auto residual() const {
      return Weights{vocab(), [row = row_](Token x) { return draftgauge::excess(row->p[x], row->q[x]); }};
    }

    /// The distributions that simulation finds by the order of a row (sim/rows), as the plain sums that they stand for.
    auto excess(Number const& a, Number const& b) const {
      return summed(vocab(), [row = row_, a, b](Token x) {
        return draftgauge::excess(Number(a * row->p[x]), Number(b * row->q[x]));
      });
    }
    auto excess_of_rest(Number const& a, Number const& b) const {
      return summed(vocab(), [row = row_, a, b](Token x) {
        return row->q[x] > Number(0) ? Number(0) : draftgauge::excess(Number(a * row->p[x]), b);
      });
    }
    auto p_without(int count) const {
      return summed(vocab(), [*this, count](Token x) { return struck(x, count) ? Number(0) : row_->p[x]; });
    }
    auto q_without(int count) const {
      return summed(vocab(), [*this, count](Token x) { return struck(x, count) ? Number(0) : row_->q[x]; });
    }

    /// The row's tokens by falling p/q, with the sums of both along it: RatioRow's, in this type of number.
    class Order {
     public:
      struct Sums {
        Number p, q;
      };

      explicit Order(Row const& row) : row_(&row), tokens_(row.p.size()) {
        std::iota(tokens_.begin(), tokens_.end(), Token{0});
        std::ranges::stable_sort(tokens_, [&](Token a, Token b) {
          Number const left = row.p[a] * row.q[b], right = row.p[b] * row.q[a];
          return right < left || (!(left < right) && row.p[b] < row.p[a]);
        });
      }
      Token token(std::uint32_t place) const { return tokens_[place]; }
      Sums weights(std::uint32_t place) const { return {row_->p[tokens_[place]], row_->q[tokens_[place]]}; }
      Sums sums(std::uint32_t places) const {
        Sums sums{Number(0), Number(0)};
        for (std::uint32_t place = 0; place < places; ++place) {
          sums.p += row_->p[tokens_[place]];
          sums.q += row_->q[tokens_[place]];
        }
        return sums;
      }
      std::uint32_t place_of(Token x) const {
        return static_cast<std::uint32_t>(std::ranges::find(tokens_, x) - tokens_.begin());
      }

     private:
      Row const* row_;
      std::vector<Token> tokens_;
    };
    Order order() const { return Order(*row_); }
    std::uint32_t place_of(Token x) const { return order().place_of(x); }

   private:
    bool struck(Token x, int count) const { return candidate_that_is(x, *this, count) >= 0; }

    Row const* row_;
    Children const* drafted_;
    Number const* constants_;  ///< this row's, one for each number of children
    std::size_t rows_;
  };

  /// transitions: [rows][vocab] of Follow::state, else empty; states as Contexts has them.
  TableModel(Follow follow, std::vector<Row> rows, std::vector<std::uint32_t> transitions = {},
             std::uint32_t states = 1)
      : rows_(std::move(rows)), transitions_(std::move(transitions)), follow_(follow), states_(states) {}

  /// Valid while this object lives.
  Contexts contexts() const {
    return {follow_, static_cast<std::uint32_t>(rows_.size()), static_cast<std::uint32_t>(rows_.at(0).p.size()),
            transitions_.empty() ? nullptr : transitions_.data(), states_};
  }
  Row const& row(std::uint32_t i) const { return rows_.at(i); }
  Node node(std::uint32_t row, Children const& drafted) const {
    return {rows_.at(row), drafted, constants_.empty() ? nullptr : constants_.data() + row, rows_.size()};
  }

  /// Other rows whose contexts follow each other in the same way.
  TableModel with_rows(std::vector<Row> rows) const { return {follow_, std::move(rows), transitions_, states_}; }

  /// The same rows with a rule's constants, [children][rows] (sim/model/row_constant.h).
  TableModel with_constants(std::vector<Number> constants) const {
    TableModel copy = *this;
    copy.constants_ = std::move(constants);
    return copy;
  }
  bool has_constants() const { return !constants_.empty(); }

 private:
  std::vector<Row> rows_;
  std::vector<std::uint32_t> transitions_;
  std::vector<Number> constants_;
  Follow follow_;
  std::uint32_t states_;
};

}  // namespace draftgauge
