#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/base/limits.h"
#include "sim/base/mapped_file.h"
#include "sim/base/sha256.h"
#include "sim/sources/memory.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

constexpr char automaton_hint[] = "write {\"next\": [[1, null], [0, 1]]}, optionally with \"start\" and \"end\"";

/// What a file says: which state each token leads to, or that it is not allowed.
struct Automaton {
  std::vector<std::vector<std::optional<std::uint32_t>>> next;  ///< [states][vocab]
  std::optional<Token> end = {};
};

class AutomatonReader {
 public:
  AutomatonReader(std::string const& file, std::uint32_t vocab) : file_(file), vocab_(vocab) {}

  Automaton read(std::string_view text) {
    Json json;
    try {
      json = parse_json(text, {.why = "an automaton is JSON", .hint = automaton_hint});
    } catch (Error const& e) {
      throw InputError(file_, e);
    }
    if (!json.is_object() || !json.contains("next")) refuse("it has no \"next\"", "it lists what follows each state");
    for (auto const& [key, value] : json.items())
      if (key != "next" && key != "start" && key != "end")
        refuse("there is no key \"" + key + "\"", "known are next, start and end");
    Json const& rows = json["next"];
    if (!rows.is_array() || rows.empty()) refuse("\"next\" is no list of states", "each state is a list");
    states_ = rows.size();
    Automaton automaton;
    for (Json const& row : rows) automaton.next.push_back(state(row, automaton.next.size()));
    if (json.contains("end")) automaton.end = static_cast<Token>(number(json["end"], vocab_, "\"end\""));
    auto const start = json.contains("start") ? number(json["start"], states_, "\"start\"") : 0;
    if (start > 0) begin_with(automaton, start);
    return automaton;
  }

 private:
  std::vector<std::optional<std::uint32_t>> state(Json const& row, std::size_t index) const {
    std::string const name = "state " + std::to_string(index);
    if (!row.is_array() || row.size() != vocab_)
      refuse(name + " does not list " + std::to_string(vocab_) + " tokens", "each token leads to a state or is null");
    std::vector<std::optional<std::uint32_t>> next;
    for (Json const& to : row) {
      std::string const where = name + ", token " + std::to_string(next.size());
      next.push_back(to.is_null() ? std::nullopt
                                  : std::optional(static_cast<std::uint32_t>(number(to, states_, where))));
    }
    return next;
  }
  std::uint64_t number(Json const& value, std::uint64_t below, std::string const& where) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= below)
      refuse(where + " is " + value.dump().substr(0, 40), "a whole number from 0 to " + std::to_string(below - 1));
    return value.get<std::uint64_t>();
  }
  /// Changes places with state 0.
  static void begin_with(Automaton& automaton, std::uint64_t start) {
    std::swap(automaton.next[0], automaton.next[start]);
    for (auto& row : automaton.next)
      for (auto& to : row)
        if (to) *to = *to == 0 ? static_cast<std::uint32_t>(start) : *to == start ? 0 : *to;
  }
  [[noreturn]] void refuse(std::string const& problem, std::string const& why) const {
    throw InputError(file_ + ": " + problem + " (" + why + ")", automaton_hint);
  }

  std::string const& file_;
  std::uint32_t vocab_;
  std::size_t states_ = 0;
};

Source build_grammar(Keys const& keys, SourceOptions const& options) {
  std::string const& file = keys.text("automaton");
  MappedFile const mapped(file);
  if (mapped.bytes().size() > longest_record)
    throw InputError(file + ": it has " + std::to_string(mapped.bytes().size()) +
                         " bytes (an automaton is read up to " + std::to_string(longest_record) + ")",
                     "take a smaller one");
  Sha256 digest;
  digest.update(mapped.bytes());
  return source_with_memory(keys, options, [&](std::uint32_t vocab) {
    Automaton const automaton = AutomatonReader(file, vocab).read(mapped.text());
    Memory memory{.next = {}, .process = {}, .end = automaton.end, .tokens = 4, .file = {}};
    memory.file = {"automaton", {file, digest.hex()}};
    for (std::uint32_t state = 0; state < automaton.next.size(); ++state)
      for (auto const& to : automaton.next[state]) memory.next.push_back(to.value_or(state));
    memory.process = [next = automaton.next](std::uint32_t state, TokenWeights& weights) {
      for (Token x = 0; x < weights.size(); ++x)
        if (!next[state][x]) weights[x] = {0, Fraction(0)};
    };
    return memory;
  });
}

}  // namespace

SourceCard grammar_source() {
  return {.name = "grammar",
          .summary = "a target under a grammar: an automaton says which tokens may follow",
          .tables =
              "p on the tokens that the automaton's state allows, renormalised; a token leads to the next state, "
              "and one that is not allowed to the same",
          .keys = memory_keys({{.name = "automaton",
                                .kind = KeyCard::Kind::text,
                                .meaning = "file {\"next\": [[state or null for each token] for each state]}, with "
                                           "\"start\" (0) and \"end\", the token that ends a text",
                                .required = true}}),
          .build = build_grammar};
}

}  // namespace draftgauge
