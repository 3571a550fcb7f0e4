#include "analysis/ceiling/drafted_sets.h"

#include <algorithm>
#include <string>

#include "analysis/exact/enumerator.h"
#include "sim/draft/draft_tree.h"
#include "sim/draft/path_down.h"

namespace draftgauge {

std::vector<Token> DraftedSets::tokens(std::uint32_t prefix) const {
  return path_down(
      prefix, [&](std::uint32_t at) { return prefixes[at].parent; },
      [&](std::uint32_t at) { return prefixes[at].token; });
}

DraftedSets drafted_sets(Task const& task, ExactModel const& model, std::uint32_t start, std::uint64_t max_paths,
                         std::function<void(std::uint64_t)> const& progress) {
  if (least_paths(task, model, start) > max_paths) throw_too_many_paths("more than " + std::to_string(max_paths));
  Drafting const drafting = drafting_of(task);
  DraftedSets drafted;
  drafted.prefixes.push_back({0, 0, start, 0, 1});
  PrefixNumbers numbers;
  Enumerator<Rational> chance;
  DraftNodes nodes;
  std::uint64_t paths = 0;
  do {
    if (++paths > max_paths) throw_too_many_paths("more than " + std::to_string(max_paths));
    progress(paths);
    DraftTree draft(drafting, model, task.shape, chance, start, nodes);
    DraftedSets::Set set = number_prefixes(draft, numbers, [&](std::uint32_t parent, std::uint32_t child) {
      DraftedPrefix const& above = drafted.prefixes[parent];
      Rational const chance_of = model.row(above.row).p[draft.token(child)];
      drafted.prefixes.push_back({parent, draft.token(child), draft.row(child), above.depth + 1, chance_of});
    });
    std::ranges::sort(set);
    set.erase(std::ranges::unique(set).begin(), set.end());
    drafted.sets[std::move(set)] += chance.probability();
  } while (chance.next_path());
  return drafted;
}

}  // namespace draftgauge
