#include "analysis/ceiling/drafted_sets.h"

#include <algorithm>
#include <string>
#include <utility>

#include "analysis/enumerator.h"
#include "sim/draft_tree.h"
#include "sim/with_rule.h"

namespace draftgauge {

std::vector<Token> DraftedSets::tokens(std::uint32_t prefix) const {
  std::vector<Token> tokens;
  for (; prefix != 0; prefix = prefixes[prefix].parent) tokens.push_back(prefixes[prefix].token);
  std::ranges::reverse(tokens);
  return tokens;
}

DraftedSets drafted_sets(Task const& task, ExactModel const& model, std::uint32_t start, std::uint64_t max_paths,
                         std::function<void(std::uint64_t)> const& progress) {
  if (least_paths(task, model, start) > max_paths) throw_too_many_paths("more than " + std::to_string(max_paths));
  Drafting const drafting = drafting_of(task);
  DraftedSets drafted;
  drafted.prefixes.push_back({0, 0, start, 0, 1});
  std::map<std::pair<std::uint32_t, Token>, std::uint32_t> numbers;  // of a prefix, by its parent and its last token
  Enumerator<Rational> chance;
  std::uint64_t paths = 0;
  do {
    if (++paths > max_paths) throw_too_many_paths("more than " + std::to_string(max_paths));
    progress(paths);
    DraftTree draft(drafting, model, task.shape, chance, start);
    std::vector<std::uint32_t> prefix_of(draft.size());  // by node
    DraftedSets::Set set{0};
    for (std::uint32_t node = 0; node < draft.size(); ++node) {
      TreeNode const children = draft.children(node);
      for (std::uint32_t child = children.first; child < children.first + children.count; ++child) {
        std::uint32_t const parent = prefix_of[node];
        Token const token = draft.token(child);
        auto const [found, is_new] =
            numbers.try_emplace({parent, token}, static_cast<std::uint32_t>(drafted.prefixes.size()));
        if (is_new)
          drafted.prefixes.push_back({parent, token, draft.row(child), drafted.prefixes[parent].depth + 1,
                                      model.row(drafted.prefixes[parent].row).p[token]});
        prefix_of[child] = found->second;
        set.push_back(found->second);
      }
    }
    std::ranges::sort(set);
    set.erase(std::ranges::unique(set).begin(), set.end());
    drafted.sets[std::move(set)] += chance.probability();
  } while (chance.next_path());
  return drafted;
}

}  // namespace draftgauge
