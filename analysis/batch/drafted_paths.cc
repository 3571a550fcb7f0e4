#include "analysis/batch/drafted_paths.h"

#include <utility>

namespace draftgauge {
namespace {

/// A request's drafts from a row, each with its probability.
std::vector<std::pair<std::vector<Token>, Rational>> drafts_of(BatchRequest const& request, std::uint32_t start) {
  std::vector<std::pair<std::vector<Token>, Rational>> all{{{}, Rational(1)}};
  for (int place = 0; place < request.gamma; ++place) {
    std::vector<std::pair<std::vector<Token>, Rational>> longer;
    for (auto const& [drafts, probability] : all) {
      std::vector<Rational> const& q = request.model->row(row_behind(*request.model, start, drafts)).q;
      for (Token x = 0; x < q.size(); ++x) {
        if (q[x] == 0) continue;
        longer.emplace_back(drafts, probability * q[x]);
        longer.back().first.push_back(x);
      }
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace

std::uint32_t row_behind(ExactModel const& model, std::uint32_t row, std::vector<Token> const& tokens) {
  for (Token const x : tokens) row = model.contexts().after(row, x);
  return row;
}

std::vector<std::uint32_t> starting_rows(std::vector<BatchRequest> const& requests) {
  std::vector<std::uint32_t> rows;
  for (BatchRequest const& request : requests) rows.push_back(request.start);
  return rows;
}

std::uint64_t for_drafts(std::vector<BatchRequest> const& requests, std::vector<std::uint32_t> const& rows,
                         std::vector<Rational> const& memory, std::uint64_t max_paths,
                         std::function<void(DraftedBatch const&, Rational const&)> const& f) {
  std::vector<std::vector<std::pair<std::vector<Token>, Rational>>> each;
  double paths = 1;
  for (std::size_t r = 0; r < requests.size(); ++r) {
    Contexts const contexts = requests[r].model->contexts();
    if (contexts.follow == Follow::independent && contexts.rows > 1)
      throw NotEnumerable(
          "a schedule is enumerated where the text decides the next p and q, and here a row is drawn at random",
          "give one context, or one row for each previous token");
    double own = 1;
    for (int place = 0; place < requests[r].gamma; ++place) own *= contexts.vocab;
    if (own > static_cast<double>(max_paths)) throw_too_many_paths("more than " + std::to_string(max_paths));
    paths *= static_cast<double>(each.emplace_back(drafts_of(requests[r], rows[r])).size());
  }
  if (paths > static_cast<double>(max_paths)) throw_too_many_paths("more than " + std::to_string(max_paths));
  DraftedBatch batch{{}, rows, memory};
  std::function<void(Rational const&)> const next = [&](Rational const& probability) {
    if (batch.drafts.size() == requests.size()) return f(std::as_const(batch), probability);
    for (auto const& [drafts, chance] : each[batch.drafts.size()]) {
      batch.drafts.push_back(drafts);
      next(probability * chance);
      batch.drafts.pop_back();
    }
  };
  next(1);
  return static_cast<std::uint64_t>(paths);
}

void add_product(std::vector<SequenceLaw const*> const& each, Rational const& factor, SequenceLaw& sum) {
  std::vector<Token> joined;
  std::function<void(std::size_t, Rational const&)> const next = [&](std::size_t r, Rational const& probability) {
    if (r == each.size()) {
      sum[joined] += probability;
      return;
    }
    for (auto const& [tokens, chance] : *each[r]) {
      joined.insert(joined.end(), tokens.begin(), tokens.end());
      next(r + 1, probability * chance);
      joined.resize(joined.size() - tokens.size());
    }
  };
  next(0, factor);
}

SequenceLaw joint_target(std::vector<BatchRequest> const& requests, int length) {
  std::vector<SequenceLaw> laws;
  for (BatchRequest const& request : requests) laws.push_back(target_law(*request.model, length, request.start));
  std::vector<SequenceLaw const*> each;
  for (SequenceLaw const& law : laws) each.push_back(&law);
  SequenceLaw joint;
  add_product(each, 1, joint);
  return joint;
}

}  // namespace draftgauge
