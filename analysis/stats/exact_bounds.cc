#include "analysis/stats/exact_bounds.h"

#include "analysis/theory/acceptance.h"

namespace draftgauge {
namespace {

Rational mean_bound(int gamma, std::span<std::uint32_t const> starts, ExactModel const& model) {
  Rational sum = 0;
  for (std::uint32_t const start : starts) sum += *accepted_bound(model, gamma, start);
  return sum / starts.size();
}

std::optional<Rational> transport_bound(Task const& task, ExactModel const& model) {
  if (model.contexts().rows > 1) return std::nullopt;
  Acceptance<Rational> const acceptance(model.row(0).p, model.row(0).q);
  int const first_drafts = static_cast<int>(task.shape.children(0, 0).count);
  if (task.drafter == "sample") return acceptance.optimal(first_drafts);
  if (task.drafter == "sample-without") return acceptance.optimal_without(first_drafts);
  return std::nullopt;
}

}  // namespace

std::map<DraftPlace, Rational> accepted_by_rank(RoundShape const& shape, ExactRound const& round) {
  std::map<DraftPlace, Rational> accepted;
  std::vector<DraftPlace> const places = tree_places(shape);
  for (std::size_t node = 1; node < places.size() && node < round.passed.size(); ++node)
    accepted[places[node]] += round.passed[node];
  if (!places.empty()) return accepted;
  Rational at_least = 1;  // of a chain, whose nodes are not counted: P(τ ≥ depth)
  for (int depth = 1; depth <= shape.gamma; ++depth)
    accepted[{depth, 1}] = at_least -= round.accepted[static_cast<std::size_t>(depth) - 1];
  return accepted;
}

ExactBounds exact_bounds(Task const& task, Reference reference, std::span<std::uint32_t const> starts,
                         ExactModel const& model) {
  if (task.policy != "fixed" || reference != Reference::target) return {};
  ExactBounds bounds{.accepted = std::nullopt, .acceptance = transport_bound(task, model)};
  // Of chains only: a tree offers more than one draft for a position.
  if (task.shape.branching == 1 && task.drafter == "sample")
    bounds.accepted = starts.empty() ? accepted_bound(model, task.shape.gamma)
                                     : std::optional(mean_bound(task.shape.gamma, starts, model));
  return bounds;
}

}  // namespace draftgauge
