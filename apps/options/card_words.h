#pragma once
#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/invocation.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"

/// What `figure` and `table` have in common: words that are names of a list, or recordings, and options of which each
/// means something to some entries of the list only.
namespace draftgauge {

struct NamesAndFiles {
  std::vector<std::string_view> names;  ///< into the words, "all" among them
  std::vector<std::string> files;
};
/// A word of `known` is a name; any other one is a file where there is such a file or it looks like one (a dot or a
/// slash in it). kind: "figure". Throws UsageError for a word that is neither, with the nearest name.
NamesAndFiles names_and_files(std::vector<std::string> const& words, std::string_view kind,
                              std::vector<std::string_view> const& known);

/// What the words ask for.
template <class Card>
struct CardWords {
  std::vector<Card const*> cards;  ///< each once, in the order of the list
  std::vector<std::string> files;  ///< recordings
  bool all;                        ///< "all" is among the words

  bool reads() const { return std::ranges::any_of(cards, &Card::needs_recording); }
};
/// Entries of the list by name, or all. Throws UsageError as above, where none is named (`none`), and for a
/// recording that no entry named is made of; `example` is one that would be.
template <class Card>
CardWords<Card> card_text(std::vector<std::string> const& words, std::string_view kind, std::span<Card const> list,
                          UsageError const& none, std::string_view example) {
  std::vector<std::string_view> known = names_in(list);
  known.insert(known.begin(), "all");
  NamesAndFiles found = names_and_files(words, kind, known);
  if (found.names.empty()) throw none;
  auto const named = [&](std::string_view name) { return contains(found.names, name); };
  CardWords<Card> asked{{}, std::move(found.files), named("all")};
  for (Card const& card : list)
    if (asked.all || named(card.name)) asked.cards.push_back(&card);
  if (!asked.files.empty() && !asked.reads())
    throw UsageError(asked.files.front() + " is given and no " + std::string(kind) +
                         " that is made of a recording (nothing would come of it)",
                     "name " + std::string(example));
  return asked;
}

/// Options, and the entries of the list to which they mean something.
struct OptionUse {
  std::vector<std::string> options;
  std::vector<std::string_view> names;
};
/// The names of those entries of the list.
template <class Card, class Where>
std::vector<std::string_view> names_where(std::span<Card const> list, Where const& where) {
  std::vector<std::string_view> names;
  for (Card const& card : list)
    if (std::invoke(where, card)) names.push_back(card.name);
  return names;
}
/// Throws UsageError for an option that is given and means nothing to any of the entries named. kind: "figure".
void require_use(Invocation const& args, std::string_view kind, std::vector<OptionUse> const& uses,
                 std::vector<std::string_view> const& named);

template <class Card>
std::vector<std::string_view> names_of(std::vector<Card const*> const& cards) {
  std::vector<std::string_view> names;
  for (Card const* card : cards) names.push_back(card->name);
  return names;
}

/// --cost as a list of numbers; empty where it is a file, or not given. Throws UsageError for what is neither.
std::vector<double> costs_given(Invocation const& args);

/// recording_options() where NAME takes the files.
OptionGroup options_of_recordings();

}  // namespace draftgauge
