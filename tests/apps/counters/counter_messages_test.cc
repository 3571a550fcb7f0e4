#include <regex>

#include "tests/analysis/counters/fixture.h"
#include "tests/apps/answers.h"
#include "tests/apps/counters/counter_files.h"
#include "tests/sim/temporary_file.h"

/// What a command says where counters do not have what it asks, and what it says to do then.
namespace draftgauge {
using testing::counters_text;
TEST_CASE("counter messages: responses none of which counts drafts") {
  TemporaryFile const bare(".json", R"({"id":"a","choices":[{"text":"x"}],"usage":{"completion_tokens":5}})");
  for (std::string const command : {"measure ", "gamma ", "inspect "})
    check_refused(command + bare.path(), 3,
                  "error: " + bare.path() +
                      ": 1 response, and none counts drafts (the server was not asked to)\nhint: start it with "
                      "speculation, and what makes responses count it (docs/engines.md)\n");
  // Such with log-probabilities are a recording, as before.
  TemporaryFile const recording(".json",
                                R"({"choices":[{"text":"x","logprobs":{"tokens":["x"],"token_logprobs":[-1]}}]})");
  CHECK(run_line("measure " + recording.path()).err.find("none counts drafts") == std::string::npos);
}

TEST_CASE("counter messages: a hint is not what was just typed") {
  std::string const gamma_compares = "hint: give its cost alone; draftgauge gamma compares drafts\n";
  for (std::string const command : {"why ", "report "})
    check_refused(command + scrapes + " --cost cpu=.05,log=.02", 2,
                  "error: --cost names drafts, cpu, log (and one is asked about here)\n" + gamma_compares);
  check_refused(
      "why " + scrapes + " " + at("vllm_log.log") + " --cost .1", 2,
      "hint: give one or two; `draftgauge gamma` compares drafts that --cost names, as small=.1,large=.05\n");
  std::string const log = at("sglang_decode.log");
  check_refused(
      "gamma " + log + " --draft-length 4 --cost .1", 3,
      "error: " + log +
          ": SGLang log has means of some time each and no counts (what another γ would give does not "
          "follow)\nhint: give the engine's responses, which count rounds; `draftgauge measure` takes means "
          "alone\n");
  TemporaryFile const page(".txt", "sglang:spec_accept_length 2.5\n"),
      later(".txt", "sglang:spec_accept_length 2.6\n");
  check_refused(
      "measure " + page.path() + " " + later.path(), 3,
      "error: " + page.path() + " and " + later.path() +
          " count nothing from the server's start on (two files of SGLang metrics have no difference)\nhint: "
          "give the engine's responses, which count rounds\n");
  check_refused("why " + page.path() + " --gamma 3 --cost .1", 3,
                "hint: give the engine's responses, which count rounds\n");
  TemporaryFile const totals(
      ".json",
      R"({"perf_metrics": {"speculative_decoding": {"total_accepted_draft_tokens": 30, "total_draft_tokens": 60,)"
      R"( "num_spec_tokens": 3}}})");
  check_refused(
      "why " + totals.path() + " --cost .1", 3,
      "(tokens per round cannot be had from it)\nhint: say with --gamma how many tokens a round drafts; else "
      "give the engine's responses, which count rounds\n");
  CHECK(document("why " + totals.path() + " --cost .1 --gamma 3")["counts"]["rounds"] == 20);
}

TEST_CASE("counter messages: what is not counted is not 0") {
  TemporaryFile const answers(".json", R"({"question_id":1,"choices":[{"new_tokens":[105],"idxs":[43]}]})");
  check_refused(
      "gamma " + answers.path() + " --cost .1", 3,
      ": its 43 rounds drafted tokens that it does not count (how many rounds drafted how far? answers does "
      "not say it)\n");
  TemporaryFile const none(".json", R"({"samples":0,"output_tokens":0,"spec_verify_count":0})");
  check_refused("measure " + none.path(), 3, ": no round had a draft (0 tokens were drafted in 0 rounds)\n");
}

TEST_CASE("counter messages: what a server says went wrong is passed on") {
  for (char const* answer : {R"({"error":"unauthorized"})", R"({"error":{"message":"unauthorized","code":401}})"}) {
    TemporaryFile const file(".json", answer);
    check_refused("measure " + file.path(), 3,
                  file.path() + ": the server answered with an error, 'unauthorized'\nhint: ask it again\n");
  }
}

TEST_CASE("counter messages: a URL is no file, and how one is had") {
  check_refused("measure http://localhost:8000/metrics", 3,
                "hint: fetch it first: curl -o page.txt http://localhost:8000/metrics\n");
}

TEST_CASE("counter messages: data sets are called so, and have no interval as if they were requests") {
  TemporaryFile const sets(
      ".jsonl",
      "{\"dataset\":\"a\",\"samples\":100,\"output_tokens\":20100,\"spec_verify_count\":10000}\n"
      "{\"dataset\":\"b\",\"samples\":100,\"output_tokens\":30100,\"spec_verify_count\":10000}\n");
  Run const done = run_line("measure " + sets.path());
  CHECK(done.out.starts_with("2.5000 tokens per round ("));
  CHECK(unwrapped(done.out).find(
            "2 data sets are together: they are no sample of requests, so that no interval is over "
            "them.") != std::string::npos);
  CHECK(run_line("inspect " + sets.path()).out.find("data sets") != std::string::npos);
}

TEST_CASE("counter messages: measure and gamma go by one length where a histogram ends early") {
  TemporaryFile const response(
      ".json", R"({"id":"a","metrics":{"speculative_decoding":{"num_spec_steps":200,"num_draft_tokens":600,)"
               R"("num_accepted_draft_tokens":15,"acceptance_histogram":[185,15]}}})");
  Json const measured = document("measure " + response.path() + " --cost .01"),
             chosen = document("gamma " + response.path() + " --cost .01");
  CHECK(measured["gamma"] == 3);
  CHECK(measured["counts"]["by_draft_length"]["3"] == Json{185, 15, 0, 0});
  // No round that kept two of three is there, so that longer drafts give no more.
  REQUIRE(chosen["curve"].size() == 4);
  for (std::size_t gamma : {2, 3}) CHECK(chosen["curve"][gamma]["mean_tokens"].get<double>() == Approx(1.075));
  CHECK(measured["mean_tokens"]["value"].get<double>() == Approx(1.075));
  CHECK(chosen["notes"].dump().find("Drafts differ in length") == std::string::npos);
}

TEST_CASE("counter messages: only a draft model that is named so has its pass over what is verified") {
  std::string const log = counters_text("llama_server_acceptance_per_position.log");
  auto const of = [&](std::string const& kind) { return std::regex_replace(log, std::regex("draft-mtp"), kind); };
  auto const speedup = [](std::string const& text) {
    TemporaryFile const file(".log", text);
    return document("gamma " + file.path() + " --cost .1")["best_speedup"].get<double>();
  };
  double const charged = speedup(of("draft-simple"));
  CHECK(speedup(of("draft")) == charged);                                                 // as older logs call it
  CHECK(speedup(log.substr(0, log.rfind('\n', log.find("statistics")) + 1)) == charged);  // nobody says what drafted
  CHECK(speedup(log) == Approx(charged * 1.5 / 1.4));
  CHECK(speedup(of("ngram-simple")) == speedup(log));
  TemporaryFile const ngrams(".log", of("ngram-simple"));
  for (std::string const command : {"gamma ", "measure ", "why "})
    CHECK(run_line(command + ngrams.path() + " --cost .1").out.find("runs over all that is verified once more") ==
          std::string::npos);
}

}  // namespace draftgauge
