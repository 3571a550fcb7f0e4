#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "apps/cli/commands.h"
#include "apps/cli/invocation.h"
#include "apps/cli/parse.h"
#include "sim/base/error.h"
#include "tests/apps/run.h"
#include "tests/temporary_folder.h"

// An option that is accepted and passed over leaves an answer to another question than was asked.
namespace draftgauge {
namespace {

std::string const texts = DRAFTGAUGE_SOURCE_DIR "/tests/data/";
std::string const trace = texts + "recordings/trace_prune2_T1.tsv";
std::string const rows = texts + "rows/pair.npz";
std::string const load = " --load " + texts + "load/batch_table.csv";
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
    "verify --faulty",
    "gamma --alpha .8 --cost .1 --batch 4",
    "gamma --alpha .7..0.85 --cost .05",
    "gamma --alpha .5,.6 --cost .01,.02",
    "gamma --survival .8,.6 --cost .1",
    "gamma --survival .8,.6 --cost .1 --batch 4",
    "gamma --survival .8,.6",
    "gamma --accepted 5,3,4 --cost .1",
    "gamma --accepted 5,3,4;2,2,6;1,1,9 --cost .1",
    "gamma --accepted 5,3,4;2,2,6;1,1,9",
    "gamma " + trace + " --resamples 0",
    "gamma " + trace + " --resamples 0 --cost .1",
    "gamma " + trace + " " + texts + "recordings/vllm_cpu_T1.tsv --resamples 0 --cost .1",
    "gamma " + counted_file + " --cost .1",
    "gamma " + counted_file + " " + texts + "counters/sglang_meta_info.json --cost vllm=.01,sglang=.01",
    "gamma " + texts + "load/vllm_dynamic_speculative_config.json",
    "gamma " + trace + " --resamples 0" + load,
    "gamma " + counted_file + load,
    "gamma --alpha .8" + load,
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
    "figure batch-gamma --alpha .6 --format csv" + load,
    "why --gamma 2 --cost .1 " + trace,
    "why --cost .1 " + counted_file,
    "inspect " + trace,
    "inspect " + rows,
    "inspect" + pair,
    "list",
    "list rules",
    "bench --only Philox --slice 1ms --turns 1 --no-numpy",
};

/// Those that ask of files which a run writes: a sweep's, and a store with a row of each of its tasks.
std::vector<std::string> ways_of_stores(TemporaryFolder const& folder) {
  std::string const tasks = folder.at("tasks.toml"), store = folder.at("store.jsonl"), sweep = "sweep " + tasks;
  std::ofstream(tasks) << "source = \"zipf:vocab=4\"\ngamma = 1\nrounds = 64\n";
  CHECK(run_line(sweep + " --store " + store).status == 0);
  return {sweep, sweep + " --plan", sweep + " --merge " + store, "simulate --merge " + store};
}

/// What may be read and change nothing, on a line with this word.
struct Unseen {
  std::string word;
  std::set<std::string, std::less<>> options;
};
std::vector<Unseen> const unseen = {
    {"", {"--memory", "--mpi", "--time", "--normalise"}},  // limits, and mending, that these lines do not come to
    {"--gamma", {"--continue"}},                           // of siblings; here each node has one child
    {"--plan", {"--no-bonus", "--rounds-per-trial"}},      // of a first token, of independent contexts
    {"tree", {"--order"}},                                 // of cuts, and none is made
    {"--accepted", {"--resamples"}},                       // of other γ than ran, of which counts claim nothing
    {"why", {"--recorded-temperature"}},                   // this text may be the target's with it and without
    {"figure", {"--style", "--near"}},                     // a figure as CSV shows less than is worked out
};

/// A value that the option may well be given. Of files one that is not there: whoever reads it says so.
std::string plausible(Option const& option) {
  static std::map<std::string, std::string, std::less<>> const by_name = {
      {"--rule", "block"},
      {"--drafter", "top"},
      {"--policy", "heuristic"},
      {"--tree", "levels:2,1"},
      {"--rows", "0..4"},
      {"--verify-cost", "1:1,2:1.1"},
      {"--accept", ".5,.2"},
      {"--grown", "best-first:2,2"},
      {"--shard", "1/2"},
      {"SOURCE", "zipf:vocab=4"},
      {"--resamples", "200"},
      {"--most", "1"},
      {"--depth", "1"},
      {"--for", "hf"},
      {"--recorded-temperature", ".25"},
      {"--draft-temperature", ".25"},
  };
  if (auto const found = by_name.find(option.name); found != by_name.end()) return found->second;
  switch (option.kind) {
    case Kind::choice: return option.choices.back();
    case Kind::count: return std::to_string(std::max<std::int64_t>(option.least + 1, 2));
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

/// What a line comes to.
struct Fate {
  std::string answer = {};  ///< all of it; empty where the line is refused
  bool told = false;        ///< a warning names the option that was added
  std::set<std::string, std::less<>> reads = {};
};

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
  std::ostringstream err;
  Fate found;
  try {
    Invocation args(command, parse(command, views), err, nullptr);
    args.note_reads(found.reads);
    Result const result = command.run(args);
    for (Format const format : {Format::json, Format::text}) found.answer += render(result, format, {});
  } catch (Error const& error) {
    INFO(error.what());
    CHECK(added);
  }
  found.told = added && err.str().find(added->name) != std::string::npos;
  return found;
}

bool may_change_nothing(std::string const& line, std::string const& option) {
  return std::ranges::any_of(
      unseen, [&](Unseen const& each) { return line.find(each.word) != line.npos && each.options.contains(option); });
}

}  // namespace

TEST_CASE("options: each is used or refused, whatever a command is asked") {
  std::string passed_over;
  auto const look = [&](std::string const& line, std::string const& answer, Option const& option) {
    if ((line + ' ').find(' ' + option.name + ' ') != std::string::npos) return;
    Fate const with = fate(line, &option);
    if (with.answer.empty() || with.told) return;
    if (!with.reads.contains(option.name)) passed_over += line + ": " + option.name + "\n";
    if (with.answer == answer && !may_change_nothing(line, option.name))
      passed_over += line + ": " + option.name + " changes nothing\n";
  };
  TemporaryFolder const folder;
  std::vector<std::string> lines = ways_of_stores(folder);
  lines.insert(lines.end(), ways.begin(), ways.end());
  for (std::string const& line : lines) {
    INFO(line);
    Fate const plain = fate(line);
    CHECK_FALSE(plain.answer.empty());
    for (OptionGroup const& group : command_named(line.substr(0, line.find(' '))).groups)
      for (Option const& option : group.options) look(line, plain.answer, option);
  }
  CHECK(passed_over == "");
}

}  // namespace draftgauge
