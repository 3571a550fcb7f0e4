#pragma once
#include <vector>

#include "analysis/exact/exact.h"
#include "tests/vectors/subjects.h"

namespace draftgauge::vectors {

inline std::vector<Rational> row_of(Json const& written) {
  std::vector<Rational> row;
  for (Json const& chance : written) row.push_back(number(chance));
  return row;
}

inline std::vector<std::vector<Rational>> rows_of(Json const& model) {
  std::vector<std::vector<Rational>> rows;
  if (model.at("kind") == "iid") return {row_of(model.at("row"))};
  for (Json const& row : model.at("rows")) rows.push_back(row_of(row));
  rows.push_back(row_of(model.at("start")));
  return rows;
}

/// Rows by the token before, and the last where the text begins; of one row alone that row everywhere.
inline ExactModel model_of(Json const& request) {
  auto const p = rows_of(request.at("p")), q = rows_of(request.at("q"));
  std::size_t const vocab = p.front().size(), rows = vocab + 1;
  std::vector<ExactModel::Row> both;
  for (std::size_t i = 0; i < rows; ++i)
    both.push_back({p.size() == 1 ? p.front() : p[i], q.size() == 1 ? q.front() : q[i]});
  std::vector<std::uint32_t> transitions;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::uint32_t x = 0; x < vocab; ++x) transitions.push_back(x);
  return {Follow::state, std::move(both), std::move(transitions)};
}

}  // namespace draftgauge::vectors
