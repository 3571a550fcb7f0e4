#pragma once
#include <cstdint>

#include "sim/chance/chance.h"
#include "sim/draft/draft_tree.h"
#include "sim/draft/tree_view.h"
#include "sim/draft/verdict.h"

namespace draftgauge {

/// The drafts that spell a text, followed token by token: equal siblings are one node, as in a trie.
class TextWalk {
 public:
  /// The text goes on with y below the root, and then with tokens from p as long as what it has is drafted.
  template <class Chance, class Draft>
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD Stop from_root(Chance& chance, Draft& draft, Token y) {
    begin(0);
    return follow(chance, draft, y);
  }

  /// The same below the drafts down to a stop's node, after which its token is emitted: free continuation. It is
  /// lossless where the stop is, since the text there is as it was and p below it is known.
  template <class Chance, class Draft>
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD Stop from(Chance& chance, Draft& draft, Stop const& stop) {
    Token text[max_gamma];
    int length = 0;
    for (std::uint32_t node = stop.node; node != 0; node = draft.parent(node)) text[length++] = draft.token(node);
    begin(0);
    while (length > 0) go_on(draft, text[--length]);
    for (std::uint32_t i = begin_; i < end_; ++i)  // of equal ones the stop itself comes first
      if (spells_[i] == stop.node) spells_[i] = spells_[begin_];
    spells_[begin_] = stop.node;
    return follow(chance, draft, stop.token);
  }

 private:
  DRAFTGAUGE_HD void begin(std::uint32_t node) {
    spells_[0] = node;
    begin_ = 0;
    end_ = 1;
  }

  /// One token more, where a draft is that token; else false.
  template <class Draft>
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD bool go_on(Draft& draft, Token y) {
    std::uint32_t next = end_;
    for (std::uint32_t i = begin_; i < end_; ++i) {
      TreeNode const children = draft.children(spells_[i]);
      for (std::uint32_t j = 0; j < children.count; ++j)
        if (draft.token(children.first + j) == y) spells_[next++] = children.first + j;
    }
    if (next == end_) return false;
    begin_ = end_;
    end_ = next;
    return true;
  }

  template <class Chance, class Draft>
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD Stop follow(Chance& chance, Draft& draft, Token y) {
    for (; go_on(draft, y); y = chance.pick(draft.at(spells_[begin_]).target())) {
    }
    std::uint32_t stop = spells_[begin_];
    for (std::uint32_t i = begin_; i < end_ && !draft.child(stop); ++i)
      stop = spells_[i];  // a round that ends above a draft emits y with no bonus too
    return {stop, y};
  }

  std::uint32_t spells_[max_kept_nodes];  ///< level by level
  std::uint32_t begin_, end_;             ///< of the text so far
};

}  // namespace draftgauge
