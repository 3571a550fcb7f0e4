#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace draftgauge {

/// A text with names in braces, in whose places values stand ("--speculate {gamma}"). It is left out where one of these
/// is not known, and where a condition does not hold: the name of a value that is known or, behind "no ", is not.
struct SettingsText {
  std::string text;
  std::vector<std::string> conditions = {};
};

/// A line to paste: a flag or an assignment, a line beside them, or a comment on the next.
struct SettingsLine {
  enum class Kind { comment, flag, line } kind;
  SettingsText text;
};

/// Kinds of drafts that are told their length alike, by members of JSON.
struct DraftKinds {
  std::vector<std::string> names;
  std::vector<SettingsText> json;
};

/// How an engine is told a draft length.
struct SettingsCard {
  std::string versions;  ///< that take what is written
  std::string off;       ///< how drafting is switched off: "leave … out"
  std::string source;
  bool by_batch = false;                  ///< it takes a length for each batch size
  bool may_grow = true;                   ///< longer ones in larger batches, too
  std::optional<std::int64_t> most = {};  ///< the longest draft that it takes
  std::string ends_drafts = {};           ///< what may end a draft before that; empty where nothing is known to
  std::vector<SettingsText> json = {};    ///< members of its configuration
  /// What makes its own benchmark accept as often, JSON: the first of these whose values are known.
  std::vector<SettingsText> synthetic = {};
  std::vector<SettingsLine> lines = {};
  std::vector<DraftKinds> kinds = {};  ///< where it is told what drafts; the first name is a draft model's
  std::map<std::string, std::string> former_kinds = {};  ///< by names that older versions have
};

/// A rule and a drafter that an engine runs under some flags.
struct RunOtherwise {
  std::string with, rule, drafter;
};

/// What a program of an engine really runs, and how it counts. Commands, docs and tests take all they say from here.
struct EngineRun {
  std::string name;     ///< as typed after --engine
  std::string summary;  ///< one sentence
  std::string rule;     ///< the rule that it is (a name of rule_cards)
  std::string drafter;  ///< what drafts (a name of drafter_cards)
  std::vector<RunOtherwise> otherwise;
  std::string counts;      ///< how its counters make rounds
  int undrafted;           ///< tokens of a text that no draft comes before, where rounds are counted by tokens
  bool mean_counts_all;    ///< the mean length that it prints has these in, too, and rounds that gave them
  int extra_draft_passes;  ///< of the draft model, in a round, beside its γ: each over all that is verified
  bool lossless;           ///< its output's law is the target's
  std::string source;
};

/// An engine: a file of TOML in cards/.
struct EngineCard {
  std::string name;                      ///< as typed after --for
  std::string title;                     ///< as it writes itself
  std::string summary = {};              ///< of its verification, where no rule is known to be it
  std::vector<std::string> called = {};  ///< what prints call it beside that
  std::vector<EngineRun> runs = {};      ///< its programs; settings are for the first
  std::optional<SettingsCard> settings = {};
  std::string counts_rounds = {};  ///< what to give so that rounds are counted; empty: its responses

  EngineRun const* run() const { return runs.empty() ? nullptr : &runs.front(); }
};

/// The engine that a text of TOML describes. Throws InputError that begins with `file` for what is none: an unknown key, rule,
/// drafter or value.
EngineCard read_engine_card(std::string const& file, std::string_view text);

}  // namespace draftgauge
