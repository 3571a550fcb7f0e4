#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/figures/figure.h"
#include "tests/apps/exchanged_columns.h"
#include "tests/apps/figure/figure_run.h"
#include "tests/apps/shipped_files.h"
#include "tests/content.h"
#include "tests/sim/temporary_file.h"
#include "tests/variable.h"

namespace draftgauge {
namespace {

namespace fs = std::filesystem;
using testing::Variable;

std::string const two_texts = "seq\tlogp\tlogq\n0\t-1\t-2\n0\t-1\t-1\n1\t-2\t-1\n1\t-3\t-1\n";

TEST_CASE("figure: drafts at costs of their own lie over each other") {
  Run const rows = run({"figure", "speedup", columns_file, other_columns, "--cost", "prune2=.1,q2k=.02", "--gamma",
                        "2", "--format", "csv"});
  CHECK(rows.status == 0);
  CHECK(holds(rows.out, "\r\nprune2_T1.tsv,0.1,2,1.91"));
  CHECK(holds(rows.out, "\r\nq2k_T1.tsv,0.02,2,"));
  CHECK(run({"figure", "speedup", columns_file, "--cost", "q2k=.02"}).status == 2);
  CHECK(run({"figure", "speedup", columns_file, other_columns, "--cost", ".1,.05"}).err ==
        "error: --cost .1,.05 is a list (of recordings each has one cost)\nhint: give one, a file, or NAME=C,… for "
        "each "
        "recording\n");
}

TEST_CASE("figure: batch-gamma takes times by batch size") {
  std::string const load = DRAFTGAUGE_SOURCE_DIR "/tests/data/load/batch_table.csv";
  Run const rows = run({"figure", "batch-gamma", "--load", load, "--alpha", ".8", "--format", "csv"});
  CHECK(rows.status == 0);
  CHECK(holds(rows.out, "\r\nα = 0.8,0.8,78,0,1,true\r\n"));
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
  CHECK(figure_refusal({"leviathan-3", "--cost", "absent.csv"}, 3) ==
        "absent.csv: there is no such file (--cost is a list of numbers, or measured times)\nhint: check the "
        "path");
  CHECK(figure_refusal({"leviathan-3", "--cost", "cheap"}, 2) ==
        "--cost: 'cheap' is neither a list of numbers nor a file (c is a time in steps of the target, or is "
        "taken from measured times)\nhint: give .05, or a file of llama-bench");
}

TEST_CASE("figure: an option that means nothing to the figures named is refused") {
  auto const refused = [](std::vector<std::string> const& words) {
    std::string const said = figure_refusal(words, 2);
    return said.substr(0, said.find(" ("));
  };
  CHECK(figure_refusal({"speedup-map", "--mark-round"}, 2) ==
        "--mark-round has no meaning for the figures named (it is for tree)\nhint: leave it out");
  CHECK(refused({"speedup-map", "--gamma", "3"}) == "--gamma has no meaning for the figures named");
  CHECK(refused({"leviathan-2", "--confidence", ".9"}) == "--confidence has no meaning for the figures named");
  CHECK(refused({"leviathan-2", "--overhead", "1"}) == "--overhead has no meaning for the figures named");
  CHECK(refused({"survival", "--no-bonus"}) == "--no-bonus has no meaning for the figures named");
  CHECK(refused({"leviathan-2", "--top-p", ".5"}) == "--top-p has no meaning for the figures named");
  CHECK(refused({"speedup-map", "--cost", costs_file}) == "--cost has no meaning for the figures named");
  CHECK(figure_refusal({"survival", "--confidence", "1"}, 2) ==
        "--confidence is 1 (it is the probability that an interval covers the truth)\nhint: give a number "
        "between 0 "
        "and 1, such as 0.95");
  CHECK(figure_refusal({"leviathan-2", "x.tsv"}, 2) ==
        "x.tsv is given and no figure that is made of a recording (nothing would come of it)\nhint: name "
        "expected-tokens");
}

TEST_CASE("figure: a rejected text is drawn with a warning, and the exit status says so") {
  TemporaryFolder const folder;
  std::string const swapped = folder.at("swapped.tsv");
  std::ofstream(swapped) << exchanged_columns(columns_file);
  Run const done = run({"figure", "survival", swapped, "-o", folder.at("x.vl.json"), "--format", "json"});
  CHECK(done.status == 1);
  CHECK(holds(done.err,
              "swapped.tsv: rejected, no figure below is to be used. This is not a text that the target "
              "would write at these distributions"));
  CHECK(holds(done.err, "the wrong way round"));
  CHECK(fs::exists(folder.at("x.vl.json")));
  CHECK(holds(done.out, "swapped.tsv (rejected: the target would not write this text)"));
  // A picture is passed on without its caption: it says so itself, and shows no γ.
  for (char const* name : {"survival", "best-gamma", "expected-tokens", "leviathan-5"}) {
    Json const drawn = Json::parse(run({"figure", name, swapped}).out);
    CHECK(drawn["title"]["text"] == Json({"swapped.tsv is rejected:", "the target would not write this text"}));
  }
  Run const rows = run({"figure", "best-gamma", swapped, "--cost", ".1", "--format", "csv"});
  CHECK(rows.status == 1);
  CHECK(rows.out == "by,cost,gamma\r\n");
  Run const both = run({"figure", "best-gamma", swapped, columns_file, "--cost", ".1", "--format", "csv"});
  CHECK_FALSE(holds(both.out, "swapped.tsv"));
  CHECK(holds(both.out, "prune2_T1.tsv,replay,0.1,"));
  CHECK_FALSE(Json::parse(run({"figure", "best-gamma", columns_file}).out).contains("title"));
  if (!renderer_is_here()) return;
  run({"figure", "best-gamma", swapped, "-o", folder.at("x.svg")});
  CHECK(holds(content(folder.at("x.svg")), "swapped.tsv is rejected:"));
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
  std::string const costs = costs_file, recording = columns_file;
  auto const inputs =
      Json::parse(run({"figure", "leviathan-5", recording, "--cost", costs, "--format", "json"}).out)["inputs"];
  REQUIRE(inputs.size() == 2);
  CHECK(inputs[1]["path"] == costs);
  CHECK(inputs[1]["sha256"].get<std::string>().size() == 64);
}

TEST_CASE("figure: a recording's file name need not be UTF-8") {
  TemporaryFolder const folder;
  std::string const odd = folder.at("\xff.tsv");
  std::ofstream(odd) << two_texts;
  Run const done = run({"figure", "survival", odd, "-o", folder.at("x.vl.json")});
  CHECK_FALSE(holds(done.err, "type_error"));
  CHECK(content(folder.at("x.vl.json")).size() > 100);
  CHECK(holds(run({"figure", "survival", odd, "--format", "json"}).out, "\\\\xff.tsv"));
}

TEST_CASE("figure: wrong words") {
  CHECK(holds(figure_refusal({"leviathn-2"}, 2), "there is no figure 'leviathn-2' (known: all, leviathan-1, "));
  CHECK(holds(figure_refusal({"leviathn-2"}, 2), "did you mean 'leviathan-2'?"));
  CHECK(figure_refusal({"data/smollm2/prune2_T1.tsv"}, 2) ==
        "no figure is named (one recording serves several)\nhint: give a name of draftgauge list figures, or "
        "all");
  CHECK(figure_refusal({"leviathan-2", "leviathan-3"}, 2) ==
        "2 figures are asked for and no place is named (one specification fits on standard output)\nhint: "
        "name a folder: -o out/");
  CHECK(figure_refusal({"leviathan-2", "--formats", "svg"}, 2) ==
        "--formats is given without a place (files need one)\nhint: name it: -o out/");
  CHECK(figure_refusal({"leviathan-2", "-o", "out/", "--formats", "svg,"}, 2) ==
        "--formats: 'svg,' has an empty entry (a list is entries with commas between them)\nhint: write it like "
        "svg,csv");
  CHECK(figure_refusal({"leviathan-2", "-o", "x.svg", "--formats", "svg"}, 2) ==
        "--formats is given beside the file x.svg (its ending says the format)\nhint: leave --formats out, or "
        "name a folder: x.svg/");
  CHECK(figure_refusal({"leviathan-2", "leviathan-3", "-o", "x.pdf"}, 2) ==
        "x.pdf is one file, of 2 figures (each is a file)\nhint: name a folder: x/");
  CHECK(figure_refusal({"leviathan-3", "--cost", "0,.1"}, 2) ==
        "leviathan-3 at c = 0 is empty (drafts that cost nothing are better the longer)\nhint: give --cost > "
        "0");
  CHECK(figure_refusal({"leviathan-2", "-o", "x"}, 2) ==
        "x has no ending (it says what is written: svg, pdf, png, vl.json, csv)\nhint: write "
        "x.svg, or x/ for a folder");
  CHECK(figure_refusal({"leviathan-2", "-o", "x.jpg"}, 2) ==
        "figures are not written as .jpg (that takes another program)\nhint: choose of svg, pdf, png, "
        "vl.json, csv");
  CHECK(figure_refusal({"tree", "--accept", ".5", "--top-k", "4"}, 2) ==
        "--top-k has no meaning without a recording (nothing would come of it)\nhint: leave it out");
  CHECK(figure_refusal({"tree", "--accept", ".5", "--temperature", "1"}, 2) ==
        "--temperature has no meaning without a recording (nothing would come of it)\nhint: leave it out");
  CHECK(figure_refusal({"leviathan-2", "--index", "y.md"}, 2) ==
        figure_refusal({"leviathan-2", "-o", "x.csv", "--index", "y.md"}, 2));
  CHECK(figure_refusal({"leviathan-2", "-o", "x.csv", "--index", "y.md"}, 2) ==
        "--index is given without a folder of .svg (the page shows those)\nhint: name one: -o out/");
  CHECK(figure_refusal({"expected-tokens", "--gamma", "40"}, 2) ==
        "--gamma 40 is out of range for a recording (at most 32)\nhint: give 32 or less");
  CHECK(holds(figure_refusal({"leviathan-2", "--alpha", "1.5"}, 2), "--alpha: 1.5 is not a probability"));
}

TEST_CASE("figure: recordings that are missing or broken") {
  TemporaryFolder const folder;
  CHECK(holds(figure_refusal({"survival", "there-is-none.tsv"}, 3), "there-is-none.tsv"));
  std::ofstream(folder.at("nan.tsv")) << "logp\tlogq\n-1\tnan\n";
  CHECK(holds(without(folder, figure_refusal({"survival", folder.at("nan.tsv")}, 3)),
              "nan.tsv, line 2: logq is 'nan'"));
  Variable const elsewhere("DRAFTGAUGE_DATA", folder.path().string());
  CHECK(without(folder, figure_refusal({"survival"}, 3)) ==
        "smollm2/prune2_T1.tsv is not there (figures of a recording are drawn of it where none is "
        "given)\nhint: give FILE, or set DRAFTGAUGE_DATA to the folder data of draftgauge's source");
}

TEST_CASE(
    "figure: all leaves out, and names, what a recording does not allow; a figure asked for by name is refused") {
  TemporaryFolder const folder;
  std::ofstream(folder.at("two.tsv")) << two_texts;
  Run const done = run({"figure", "all", folder.at("two.tsv"), "-o", folder.at("out/"), "--formats", "vl.json"});
  CHECK(done.status == 0);
  std::string expected =
      "draftgauge figure: warning: rule-acceptance is left out: rule-acceptance is drawn of full rows (two numbers a "
      "token do not tell what other rules or temperatures would accept) give a recording of rows, such as "
      "data/smollm2_prune2_24.safetensors\n";
  for (FigureCard const& card : figure_cards())
    if (card.shows.trees)
      expected += "draftgauge figure: warning: " + std::string(card.name) +
                  " is left out: two.tsv: it holds numbers of the text's tokens only (how often the second and later "
                  "drafts of a position are accepted needs both distributions there) give full rows\n";
  CHECK(without(folder, done.err) == expected);
  CHECK_FALSE(fs::exists(folder.at("out/rule-acceptance.vl.json")));
  CHECK(fs::exists(folder.at("out/leviathan-1.vl.json")));
  CHECK(holds(figure_refusal({"rule-acceptance", folder.at("two.tsv")}, 3), "is drawn of full rows"));
}

TEST_CASE("figure: a rule whose drafts of a position differ is left out where there are fewer tokens") {
  TemporaryFile const rows(".safetensors",
                           tensor_bytes(R"({"target_logits":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                                        R"("draft_logits":{"dtype":"F32","shape":[2,3],"data_offsets":[24,48]}})",
                                        std::string(48, '\0')));
  Run const drawn = run({"figure", "rule-acceptance", rows.path(), "--format", "json"});
  REQUIRE(drawn.status == 0);
  auto const figure = Json::parse(drawn.out)["figures"][0];
  CHECK(holds(figure["caption"].get<std::string>(),
              " top-set is left out: it drafts 4 different tokens, and there are 3."));
  for (Json const& row : figure["data"]) CHECK(row["rule"] != "top-set");
  CHECK(figure["data"].size() == 5 * 9);
}

TEST_CASE("figure: every recording that is named is drawn, or the figure refused") {
  for (char const* name : {"survival", "iid-gap", "token-and-block", "expected-tokens", "best-gamma"}) {
    INFO(name);
    Run const both = run({"figure", name, columns_file, other_columns, "--format", "json"}),
              first = run({"figure", name, columns_file, "--format", "json"});
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
    CHECK(holds(figure["caption"].get<std::string>(), "q2k_T1.tsv: "));
    CHECK(holds(figure["spec"].dump(), R"("color":{"field":"recording")"));
    CHECK_FALSE(alone["data"][0].contains("recording"));
  }
  CHECK(figure_refusal({"leviathan-5", columns_file, other_columns}, 2) ==
        "leviathan-5 is drawn of one recording, and 2 are given (it is one run along a text)\nhint: name one: "
        "prune2_T1.tsv");
  CHECK(holds(figure_refusal({"leviathan-1", columns_file, other_columns}, 2),
              "leviathan-1 is drawn of one recording, and 2 are given"));
  CHECK(holds(figure_refusal({"rule-acceptance", columns_file, other_columns}, 2),
              "rule-acceptance is drawn of one recording, and 2"));
  TemporaryFolder const folder;
  Run const all = run({"figure", "all", columns_file, other_columns, "-o", folder.at("out/"), "--formats", "csv"});
  CHECK(all.status == 0);
  for (char const* name : {"leviathan-1", "leviathan-5", "rule-acceptance", "tree"})
    CHECK(holds(all.err, std::string(name) + " is left out: " + name + " is drawn of one recording"));
  CHECK(fs::exists(folder.at("out/survival.csv")));
  // Two files of one name are two recordings.
  fs::create_directories(folder.at("a"));
  fs::copy_file(other_columns, folder.at("a/prune2_T1.tsv"));
  std::string const same =
      run({"figure", "survival", columns_file, folder.at("a/prune2_T1.tsv"), "--format", "csv"}).out;
  CHECK(holds(same, "\nprune2_T1.tsv,1,"));
  CHECK(holds(same, "\nprune2_T1.tsv (2),1,"));
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
  CHECK(holds(of_pair["caption"].get<std::string>(), "sample-without verified by recursive-without"));
  // Simulated, each P to five standard deviations of 2^18 rounds: a false alarm below 1e-5.
  Json const simulated =
      tree({"--p", ".3,.4,.3", "--q", ".6,.3,.1", "--rule", "traversal-without", "--tree", "[-1,0,0,1,1,3]"});
  double const exact[] = {1, .7, .175, .55, .1, .454};
  for (std::size_t v = 0; v < 6; ++v)
    CHECK(std::abs(simulated["data"][v]["reach"].get<double>() - exact[v]) < 5 * .5 / 512);
  CHECK(holds(simulated["caption"].get<std::string>(), "verified by traversal-without in 262144 simulated rounds"));
  // Contexts that follow from the tokens are simulated, a chain by how many drafts are accepted; ranks of one level
  // are P.
  Json const chain = tree({"--source", "exact-alpha:vocab=32,alpha=0.8", "--rule", "token", "--tree", "chain:3"});
  for (std::size_t v = 0; v < 4; ++v)
    CHECK(std::abs(chain["data"][v]["reach"].get<double>() - std::pow(.8, v)) < 5 * .5 / 512);
  CHECK(holds(tree({"--source", "markov:vocab=6", "--tree", "kary:2,2"})["caption"].get<std::string>(),
              "in 262144 simulated rounds"));
  CHECK(figure_refusal({"tree", "--accept", ".5", "--source", "zipf:vocab=8"}, 2) ==
        "--accept, --source and --p, --q each say what is accepted (which one counts would be a guess)\nhint: "
        "keep "
        "one");
  CHECK(figure_refusal({"tree", "--accept", ".5", "--candidates", "2"}, 2) ==
        "--candidates has no meaning with --accept (a node has a child for each number)\nhint: give fewer "
        "numbers");
  CHECK(figure_refusal({"tree", "--accept", ".5", "--drafter", "top"}, 2) ==
        "--drafter has no meaning with --accept (the figure shows the numbers that are given)\nhint: leave it "
        "out");
  CHECK(figure_refusal({"tree", "--accept", ".5", "--rule", "token"}, 2) ==
        "--rule has no meaning without distributions (its rounds are simulated on them)\nhint: give --source, "
        "or "
        "--p and --q");
  std::string const file = rows_file;
  CHECK(figure_refusal({"tree", file, "--accept", ".5"}, 2) ==
        file + " is given beside what trees are drawn of (which of the two counts would be a guess)\nhint: keep one");
  CHECK(figure_refusal({"tree", "--p", ".5,.5", "--q", ".5,.5", "--tree", "kary:2,14"}, 2) ==
        "a tree has more than 4096 nodes (every node of such a tree is listed)\nhint: draft fewer, or an even "
        "tree with --gamma and --candidates");
  CHECK(holds(figure_refusal({"leviathan-2", "--accept", ".5"}, 2), "--accept has no meaning for the figures named"));
}

}  // namespace
}  // namespace draftgauge
