#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/counters/counters.h"
#include "analysis/counters/rates.h"

namespace draftgauge {

/// A way in which an engine, or a tool that drives one, prints what it counted: a card (analysis/cards), or a file of its
/// own where a map of places says too little. JSON is read record by record where the format takes records, other text
/// whole.
struct CounterFormat {
  std::string_view name;          ///< "vLLM metrics"
  std::string_view engine = {};   ///< a name of engine_cards; empty: of no engine that they know
  std::string_view program = {};  ///< that counted, where no settings are known of it
  std::string_view summary;       ///< what to give
  std::string_view versions;      ///< whose form it is
  std::function<bool(nlohmann::json const&)> is_record = {};
  std::function<void(std::string const& place, nlohmann::json const&, EngineCounters&)> take = {};
  std::function<bool(std::string_view)> is_text = {};
  std::function<void(std::string const& file, std::string_view text, EngineCounters&)> read = {};
  /// Whether a record of such a file counts no drafts, and is to be passed over.
  std::function<bool(nlohmann::json const&)> is_bare = {};
  /// Once all records are taken: what no record says alone.
  std::function<void(EngineCounters&)> settle = {};
  bool has_ids = false;      ///< requests are named by ids, of which none may stand twice
  bool own_program = false;  ///< a program counts that no EngineRun is about
  /// EngineRuns' names: what may have counted, the likelier first; if not given what the engine runs, none
  /// of an own program or without an engine.
  std::vector<std::string_view> writers = {};
  /// What it calls the rates that it prints.
  std::vector<RateWord> words = {};
  bool times_sequences = false;  ///< `seconds` are of requests, each by itself
  bool times_tokens = false;     ///< it is a benchmark's, with the time per token of one sequence
  /// What it calls the number of sequences that were decoded at once; empty where it does not print it.
  std::string_view at_once = {};
  /// It counts from the server's start on, but positions as shares: two files have no difference.
  bool shares_since_start = false;
  /// Formats whose lines stand in such a text, too: they count the same rounds.
  std::vector<std::string> holds = {};
};

/// In the order in which they are tried.
std::span<CounterFormat const> counter_formats();
/// Adds the format of a card, before all others. To be called before anything is read. Throws InputError as read_card does,
/// and where an engine that the card names is none.
void add_format_card(std::string const& file, std::string_view text);
/// The names of those that were added.
std::vector<std::string> given_cards();
/// The format of that name (EngineCounters::format); null for none.
CounterFormat const* counter_format(std::string_view name);
/// Where the counters say themselves whose they are: an engine as prints call it, whatever its letters ("tensorrt_llm"), or another program, for
/// which no settings are written.
void take_engine(EngineCounters& counters, std::string_view name);
/// Whether the note says the latter.
bool says_no_settings(std::string_view note);
/// What the engine that counted calls a rate; empty where it does not print it.
std::string_view word_of(EngineCounters const& counters, Rate rate);

}  // namespace draftgauge
