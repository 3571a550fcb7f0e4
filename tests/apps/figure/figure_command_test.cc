#include "apps/cli/commands.h"

#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/figures/figure.h"
#include "apps/output/renderer.h"
#include "tests/apps/exchanged_columns.h"
#include "tests/apps/run.h"
#include "tests/content.h"
#include "tests/message.h"
#include "tests/temporary_folder.h"
#include "tests/variable.h"

namespace draftgauge {
namespace {

namespace fs = std::filesystem;
using testing::message;
using testing::Variable;

/// The program's answer with the folder's path cut out.
std::string without(TemporaryFolder const& folder, std::string text) {
  std::string const path = folder.at("");
  for (std::size_t i; (i = text.find(path)) != text.npos;) text.erase(i, path.size());
  return text;
}

std::string error_of(std::vector<std::string_view> words, int status) {
  words.insert(words.begin(), "figure");
  Run const done = run(words);
  CHECK(done.status == status);
  CHECK(done.out.empty());
  return done.err;
}

/// A program in place of Python.
std::string fake(TemporaryFolder const& folder, std::string const& lines) {
  std::string const path = folder.at("fake");
  std::ofstream(path) << "#!/bin/sh\n" << lines << "\n";
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

bool renderer_is_here() {
  static bool const here = [] {
    Json const spec = {{"data", {{"values", {{{"a", 1}}}}}}, {"mark", "point"}};
    std::vector<Drawing> const one{{spec, "svg"}};
    return draw(one).has_value();
  }();
  return here;
}

TEST_CASE("figure: drafts at costs of their own lie over each other") {
  std::string const folder = DRAFTGAUGE_SOURCE_DIR "/data/smollm2/";
  std::string const one = folder + "prune2_T1.tsv", two = folder + "q2k_T1.tsv";
  Run const rows =
      run({"figure", "speedup", one, two, "--cost", "prune2=.1,q2k=.02", "--gamma", "2", "--format", "csv"});
  CHECK(rows.status == 0);
  CHECK(rows.out.find("\r\nprune2_T1.tsv,0.1,2,1.91") != std::string::npos);
  CHECK(rows.out.find("\r\nq2k_T1.tsv,0.02,2,") != std::string::npos);
  CHECK(run({"figure", "speedup", one, "--cost", "q2k=.02"}).status == 2);
  CHECK(run({"figure", "speedup", one, two, "--cost", ".1,.05"}).err ==
        "error: --cost .1,.05 is a list (of recordings each has one cost)\nhint: give one, a file, or NAME=C,… for "
        "each "
        "recording\n");
}

TEST_CASE("figure: batch-gamma takes times by batch size") {
  std::string const load = DRAFTGAUGE_SOURCE_DIR "/tests/data/load/batch_table.csv";
  Run const rows = run({"figure", "batch-gamma", "--load", load, "--alpha", ".8", "--format", "csv"});
  CHECK(rows.status == 0);
  CHECK(rows.out.find("\r\nα = 0.8,0.8,78,0,1,true\r\n") != std::string::npos);
  Run const alone = run({"figure", "batch-gamma", "--load-draft", load});
  CHECK(alone.status == 2);
  CHECK(
      alone.err ==
      "error: --load-draft has no meaning without --load (nothing says what a batch costs)\nhint: add --load FILE\n");
  CHECK(run({"figure", "leviathan-2", "--load", load}).status == 2);
}

TEST_CASE("figure: a specification on standard output, its numbers in the other formats") {
  Run const spec = run({"figure", "leviathan-2", "--alpha", ".5", "--gamma", "3"});
  CHECK(spec.status == 0);
  auto const read = Json::parse(spec.out);
  CHECK(read["$schema"] == "https://vega.github.io/schema/vega-lite/v6.json");
  CHECK(read["data"]["values"] == Json::parse(R"([{"series": "γ = 3", "gamma": 3, "alpha": 0.5, "tokens": 1.875}])"));
  CHECK(run({"figure", "leviathan-2", "--alpha", ".5", "--gamma", "3", "--format", "csv"}).out ==
        "series,gamma,alpha,tokens\r\nγ = 3,3,0.5,1.875\r\n");
  CHECK(run({"figure", "leviathan-2", "--style", "dark"}).out != run({"figure", "leviathan-2"}).out);
}

TEST_CASE("figure: a cost may begin with a dot, or be a fraction") {
  for (char const* cost : {".05", "1/20"})
    CHECK(run({"figure", "leviathan-3", "--cost", cost, "--alpha", ".8", "--format", "csv"}).out ==
          "series,cost,alpha,gamma\r\nc = 0.05,0.05,0.8,8\r\n");
  CHECK(error_of({"leviathan-3", "--cost", "absent.csv"}, 3) ==
        "error: absent.csv: there is no such file (--cost is a list of numbers, or measured times)\nhint: check the "
        "path\n");
  CHECK(error_of({"leviathan-3", "--cost", "cheap"}, 2) ==
        "error: --cost: 'cheap' is neither a list of numbers nor a file (c is a time in steps of the target, or is "
        "taken from measured times)\nhint: give .05, or a file of llama-bench\n");
}

TEST_CASE("figure: an option that means nothing to the figures named is refused") {
  auto const refused = [](std::vector<std::string_view> const& words) {
    std::string const said = error_of(words, 2), begin = "error: ";
    return said.substr(begin.size(), said.find(" (") - begin.size());
  };
  CHECK(error_of({"speedup-map", "--gamma", "3"}, 2) ==
        "error: --gamma has no meaning for the figures named (it is for leviathan-1, leviathan-2, leviathan-4, "
        "leviathan-5, speedup, expected-tokens, iid-gap, token-and-block, waterfall)\nhint: leave it out\n");
  CHECK(refused({"leviathan-2", "--confidence", ".9"}) == "--confidence has no meaning for the figures named");
  CHECK(refused({"leviathan-2", "--overhead", "1"}) == "--overhead has no meaning for the figures named");
  CHECK(refused({"survival", "--no-bonus"}) == "--no-bonus has no meaning for the figures named");
  CHECK(refused({"leviathan-2", "--top-p", ".5"}) == "--top-p has no meaning for the figures named");
  CHECK(refused({"speedup-map", "--cost", DRAFTGAUGE_SOURCE_DIR "/data/smollm2/costs_2threads.jsonl"}) ==
        "--cost has no meaning for the figures named");
  CHECK(error_of({"survival", "--confidence", "1"}, 2) ==
        "error: --confidence is 1 (an interval covers the truth with a probability)\nhint: give a number between 0 "
        "and 1, such as .95\n");
  CHECK(error_of({"leviathan-2", "x.tsv"}, 2) ==
        "error: x.tsv is given and no figure that is made of a recording (nothing would come of it)\nhint: name "
        "expected-tokens\n");
}

TEST_CASE("figure: a rejected text is drawn with a warning, and the exit status says so") {
  TemporaryFolder const folder;
  std::string const swapped = folder.at("swapped.tsv");
  std::ofstream(swapped) << exchanged_columns(DRAFTGAUGE_SOURCE_DIR "/data/smollm2/prune2_T1.tsv");
  Run const done = run({"figure", "survival", swapped, "-o", folder.at("x.vl.json"), "--format", "json"});
  CHECK(done.status == 1);
  CHECK(done.err.find("swapped.tsv: rejected, no figure below is to be used. This is not a text that the target "
                      "would write at these distributions") != std::string::npos);
  CHECK(done.err.find("the wrong way round") != std::string::npos);
  CHECK(fs::exists(folder.at("x.vl.json")));
  CHECK(done.out.find("swapped.tsv (rejected: the target would not write this text)") != std::string::npos);
  // A picture is passed on without its caption: it says so itself, and shows no γ.
  for (char const* name : {"survival", "best-gamma", "expected-tokens", "leviathan-5"}) {
    Json const drawn = Json::parse(run({"figure", name, swapped}).out);
    CHECK(drawn["title"]["text"] == Json({"swapped.tsv is rejected:", "the target would not write this text"}));
  }
  Run const rows = run({"figure", "best-gamma", swapped, "--cost", ".1", "--format", "csv"});
  CHECK(rows.status == 1);
  CHECK(rows.out == "by,cost,gamma\r\n");
  std::string const sound = DRAFTGAUGE_SOURCE_DIR "/data/smollm2/prune2_T1.tsv";
  Run const both = run({"figure", "best-gamma", swapped, sound, "--cost", ".1", "--format", "csv"});
  CHECK(both.out.find("swapped.tsv") == std::string::npos);
  CHECK(both.out.find("prune2_T1.tsv,replay,0.1,") != std::string::npos);
  CHECK_FALSE(Json::parse(run({"figure", "best-gamma", sound}).out).contains("title"));
  if (!renderer_is_here()) return;
  run({"figure", "best-gamma", swapped, "-o", folder.at("x.svg")});
  CHECK(content(folder.at("x.svg")).find("swapped.tsv is rejected:") != std::string::npos);
}

TEST_CASE("figure: of too little text a picture of rounds says so") {
  TemporaryFolder const folder;
  std::string const few = folder.at("few.tsv");
  std::string lines = "# temperature: 1\nseq\tlogp\tlogq\n";
  for (int t = 0; t < 16; ++t) lines += "0\t-0.5\t-0.7\n";
  std::ofstream(few) << lines;
  Json const drawn = Json::parse(run({"figure", "best-gamma", few}).out);
  CHECK(drawn["title"]["text"] == Json({"few.tsv:", "Too little text to say (16 tokens in 1 text)."}));
  CHECK(drawn["description"].get<std::string>().ends_with(" few.tsv: Too little text to say (16 tokens in 1 text)."));
  CHECK_FALSE(Json::parse(run({"figure", "leviathan-5", few}).out).contains("title"));  // it is of one text
}

TEST_CASE("figure: files of costs are inputs, too") {
  std::string const costs = DRAFTGAUGE_SOURCE_DIR "/data/smollm2/costs_2threads.jsonl",
                    recording = DRAFTGAUGE_SOURCE_DIR "/data/smollm2/prune2_T1.tsv";
  auto const inputs =
      Json::parse(run({"figure", "leviathan-5", recording, "--cost", costs, "--format", "json"}).out)["inputs"];
  REQUIRE(inputs.size() == 2);
  CHECK(inputs[1]["path"] == costs);
  CHECK(inputs[1]["sha256"].get<std::string>().size() == 64);
}

TEST_CASE("figure: a recording's file name need not be UTF-8") {
  TemporaryFolder const folder;
  std::string const odd = folder.at("\xff.tsv");
  std::ofstream(odd) << "seq\tlogp\tlogq\n0\t-1\t-2\n0\t-1\t-1\n1\t-2\t-1\n1\t-3\t-1\n";
  Run const done = run({"figure", "survival", odd, "-o", folder.at("x.vl.json")});
  CHECK(done.err.find("type_error") == std::string::npos);
  CHECK(content(folder.at("x.vl.json")).size() > 100);
  CHECK(run({"figure", "survival", odd, "--format", "json"}).out.find("\\\\xff.tsv") != std::string::npos);
}

TEST_CASE("figure: wrong words") {
  CHECK(error_of({"leviathn-2"}, 2).find("there is no figure 'leviathn-2' (known: all, leviathan-1, ") !=
        std::string::npos);
  CHECK(error_of({"leviathn-2"}, 2).find("did you mean 'leviathan-2'?") != std::string::npos);
  CHECK(error_of({"data/smollm2/prune2_T1.tsv"}, 2) ==
        "error: no figure is named (one recording serves several)\nhint: give a name of draftgauge list figures, or "
        "all\n");
  CHECK(error_of({"leviathan-2", "leviathan-3"}, 2) ==
        "error: 2 figures are asked for and no place is named (one specification fits on standard output)\nhint: "
        "name a folder: -o out/\n");
  CHECK(error_of({"leviathan-2", "--formats", "svg"}, 2) ==
        "error: --formats is given without a place (files need one)\nhint: name it: -o out/\n");
  CHECK(error_of({"leviathan-2", "-o", "x.svg", "--formats", "svg"}, 2) ==
        "error: --formats is given beside the file x.svg (its ending says the format)\nhint: leave --formats out, or "
        "name a folder: x.svg/\n");
  CHECK(error_of({"leviathan-2", "leviathan-3", "-o", "x.pdf"}, 2) ==
        "error: x.pdf is one file, of 2 figures (each is a file)\nhint: name a folder: x/\n");
  CHECK(error_of({"leviathan-3", "--cost", "0,.1"}, 2) ==
        "error: leviathan-3 at c = 0 is empty (drafts that cost nothing are better the longer)\nhint: give --cost > "
        "0\n");
  CHECK(error_of({"leviathan-2", "-o", "x"}, 2) ==
        "error: x has no ending (it says what is written: svg, pdf, png, vl.json, csv)\nhint: write "
        "x.svg, or x/ for a folder\n");
  CHECK(error_of({"leviathan-2", "-o", "x.jpg"}, 2) ==
        "error: figures are not written as .jpg (that takes another program)\nhint: choose of svg, pdf, png, "
        "vl.json, csv\n");
  CHECK(error_of({"leviathan-2", "-o", "x.csv", "--index", "y.md"}, 2) ==
        "error: --index is given without a folder of .svg (the page shows those)\nhint: name one: -o out/\n");
  CHECK(error_of({"expected-tokens", "--gamma", "40"}, 2) ==
        "error: --gamma 40 is out of range for a recording (at most 32)\n");
  CHECK(error_of({"leviathan-2", "--alpha", "1.5"}, 2).find("--alpha: 1.5 is not a probability") !=
        std::string::npos);
}

TEST_CASE("figure: recordings that are missing or broken") {
  TemporaryFolder const folder;
  CHECK(error_of({"survival", "there-is-none.tsv"}, 3).find("there-is-none.tsv") != std::string::npos);
  std::ofstream(folder.at("nan.tsv")) << "logp\tlogq\n-1\tnan\n";
  CHECK(without(folder, error_of({"survival", folder.at("nan.tsv")}, 3)).find("nan.tsv, line 2: logq is 'nan'") !=
        std::string::npos);
  Variable const elsewhere("DRAFTGAUGE_DATA", folder.path().string());
  CHECK(without(folder, error_of({"survival"}, 3)) ==
        "error: smollm2/prune2_T1.tsv is not there (figures of a recording are drawn of it where none is "
        "given)\nhint: give FILE, or set DRAFTGAUGE_DATA to the folder data of draftgauge's source\n");
}

TEST_CASE(
    "figure: all leaves out, and names, what a recording does not allow; a figure asked for by name is refused") {
  TemporaryFolder const folder;
  std::ofstream(folder.at("two.tsv")) << "seq\tlogp\tlogq\n0\t-1\t-2\n0\t-1\t-1\n1\t-2\t-1\n1\t-3\t-1\n";
  Run const done = run({"figure", "all", folder.at("two.tsv"), "-o", folder.at("out/"), "--formats", "vl.json"});
  CHECK(done.status == 0);
  std::string expected =
      "draftgauge figure: warning: rule-acceptance is left out: rule-acceptance is drawn of full rows (two numbers a "
      "token do not tell what other rules or temperatures would accept) give a recording of rows, such as "
      "data/smollm2_prune2_24.safetensors\n";
  for (std::string const name : {"tree", "tree-size", "rank-acceptance"})
    expected += "draftgauge figure: warning: " + name +
                " is left out: two.tsv: it holds numbers of the text's tokens only (how often the second and later "
                "drafts of a position are accepted needs both distributions there) give full rows\n";
  CHECK(without(folder, done.err) == expected);
  CHECK_FALSE(fs::exists(folder.at("out/rule-acceptance.vl.json")));
  CHECK(fs::exists(folder.at("out/leviathan-1.vl.json")));
  CHECK(error_of({"rule-acceptance", folder.at("two.tsv")}, 3).find("is drawn of full rows") != std::string::npos);
}

TEST_CASE("figure: every recording that is named is drawn, or the figure refused") {
  std::string const data = DRAFTGAUGE_SOURCE_DIR "/data/smollm2/", one = data + "prune2_T1.tsv",
                    two = data + "q2k_T1.tsv";
  for (char const* name : {"survival", "iid-gap", "token-and-block", "expected-tokens", "best-gamma"}) {
    INFO(name);
    Run const both = run({"figure", name, one, two, "--format", "json"}),
              first = run({"figure", name, one, "--format", "json"});
    REQUIRE(both.status == 0);
    auto const figure = Json::parse(both.out)["figures"][0], alone = Json::parse(first.out)["figures"][0];
    std::map<std::string, std::vector<Json>> of;
    for (Json row : figure["data"]) {
      std::string const recording = row["recording"];
      row.erase("recording");
      of[recording].push_back(row);
    }
    REQUIRE(of.size() == 2);
    // What is drawn of one is what is drawn of it alone.
    CHECK(Json(of["prune2_T1.tsv"]) == alone["data"]);
    CHECK(Json(of["q2k_T1.tsv"]) != alone["data"]);
    CHECK(figure["caption"].get<std::string>().find("q2k_T1.tsv: ") != std::string::npos);
    CHECK(figure["spec"].dump().find(R"("color":{"field":"recording")") != std::string::npos);
    CHECK_FALSE(alone["data"][0].contains("recording"));
  }
  CHECK(error_of({"leviathan-5", one, two}, 2) ==
        "error: leviathan-5 is drawn of one recording, and 2 are given (it is one run along a text)\nhint: name one: "
        "prune2_T1.tsv\n");
  CHECK(error_of({"leviathan-1", one, two}, 2).find("leviathan-1 is drawn of one recording, and 2 are given") !=
        std::string::npos);
  CHECK(error_of({"rule-acceptance", one, two}, 2).find("rule-acceptance is drawn of one recording, and 2") !=
        std::string::npos);
  TemporaryFolder const folder;
  Run const all = run({"figure", "all", one, two, "-o", folder.at("out/"), "--formats", "csv"});
  CHECK(all.status == 0);
  for (char const* name : {"leviathan-1", "leviathan-5", "rule-acceptance", "tree"})
    CHECK(all.err.find(std::string(name) + " is left out: " + name + " is drawn of one recording") !=
          std::string::npos);
  CHECK(fs::exists(folder.at("out/survival.csv")));
  // Two files of one name are two recordings.
  fs::create_directories(folder.at("a"));
  fs::copy_file(two, folder.at("a/prune2_T1.tsv"));
  std::string const same = run({"figure", "survival", one, folder.at("a/prune2_T1.tsv"), "--format", "csv"}).out;
  CHECK(same.find("\nprune2_T1.tsv,1,") != std::string::npos);
  CHECK(same.find("\nprune2_T1.tsv (2),1,") != std::string::npos);
}

TEST_CASE("figure: trees of what is given in place of a recording") {
  auto const tree = [](std::vector<std::string_view> words) {
    words.insert(words.begin(), {"figure", "tree"});
    words.insert(words.end(), {"--format", "json"});
    Run const done = run(words);
    CHECK(done.err == "");
    return done.status == 0 ? Json::parse(done.out)["figures"][0] : Json();
  };
  Json const of_ranks = tree({"--accept", ".7,.175,.125", "--nodes", "4", "--cost", "0"});
  CHECK(of_ranks["caption"].get<std::string>().find(
            "The best tree of 4 nodes, its root among them, of acceptance by rank 0.7, "
            "0.175, 0.125: E[N] = 2.533 tokens per round, S = 2.533 at c = 0.") == 0);
  Json const of_pair = tree({"--p", ".3,.4,.3", "--q", ".6,.3,.1", "--nodes", "4", "--cost", "0"});
  CHECK(of_pair["data"] == of_ranks["data"]);
  CHECK(of_pair["caption"].get<std::string>().find("sample-without verified by recursive-without") !=
        std::string::npos);
  // Simulated, each P to five standard deviations of 2^18 rounds: a false alarm below 1e-5.
  Json const simulated =
      tree({"--p", ".3,.4,.3", "--q", ".6,.3,.1", "--rule", "traversal-without", "--tree", "[-1,0,0,1,1,3]"});
  double const exact[] = {1, .7, .175, .55, .1, .454};
  for (std::size_t v = 0; v < 6; ++v)
    CHECK(std::abs(simulated["data"][v]["reach"].get<double>() - exact[v]) < 5 * .5 / 512);
  CHECK(simulated["caption"].get<std::string>().find("verified by traversal-without in 262144 simulated rounds") !=
        std::string::npos);
  // Contexts that follow from the tokens are simulated, a chain by how many drafts are accepted; ranks of one level
  // are P.
  Json const chain = tree({"--source", "exact-alpha:vocab=32,alpha=0.8", "--rule", "token", "--tree", "chain:3"});
  for (std::size_t v = 0; v < 4; ++v)
    CHECK(std::abs(chain["data"][v]["reach"].get<double>() - std::pow(.8, v)) < 5 * .5 / 512);
  CHECK(tree({"--source", "markov:vocab=6", "--tree", "kary:2,2"})["caption"].get<std::string>().find(
            "in 262144 simulated rounds") != std::string::npos);
  CHECK(error_of({"tree", "--accept", ".5", "--source", "zipf:vocab=8"}, 2) ==
        "error: --accept, --source and --p, --q each say what is accepted (which one counts would be a guess)\nhint: "
        "keep "
        "one\n");
  CHECK(error_of({"tree", "--accept", ".5", "--rule", "token"}, 2) ==
        "error: --rule has no meaning without distributions (its rounds are simulated on them)\nhint: give --source, "
        "or "
        "--p and --q\n");
  std::string const file = DRAFTGAUGE_SOURCE_DIR "/data/smollm2_prune2_24.safetensors";
  CHECK(error_of({"tree", file, "--accept", ".5"}, 2) ==
        "error: " + file +
            " is given beside what trees are drawn of (which of the two counts would be a guess)\nhint: keep one\n");
  CHECK(error_of({"tree", "--p", ".5,.5", "--q", ".5,.5", "--tree", "kary:2,14"}, 2) ==
        "error: a tree has more than 4096 nodes (every node of such a tree is listed)\nhint: draft fewer, or an even "
        "tree with --gamma and --candidates\n");
  CHECK(error_of({"leviathan-2", "--accept", ".5"}, 2).find("--accept has no meaning for the figures named") !=
        std::string::npos);
}

TEST_CASE("figure: a page may lie in a folder that is not there yet") {
  if (!renderer_is_here()) {
    WARN("no renderer here: nothing is drawn");
    return;
  }
  TemporaryFolder const folder;
  Run const within = run({"figure", "leviathan-2", "-o", folder.at("new/"), "--index", folder.at("new/index.md")});
  CHECK(within.err == "");
  CHECK(content(folder.at("new/index.md")).find("<img src=\"./leviathan-2.svg\"") != std::string::npos);
  Run const beside =
      run({"figure", "leviathan-2", "-o", folder.at("b/figures/"), "--index", folder.at("b/pages/deep/index.md")});
  CHECK(beside.err == "");
  CHECK(content(folder.at("b/pages/deep/index.md")).find("<img src=\"../../figures/leviathan-2.svg\"") !=
        std::string::npos);
  CHECK(without(folder, within.out).find("new/leviathan-2.svg") != std::string::npos);
  CHECK(within.out.find("KiB") != std::string::npos);
  CHECK(error_of({"leviathan-2", "-o", folder.at("c/"), "--index", folder.at("new/index.md/page.md")}, 3)
            .find("cannot be written (Not a directory)") != std::string::npos);
  CHECK_FALSE(fs::exists(folder.at("c")));
}

TEST_CASE("figure: files are written whole or not at all") {
  TemporaryFolder const folder;
  CHECK(run({"figure", "leviathan-2", "-o", folder.at("a.vl.json")}).status == 0);
  CHECK(content(folder.at("a.vl.json")) == run({"figure", "leviathan-2"}).out);
  Run const two =
      run({"figure", "leviathan-2", "leviathan-3", "-o", folder.at("new/deep"), "--formats", "csv,vl.json"});
  CHECK(two.status == 0);
  CHECK(without(folder, two.out).find("new/deep/leviathan-3.vl.json") != std::string::npos);
  CHECK(fs::exists(folder.at("new/deep/leviathan-2.csv")));

  CHECK(without(folder, error_of({"leviathan-2", "-o", folder.at("a.vl.json/x.csv")}, 3)) ==
        "error: a.vl.json/x.csv cannot be written (Not a directory)\nhint: choose another place\n");
  CHECK(without(folder, error_of({"all", "-o", folder.at("a.vl.json/x/")}, 3)) ==
        "error: a.vl.json/x/ cannot be written (Not a directory)\nhint: choose another place\n");

  // What a page of --index cannot be written for, none of the figures is; nor is a folder left, or one above it.
  // (Without a renderer there is no page, and the specifications are kept.)
  CHECK(run({"figure", "leviathan-2", "-o", folder.at("away/deep/"), "--formats", "svg,csv", "--index", "/dev/full"})
            .status == 3);
  CHECK(fs::exists(folder.at("away")) != renderer_is_here());

  // A disk that is full: the old file stays, and nothing lies beside it.
  fs::create_directories(folder.at("full"));
  std::ofstream(folder.at("full/leviathan-2.csv")) << "old";
  rlimit before;
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit const small{1'000, before.rlim_max};
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::string const said = without(folder, error_of({"leviathan-2", "-o", folder.at("full/leviathan-2.csv")}, 3));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(said == "error: full/leviathan-2.csv cannot be written (File too large)\nhint: choose another place\n");
  CHECK(content(folder.at("full/leviathan-2.csv")) == "old");
  CHECK(std::distance(fs::directory_iterator(folder.at("full")), fs::directory_iterator()) == 1);
}

TEST_CASE("figure: without a renderer the specification is kept and named") {
  TemporaryFolder const folder;
  Variable const none("DRAFTGAUGE_RENDERER", "none");
  Run const done = run({"figure", "leviathan-2", "-o", folder.at("x.svg")});
  CHECK(done.status == 3);
  CHECK(without(folder, done.err) ==
        "error: nothing here draws .svg, .pdf or .png (vl-convert-python does, and no Python was found that has "
        "it), kept instead: x.vl.json\nhint: run make, or pip install vl-convert-python and name that Python in "
        "DRAFTGAUGE_RENDERER\n");
  CHECK_FALSE(fs::exists(folder.at("x.svg")));
  CHECK(content(folder.at("x.vl.json")) == run({"figure", "leviathan-2"}).out);
}

TEST_CASE("figure: a renderer that fails, or talks nonsense, is named with what it says") {
  TemporaryFolder const folder;
  auto const with = [&](std::string const& renderer) {
    Variable const named("DRAFTGAUGE_RENDERER", renderer);
    std::string const said = without(folder, error_of({"leviathan-2", "-o", folder.at("x.svg")}, 3));
    CHECK_FALSE(fs::exists(folder.at("x.svg")));
    return said;
  };
  CHECK(with("/there/is/none") ==
        "error: DRAFTGAUGE_RENDERER is /there/is/none (it is no Python that has vl_convert)\nhint: name one that "
        "has, or unset it\n");
  std::string const failed = "error: the renderer fake failed (";
  std::string const advice = ")\nhint: mend it, or ask for .vl.json or .csv\n";
  CHECK(with(fake(folder, "exit 9")) ==
        "error: DRAFTGAUGE_RENDERER is fake (it is no Python that has vl_convert)\nhint: name one that has, or unset "
        "it\n");
  CHECK(with(fake(folder, "echo lines >&2; echo why >&2; exit 1")) == failed + "why" + advice);
  CHECK(with(fake(folder, "printf 'error 4\\noops'")) == failed + "oops" + advice);
  for (char const* nonsense : {"", "printf 'ok 99\\nabc'", "printf 'ok -1\\nabc'", "printf 'ok\\n'",
                               "printf 'ok 18446744073709551616\\n'"}) {
    CAPTURE(nonsense);
    CHECK(with(fake(folder, nonsense)) == failed + "it says nothing" + advice);
  }
}

TEST_CASE("figure: what is drawn is what it says it is") {
  if (!renderer_is_here()) {
    WARN("no renderer here: nothing is drawn");
    return;
  }
  TemporaryFolder const folder;
  CHECK(run({"figure", "leviathan-2", "-o", folder.at("out/"), "--formats", "svg,pdf,png"}).status == 0);
  CHECK(content(folder.at("out/leviathan-2.svg")).starts_with("<svg "));
  CHECK(content(folder.at("out/leviathan-2.pdf")).starts_with("%PDF-"));
  CHECK(content(folder.at("out/leviathan-2.png")).starts_with("\x89PNG"));
  std::vector<Drawing> const wrong{{{{"mark", "there is none"}}, "svg"}};
  CHECK(message<InputError>([&] { static_cast<void>(draw(wrong)); }).find("failed (") != std::string::npos);
}

TEST_CASE("figure: nothing is imported from the folder that it is called in") {
  if (!renderer_is_here()) {
    WARN("no renderer here: nothing is drawn");
    return;
  }
  TemporaryFolder const folder;
  for (char const* module : {"json.py", "vl_convert.py"})
    std::ofstream(folder.at(module)) << "open('was_run', 'w')\n";
  fs::path const before = fs::current_path();
  fs::current_path(folder.path());
  int const status = run({"figure", "leviathan-2", "-o", folder.at("x.svg")}).status;
  fs::current_path(before);
  CHECK(status == 0);
  CHECK_FALSE(fs::exists(folder.at("was_run")));
}

TEST_CASE("figure: a page links to specifications only where they are") {
  if (!renderer_is_here()) {
    WARN("no renderer here: nothing is drawn");
    return;
  }
  TemporaryFolder const folder;
  for (bool const specified : {false, true}) {
    CHECK(run({"figure", "leviathan-2", "-o", folder.at("out/"), "--formats", specified ? "svg,vl.json" : "svg",
               "--index", folder.at("page.md")})
              .status == 0);
    std::string const page = content(folder.at("page.md"));
    CHECK(page.find("<img src=\"out/leviathan-2.svg\"") != page.npos);
    CHECK((page.find("(out/leviathan-2.vl.json)") != page.npos) == specified);
  }
}

TEST_CASE("docs/gallery holds every figure and table, fresh") {
  fs::path const docs = fs::path(DRAFTGAUGE_SOURCE_DIR) / "docs";
  TemporaryFolder const folder;
  INFO("written by: make docs");
  std::string const formats = renderer_is_here() ? "svg,vl.json" : "vl.json";
  std::vector<std::string> words{"figure", "all", "-o", folder.at("gallery/"), "--formats", formats};
  if (renderer_is_here()) words.insert(words.end(), {"--index", folder.at("gallery.md")});
  REQUIRE(run(std::vector<std::string_view>(words.begin(), words.end())).status == 0);
  std::size_t files = 0;
  for (auto const& entry : fs::directory_iterator(folder.at("gallery"))) {
    CAPTURE(entry.path().filename());
    CHECK(content(entry.path()) == content(docs / "gallery" / entry.path().filename()));
    CHECK(fs::file_size(entry.path()) < 110'000);
    ++files;
  }
  CHECK(files == figure_cards().size() * (renderer_is_here() ? 2 : 1));
  std::string const page = content(docs / "gallery.md");
  for (FigureCard const& card : figure_cards()) {
    std::string const name(card.name);
    CAPTURE(name);
    CHECK(fs::exists(docs / "gallery" / (name + ".svg")));
    CHECK(page.find("<img src=\"gallery/" + name + ".svg\"") != page.npos);
    CHECK(page.find("draftgauge figure " + name + " -o " + name + ".pdf") != page.npos);
  }
  std::string const tables = run({"table", "all", "--format", "md"}).out;
  CHECK(page.ends_with(tables));
  if (renderer_is_here())
    CHECK(page.substr(0, page.size() - std::min(tables.size(), page.size())) == content(folder.at("gallery.md")));
}

}  // namespace
}  // namespace draftgauge
