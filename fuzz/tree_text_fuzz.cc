#include <cstdlib>
#include <string>

#include "sim/base/error.h"
#include "sim/draft/children.h"
#include "sim/draft/tree_text.h"

// Any text as a tree. A tree that is read has every node below one before it, at its depth and rank, and is read again
// from its list of parents. Names of files are left to the file system.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace draftgauge;
  std::string const text(reinterpret_cast<char const*>(data), size);
  if (!text.starts_with("[") && text.find(':') == std::string::npos) return 0;
  if (text.find('/') != std::string::npos) return 0;
  try {
    ParsedTree const parsed = parse_tree(text);
    TreeShape const& tree = parsed.uneven;
    if (parsed.even()) return 0;
    std::uint32_t next = 1;
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
      TreeNode const children = tree.children(node);
      if (children.count > static_cast<std::uint32_t>(max_children)) std::abort();
      if (children.count > 0 && children.first != next) std::abort();
      next += children.count;
      for (std::uint32_t i = 0; i < children.count; ++i)
        if (tree.parents()[children.first + i] != static_cast<int>(node) ||
            tree.depth(children.first + i) != tree.depth(node) + 1)
          std::abort();
    }
    if (next != tree.size() || tree.depth() > max_gamma || tree.depth() != parsed.gamma) std::abort();
    if (!(parse_tree(tree.text()).uneven == tree) || !(parse_tree(tree_text(tree)).uneven == tree)) std::abort();
  } catch (Error const&) {
  }
  return 0;
}
