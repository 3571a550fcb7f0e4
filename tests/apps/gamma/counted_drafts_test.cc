#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/apps/answers.h"
#include "tests/apps/counters/counter_files.h"
#include "tests/sim/temporary_file.h"

/// Several drafts by what engines counted of each.
namespace draftgauge {
namespace {

std::string const drafts = scrapes + " " + at("vllm_log.log");

}  // namespace

TEST_CASE("counted drafts: each at its own cost and best γ, as by itself, and the difference with its interval") {
  Json const found = document("measure " + drafts + " --cost cpu=.05,log=.02")["counted_drafts"];
  CHECK((found["best"] == "cpu" && found["standings"].size() == 2));
  Json const &cpu = found["standings"][0], &log = found["standings"][1];
  CHECK((cpu["name"] == "cpu" && cpu["cost"] == .05 && cpu["gamma"] == 3 && cpu["over"] == "rounds"));
  CHECK((cpu["counts"]["rounds"] == 646 && log["counts"]["rounds"] == 129 && log["engine"] == "vllm"));
  // As `gamma` and `measure` have each.
  Json const alone = document("gamma " + scrapes + " --cost .05");
  CHECK(cpu["speedup"] == alone["curve"][3]["speedup"]);
  CHECK(cpu["speedup"] == document("measure " + scrapes + " --cost .05")["speedup"]);
  // Both intervals add up in squares.
  double const lead = number(cpu["speedup"]["value"]) - number(log["speedup"]["value"]);
  CHECK(number(log["behind"]["value"]) == Approx(lead));
  double const down = std::hypot(number(cpu["speedup"]["value"]) - number(cpu["speedup"]["low"]),
                                 number(log["speedup"]["high"]) - number(log["speedup"]["value"]));
  CHECK(number(log["behind"]["low"]) == Approx(lead - down));
  CHECK(found["standings"][1]["speedup"] ==
        document("gamma " + at("vllm_log.log") + " --cost .02")["curve"][3]["speedup"]);
  CHECK((number(cpu["wins"]) > .9 &&
         number(cpu["wins"]) + number(log["wins"]) + number(found["plain_wins"]) == Approx(1)));
  CHECK(number(cpu["behind"]["value"]) == 0);
  CHECK(document("gamma " + drafts + " --cost cpu=.05,log=.02")["counted_drafts"] == found);
}

TEST_CASE("counted drafts: tokens of steps that drafted nothing are said of their draft, as of one by itself") {
  Json const notes =
      document("gamma " + at("vllm_ngram_after.txt") + " " + at("vllm_log.log") + " --cost ngram=0,log=.02")["notes"];
  std::string const words =
      "380 of 765 tokens came of steps that drafted nothing, or of prompts: E[N] and S are of the 245 rounds with "
      "drafts. Over all tokens S is 1.2240 at γ = 4, if each of the others took a plain step.";
  CHECK(std::ranges::count(notes, Json("ngram: " + words)) == 1);
  CHECK(notes.dump().find("log: 380") == std::string::npos);
}

TEST_CASE("counted drafts: the answer names the draft, and ends with what to set for it") {
  Run const done = run_line("gamma " + drafts + " --cost cpu=.05,log=.02");
  CHECK(done.status == 0);
  CHECK(done.out.starts_with("cpu at γ=3, S=2.2856 ["));
  CHECK(done.out.find("; leads log at γ=3 by ") != std::string::npos);
  CHECK(done.out.find("Which draft, each at its own costs and best γ") != std::string::npos);
  CHECK(unwrapped(done.out).find(
            "Runs are taken to be independent of each other: a difference has its interval of both drafts' own (Zou "
            "and "
            "Donner 2008). Texts of one run that are easier than the other's are not told from a better draft.") !=
        std::string::npos);
  CHECK(done.out.find("\"num_speculative_tokens\":3}'") != std::string::npos);
  CHECK(run_line("gamma " + drafts + " --cost cpu=.05,log=.02 --for sglang").out.find("--speculative-num-steps 3") !=
        std::string::npos);
  // As by itself, with the rates that its own benchmark may be told.
  CHECK(document("gamma " + drafts + " --cost cpu=.05,log=.02")["settings"] ==
        document("gamma " + scrapes + " --cost .05")["settings"]);
  // Drafts that cost more than they are worth.
  CHECK(document("gamma " + drafts + " --cost cpu=3,log=2")["counted_drafts"]["best"].is_null());
  CHECK(run_line("measure " + drafts + " --cost cpu=3,log=2")
            .out.find("\n\nno draft: plain decoding is fastest at each one's costs") != std::string::npos);
}

TEST_CASE(
    "counted drafts: of totals alone rounds are taken to keep all or none, of three differences cover together") {
  TemporaryFile const totals("_totals.txt",
                             "vllm:spec_decode_num_drafts_total 100\nvllm:spec_decode_num_draft_tokens_total 300\n"
                             "vllm:spec_decode_num_accepted_tokens_total 150\n");
  std::string const line = "measure " + drafts + " " + totals.path() + " --cost cpu=.05,log=.02,totals=.12";
  Json const found = document(line);
  Json const& standings = found["counted_drafts"]["standings"];
  CHECK((standings.size() == 3 && standings[2]["over"] == "totals"));
  CHECK(number(standings[1]["behind"]["confidence"]) == Approx(.975));
  CHECK(found["notes"][0].get<std::string>().find("; all cover together with 95 %") != std::string::npos);
  CHECK(found["notes"][1].get<std::string>().find("or of totals as if each kept all of its drafts or none") !=
        std::string::npos);
}

TEST_CASE("counted drafts: names without files, files without names, and what a comparison cannot say") {
  CHECK(complaint("measure " + drafts + " --cost cpu=.05,log=.02,third=.1") ==
        "error: --cost names third, of which there are no counters\nhint: write a part of the file's name, such as "
        "small for small_metrics.txt\n");
  CHECK(complaint("measure " + drafts + " --cost cpu=.05,other=.02")
            .find("vllm_log.log is none of them (it has cpu, other)") != std::string::npos);
  for (std::string const each : {"--batch 4", "--concurrency 8", "--request-rate 3", "--tokens-per-request 200",
                                 "--load " DRAFTGAUGE_SOURCE_DIR "/tests/data/load/batch_table.csv"})
    CHECK(
        complaint("gamma " + drafts + " --cost cpu=.05,log=.02 " + each) ==
        "error: " + each.substr(0, each.find(' ')) +
            " has no meaning where drafts are compared by their counters (the answer is which one, at its best γ for "
            "one sequence)\nhint: leave it out, or ask of one draft\n");
  CHECK(complaint("gamma " + drafts + " --cost cpu=.05,log=.02 --alpha .8")
            .starts_with("error: FILE and --alpha both say what is accepted"));
  check_refusal("gamma " + scrapes + " " + at("sglang_decode.log") + " --cost cpu=.05,decode=.02", 3,
                at("sglang_decode.log") +
                    ": SGLang log does not say how many tokens other drafts than its own would give\nhint: give "
                    "counters by position, responses with their histograms, or rounds of one length");
}

TEST_CASE("counted drafts: each has the notes that it has by itself") {
  TemporaryFile const few("_few.log",
                          "draft acceptance = 0.50000 ( 60 accepted / 120 generated), mean acceptance length = 2.50, "
                          "acceptance rate per position = (0.8, 0.5, 0.2)\n");
  Run const done = run_line("gamma " + scrapes + " " + few.path() + " --cost cpu=.05,few=.02");
  CHECK(done.out.starts_with("Too few rounds to say (fewer than 85). As counted: "));
  std::string const words = unwrapped(done.out);
  CHECK(words.find("few: Too few rounds to say (fewer than 85).") != std::string::npos);
  CHECK(words.find("P(best) is not said: few would not decide by itself.") != std::string::npos);
  CHECK(words.find("cpu: Nothing is known beyond γ = 3, and S still grows there.") != std::string::npos);
  // Drafts that end early, of which positions alone are counted.
  std::string const ngrams = at("vllm_ngram_before.txt") + " " + at("vllm_ngram_after.txt");
  std::string const early = unwrapped(run_line("gamma " + scrapes + " " + ngrams + " --cost cpu=.05,ngram=0").out);
  CHECK(early.find("ngram: Drafts differ in length, and which rounds drafted how far is not counted: a round that "
                   "drafted less than i counts as one that lost draft i. At the longest γ, E[N] and S of rounds "
                   "that draft are at least these.") != std::string::npos);
  CHECK(unwrapped(run_line("gamma " + scrapes + " " + ngrams + " --cost cpu=2.5,ngram=.22").out)
            .find("ngram: No gain is shown: the interval of the speed-up reaches 1 or less.") != std::string::npos);
}

TEST_CASE("counted drafts: requests that all agree have no interval") {
  auto const response = [](std::string const& id) {
    return R"({"id":")" + id +
           R"(","metrics":{"speculative_decoding":{"num_spec_steps":100,"num_accepted_draft_tokens":90,)"
           R"("num_draft_tokens":200,"acceptance_histogram_by_draft_length":{"2":[40,30,30]}}}})"
           "\n";
  };
  TemporaryFile const same("_same.jsonl", response("a") + response("b"));
  std::string const line = "gamma " + scrapes + " " + same.path() + " --cost cpu=.05,same=.02";
  CHECK(unwrapped(run_line(line).out).find("same: All that was counted agrees, which gives no interval.") !=
        std::string::npos);
  CHECK(unwrapped(run_line(line).out).find("P(best) is not said below 20 requests: of so few it is surer") !=
        std::string::npos);
  Json const said = document(line);
  for (Json const& each : said["counted_drafts"]["standings"]) CHECK(each["wins"].is_null());
}

TEST_CASE("counted drafts: each has its own length, by the names of --cost") {
  auto const means = [](std::string const& accepted) {
    return fmt::format("draft acceptance rate = {:.5f} ( ", std::stod(accepted) / 1200) + accepted +
           " accepted /  1200 generated)\n";
  };
  TemporaryFile const small("_small.log", means("600")), large("_large.log", means("900"));
  std::string const line = "gamma " + small.path() + " " + large.path() + " --cost small=.1,large=.2";
  Json const standings = document(line + " --draft-length small=4,large=3")["counted_drafts"]["standings"];
  CHECK((standings[0]["counts"]["rounds"] == 400 && standings[1]["counts"]["rounds"] == 300));
  CHECK(document(line + " --draft-length 4")["counted_drafts"]["standings"][0]["counts"]["rounds"] == 300);
  CHECK(complaint(line + " --draft-length small=4,other=3") ==
        "error: --draft-length names other, and --cost does not\nhint: write the names that --cost has\n");
  CHECK(complaint(line + " --draft-length small=4,large") ==
        "error: --draft-length small=4,large: 'large' is no NAME=N (each draft has one of its own)\nhint: write "
        "small=4,large=3\n");
  CHECK(complaint("gamma " + small.path() + " --cost .1 --draft-length small=4") ==
        "error: --draft-length small=4 names drafts (one is asked about)\nhint: give its length alone, or name the "
        "drafts to compare with --cost\n");
  CHECK(complaint("gamma " + small.path() + " --cost .1 --draft-length 0") ==
        "error: --draft-length: 0 is too small (the smallest that makes sense is 1)\nhint: give 1 or more\n");
}

TEST_CASE("counted drafts: files of one name go by the nearest folder that is named") {
  TemporaryFile const marker("_drafts", "");  // its name is free
  std::string const folder = marker.path() + ".folder";
  auto const page = [&](std::string const& name, std::string const& accepted) {
    std::filesystem::create_directories(folder + "/" + name);
    std::ofstream(folder + "/" + name + "/metrics.txt")
        << "vllm:spec_decode_num_drafts_total 100\nvllm:spec_decode_num_draft_tokens_total 300\n"
           "vllm:spec_decode_num_accepted_tokens_total "
        << accepted << "\n";
    return " " + folder + "/" + name + "/metrics.txt";
  };
  std::string const files = page("small", "150") + page("large", "200");
  Json const found = document("gamma" + files + " --cost small=.1,large=.2")["counted_drafts"];
  CHECK((found["standings"][0]["name"] == "large" && found["standings"][0]["counts"]["accepted"] == 200));
  std::filesystem::remove_all(folder);
}

TEST_CASE("counted drafts: two scrapes of one server are no two drafts") {
  check_refusal("gamma " + scrapes + " --cost before=.1,after=.2", 2,
                at("vllm_cpu_after.txt") + " and " + at("vllm_cpu_before.txt") +
                    " are scrapes of one server (their counters were made at the same time, and are no two "
                    "drafts')\nhint: give both without names in --cost, or scrapes of two servers");
}

}  // namespace draftgauge
