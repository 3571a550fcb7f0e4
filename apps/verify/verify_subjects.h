#pragma once
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/invocation.h"
#include "sim/draft/card.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// A source with the rules and draft lengths to verify on it.
struct Subject {
  std::string source;  ///< empty: the laws of --p and --q, or the counterexample's
  std::vector<std::string> rules;
  std::vector<std::int64_t> gammas;
  std::int64_t branching;
  std::optional<Counterexample::Test> counterexample = {};  ///< a faulty rule's own table
  bool all = false;  ///< no rule was named: one that does not suit the source is left out
};

/// What the command line asks to verify: the faulty rule's own table, the sources that it names, or, where it names
/// none, every kind of laws and rules.
std::vector<Subject> subjects_from(Invocation const& args);

Source source_of(Invocation const& args, Subject const& subject);
/// The options that name that source, as another rank opens it. Throws UsageError of a counterexample's own table on
/// several ranks.
Given source_words_of(Invocation const& args, Subject const& subject);

/// What the summary calls a source: a file by its name, others as they were typed.
std::string short_name(Subject const& subject, Source const& source);

}  // namespace draftgauge
