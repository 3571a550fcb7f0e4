#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/apps/gamma/gamma_run.h"
#include "tests/apps/run.h"

/// What `gamma` reads beside α and recordings of several texts, and what it says of costs that are not given.
namespace draftgauge {
namespace {

TEST_CASE("gamma: rates that engines print are read as what they are") {
  nlohmann::json const conditional = gamma_answer("--conditional-rates .8,.65,.5 --cost .05");
  CHECK(number(conditional["survival"][2]) == Approx(.8 * .65 * .5));
  CHECK(gamma_refusal("--rates .8,.65 --cost .05", 2).starts_with("there is no option '--rates'"));
}

TEST_CASE("gamma: a best γ of many drafts is shown in a table that can be read") {
  nlohmann::json const found = gamma_answer("--alpha .999999 --cost 1e-6");
  std::int64_t const best = found["best_gamma"].get<std::int64_t>();
  CHECK(best > 1'000'000);
  CHECK(found["curve"].size() < 60);
  bool shown = false;
  for (nlohmann::json const& row : found["curve"]) {
    if (row["gamma"] != best) continue;
    shown = true;
    CHECK(row["speedup"] == found["best_speedup"]);  // the heading's number and the table's
  }
  CHECK(shown);
  for (std::int64_t gamma = best - 4; gamma <= best + 4; ++gamma)
    CHECK(std::ranges::any_of(found["curve"], [&](nlohmann::json const& row) { return row["gamma"] == gamma; }));
  CHECK(found["policies"].empty());
  std::string const out = unwrapped(run_line("gamma --alpha .999999 --cost 1e-6").out);
  CHECK(out.find("4071.9") == std::string::npos);
  CHECK(out.find(
            "What adapting γ could win is worked out for at most 4096 drafts a round; the best γ here has more.") !=
        std::string::npos);
  CHECK(gamma_answer("--alpha .8 --cost .05")["curve"].size() == 17);  // few are shown as they are
}

TEST_CASE("gamma: an α is printed as it is") {
  CHECK(run_line("gamma --alpha .9999999999 --cost 1e-9").out.find(" (α=0.9999999999, c=1e-09)\n") !=
        std::string::npos);
  std::string const map = run_line("gamma --alpha .9999999,.99999999 --cost .1 --format csv").out;
  CHECK(map.find("cost,alpha_0.9999999,alpha_0.99999999") != std::string::npos);
}

TEST_CASE("gamma: counts by request give intervals over requests, and test that rounds are independent") {
  // Requests of two kinds, in which drafts are kept nearly always or hardly ever.
  std::string rows = "request,0,1,2\n", together, line;
  for (int i = 0; i < 12; ++i) {
    line = i % 2 ? "1,3,36" : "36,3,1";
    rows += "r" + std::to_string(i) + "," + line + "\n";
    together += (together.empty() ? "" : ";") + line;
  }
  TemporaryFile const file(".csv", rows);
  nlohmann::json const found = gamma_answer("--accepted " + file.path() + " --cost .1");
  CHECK(found["estimator"] == "kaplan_meier_requests");
  CHECK(found["requests"] == 12);
  CHECK(found["rounds"] == 480);
  CHECK(number(found["dependence"]["p_value"]) == Approx(.001));
  CHECK(number(found["dependence"]["design_effect"]) > 20);
  CHECK(found["inputs"].size() == 1);
  nlohmann::json const typed = gamma_answer("--accepted " + together + " --cost .1");
  CHECK(typed["curve"] == found["curve"]);
  nlohmann::json const pooled = gamma_answer("--accepted 222,36,222 --cost .1");
  CHECK(pooled["best_gamma"] == found["best_gamma"]);
  CHECK(number(pooled["best_speedup"]) == Approx(number(found["best_speedup"])));
  auto const width = [](nlohmann::json const& all) {
    return number(all["curve"][2]["speedup"]["high"]) - number(all["curve"][2]["speedup"]["low"]);
  };
  CHECK(width(found) > 4 * width(pooled));
  std::string const out = unwrapped(run_line("gamma --accepted " + file.path() + " --cost .1").out);
  CHECK(out.find("(12 requests, 480 rounds, c=0.1)") != std::string::npos);
  CHECK(out.find("Rounds of one request depend on each other (p-value 0.001 of 999 permutations): over requests the "
                 "standard error of E[N] at γ = 2 is ") != std::string::npos);
  // One histogram cannot tell, and says so first.
  CHECK(unwrapped(run_line("gamma --accepted 222,36,222 --cost .1").out)
            .substr(0, 180)
            .find("480 rounds, intervals as if they were independent") != std::string::npos);
  nlohmann::json const bare = gamma_answer("--accepted " + file.path());  // without costs
  CHECK(bare["best_gamma"].is_null());
  CHECK(bare["curve"][1]["mean_tokens_interval"].contains("low"));
  TemporaryFile const lines(".jsonl", "{\"accepted\": [1, 3, 36]}\n[36, 3, 1]\n");
  CHECK(gamma_answer("--accepted " + lines.path() + " --cost .1")["requests"] == 2);
  TemporaryFile const bad(".csv", "0,1,2\n3,x,1\n");
  CHECK(gamma_refusal("--accepted " + bad.path(), 3) ==
        bad.path() +
            ": line 2: 'x' is no count (a row holds the counts of one request)\nhint: expected counts of rounds that "
            "kept 0, 1, … γ drafts, such as 30,20,10,40");
  TemporaryFile const none(".csv", "0,0,0\n0,0,0\n");
  CHECK(
      gamma_refusal("--accepted " + none.path(), 3) ==
      none.path() +
          ": all counts are 0 (there is no round to estimate from)\nhint: expected counts of rounds that kept 0, 1, "
          "… γ drafts, such as 30,20,10,40");
  TemporaryFile const large(".jsonl", "[1, 2]\n[18446744073709551615, 1]\n");
  CHECK(
      gamma_refusal("--accepted " + large.path(), 3)
          .starts_with(large.path() + ": line 2: has the count 18446744073709551615, and 1000000000000 is the most"));
  CHECK(gamma_answer("--accepted 0,1,2 --cost .1")["rounds"] == 3);
  TemporaryFile const bare_row(".csv", "0,1,2\n5,6,7\n3,3,3\n");
  CHECK(gamma_refusal("--accepted " + bare_row.path(), 3) ==
        bare_row.path() +
            ": line 1 can be read in two ways (0, 1, 2, … may be a heading, or the counts of a request)\nhint: put # "
            "before a heading, or the line 'counts' above counts");
  CHECK(gamma_answer("--accepted 1000000000,1000000000;1000000000,5 --cost .1")["dependence"]["permutations"] == 0);
  CHECK(gamma_refusal("--accepted absent.csv", 3) ==
        "absent.csv: there is no such file (--accepted takes counts such as 30,20,10,40, or a file with a row of "
        "them a request)\nhint: check the path");
}

std::string title(std::string const& line) {
  std::string const out = run_line("gamma " + line).out;
  return unwrapped(out.substr(0, out.find("\n\n")));
}

TEST_CASE("gamma: of requests of several γ the few that draft far tell of the far drafts alone") {
  std::string many;
  for (int i = 0; i < 30; ++i) many += std::to_string(15 + i % 7) + "," + std::to_string(10 + i % 5) + ",29;";
  nlohmann::json const two = gamma_answer("--accepted " + many + "16,12,4,3,25;20,11,16,6,7 --cost .01");
  REQUIRE(two["curve"].size() == 5);
  CHECK(two["best_gamma"] == 4);
  for (std::size_t gamma = 1; gamma <= 4; ++gamma)  // which are bounded alone
    CHECK((two["curve"][gamma]["speedup"].contains("low") && two["curve"][gamma]["truncated"] == true));
  CHECK((!two["confidence_set"].empty() && two["gamma_ran"] == 4));
  // Resamples without either of the two say nothing of drafts 3 and 4.
  for (nlohmann::json const& policy : two["policies"]) CHECK(policy["over_best"].is_null());
  std::string const alone = "--accepted " + many + "16,12,9,7,14 --cost .01";
  nlohmann::json const one = gamma_answer(alone);
  CHECK(one["curve"].size() == 3);
  CHECK(one["survival"].size() == 2);
  CHECK(title(alone).ends_with("(31 requests, " + one["rounds"].dump() +
                               " rounds, nothing is known beyond γ=2, c=0.01)"));
  CHECK(unwrapped(run_line("gamma " + alone).out)
            .find("Nothing is known beyond γ = 2: a single request reached draft 3, from which no error follows.") !=
        std::string::npos);
  nlohmann::json const typed = gamma_answer("--accepted 5,3,2;4,4 --cost .1");
  CHECK(typed["curve"].size() == 2);
}

TEST_CASE("gamma: counts are read in every form in which other options take numbers") {
  for (char const* hundred : {"1e+2", "1e2", ".1k", "100"}) {
    INFO(hundred);
    CHECK(gamma_answer("--accepted " + std::string(hundred) + ",20,10 --cost .1")["rounds"] == 130);
  }
  std::string const deep = std::string(200, 'a') + "/" + std::string(200, 'b') + ".csv";
  CHECK(gamma_refusal("--accepted " + deep, 3) ==
        deep +
            ": there is no such file (--accepted takes counts such as 30,20,10,40, or a file with a row of them a "
            "request)\nhint: there is no folder '" +
            std::string(200, 'a') + "'");
}

TEST_CASE("gamma: a long list of requests is a list and never a file's name") {
  std::string all, long_row = "120";
  for (int i = 0; i < 100; ++i) all += (i ? ";" : "") + std::to_string(5 + i % 9) + ",19,28";
  for (int i = 1; i < 100; ++i) long_row += ",120";
  CHECK(gamma_answer("--accepted " + all + " --cost .1")["requests"] == 100);
  CHECK(gamma_answer("--accepted " + long_row + " --cost .1")["rounds"] == 12000);
  std::string const word(300, 'a');
  CHECK(gamma_refusal("--accepted " + word, 3) ==
        "'" + word.substr(0, 60) +
            "…': there is no such file (--accepted takes counts such as 30,20,10,40, or a file with a row of them a "
            "request)\nhint: check the path");
}

TEST_CASE("gamma: tokens of steps that drafted nothing are in S over all tokens") {
  std::string const counters = std::string(DRAFTGAUGE_SOURCE_DIR) + "/tests/data/counters/";
  // 765 tokens in 245 rounds, which kept 140 drafts, and 380 others.
  std::string const note =
      "380 of 765 tokens came of steps that drafted nothing, or of prompts: E[N] and S are of the 245 rounds with "
      "drafts. Over all tokens S is 1.2240 at γ = 4, if each of the others took a plain step.";
  for (std::string const files : {"vllm_ngram_T0.jsonl", "vllm_ngram_after.txt"}) {
    CAPTURE(files);
    std::string const said = unwrapped(run_line("gamma " + counters + files + " --cost 0").out);
    CHECK(said.find("; S=1.2240 over all tokens (" + files) != std::string::npos);
    CHECK(said.find(note) != std::string::npos);
    nlohmann::json const notes = gamma_answer(counters + files + " --cost 0")["notes"];
    CHECK(std::ranges::count(notes, nlohmann::json(note)) == 1);
  }
  // A token each text, of its prompt, is none of these.
  for (std::string const files : {"vllm_cpu_T0_after.txt", "vllm_response.json", "llama_server_T1_after.txt"})
    CHECK(run_line("gamma " + counters + files + " --cost 0").out.find("over all tokens") == std::string::npos);
}

TEST_CASE("gamma: what counts cannot say is said first") {
  CHECK(title("--accepted 2,1,1 --cost .1") ==
        "Too few rounds to say (fewer than 85). As counted: γ=2, S=1.4583; no longer draft "
        "is known, and S "
        "still grows there (4 rounds, "
        "intervals "
        "as if they were independent, c=0.1)");
  CHECK(
      title("--accepted 2,1,1").starts_with("Too few rounds to say (fewer than 85). As counted: 1.750 ["));
  CHECK(title("--accepted 2,1,1;3,1,2 --cost .1")
            .starts_with("Too few rounds to say (fewer than 85). As counted: γ=2"));
  CHECK(title("--accepted 90,1,9;5,1,94 --cost .1")
            .starts_with("No gain is shown: the interval of the speed-up reaches 1 or less. As counted: γ=2, S="));
  CHECK(unwrapped(run_line("gamma --accepted 50,25,5 50,25,5 --cost .33").out)
            .find("No gain is shown: the interval of the speed-up ") != std::string::npos);
  CHECK(title("--accepted 222,36,222 --cost .1").starts_with("γ=2, S="));
  // What has no spread is no evidence: γ = 0, at S = 1, is in the set only since nothing excludes it.
  std::string const same = "--accepted 0,0,90;0,0,70;0,0,30 --cost .1";
  CHECK(title(same) ==
        "All that was counted agrees, which gives no interval. As counted: γ=2, S=2.5000; "
        "no longer "
        "draft is known, "
        "and S still grows there (3 requests, "
        "190 rounds, c=0.1)");
  auto const answer = gamma_answer(same);
  CHECK(answer["expected_regret"].is_null());
  for (auto const& policy : answer["policies"]) CHECK(policy["speedup"].is_number());
  CHECK(run_line("gamma " + same).out.find("expected to lose") == std::string::npos);
}

TEST_CASE("gamma: rows without a round, and policies of rounds that depend on each other") {
  TemporaryFile const file(".csv", "request,0,1,2\na,60,20,40\nb,0,0,0\nc,44,26,50\nd,0,0,0\n");
  CHECK(unwrapped(run_line("gamma --accepted " + file.path() + " --cost .1").out)
            .find("2 of 4 rows have no round, and are left out.") != std::string::npos);
  CHECK(unwrapped(run_line("gamma --accepted 60,20,40 0,0,0 --cost .1").out)
            .find("1 of 2 rows has no round, and is left out.") != std::string::npos);
  CHECK(unwrapped(run_line("gamma --accepted 60,20,40;44,26,50 --cost .1").out).find("left out") ==
        std::string::npos);
  std::string alike, apart;
  for (int i = 0; i < 12; ++i) alike += i % 2 ? "20,30;" : "22,29;", apart += i % 2 ? "1,39;" : "36,4;";
  alike += "19,31", apart += "36,4";
  nlohmann::json const independent = gamma_answer("--accepted " + alike + " --cost .1");
  CHECK(std::ranges::any_of(independent["policies"],
                            [](nlohmann::json const& policy) { return policy["over_best"].contains("low"); }));
  nlohmann::json const dependent = gamma_answer("--accepted " + apart + " --cost .1");
  CHECK((number(dependent["dependence"]["p_value"]) < .01 && dependent["policies"].empty()));
  std::string const said = unwrapped(run_line("gamma --accepted " + apart + " --cost .1").out);
  CHECK(holds(said,
              "So these counts do not say what adapting γ could win. Rounds in their order do (--accepted-rounds "
              "FILE)."));
  CHECK_FALSE(holds(said, "What adapting γ could win"));
  CHECK_FALSE(holds(run_line("gamma --accepted " + apart).out, "adapting"));
}

TEST_CASE("gamma: rounds may depend on each other where the interval of E[N] is none the wider") {
  // Short requests whose two rounds are always alike, and long ones, which decide E[N], that all agree.
  std::string rows;
  for (int i = 0; i < 40; ++i) rows += i % 2 ? "2,0\n" : "0,2\n";
  for (int i = 0; i < 4; ++i) rows += "500,500\n";
  TemporaryFile const file(".csv", rows);
  nlohmann::json const dependence = gamma_answer("--accepted " + file.path() + " --cost .1")["dependence"];
  CHECK(number(dependence["p_value"]) < .01);
  CHECK(number(dependence["design_effect"]) < 1);
  CHECK(unwrapped(run_line("gamma --accepted " + file.path() + " --cost .1").out)
            .find("though this does not make every error larger: over requests the standard error of E[N] at γ = 1 "
                  "is 0.") != std::string::npos);
}

TEST_CASE("gamma: one long text has intervals over its parts, and says so first") {
  auto const text = [](int tokens) {
    std::string rows = "# temperature: 1\nseq\tlogp\tlogq\n";
    for (int t = 0; t < tokens; ++t) rows += std::string("0\t-1\t") + (t * 7919 % 101 < 70 ? "-1\n" : "-2.5\n");
    return rows;
  };
  TemporaryFile const one(".tsv", text(1200));
  std::string const out = unwrapped(run_line("gamma " + one.path() + " --cost .1 --most 8").out);
  CHECK(out.find("] over parts of one text; the data allow γ=") < 60);
  CHECK(out.find("One text: intervals are over its 18 parts, and hold for more text of this kind if it goes on as it "
                 "began. They say nothing of other texts.") != std::string::npos);
  nlohmann::json const found = gamma_answer(one.path() + " --cost .1 --most 8");
  CHECK(found["curve"][4]["speedup"].contains("low"));
  CHECK_FALSE(found["confidence_set"].empty());
  auto const measured = [](TemporaryFile const& file) {
    return document("measure " + file.path() + " --gamma 1..8");
  };
  CHECK(measured(one)["intervals"] == "over parts of one text");
  CHECK(measured(one)["alpha"].contains("low"));
  TemporaryFile const shorter(".tsv", text(300));
  CHECK(unwrapped(run_line("gamma " + shorter.path() + " --cost .1 --most 8").out)
            .find("Intervals: inconclusive, since one text alone gives none.") != std::string::npos);
  CHECK(measured(shorter)["intervals"] == "inconclusive");
}

TEST_CASE("measure: a text unlike the others is named, and what α would be without it") {
  std::string rows = "# temperature: 1\nseq\tlogp\tlogq\n";
  for (int i = 0; i < 8; ++i)
    for (int t = 0; t < 60; ++t)
      rows += std::to_string(i) + "\t-1\t" + ((t * 37 + i) % 60 < (i == 5 ? 6 : 45 + i % 3) ? "-1\n" : "-4\n");
  TemporaryFile const file(".tsv", rows);
  std::string const out = unwrapped(run_line("measure " + file.path() + " --gamma 1..4").out);
  CHECK(out.find("Text 5 is unlike the others (Grubbs' test at 1 %): without it α would be ") != std::string::npos);
  CHECK(out.find("Where such texts are rare, intervals of 8 texts cover less than they say.") != std::string::npos);
  nlohmann::json const found = document("measure " + file.path() + " --gamma 1..4");
  CHECK(found["influence"]["outlier"] == true);
  CHECK(found["influence"]["text"] == "5");
  CHECK(number(found["influence"]["alpha_without"]) > number(found["alpha"]["value"]) + .05);
  CHECK(
      unwrapped(run_line("measure " + columns_file + " --gamma 1..4").out).find("which moves it most, α would be ") !=
      std::string::npos);
}

TEST_CASE("a cost that is not given is 0, and said") {
  CHECK(unwrapped(run_line("theory --alpha .8 --gamma 5").out)
            .find("(c = 0, drafts taken as free, as no cost is given, ĉ = 0)") != std::string::npos);
  CHECK(run_line("theory --alpha .8 --gamma 5 --cost 0").out.find("(c = 0, ĉ = 0)") != std::string::npos);
  CHECK(run_line("simulate exact-alpha:vocab=4,alpha=0.5 --rounds 1000")
            .out.find("speed-up at c = 0, drafts taken as free") != std::string::npos);
  for (char const* command : {"measure", "gamma", "report", "table"}) {
    std::string help = unwrapped(run_line(std::string("help ") + command).out);
    auto const blanks = [](char a, char b) { return a == ' ' && b == ' '; };  // lines are set in
    help.erase(std::unique(help.begin(), help.end(), blanks), help.end());
    CHECK(help.find("drafts are taken as free (c = 0)") != std::string::npos);
  }
}

}  // namespace
}  // namespace draftgauge
