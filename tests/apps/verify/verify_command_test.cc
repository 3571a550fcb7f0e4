#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <set>

#include "analysis/texts/text_width.h"
#include "apps/output/result.h"
#include "sim/task/task.h"
#include "tests/apps/answers.h"
#include "tests/apps/run.h"

namespace draftgauge {
namespace {

Json verify(std::string const& line, int status = 0) { return document("verify " + line, status); }

Json const* find(Json const& document, std::string const& name) {
  for (Json const& check : document["checks"])
    if (check["name"].get<std::string>().starts_with(name)) return &check;
  return nullptr;
}

TEST_CASE("verify: theory, enumeration and simulation of one task side by side") {
  Json const got = verify("--p .3,.4,.3 --q .6,.3,.1 --gamma 2 --rounds 500k");
  CHECK(got["fails"] == 0);
  Json const* mean = find(got, "tokens per round");
  REQUIRE(mean);
  CHECK((*mean)["closed_form"].get<double>() == Approx(2.19));
  CHECK((*mean)["exact"].get<double>() == Approx(2.19));
  CHECK((*mean)["simulated"]["low"].get<double>() < 2.19);
  CHECK((*mean)["simulated"]["high"].get<double>() > 2.19);
  CHECK((*mean)["detectable"].get<double>() > 0);
  CHECK((*mean)["verdict"] == "holds");
  Json const* first = find(got, "a round's first token");
  REQUIRE(first);
  CHECK((*first)["certificate"]["draws"] == 500'000);
  CHECK((*first)["rounds_per_trial"] == 1);
  Json const* jointly = find(got, "tokens 1, 2 jointly");
  REQUIRE(jointly);
  CHECK((*jointly)["certificate"]["draws"] == 166'667);  // trials, of 3 rounds
  CHECK((*jointly)["certificate"]["rounds"] == 500'001);
  CHECK((*jointly)["rounds_per_trial"] == 3);
  CHECK((*first)["certificate"]["tv_at_most"].get<double>() < .01);
}

TEST_CASE("verify: every rule holds on the recording in data/, read along the text and as a bag") {
  Json const path = verify("data/smollm2_prune2_24.safetensors --contexts path --gamma 4 --rounds 10M");
  CHECK((*find(path, "tokens per round"))["statement"] == "products of β");
  CHECK(path["inputs"].size() == 1);
  Json const iid = verify("data/smollm2_prune2_24.safetensors --contexts bag --gamma 4 --rounds 4M --resolve .15");
  // Mean β of the recorded rows, .6890 by an independent program (data/smollm2_prune2_24.md): Eq. (1) there.
  CHECK((*find(iid, "tokens per round"))["closed_form"].get<double>() == Approx(2.7161).margin(1e-4));
}

TEST_CASE("verify: n-grams of the book in data/, every rule") {
  Json const all =
      verify("ngram:text=data/alice.txt,vocab=6,target=3 --gamma 3 --rule all --rounds 400k --resolve .3", 4);
  CHECK(all["fails"] == 0);  // of `lenient` nothing is known here, which is no pass
  CHECK(all["inconclusive"] == 0);
  Json const got = verify("ngram:text=data/alice.txt,vocab=6,target=3 --gamma 3 --rounds 4M");
  CHECK(got["fails"] == 0);
  CHECK(got["inconclusive"] == 0);
  CHECK((*find(got, "tokens per round"))["statement"] == "automaton");
  Json const* later = find(got, "tokens 14 to 16 jointly");
  REQUIRE(later);
  CHECK((*later)["certificate"]["draws"] == 250'000);
  CHECK(got["inputs"].size() == 1);
}

TEST_CASE("verify: certificates say how many draws they rest on, and that each is for itself") {
  Json const got = verify("markov:vocab=6 --rounds 160000 --resolve .3");
  for (Json const& check : got["checks"]) {
    if (!check.contains("certificate")) continue;
    CAPTURE(check.dump());
    CHECK(check["certificate"]["draws"] == 10'000);  // trials, of 16 rounds
    CHECK(check["certificate"]["rounds"] == 160'000);
  }
  std::string const line = "verify exact-alpha:vocab=4,alpha=.6 --gamma 1 --rounds 20k --resolve .9";
  Run const text = run_line(line + " --confidence .9");
  CHECK(text.out.find("each, not together, at") != std::string::npos);
  CHECK(text.out.find("draws") != std::string::npos);
}

TEST_CASE("verify: no line of a table is wider than 100, and no verdict is cut") {
  for (char const* line : {"verify --p 1/3,2/3 --q .5,.5 --rule all --gamma 2 --rounds 1e4",
                           "verify --p .9,.1 --q .5,.5 --rule faulty/rounded-draft --gamma 64 --rounds 1e3"}) {
    std::string const out = run_line(line).out;
    REQUIRE_FALSE(out.empty());
    std::istringstream lines(out);
    for (std::string each; std::getline(lines, each);) {
      INFO(each);
      CHECK(display_width(each) <= 100);
    }
  }
  std::string const out = run_line("verify --p 1/3,2/3 --q .5,.5 --rule all --gamma 2 --rounds 1e4").out;
  CHECK(out.find("\ntypical:epsilon=9/100,delta=3/10, γ = 2\n\nverdict ") != std::string::npos);
  CHECK(out.find("\ninconclusive  tokens per round: Eq. ") != std::string::npos);
  // Programs read names of columns, with rule and γ among them.
  std::string const csv = run_line("verify --p 1/3,2/3 --q .5,.5 --rounds 1e4 --gamma 1,2 --format csv").out;
  CHECK(csv.starts_with("rule,gamma,name,statement,closed_form,exact,simulated,"));
  CHECK(csv.find("\r\ntoken,2,tokens per round,Eq. (1),") != std::string::npos);
}

TEST_CASE("verify: what is certified has a column of its own, and no interval lies below its value") {
  // With many cells the counts scatter by more than what is proved of the distance.
  Json const got = verify("zipf:vocab=3000,exponent=0,draft-exponent=.3 --gamma 1 --rounds 1M --resolve .5");
  Json const& first = *find(got, "a round's first token");
  double const bound = first["certificate"]["tv_at_most"].get<double>();
  CHECK(first["certificate"]["observed_tv"].get<double>() > bound);
  CHECK(first["simulated"]["value"] == first["simulated"]["high"]);
  CHECK(first["simulated"]["high"].get<double>() == bound);
  std::string const text =
      run_line("verify zipf:vocab=3000,exponent=0,draft-exponent=.3 --gamma 1 --rounds 1M --resolve .5").out;
  CHECK(text.find("TV ≤") != std::string::npos);
  CHECK(text.find("(≤") == std::string::npos);
  // The distance of the counts would seem to break the bound: people do not see it.
  CHECK(text.find(fmt::format("{:.5f}", first["certificate"]["observed_tv"].get<double>())) == std::string::npos);
}

TEST_CASE("verify: the first line is the answer, and names what fails or is inconclusive") {
  auto const first_line = [](std::string const& line) {
    std::string const out = run_line("verify --p .3,.4,.3 --q .6,.3,.1 --gamma 1 " + line).out;
    return unwrapped(out.substr(0, out.find("\n\n")));
  };
  CHECK(first_line("--rounds 400k") == "All 10 checks hold");
  CHECK(first_line("--rounds 400k --rule lenient") == "All 5 checks hold; lossy by design, TV 0.3");
  std::string const text = unwrapped(run_line("verify --p .3,.4,.3 --q .6,.3,.1 --gamma 1 --rounds 400k").out);
  CHECK(text.find("10 checks hold, 0 fail, 0 are inconclusive. If every") != std::string::npos);
  CHECK(first_line("--rounds 400k --rule faulty/residual-from-target") ==
        "4 of 7 checks fail: faulty/residual-from-target, γ = 1, a round's first token (TV); "
        "faulty/residual-from-target, γ = 1, tokens 1 to 2 (TV); …");
  CHECK(first_line("--rounds 100").find("checks are inconclusive, none fails: token, γ = 1, tokens per round; ") !=
        std::string::npos);
}

TEST_CASE("verify: too few rounds are inconclusive, exit 4") {
  Json const got = verify("exact-alpha:vocab=32,alpha=0.8 --gamma 5 --rounds 100", 4);
  CHECK(got["holds"] == 0);
  CHECK(got["fails"] == 0);
}

TEST_CASE("verify: a rule with drafts that it is not made for fails, exit 1") {
  Json const got =
      verify("--p .3,.4,.3 --q .6,.3,.1 --gamma 1 --rule recursive --drafter sample-without --candidates 2", 1);
  CHECK((*find(got, "a round's first token"))["verdict"] == "fails");
  CHECK((*find(got, "tokens 1 to 2 jointly"))["exact"].get<double>() > .1);
}

TEST_CASE("verify: a faulty rule fails on its own table, exit 1, with its distance") {
  for (RuleCard const& card : rule_cards()) {
    if (!card.counterexample || card.name == "faulty/coarse-coin") continue;
    CAPTURE(card.name);
    Json const got = verify("--rule " + std::string(card.name) + " --rounds 200k", 1);
    Json const& exact = got["checks"].back();
    CHECK(exact["estimator"] == "enumeration");
    CHECK(exact["exact"].get<double>() > 0);
    CHECK(exact["verdict"] == "fails");
  }
  CHECK(verify("--rule faulty/coarse-coin --rounds 200k", 1)["fails"] >= 1);  // 1/2048, by simulation
}

TEST_CASE("verify: every rule on one context, and a lossy rule's distance is a result") {
  Json const got = verify("--p .3,.4,.3 --q .6,.3,.1 --rule all --gamma 2 --rounds 200k --resolve .1");
  CHECK(got["fails"] == 0);
  CHECK(got["inconclusive"] == 0);
  Json const lenient = verify("--p .1,.6,.3 --q .5,.3,.2 --rule lenient:lenience=.3 --gamma 1 --rounds 200k");
  // The worked example of Leviathan et al. 2023, Appendix A.5: output (1/3, .425, .24167).
  CHECK((*find(lenient, "a first token's distance from p"))["exact"].get<double>() == Approx(.7 / 3).epsilon(1e-12));
  CHECK((*find(lenient, "tokens per round"))["closed_form"].get<double>() == Approx(1 + 5. / 6).epsilon(1e-12));
  CHECK(find(lenient, "tokens 1 to 2, KL(output ‖ p) in nats"));
  // What is no claim does not hold: it is counted apart.
  CHECK(lenient["results"] == 3);
  CHECK(lenient["holds"] == lenient["checks"].size() - 3);
  CHECK(unwrapped(run_line("verify --p .1,.6,.3 --q .5,.3,.2 --rule lenient:lenience=.3 --gamma 1 --rounds 200k").out)
            .find("Beside them are 3 results of rules that are lossy, by design: how far their output is from p, of "
                  "which nothing is claimed.") != std::string::npos);
  for (Json const& check : lenient["checks"])
    CHECK(check["claimed"] == (check["statement"] != "a result, not a claim"));
  // Its line of the summary does not say that the rule holds.
  std::string const summary =
      run_line("verify --p .1,.6,.3 --q .5,.3,.2 --rule lenient:lenience=.3 --gamma 1 --rounds 200k").out;
  CHECK(summary.substr(summary.find("Summary")).find("  lossy, by design\n") != std::string::npos);
}

TEST_CASE("verify: a faulty rule is found where contexts depend on the text, by tokens late in a trial") {
  for (std::string const rule : {"bonus-from-draft", "frozen-noise", "reused-coin"})
    for (std::string const source :
         {"markov:vocab=6", "markov:vocab=40", "ngram:text=data/alice.txt,vocab=6,target=3"}) {
      CAPTURE(rule, source);
      verify(source + " --rule faulty/" + rule + " --rounds 4M --resolve .3", 1);
    }
}

TEST_CASE("verify: a policy that adapts from round to round") {
  Json const got = verify("--p .3,.7 --q .7,.3 --policy heuristic --gamma 8 --rounds 400k");
  CHECK(got["fails"] == 0);
  CHECK(got["checks"][0]["policy"] == "heuristic:start=5");
  CHECK(verify("markov:vocab=3 --policy heuristic:start=1 --gamma 3 --rounds 400k --resolve .2")["fails"] == 0);
}

TEST_CASE("verify: what cannot be played is left out, and nothing to check is no pass") {
  CHECK(verify("--policy stop-below --rounds 20k --resolve 1 exact-alpha:vocab=3,alpha=.6")["fails"] == 0);
  CHECK(verify("markov:vocab=50 --rule ears --rounds 10k", 4)["checks"].empty());
  CHECK(verify("--p .3,.4,.3 --q .6,.3,.1 --rule all --candidates 4 --gamma 1 --rounds 100k --resolve .2")["fails"] ==
        0);
  check_refusal("verify --faulty --rounds 10", 2,
                "--rounds has no meaning with --faulty (each faulty rule has its own table and rounds)\nhint: leave "
                "it out, or use --rule faulty/NAME");
}

TEST_CASE("verify: all rules are those that suit the drafts, and on the source's tokens") {
  auto const played = [](std::string const& line) {
    Json const got = Json::parse(run_line("verify --format json --rule all --rounds 2k --resolve 1 " + line).out);
    CHECK(got["fails"] == 0);
    std::set<std::string_view> rules;
    for (Json const& check : got["checks"]) rules.insert(rule_card(check["rule"].get<std::string>()).name);
    return rules;
  };
  std::string const small = "--p .3,.4,.3 --q .6,.3,.1 ", large = "exact-alpha:vocab=33,alpha=.6 --gamma 1 ";
  auto const two = played(small + "--gamma 2 --candidates 2"), paths = played(small + "--tree paths:2,2");
  for (char const* rule : {"local-ot", "local-ot-without", "recursive"}) CHECK(two.contains(rule));
  CHECK_FALSE(two.contains("gbv"));
  for (char const* rule : {"gbv", "local-ot"}) CHECK(paths.contains(rule));
  CHECK(played(large).contains("local-ot"));
  CHECK(unwrapped(run_line("verify --rule all --verbose --rounds 2k --resolve 1 --candidates 2 " + large).out)
            .find("Left out: --candidates 2 does not suit --rule local-ot at a vocabulary of 33 (it goes over all "
                  "tuples of a node's children, and takes 1024 at most).") != std::string::npos);
  // It would be slow.
  CHECK_FALSE(played("exact-alpha:vocab=8,alpha=.6 --gamma 1 --candidates 2").contains("local-ot"));
  CHECK(run_line("verify --rule token --candidates 2 " + large).err.find("does not suit --rule token") !=
        std::string::npos);
}

TEST_CASE("verify: the faulty rules in one table") {
  Json const got = verify("--faulty");
  CHECK(got["caught"] == 32);
  CHECK(got["faulty"].size() == 32);
  CHECK(unwrapped(run_line("verify --faulty").out)
            .starts_with("32 of 32 faulty rules and 6 of 6 schedules are caught by the test that shows them, and pass one too weak "));
  for (Json const& rule : got["faulty"]) {  // which can be looked up
    std::string const source = rule["source"];
    CAPTURE(source);
    CHECK(std::ranges::any_of(std::array{"arXiv ", "github.com/", "llama.cpp"},
                              [&](char const* place) { return source.find(place) != std::string::npos; }));
  }
}

TEST_CASE("verify: rules that coincide are one block and one line") {
  std::string const line = "verify --p .3,.4,.3 --q .6,.3,.1 --gamma 2 --rounds 100k --rule ";
  std::string const out = run_line(line + "all --verbose").out;
  CHECK(out.find("\ntoken = chen = google = deepmind = global-resolution, γ = 2\n") != std::string::npos);
  CHECK(out.find("\n--p, --q  token = chen = google = deepmind") != std::string::npos);
  CHECK(out.find("\nchen, γ = 2\n") == std::string::npos);
  CHECK(out.find("\nblock = traversal = gbv = local-ot, γ = 2\n") != std::string::npos);
  CHECK(document(line + "all")["checks"].size() > 100);
  std::string const csv = run_line(line + "all --format csv").out;
  CHECK(csv.find("\r\nchen,") != std::string::npos);
}

TEST_CASE("verify: of several subjects those are shown that do not hold, and all with --verbose") {
  std::string const line =
      "verify exact-alpha:vocab=3,alpha=.6 exact-alpha:vocab=4,alpha=.6 --gamma 1 --rounds 20k --resolve .2 --rule ";
  std::string const brief = run_line(line + "token").out, whole = run_line(line + "token --verbose").out;
  CHECK(brief.find("token, γ = 1\n") == std::string::npos);
  CHECK(brief.find("More: --verbose, or --format json.\n") != std::string::npos);
  CHECK(whole.find("token, γ = 1\n") != std::string::npos);
  CHECK(whole.find("--verbose") == std::string::npos);
  CHECK(run_line(line + "faulty/argmax-draft").out.find("faulty/argmax-draft, γ = 1\n") != std::string::npos);
}

TEST_CASE("verify: the plan's first line answers") {
  CHECK(unwrapped(run_line("verify --plan --tv 1e-3 exact-alpha:vocab=32,alpha=0.8").out)
            .starts_with("10204433 rounds would certify a TV of at most 1e-3, and 21096986 rounds would find one of "
                         "that: token, γ = 5 on exact-alpha:vocab=32,alpha=4/5 "));
}

TEST_CASE("verify: the plan's rounds are what the check then needs") {
  for (std::string const source : {"exact-alpha:vocab=32,alpha=0.8", "zipf:vocab=300", "markov:vocab=4"}) {
    CAPTURE(source);
    std::string const line = source + " --gamma 2 --rounds ";
    Json const plan = verify("--plan --tv .02 --gamma 2 " + source);
    auto const rounds = [&](char const* what) { return plan[what].get<std::uint64_t>(); };
    auto const first = [&](std::uint64_t n) {
      Run const got = run_line("verify " + line + std::to_string(n) + " --resolve .02 --format json");
      Json const document = Json::parse(got.out);
      Json const* check = find(document, "a round's first token");
      return *(check ? check : find(document, "first token"));
    };
    CHECK(first(rounds("rounds_to_detect") * 11 / 10)["verdict"] == "holds");
    CHECK(first(rounds("rounds_to_detect") * 9 / 10)["verdict"] == "inconclusive");
    // The plan to certify holds with probability about .9; half as much again makes it sure enough for a fixed seed. A
    // quarter is too little for any but counts that hit the law.
    CHECK(first(rounds("rounds_to_certify") * 3 / 2)["certificate"]["tv_at_most"].get<double>() <= .02);
    CHECK(first(rounds("rounds_to_certify") / 4)["certificate"]["tv_at_most"].get<double>() > .02);
  }
  Run const far = run_line("verify --plan --tv 1e-12 zipf:vocab=5");
  CHECK(far.status == 0);
  CHECK(far.out.find("more than can be played") != std::string::npos);
}

TEST_CASE("verify: --time is for all simulations together, and each one's range gives the same verdicts again") {
  auto const start = std::chrono::steady_clock::now();
  std::string const line = "exact-alpha:vocab=4,alpha=.6 --gamma 1,2,3,4 --resolve .9 ";
  Run const run = run_line("verify " + line + "--time 1600ms --format json");
  Json const got = Json::parse(run.out);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));  // 1.6 s, and what else is computed
  CHECK(got["stopping"] == Json{{"ended_by", "time"}, {"not_played", 0}, {"time", 1.6}});
  CHECK(got["fails"] == 0);
  Json const* mean = find(got, "tokens per round");
  REQUIRE(mean);
  CHECK((*mean)["gamma"] == 1);
  // The checks of rounds are those of trials of one round, the others those of the same range of longer ones.
  auto const again = [&](Json const& check, std::string const& more) {
    std::string const range = check["range"][0].dump() + ".." + check["range"][1].dump();
    Json const played = Json::parse(run_line("verify " + line + "--format json --range " + range + more).out);
    CHECK_FALSE(played.contains("stopping"));
    return *find(played, check["name"].get<std::string>());
  };
  CHECK(again(*mean, " --rounds-per-trial 1") == *mean);
  Json const& first = *find(got, "a round's first token");
  CHECK(again(first, " --rounds-per-trial 1") == first);
  Json const& jointly = *find(got, "tokens 1, 2 jointly (TV)");
  CHECK(again(jointly, "") == jointly);
  Run const text = run_line("verify " + line + "--time 100ms --verbose");
  CHECK(text.out.find("token at γ = 1: --range 0..") != std::string::npos);
  CHECK(text.out.find(" --rounds-per-trial 1 plays these rounds again, and --range 0..") != std::string::npos);
  CHECK(text.out.find("Time was up after 100ms, of which each simulation had an equal share") != std::string::npos);
}

TEST_CASE("verify: --rounds beside --time ends what it can") {
  Json const got = verify("exact-alpha:vocab=4,alpha=.6 --gamma 1,2 --resolve .9 --rounds 20k --time 1h");
  CHECK(got["stopping"]["ended_by"] == "rounds");
  CHECK((*find(got, "tokens per round"))["range"] == Json::parse("[0,20000]"));
  CHECK((*find(got, "tokens 1, 2 jointly"))["range"] == Json::parse("[0,10000]"));  // two rounds a trial
}

TEST_CASE("verify: the plan of a certificate in a given time says how fast rounds must be") {
  Json const plan = verify("--plan --tv 5e-5 --time 60s exact-alpha:vocab=32,alpha=0.8");
  CHECK(plan["time"] == 60);
  CHECK(plan["rounds_per_second"].get<double>() ==
        Approx(static_cast<double>(plan["rounds_to_certify"].get<std::uint64_t>()) / 52.5));
  Json const chain = verify("--plan --tv .1 --time 60s markov:vocab=4");
  CHECK(chain["rounds_per_second"].get<double>() ==
        Approx(static_cast<double>(chain["rounds_to_certify"].get<std::uint64_t>()) / 60));
  Run const text = run_line("verify --plan --tv .02 --time 60s exact-alpha:vocab=32,alpha=0.8");
  CHECK(text.out.find("To certify it within 60s takes ") != std::string::npos);
  CHECK(text.out.find(" rounds/s, as an eighth of the time is for tokens jointly.") != std::string::npos);
}

TEST_CASE("verify: single rounds and longer trials share what is asked, where rounds are independent") {
  Json const shared = verify("exact-alpha:vocab=3,alpha=.6 --gamma 1 --rounds 32M");
  CHECK((*find(shared, "a round's first token"))["certificate"]["draws"] == 32'000'000);
  CHECK((*find(shared, "tokens 1, 2 jointly"))["certificate"]["draws"] == 8'125'000);
  for (std::string const one :
       {"exact-alpha:vocab=3,alpha=.6 --gamma 1 --rounds-per-trial 4", "markov:vocab=3 --gamma 1",
        "exact-alpha:vocab=3,alpha=.6 --gamma 2 --policy heuristic:start=1"}) {
    CAPTURE(one);
    Json const got = verify(one + " --rounds 400k --resolve .3");
    for (Json const& check : got["checks"])
      if (check.contains("range")) CHECK(check["range"] == got["checks"][0]["range"]);
  }
}

TEST_CASE("verify: a rule that is wrong between rounds only is found by the longer trials") {
  for (std::string const rule : {"frozen-noise", "reused-coin"}) {
    Json const got = verify("exact-alpha:vocab=4,alpha=.6 --gamma 2 --rounds 400k --rule faulty/" + rule, 1);
    CAPTURE(rule, got.dump());
    CHECK((*find(got, "tokens 1, 2 jointly (TV)"))["verdict"] == "fails");
  }
}

TEST_CASE("verify: what cannot be asked") {
  auto const refused = [](std::string const& line, std::string const& message) {
    check_refusal("verify " + line, 2, message);
  };
  refused("--plan zipf:vocab=5", "--plan needs --tv X (the distance that is to be shown)\nhint: add --tv 1e-3");
  for (std::string const given : {"--rounds 9", "--range 0..9", "--resolve .1", "--cost .1", "--ops-cost .1"})
    refused(
        "--plan --tv .1 zipf:vocab=5 " + given,
        given.substr(0, given.find(' ')) +
            " has no meaning with --plan (it says how many rounds show --tv, and plays none)\nhint: leave it out");
  refused("--plan --faulty --tv .1",
          "--plan and --faulty cannot be given together (each faulty rule has its own "
          "rounds)\nhint: keep one");
  refused("zipf:vocab=5 --tv .1",
          "--tv has no meaning without --plan (a run finds what its rounds can)\nhint: add --plan, or ask for "
          "--resolve");
  for (std::string const given :
       {"--p 1", "--start 1", "--contexts bag", "--temperature 1", "--normalise", "--memory 1G", "--cost .1",
        "--ops-cost .1", "--no-bonus", "--resolve .1", "--continue", "--rounds-per-trial 1", "--confidence .9"})
    refused("--faulty " + given, given.substr(0, given.find(' ')) +
                                     " has no meaning with --faulty (each faulty rule has its own table and "
                                     "rounds)\nhint: leave it out, or use --rule faulty/NAME");
  refused("--plan --tv 1 zipf:vocab=5", "--tv 1 is out of range (above 0 and below 1)");
  refused("--plan --tv .1 zipf:vocab=5 --rule all",
          "--plan takes one --gamma and one --rule (it plans one simulation)\nhint: run it once for each");
  CHECK(run_line("verify --plan --tv .1 zipf:vocab=5 --rule none --tree none").err ==
        run_line("exact zipf:vocab=5 --rule none --tree none").err);  // of two errors the same comes first
  refused("zipf:vocab=5 --gamma 0",
          "--gamma 0 is out of range (1 to 256 can be simulated)\nhint: give a number from 1 to 256");
}

}  // namespace
}  // namespace draftgauge
