#pragma once
#include <optional>
#include <string>

#include "sim/base/error.h"
#include "sim/task/task.h"

namespace draftgauge {

/// Why a task's rule does not take drafts of its shape; none where it does. With tables also whether it takes them
/// at their number of tokens and as their contexts follow each other, else on some tables.
std::optional<UsageError> unsuited(Task const& task, PairTables const* tables = nullptr);

inline bool suits(Task const& task, PairTables const* tables = nullptr) { return !unsuited(task, tables); }

/// The same of a rule that nobody names, one of all. Where its drafts differ they are no more than the tokens, and it goes
/// over no more than a few tuples of a node's children, as 64 of them make a round a hundred times as slow as another
/// rule's.
std::optional<UsageError> unsuited_of_all(Task const& task, PairTables const& tables);

/// The drafts that a task asks for, as messages begin: "`candidates` 2", "`tree` [-1,0,0,1]".
std::string asked_drafts(Task const& task);

}  // namespace draftgauge
