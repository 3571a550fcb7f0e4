#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <sstream>

#include "apps/cli/commands.h"
#include "apps/cli/invocation.h"
#include "apps/cli/parse.h"
#include "sim/base/error.h"

// An option that is accepted and passed over leaves an answer to another question than was asked.
namespace draftgauge {
namespace {

std::string const texts = DRAFTGAUGE_SOURCE_DIR "/tests/data/";
std::string const trace = texts + "recordings/trace_prune2_T1.tsv";
std::string const rows = texts + "rows/pair.npz";
std::string const counted_file = texts + "counters/vllm_response.json";
std::string const pair = " --p .3,.4,.3 --q .6,.3,.1 ";

/// The ways of asking each command, short ones.
std::vector<std::string> const ways = {
    "exact --gamma 1" + pair,
    "exact --for-all --gamma 1 --vocab 2",
    "simulate --rounds 64 --gamma 1" + pair,
    "verify --rounds 64 --gamma 1" + pair,
    "verify --plan --tv .1 --gamma 1" + pair,
    "theory --alpha .8 --gamma 2",
    "theory --from-tokens 2 --gamma 2",
    "gamma --alpha .8 --cost .1",
    "gamma --survival .8,.6 --cost .1",
    "gamma --accepted 5,3,4 --cost .1",
    "gamma " + trace + " --resamples 0",
    "gamma " + counted_file + " --cost .1 --resamples 0",
    "gamma " + texts + "load/vllm_dynamic_speculative_config.json",
    "gamma " + trace + " --resamples 0 --load " + texts + "load/batch_table.csv",
    "gamma --alpha .8 --load " + texts + "load/batch_table.csv",
    "measure " + trace + " --resamples 0 --gamma 1",
    "measure " + rows + " --resamples 0 --gamma 1",
    "measure " + counted_file + " --cost .1",
    "measure " + trace + " --drafter pld",
    "measure " + trace + " --drafter rest",
    "measure " + trace + " --resamples 0 --gamma 1 --tree levels:1",
    "tree --accept .5,.2 --nodes 4",
    "tree --nodes 4" + pair,
    "tree markov:vocab=3 --nodes 4 --drafter heads --heads 1",
    "tree --nodes 8 --drafter ppd --accept .5,.2 .3,.1",
    "tree --nodes 4 " + rows,
    "report --alpha .8 --cost .1 --format md",
    "report --accept .5,.2 --cost .1 --format md",
    "report --format md --resamples 0 " + trace,
    "table leviathan-1",
    "table yours " + trace,
    "figure leviathan-2 --format csv",
    "figure survival --format csv " + trace,
    "figure tree --accept .5,.2 --nodes 4 --format csv",
    "figure batch-gamma --alpha .6 --format csv --load " + texts + "load/batch_table.csv",
    "why --gamma 2 --cost .1 " + trace,
    "why --cost .1 " + counted_file,
    "inspect " + trace,
    "inspect " + rows,
    "inspect" + pair,
};

/// A value that the option may well be given. Of files one that is not there: whoever reads it says so.
std::string plausible(Option const& option) {
  static std::map<std::string, std::string, std::less<>> const by_name = {
      {"--rule", "token"}, {"--drafter", "sample"},        {"--policy", "fixed"}, {"--tree", "levels:2,1"},
      {"--rows", "0..4"},  {"--verify-cost", "1:1,2:1.1"}, {"--accept", ".5,.2"}, {"--grown", "best-first:2,2"},
      {"--shard", "1/2"},  {"SOURCE", "zipf:vocab=4"},
  };
  if (auto const found = by_name.find(option.name); found != by_name.end()) return found->second;
  switch (option.kind) {
    case Kind::choice: return option.choices.front();
    case Kind::count: return std::to_string(std::max<std::int64_t>(option.least, 2));
    case Kind::range: return "0..2";
    case Kind::duration: return "1s";
    case Kind::bytes: return "1G";
    case Kind::path: return "no/such/file";
    case Kind::number:
    case Kind::probability: return ".5";
    case Kind::numbers:
    case Kind::probabilities: return ".5,.5";
    default: return "2";
  }
}

enum class Fate { used, refused, passed_over };

/// What becomes of an option that is added to a line; of none, whether the line itself is refused.
Fate fate(std::string const& line, Option const* added = nullptr) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  Command const& command = command_named(words.front());
  words.erase(words.begin());
  if (added) {
    if (added->name.starts_with('-')) words.push_back(added->name);
    if (added->kind != Kind::flag) words.push_back(plausible(*added));
  }
  std::vector<std::string_view> const views(words.begin(), words.end());
  std::set<std::string, std::less<>> reads;
  std::ostringstream err;
  try {
    Invocation args(command, parse(command, views), err, nullptr);
    args.note_reads(reads);
    command.run(args);
  } catch (Error const& error) {
    INFO(error.what());
    CHECK(added);
    return Fate::refused;
  }
  bool const told = added && err.str().find(added->name) != std::string::npos;
  return !added || told || reads.contains(added->name) ? Fate::used : Fate::passed_over;
}

}  // namespace

TEST_CASE("options: each is used or refused, whatever a command is asked") {
  std::string passed_over;
  for (std::string const& line : ways) {
    INFO(line);
    CHECK(fate(line) == Fate::used);
    for (OptionGroup const& group : command_named(line.substr(0, line.find(' '))).groups)
      for (Option const& option : group.options)
        if ((line + ' ').find(' ' + option.name + ' ') == std::string::npos &&
            fate(line, &option) == Fate::passed_over)
          passed_over += line + ": " + option.name + "\n";
  }
  CHECK(passed_over == "");
}

}  // namespace draftgauge
