#include <catch2/catch.hpp>

#include "tests/apps/answers.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

std::string const r = " --p .3,.4,.3 --q .6,.3,.1 ";
std::string const priced = " --cost .1 --verify-cost 1:1,2:1.02 --nodes 16 ";

TEST_CASE("tree: the answer is one sentence, with the best chain beside it") {
  Run const got = run_line("tree" + r + "--drafter sample" + priced);
  REQUIRE(got.status == 0);
  std::string const first = unwrapped(got.out).substr(0, 260);
  CAPTURE(first);
  CHECK(first.starts_with(
      "--tree [-1,0,0,1,1,2,3,3,4,5]: S = 2.0253 with 2.9974 tokens per round; the best chain, γ = 4: "
      "S = 1.8737 with 2.7731 tokens per round ("));
  CHECK(got.out.find("Within 1 % of the best: trees of") != std::string::npos);
  CHECK(got.out.find("└ ") != std::string::npos);
}

TEST_CASE("tree: JSON has the tree, what it gives and the best chain") {
  Json const got = document("tree" + r + "--drafter sample" + priced);
  CHECK(got["nodes"] == 10);
  CHECK(got["depth"] == 3);
  CHECK(got["speedup"].get<double>() == Approx(2.02527).margin(1e-5));
  CHECK(got["parents"].size() == 10);
  CHECK(got["sizes"].size() == 16);
  Json const chain = document("gamma --alpha .7 --cost .1 --verify-cost 1:1,2:1.02");
  CHECK(got["chain"]["gamma"] == chain["best_gamma"]);
  CHECK(got["chain"]["speedup"].get<double>() == Approx(chain["best_speedup"].get<double>()));
  Json const different = document("tree" + r + priced);
  CHECK(different["drafter"] == "sample-without");
  CHECK(different["nodes"] == 16);
  CHECK(different["depth"] == 3);
  CHECK(different["speedup"].get<double>() == Approx(2.30875).margin(1e-5));
  // The same from the numbers.
  Json const given = document("tree --accept .7,.175,.125" + priced);
  CHECK(given["parents"] == different["parents"]);
  CHECK(given["speedup"].get<double>() == Approx(different["speedup"].get<double>()));
}

TEST_CASE("tree: the tree that is chosen is what the engine plays, token for token") {
  for (std::string const drafter : {"sample", "sample-without", "top"})
    for (std::string const& pair : {r, std::string(" --p .1,.6,.3 --q .5,.3,.2 ")}) {
      Json const chosen =
          document("tree" + pair + "--drafter " + drafter + " --cost .1 --verify-cost 1:1,2:1.05 --nodes 8");
      CAPTURE(drafter, pair, chosen["tree"].dump());
      if (chosen["nodes"] == 1) continue;
      std::string const line =
          " --rule " + chosen["rule"].get<std::string>() + " --tree " + chosen["tree"].get<std::string>() + pair;
      Json const played = document("exact" + line);
      CHECK(played["drafter"] == drafter);
      CHECK(played["mean_tokens_float"].get<double>() == Approx(chosen["mean_tokens"].get<double>()).epsilon(1e-12));
      Json const simulated = document("simulate" + line + "--rounds 400k");
      double const low = simulated["mean_tokens"]["low"], high = simulated["mean_tokens"]["high"];
      CHECK(chosen["mean_tokens"].get<double>() > low - (high - low));
      CHECK(chosen["mean_tokens"].get<double>() < high + (high - low));
      if (played.contains("passed_float"))
        for (std::size_t node = 0; node < chosen["reach"].size(); ++node)
          CHECK(played["passed_float"][node].get<double>() ==
                Approx(chosen["reach"][node].get<double>()).epsilon(1e-12));
    }
}

TEST_CASE("tree: contexts in any order enter by their mean") {
  TemporaryFile const file(
      ".json",
      R"({"p": [[0.3, 0.4, 0.3], [0.1, 0.6, 0.3]], "q": [[0.6, 0.3, 0.1], [0.5, 0.3, 0.2]], "contexts": "bag"})");
  Json const got = document("tree " + std::string(file.path()) + " --nodes 6 --drafter sample");
  CHECK(got["acceptance"][0].get<double>() == Approx(.65));
  CHECK(got["acceptance"][1].get<double>() == Approx(.16));
  Json const played =
      document("exact " + std::string(file.path()) + " --rule recursive --tree " + got["tree"].get<std::string>());
  CHECK(played["mean_tokens_float"].get<double>() == Approx(got["mean_tokens"].get<double>()).epsilon(1e-12));
}

TEST_CASE("tree: its JSON is a file that --tree takes") {
  TemporaryFile const file(".json", run_line("tree" + r + priced + " --format json").out);
  Json const got = document("exact --rule recursive-without --tree " + std::string(file.path()) + r);
  CHECK(got["mean_tokens_float"].get<double>() == Approx(document("tree" + r + priced)["mean_tokens"].get<double>()));
}

TEST_CASE("tree: a long list of parents stands below the answer, and a large tree is drawn in part") {
  Run const got = run_line("tree" + r + "--cost .01 --nodes 64");
  CHECK(got.out.starts_with("a tree of 64 nodes in "));
  CHECK(got.out.find("--tree '[-1,0,0,0,1,") != std::string::npos);
  CHECK(got.out.find("The 24 drafts that are reached most of 63") != std::string::npos);
}

TEST_CASE("tree: what costs too much is not drafted") {
  Json const got = document("tree" + r + "--cost 3");
  CHECK(got["nodes"] == 1);
  CHECK(got["tree"].is_null());
  CHECK(got["speedup"] == 1.);
  CHECK(got["chain"]["gamma"] == 0);
  CHECK(run_line("tree" + r + "--cost 3").out.find("\n\nno tree is faster than plain decoding, S = 1") !=
        std::string::npos);
}

TEST_CASE("tree: trees that grow claim more than they get") {
  Json const got =
      document("tree" + r + "--nodes 4 --grown eagle2:2,2,4 best-first:4,3 opt-tree:4,3,.1 marginals:4,2");
  auto const& grown = got["grown"];
  REQUIRE(grown.size() == 4);
  CHECK(grown[0]["claimed"].get<double>() == Approx(1.44));
  CHECK(grown[0]["mean_accepted"].get<double>() == Approx(.91));
  CHECK(grown[1]["claimed"].get<double>() == Approx(1.476));
  CHECK(grown[1]["mean_accepted"].get<double>() == Approx(.817));
  CHECK(grown[1]["most"].get<double>() == Approx(1.16));
  CHECK(run_line("tree" + r + "--nodes 4 --grown eagle2:2,2,4").out.find("eagle2:2,2,4: 0 1 0·0 0·1") !=
        std::string::npos);
}

TEST_CASE("tree: Medusa's construction is named where it loses") {
  Run const got = run_line("tree --accept .5,.1,.4 --nodes 4");
  CHECK(got.out.find("--tree kary:3,1: 2.0000 tokens per round; the best chain, γ = 3: 1.8750 tokens per round") !=
        std::string::npos);
  CHECK(unwrapped(got.out).find("comes to 1.8750 tokens with 4 nodes") != std::string::npos);
}

TEST_CASE("tree: where contexts follow from the tokens the sum is said to be none of theirs") {
  TemporaryFile const file(".json", R"({"p": [[0.3, 0.7], [0.6, 0.4]], "q": [[0.6, 0.4], [0.5, 0.5]]})");
  CHECK(unwrapped(run_line("tree " + std::string(file.path()) + " --nodes 4 --cost .1").out)
            .find("here they follow from the tokens") != std::string::npos);
}

TEST_CASE("tree: by a recording's full rows") {
  Json const got = document("tree data/smollm2_prune2_24.safetensors --nodes 8 --cost .1 --verify-cost 1:1,64:2");
  CHECK(got["estimator"] == "replay");
  CHECK(got["texts"] == 1);
  CHECK(got["nodes"].get<int>() > 1);
  CHECK(got["ranks"]["exact"] == 2);
  Json const with = document("tree data/smollm2_prune2_24.safetensors --nodes 8 --drafter sample");
  for (Json const& unpriced : {with, with["chain"], with["sizes"].back()}) CHECK(unpriced["speedup"].is_null());
  CHECK(got["sizes"].back()["speedup"].is_number());
  CHECK(with["nodes"] == 8);
  CHECK(run_line("tree data/smollm2_prune2_24.safetensors --nodes 8 --format csv")
            .out.starts_with("nodes,best,depth,mean_tokens,round_cost\r\n"));
  double sum = 0;
  for (Json const& reach : with["reach"]) sum += reach.get<double>();
  double const tokens = with["mean_tokens"].is_number() ? with["mean_tokens"].get<double>()
                                                        : with["mean_tokens"]["value"].get<double>();
  CHECK(sum == Approx(tokens).epsilon(.2));  // the last round reaches beyond so short a text
}

TEST_CASE("tree: what the choice adds to the tree's value is measured, and said where it is a part of the interval") {
  auto const of = [](std::string const& draft) {
    return "tree data/smollm2_trees/" + draft + "_T1.tsv --drafter top --cost .1 --verify-cost 1:1,64:2";
  };
  std::string const said = "These texts chose the tree, which flatters it.";
  for (auto const& [draft, flattered] : {std::pair("q2k", true), std::pair("prune8", false)}) {
    CAPTURE(draft);
    Json const got = document(of(draft));
    double const less = got["speedup"]["value"].get<double>() - got["left_out"]["speedup"].get<double>();
    double const radius = got["speedup"]["high"].get<double>() - got["speedup"]["value"].get<double>();
    CHECK(got["left_out"]["parts"] == 20);
    CHECK((less > radius / 4) == flattered);
    CHECK((unwrapped(run_line(of(draft)).out).find(said) != std::string::npos) == flattered);
  }
  std::string const one_text = "tree data/smollm2_prune2_24.safetensors --nodes 8";
  CHECK(document(one_text)["left_out"].is_null());
  CHECK(unwrapped(run_line(one_text).out).find("One text chose the tree and valued it") != std::string::npos);
}

TEST_CASE("tree: two columns do not say what second drafts would give") {
  check_refused("tree data/smollm2/prune2_T1.tsv --cost .1", 3,
                "it holds numbers of the text's tokens only (how often the second and later drafts of a position are "
                "accepted needs both distributions there)\nhint: give full rows");
  check_refused("tree data/smollm2/prune2_T1.tsv --drafter top", 3,
                "which of q's most likely tokens the text took is not recorded: a column rank_q says it");
  std::string columns = "# temperature: 1\nseq\tlogp\tlogq\trank_q\n";
  for (int seq = 0; seq < 4; ++seq)
    for (int t = 0; t < 40; ++t)
      columns += std::to_string(seq) + "\t-0.7\t-0.9\t" + std::to_string(1 + (t * 7 + seq) % 5 / 3) + "\n";
  TemporaryFile const file(".tsv", columns);
  Json const got = document("tree " + std::string(file.path()) + " --drafter top --nodes 4 --candidates 2 --cost .1");
  CHECK(got["mean_tokens"]["value"].get<double>() > 1.5);
  check_refused("tree " + std::string(file.path()), 3, "give full rows, or --drafter top");
}

TEST_CASE("tree: what does not go together is refused by name") {
  check_refused("tree", 2, "no distributions are named");
  check_refused(
      "tree --accept .7,.2" + r, 2,
      "--accept and SOURCE both say what is accepted (which of the two counts would be a guess)\nhint: keep one");
  check_refused("tree --accept .7,.6", 2, "the acceptances by rank sum to 1.3");
  check_refused("tree --accept .7,x", 2, "--accept: ");
  check_refused("tree --accept .7 --grown eagle2:2,2,4", 2,
                "--grown has no meaning with --accept (there are no distributions)\nhint: leave it out");
  check_refusal(
      "tree --accept .7 --candidates 2", 2,
      "--candidates has no meaning with --accept (a node has a child for each number)\nhint: give fewer numbers");
  for (std::string const& unsampled : {std::string(" --accept .7"), r})
    check_refusal("tree" + unsampled + " --confidence .9", 2,
                  "--confidence has no meaning without a recording or --ceiling (nothing else has an interval)\n"
                  "hint: leave it out");
  check_refused("tree data/smollm2_prune2_24.safetensors --grown eagle2:2,2,4", 2,
                "--grown has no meaning for a recording (its text says what is accepted)\nhint: leave it out");
  check_refused("tree" + r + "--nodes 5000", 2, "--nodes 5000 is out of range (at most 4096)\nhint: give 4096 or less");
  check_refused("tree" + r + "--candidates 33", 2, "--candidates 33 is out of range (at most 32)\nhint: give 32 or less");
  check_refused("tree" + r + "--depth 300", 2, "--depth 300 is out of range (at most 256)\nhint: give 256 or less");
  check_refused("tree data/smollm2_prune2_24.safetensors --nodes 600", 2,
                "a tree of 600 nodes is out of range for a recording (1 to 512)");
  check_refused("tree" + r + "--grown bush:2", 2, "tree to grow");
  check_refused("tree" + r + "--grown eagle2:2,2", 2,
                "--grown eagle2:2,2 cannot be read (there are 2 numbers)\nhint: write eagle2:CHILDREN,LEVELS,DRAFTS");
  check_refused(
      "tree" + r + "--grown eagle2:x,2,4", 2,
      "--grown: 'x' is not a count (a whole number of at least 0)\nhint: write it like 1000000, 1e9 or 2.5M");
  check_refused(
      "tree" + r + "--grown best-first:4,99", 2,
      "--grown best-first:4,99 cannot be read (99 is none of 1 to 32)\nhint: write best-first:DRAFTS,LEVELS");
  check_refused("tree markov:vocab=3 --grown eagle2:2,2,3 --start 3", 2,
                "--start 3 is not a context (0 to 2)\nhint: give one of these");
  check_refused("tree markov:vocab=3 --grown eagle2:2,2,3 --start 4294967297", 2,
                "--start 4294967297 is out of range (at most 1000000000)\nhint: give 1000000000 or less");
  check_refused("tree" + r + "--grown marginals:4,30", 2, "sums over more than 100000 texts");
  check_refused("tree dirichlet:vocab=8,contexts=4 --grown best-first:4,3", 2,
                "--grown needs contexts that follow from the tokens");
  check_refused("tree data/smollm2_prune2_24.safetensors --temperature 0.6", 3,
                "what a text says of trees holds for the sampling that wrote it");
}

TEST_CASE("tree: how a recording is read is refused where there is none") {
  std::string const markov = "tree markov:vocab=3 ";
  for (std::string const how :
       {"--accept .7,.2", "--drafter ppd --accept .5,.2 .3,.1", "markov:vocab=3", "markov:vocab=3 --drafter heads"})
    for (std::string const option : {"--top-k", "--top-p", "--draft-temperature", "--rows", "--shift", "--order hf"})
      check_refusal("tree " + how + " " + (option.find(' ') == option.npos ? option + " 1" : option), 2,
                    option.substr(0, option.find(' ')) +
                        " has no meaning without a recording (nothing would come of it)\nhint: leave it out");
  for (std::string const how : {"--accept .7,.2", "--drafter ppd --accept .5,.2 .3,.1"})
    for (std::string const option : {"--temperature", "--memory"})
      check_refusal("tree " + how + " " + option + " 1", 2,
                    option + " has no meaning with --accept (there are no distributions)\nhint: leave it out");
  check_refusal(markov + "--start 1", 2,
                "--start has no meaning without --grown or --ceiling (acceptance by rank is of all contexts)\nhint: "
                "leave it out");
  check_refusal(markov + "--ceiling --nodes 3 --start 9", 2,
                "--start 9 is not a context (0 to 2)\nhint: give one of these");
}

TEST_CASE("tree: --tree sequoia:N is the tree of N nodes that is chosen for the source and the rule's drafter") {
  auto const parents = [](std::string const& rule, std::string const& drafter, int nodes) {
    std::string const size = std::to_string(nodes);
    Json const chosen = document("tree" + r + "--nodes " + size + " --drafter " + drafter);
    REQUIRE(chosen["nodes"] == nodes);
    Json const played = document("simulate --rule " + rule + " --rounds 100 --tree sequoia:" + size + r);
    CHECK(played["task"]["tree"] == chosen["parents"]);
  };
  parents("recursive", "sample", 10);
  parents("recursive-without", "sample-without", 16);
  check_refused("simulate --rule all --tree sequoia:6" + r, 2,
                "--tree sequoia:6 needs one --rule (which tree is best depends on how drafts are drawn)");
  check_refused("simulate --rule spechub --drafter top-then-sample --tree sequoia:6" + r, 2,
                "--tree sequoia:6 does not suit --drafter top-then-sample (acceptance by rank is known of sample, "
                "sample-without, top)\nhint: write the tree's shape");
  check_refused("simulate --p 1 --q 1 --tree sequoia:300 --rule recursive-without", 2,
                "--tree sequoia:300 has more nodes than any tree of these drafts (the largest has 257)\nhint: use "
                "sequoia:257");
  check_refused("verify --rule recursive --tree sequoia:6", 2,
                "--tree sequoia:6 needs one SOURCE (whose acceptance by rank says which tree is best)");
  check_refused(
      "simulate --rule recursive --tree sequoia:x" + r, 2,
      "--tree sequoia:x cannot be read ('x' is no number of nodes from 2 to 4096)\nhint: write it like sequoia:64");
}

TEST_CASE("tree --ceiling: what no rule exceeds, proved for few drafts and bounded for many") {
  Json const few = document("tree" + r + "--nodes 6 --ceiling")["ceiling"];
  CHECK(few["proved"] == true);
  CHECK(few["within"].is_null());
  CHECK(few["value"].get<double>() > few["mean_accepted"].get<double>());
  CHECK(few["share"].get<double>() == Approx(few["mean_accepted"].get<double>() / few["value"].get<double>()));
  Json const chain =
      document("tree zipf:vocab=32000 --nodes 6 --ceiling")["ceiling"];  // what block verification keeps
  CHECK(chain["proved"] == false);
  CHECK(chain["within"]["low"].get<double>() > chain["mean_accepted"].get<double>());
  Json const many = document("tree zipf:vocab=32000 --nodes 12 --candidates 2 --depth 4 --ceiling")["ceiling"];
  CHECK(many["value"].get<double>() > many["mean_accepted"].get<double>());
  CHECK(many["value"].get<double>() < 4.1);
  // Contexts that follow from the drafts: what the rule keeps is simulated, since Sequoia's sum does not hold.
  TemporaryFile const tables(".json", R"({"p": [[0, 1], [1, 0]], "q": [[0, 1], [0, 1]]})");
  Json const markov = document("tree " + tables.path() + " --drafter sample --nodes 3 --ceiling")["ceiling"];
  CHECK(markov["value"] == .5);
  CHECK(markov["mean_accepted"].get<double>() == Approx(.5).margin(.01));  // of 10^5 rounds: six standard errors
  TemporaryFile const pair(".json", R"({"p": [[0.5, 0.5], [0.9, 0.1]], "q": [[0.5, 0.5], [0.1, 0.9]]})");
  CHECK(document("tree " + pair.path() + " --drafter sample --nodes 2 --start 1 --ceiling")["ceiling"]["value"] ==
        Approx(.2));
  // A bound by sampled drafts is nowhere above the depth.
  CHECK(document("tree --p .5,.5 --q .5,.5 --nodes 600 --depth 40 --ceiling")["ceiling"]["share"].get<double>() ==
        Approx(1));
  CHECK(unwrapped(run_line("tree" + r + "--nodes 6 --ceiling").out)
            .find("No lossless rule keeps more of this tree's drafts than E[τ] = 2.4412, which is proved; "
                  "recursive-without keeps 1.9481, 79.8 % of it.") != std::string::npos);
  check_refused("tree --accept .7 --ceiling", 2,
                "--ceiling has no meaning with --accept (there are no distributions)");
  check_refused("tree --p .5,.5 --q .5,.5 --cost 5 --ceiling", 2,
                "--ceiling has no meaning here (plain decoding is best, and drafts nothing)");
}

TEST_CASE("tree: --tree eagle2 grows the tree that --grown shows, and exact gives what that gets") {
  auto const grown = [&](std::string const& how) { return document("tree" + r + "--grown " + how)["grown"][0]; };
  for (std::string const how : {"eagle2:2,2,4", "best-first:4,3", "opt-tree:4,3,.01"}) {
    CAPTURE(how);
    Json const played = document("exact --rule top-set --tree " + how + r), shown = grown(how);
    CHECK(played["tree"] == shown["parents"]);
    CHECK(played["mean_accepted_float"].get<double>() == Approx(shown["mean_accepted"].get<double>()));
  }
  CHECK(document("exact --rule top-set --tree eagle2:k=2,depth=2,n=4" + r)["mean_accepted"] == "91/100");
  CHECK(document("simulate --rule top-set --tree eagle2:2,2,4 --rounds 1k" + r)["task"]["tree"] ==
        grown("eagle2:2,2,4")["parents"]);
  TemporaryFile const file(".json", R"({"p": [[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.6, 0.1, 0.3], [0.3, 0.3, 0.4]],
                                        "q": [[0.3, 0.5, 0.2], [0.4, 0.4, 0.2], [0.2, 0.6, 0.2], [0.5, 0.2, 0.3]]})");
  CHECK(document("exact " + file.path() + " --rule top-set --tree eagle2:2,2,4")["mean_accepted"] == "93/100");
}

TEST_CASE("tree: --tree ppd is a state's tree of parallel prompt decoding") {
  Json const states = document("tree --drafter ppd --accept vicuna-7b --nodes 109")["states"];
  CHECK(document("simulate --rule top-set --tree ppd:vicuna-7b,109 zipf:vocab=100 --rounds 1k")["task"]["tree"] ==
        states[2]["parents"]);
  CHECK(document("simulate --rule top-set --tree ppd:vicuna-7b,109,2 zipf:vocab=100 --rounds 1k")["task"]["tree"] ==
        states[1]["parents"]);
}

TEST_CASE("tree: a --tree that is grown or chosen says what it needs") {
  std::string const exact = "exact --rule top-set --tree ";
  check_refused(exact + "eagle2:2,2" + r, 2,
                "--tree eagle2:2,2 cannot be read (there are 2 numbers)\nhint: write eagle2:CHILDREN,LEVELS,DRAFTS");
  check_refused(exact + "eagle2:k=2,n=2,depth=4" + r, 2,
                "--tree eagle2:k=2,n=2,depth=4 cannot be read ('n=2' stands where depth is expected)");
  check_refused(exact + "best-first:1000,2" + r, 2,
                "--tree best-first:1000,2 cannot be read (1000 is none of 1 to 256)");
  check_refused(exact + "marginals:4,2" + r, 2, "hint: use tree --grown");
  check_refused(
      "exact --rule recursive --tree eagle2:2,2,4" + r, 2,
      "--tree eagle2:2,2,4 does not suit --drafter sample (it grows over the most likely tokens)\nhint: use "
      "--drafter top, or a rule that has it such as top-set");
  check_refused(
      "simulate --rule top-set --tree eagle2:2,2,4 markov:vocab=4", 2,
      "--tree eagle2:2,2,4 would be another tree in every context (of which there are 4)\nhint: one round is "
      "what exact --start tells; tree --grown shows its tree");
  check_refused("simulate --rule top-set --tree eagle2:2,2,4 dirichlet:vocab=4,contexts=3", 2,
                "needs contexts that follow from the tokens");
  check_refused(exact + "ppd:vicuna-7b" + r, 2, "--tree ppd:vicuna-7b cannot be read (there are 1 parts)");
  check_refused(exact + "ppd:gpt,50" + r, 2, "there is no model whose accuracies are shipped 'gpt'");
  check_refused(
      exact + "ppd:vicuna-7b,50,4" + r, 2,
      "--tree ppd:vicuna-7b,50,4 cannot be read (state 4 is none of 1 to 3)\nhint: write ppd:MODEL,TOKENS or "
      "ppd:MODEL,TOKENS,STATE, such as ppd:vicuna-7b,109");
}

}  // namespace
}  // namespace draftgauge
