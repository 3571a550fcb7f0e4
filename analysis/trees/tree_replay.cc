#include "analysis/trees/tree_replay.h"

#include <map>

namespace draftgauge {

TreeReplay::TreeReplay(TreeShape tree, bool by_node)
    : tree_(std::move(tree)), by_node_(by_node), place_of_(tree_.size()), passed_(tree_.size()) {
  std::map<DraftPlace, std::size_t> numbers;
  for (std::uint32_t node = 0; node < tree_.size(); ++node) {
    TreeNode const children = tree_.children(node);
    for (std::uint32_t i = 0; i < children.count; ++i) {
      DraftPlace const at{tree_.depth(node) + 1, by_node ? static_cast<int>(i) + 1 : 0};
      auto const [found, added] = numbers.try_emplace(at, places_.size());
      if (added) places_.push_back({at});
      place_of_[children.first + i] = found->second;
    }
  }
}

void TreeReplay::begin_text(std::size_t length, std::vector<std::size_t> ends) {
  starts_.assign(length, 0.);
  starts_.front() = 1;
  next_ = part_ = 0;
  ends_ = std::move(ends);
  if (ends_.empty()) ends_ = {length};
  begin_part(ends_.front());
}

void TreeReplay::begin_part(std::size_t length) {
  lengths_.push_back(static_cast<double>(length));
  rounds_.push_back(0);
  for (Place& place : places_)
    for (auto* each : {&place.offered, &place.tested, &place.accepted}) each->push_back(0);
}

void TreeReplay::add(TreeRound const& walk) {
  std::size_t const t = next_++, length = starts_.size();
  if (t == ends_[part_]) {
    ++part_;
    begin_part(ends_[part_] - t);
  }
  double const rounds = starts_[t];
  rounds_.back() += rounds;
  for (std::size_t i = 0; i < walk.alive.size() && t + i + 1 < length; ++i)
    starts_[t + i + 1] += rounds * (walk.alive[i] - (i + 1 < walk.alive.size() ? walk.alive[i + 1] : 0));
  auto const count = [&](Place& place, double offered, double tested, double accepted) {
    place.offered.back() += rounds * offered;
    place.tested.back() += rounds * tested;
    place.accepted.back() += rounds * accepted;
  };
  passed_[0] += rounds;
  if (!by_node_) {
    for (std::size_t i = 0; i < places_.size() && t + i < length; ++i)
      count(places_[i], walk.alive[i], walk.alive[i], walk.alive[i + 1]);
    return;
  }
  for (std::uint32_t node = 0; node < tree_.size(); ++node) {
    TreeNode const children = tree_.children(node);
    if (t + static_cast<std::size_t>(tree_.depth(node)) >= length) break;
    double left = walk.passed[node];
    for (std::uint32_t child = children.first; child < children.first + children.count; ++child) {
      passed_[child] += rounds * walk.passed[child];
      count(places_[place_of_[child]], walk.passed[node], left, walk.passed[child]);
      left -= walk.passed[child];
    }
  }
}

TextEstimate TreeReplay::tokens(std::shared_ptr<TextSample const> const& sample) const {
  return mean_over_texts(sample->lengths(), sample) / mean_over_texts(rounds_, sample);
}

std::vector<double> TreeReplay::reach() const {
  std::vector<double> reach = passed_;
  for (double& each : reach) each /= passed_[0];
  return reach;
}

TreeReplay replayed(TreeShape const& tree, TextRanks const& ranks, std::vector<std::size_t> const& ends) {
  TreeReplay replay(tree);
  auto const k = static_cast<std::size_t>(ranks.ranks);
  for (std::size_t text = 0; text < ranks.of.size(); ++text) {
    if (ranks.length(text) == 0) continue;
    replay.begin_text(ranks.length(text), ends);
    for (std::size_t t = 0; t < ranks.length(text); ++t)
      replay.add(walk_by_rank(tree, std::span(ranks.of[text]).subspan(t * k), k));
  }
  return replay;
}

}  // namespace draftgauge
