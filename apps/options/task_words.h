#pragma once
#include <string>

#include "sim/task/task.h"

namespace draftgauge {

/// "--tree levels:3,2", or of a long text "a tree of 63 nodes in 5 levels".
std::string tree_name(TreeShape const& tree);
/// What a task drafts, in words: "γ = 5", "γ = 3, k = 2", "a tree of 4 drafts, γ = 2 [-1,0,0,1,2]".
std::string shape_text(Task const& task);
/// A task in words for titles: "token, γ = 5", with k, drafter and policy where they are not the rule's usual ones.
std::string to_string(Task const& task);

}  // namespace draftgauge
