#include <algorithm>
#include <memory>

#include "bench/baselines/baselines.h"
#include "bench/baselines/plain_tools.h"

namespace draftgauge::bench {
namespace {

class DenseTreeVerifier {
 public:
  DenseTreeVerifier(LawPair const& tables, TreeShape const& tree, std::uint64_t seed)
      : tree_(tree),
        p_(tables.p.begin(), tables.p.end()),
        q_(tables.q.begin(), tables.q.end()),
        residual_(p_.size()),
        left_(p_.size()),
        draft_(tables.q),
        drafted_(tree.size()),
        uniform_(seed) {}

  void play(std::uint64_t rounds, RoundCounts& counts) {
    for (std::uint64_t round = 0; round < rounds; ++round) {
      draft();
      std::size_t accepted = 0;
      std::uint32_t node = 0;
      while (std::uint32_t const child = accepted_child(node)) {
        if (!counts.histograms.empty()) ++counts.histograms[accepted][drafted_[child]];
        ++accepted;
        node = child;
      }
      std::uint32_t const token = invert(rejected_ > 0 ? residual_ : p_, uniform_);
      if (!counts.histograms.empty()) ++counts.histograms[accepted][token];
      ++counts.accepted[accepted];
    }
  }

 private:
  /// All nodes, a node's children all different.
  void draft() {
    for (std::uint32_t node = 0; node < tree_.size(); ++node) {
      TreeNode const children = tree_.children(node);
      for (std::uint32_t i = 0; i < children.count; ++i) {
        std::uint32_t& x = drafted_[children.first + i];
        auto const begin = drafted_.begin() + children.first;
        do x = draft_.pick(uniform_);
        while (std::find(begin, begin + i, x) != begin + i);
      }
    }
  }

  /// 0 where none is; then what the node still owes is in residual_, if any was rejected.
  std::uint32_t accepted_child(std::uint32_t node) {
    rejected_ = 0;
    TreeNode const children = tree_.children(node);
    for (std::uint32_t i = 0; i < children.count; ++i) {
      std::uint32_t const x = drafted_[children.first + i];
      std::vector<float> const &owed = rejected_ > 0 ? residual_ : p_, &from = rejected_ > 0 ? left_ : q_;
      if (static_cast<float>(uniform_()) * from[x] < owed[x]) return children.first + i;
      reject(owed, from, x);
    }
    return 0;
  }

  /// R ← norm((R − D)₊); D without x, normalised: that D(x) ← 0 need not be written, as R(x) is 0 from here on.
  void reject(std::vector<float> const& owed, std::vector<float> const& from, std::uint32_t x) {
    float sum = 0;
    float const rest = 1 / (1 - from[x]);
    for (std::size_t y = 0; y < residual_.size(); ++y) {
      sum += residual_[y] = std::max(0.0F, owed[y] - from[y]);
      left_[y] = from[y] * rest;
    }
    float const scale = 1 / sum;
    for (float& r : residual_) r *= scale;
    ++rejected_;
  }

  TreeShape tree_;
  std::vector<float> p_, q_, residual_, left_;
  int rejected_ = 0;
  PlainAlias draft_;
  std::vector<std::uint32_t> drafted_;
  PlainUniform uniform_;
};

}  // namespace

RoundPlayer dense_tree_verifier(LawPair const& tables, TreeShape const& tree, std::uint64_t seed) {
  return [game = std::make_shared<DenseTreeVerifier>(tables, tree, seed)](std::uint64_t rounds, RoundCounts& counts) {
    game->play(rounds, counts);
  };
}

}  // namespace draftgauge::bench
