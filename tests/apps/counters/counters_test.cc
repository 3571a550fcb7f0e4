#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/analysis/counters/fixture.h"
#include "tests/apps/answers.h"
#include "tests/apps/counters/counter_files.h"
#include "tests/apps/shipped_files.h"
#include "tests/sim/temporary_file.h"

/// What `inspect`, `measure` and `gamma` say of what engines print.
namespace draftgauge {
TEST_CASE("counters: inspect shows the one form of two scrapes") {
  nlohmann::json const found = document("inspect " + scrapes);
  CHECK((found["sound"] == true && found["engine"] == "vllm" && found["format"] == "vLLM metrics"));
  CHECK((found["counts"]["rounds"] == 646 && found["counts"]["drafted"] == 1938 &&
         found["counts"]["accepted"] == 1052));
  CHECK(found["counts"]["by_position"] == nlohmann::json{470, 334, 248});
  CHECK(found["counts"]["by_draft_length"]["3"] == nlohmann::json{176, 136, 86, 248});
  CHECK(number(found["rates"]["accepted_per_drafted"]) == Approx(1052. / 1938));
  CHECK(number(found["rates"]["alpha"]) == Approx(1052. / (646 + 470 + 334)));
  CHECK((found["rates"]["independent"].is_null() && found["rates"]["per_request_mean"].is_null()));
  CHECK(found["inputs"].size() == 2);
}

TEST_CASE("counters: inspect names what contradicts itself, and other commands stop there") {
  TemporaryFile const wrong(".txt",
                            "vllm:spec_decode_num_drafts_total 10\nvllm:spec_decode_num_draft_tokens_total 20\n"
                            "vllm:spec_decode_num_accepted_tokens_total 9\n"
                            "vllm:spec_decode_num_accepted_tokens_per_pos_total{position=\"0\"} 3\n"
                            "vllm:spec_decode_num_accepted_tokens_per_pos_total{position=\"1\"} 6\n");
  Run const seen = run({"inspect", wrong.path()});
  CHECK(seen.status == 3);
  CHECK(seen.out.starts_with("Not sound: cumulative rates grow at position 2: 6 after 3\n"));
  CHECK(complaint("gamma " + wrong.path(), 3)
            .find("cumulative rates grow at position 2: 6 after 3 (counts that contradict") != std::string::npos);
}

TEST_CASE("counters: measure gives tokens per round, rates and the speed-up with intervals") {
  nlohmann::json const found = document("measure " + scrapes + " --cost .05");
  CHECK((number(found["mean_tokens"]["value"]) == Approx(1 + 1052. / 646) && found["gamma"] == 3));
  CHECK(number(found["mean_tokens"]["low"]) < 1 + 1052. / 646);
  CHECK(number(found["speedup"]["value"]) == Approx((1 + 1052. / 646) / 1.15));
  REQUIRE(found["conditional"].size() == 3);
  CHECK(number(found["conditional"][1]["value"]) == Approx(334. / 470));
  CHECK(found["settings"]["engine"] == "vllm");
  CHECK(found["settings"]["synthetic"]["synthetic_acceptance_rates"] == nlohmann::json{.7276, .517, .3839});
  std::string const words = run_line("measure " + at("vllm_response.json") + " --cost .1").out;
  CHECK(unwrapped(words).starts_with(
      "Too few rounds to say (fewer than 85). As counted: 1.2326 [1.0671, 1.5250] tokens per round at γ=3, S=0.9481 "
      "[0.8209, 1.1731] at c=0.1"));
}

TEST_CASE("counters: gamma answers first and ends with what to paste") {
  Run const done = run_line("gamma " + scrapes + " --cost .05");
  CHECK(done.status == 0);
  CHECK(done.out.starts_with("γ=3, S=2.2856; the data allow γ=2 to 3; no longer draft is known, and S still grows there"));
  CHECK(done.out.find("--speculative-config "
                      "'{\"method\":\"draft_model\",\"model\":\"DRAFT\",\"num_speculative_tokens\":3}'\n") !=
        std::string::npos);
  nlohmann::json const found = document("gamma " + scrapes + " --cost .05 --for sglang");
  CHECK((found["best_gamma"] == 3 && found["settings"]["engine"] == "sglang"));
  CHECK(found["settings"]["json"]["speculative_num_draft_tokens"] == 4);
  // The same counts by hand.
  nlohmann::json const by_hand = document("gamma --accepted 176,136,86,248 --cost .05");
  CHECK((found["best_speedup"] == by_hand["best_speedup"] && found["curve"] == by_hand["curve"]));
}

TEST_CASE("counters: requests that are told apart give intervals over requests") {
  auto const response = [](std::string const& histogram, int rounds, int accepted) {
    return "{\"metrics\": {\"speculative_decoding\": {\"num_spec_steps\": " + std::to_string(rounds) +
           ", \"num_accepted_draft_tokens\": " + std::to_string(accepted) +
           ", \"num_draft_tokens\": " + std::to_string(2 * rounds) +
           ", \"acceptance_histogram_by_draft_length\": {\"2\": " + histogram + "}}}}\n";
  };
  TemporaryFile const file(".jsonl", response("[40, 30, 30]", 100, 90) + response("[20, 40, 60]", 120, 160) +
                                         response("[50, 20, 20]", 90, 60));
  nlohmann::json const found = document("gamma " + file.path() + " --cost .1");
  CHECK((found["estimator"] == "kaplan_meier_requests" && found["requests"] == 3 && found["rounds"] == 310));
  CHECK(number(found["rates"]["per_request_mean"]) == Approx((90. / 200 + 160. / 240 + 60. / 180) / 3));
  // As `measure` has it of the γ that ran.
  nlohmann::json const ran = document("measure " + file.path() + " --cost .1")["speedup"];
  for (char const* end : {"value", "low", "high"})
    CHECK(number(ran[end]) == Approx(number(found["curve"][2]["speedup"][end])));
}

TEST_CASE("counters: requests that do not differ have no interval, and the answer says so") {
  std::string const request =
      R"({"meta_info": {"completion_tokens": 7, "spec_verify_ct": 3, "spec_accept_token_num": 3, "spec_draft_token_num": 6, "spec_accept_histogram": [1, 1, 1]}})";
  TemporaryFile const alike(".json", "[" + request + ", " + request + "]");
  nlohmann::json const found = document("measure " + alike.path());
  CHECK((found["mean_tokens"]["value"] == 2 && found["mean_tokens"]["low"].is_null()));
  CHECK(found["notes"][0] == "The 2 requests do not differ: nothing says how far off tokens per round are.");
}

TEST_CASE("counters: what is not counted is bounded, assumed by name, or asked") {
  TemporaryFile const uneven(".txt",
                             "vllm:spec_decode_num_drafts_total 100\nvllm:spec_decode_num_draft_tokens_total 170\n"
                             "vllm:spec_decode_num_accepted_tokens_total 90\n"
                             "vllm:spec_decode_num_accepted_tokens_per_pos_total{position=\"0\"} 60\n"
                             "vllm:spec_decode_num_accepted_tokens_per_pos_total{position=\"1\"} 30\n");
  nlohmann::json const bounds = document("gamma " + uneven.path() + " --cost .1");
  CHECK((number(bounds["survival"][0]) == Approx(.6) && number(bounds["survival"][1]) == Approx(.3)));
  CHECK((bounds["estimator"] == "kaplan_meier_jeffreys" && bounds["gamma_ran"] == 2));
  CHECK(unwrapped(run_line("gamma " + uneven.path() + " --cost .1").out)
            .find("Drafts differ in length, and which rounds drafted how far is not counted") != std::string::npos);
  CHECK(complaint("measure " + uneven.path() + " --for hf", 2) ==
        "error: --for has no meaning where drafts differ in length (there is no one length to set)\nhint: ask gamma, "
        "with "
        "--cost\n");

  std::string const server = DRAFTGAUGE_SOURCE_DIR "/tests/data/recordings/server_prune2_g4.log";
  CHECK(
      complaint("gamma " + server + " --cost .1", 3) ==
      "error: " + server +
          ": its 1008 rounds drafted 3999 tokens (how many rounds drafted how far? "
          "llama-server log does not say it)\nhint: give counters by position, or the length that the engine was set "
          "to "
          "with --draft-length\n");
  nlohmann::json const assumed = document("gamma " + server + " --cost .1 --draft-length 4");
  CHECK((assumed["best_gamma"] == 3 && assumed["rates"]["alpha_from"] == "Eq. (1)"));
  // Four drafts ran: of others Eq. (1) says what they give, and claims nothing.
  CHECK((assumed["confidence_set"].empty() && assumed["curve"][3]["speedup"].is_number()));
  CHECK((assumed["curve"][4]["speedup"].contains("low") && assumed["curve"][5]["truncated"] == false));
  // The draft model runs over what was verified once more, a pass that is taken as long as a step.
  CHECK((assumed["costs"]["extra_draft_passes"] == 1 &&
         number(assumed["curve"][3]["round_cost"]) == Approx(1 + 4 * .1)));
  CHECK(complaint("gamma " + server + " --cost .1 --draft-length 99", 3)
            .find("its 1008 rounds drafted 3999 tokens and may draft 99 (how many rounds drafted how far?") !=
        std::string::npos);
  CHECK(complaint("gamma " + server + " --draft-length 4097", 2) ==
        "error: --draft-length 4097 is out of range (at most 4096)\nhint: give 4096 or less\n");
  CHECK(assumed["settings"]["flags"][0] ==
        "--spec-type draft-simple --spec-draft-n-max 3 --spec-draft-n-min 0 --spec-draft-p-min 0");
  CHECK(complaint("gamma " + server + " --draft-length 3", 2) ==
        "error: --draft-length is 3, and " + server +
            " counts 3999 tokens in 1008 rounds (which is more)\nhint: give the length that the engine was set to\n");
  CHECK(complaint("gamma " + at("vllm_response.json") + " --draft-length 4", 2) ==
        "error: --draft-length is 4, and " + at("vllm_response.json") +
            " says 3 (one of the two is wrong)\nhint: leave it out\n");

  // Rounds of TensorRT-LLM's metrics follow from the length.
  std::string const v100 = at("llama_speculative_v100.log");
  CHECK(
      unwrapped(run_line("measure " + v100).out)
          .find("95 % intervals take rounds to be independent, and to differ as much as any of this mean can: all "
                "drafts "
                "kept, or none. Those of one request mostly are not independent: the intervals are then too narrow. "
                "Counters by request, or by position, would say more.") != std::string::npos);
  TemporaryFile const totals(".txt",
                             "trtllm_spec_decode_num_draft_tokens_total 60\n"
                             "trtllm_spec_decode_num_accepted_tokens_total 30\n");
  CHECK(document("measure " + totals.path() + " --draft-length 3")["counts"]["rounds"] == 20);
  CHECK(complaint("measure " + totals.path(), 3) ==
        "error: " + totals.path() +
            ": TensorRT-LLM metrics counts draft tokens and no rounds "
            "(how many tokens did a round draft?)\nhint: say it, "
            "as the engine was set, with --draft-length; where drafts end "
            "early, give the engine's responses, which count rounds\n");
  // Of 20 rounds no best γ is claimed.
  std::string const few = run_line("gamma " + totals.path() + " --draft-length 3 --cost .1").out;
  CHECK(few.starts_with("Too few rounds to say (fewer than 85). As counted: γ="));
  CHECK((few.find("the data allow") == few.npos && few.find("confidence γ=") == few.npos));
  CHECK(complaint("measure " + totals.path() + " --draft-length 7", 2) ==
        "error: --draft-length is 7, and " + totals.path() +
            " counts 60 draft tokens (which are no whole rounds; rounds gave 1.5 tokens if each drafted one, 4.5 if "
            "7)\nhint: give the length that the engine was set to; where drafts end early, give the engine's responses, which count rounds\n");
  // Which rounds drafted how far is known, if not what each of these kept.
  TemporaryFile const bench(".jsonl", R"({"num_drafts": 100, "draft_tokens": 160, "accepted_tokens": 110, )"
                                      R"("drafted_by_position": [100, 60], "accepted_by_position": [80, 30]})");
  CHECK(document("gamma " + bench.path() + " --cost .1")["survival"] == nlohmann::json{.8, .5});

  TemporaryFile const gauges(".txt", "sglang:spec_accept_length 2.5\n");
  CHECK(complaint("measure " + gauges.path(), 3) ==
        "error: " + gauges.path() +
            ": SGLang metrics has means of some time each and no counts (an average over rounds cannot be had from "
            "them)\nhint: give the engine's responses, which count rounds\n");
}

TEST_CASE("counters: measure says of rounds what they lack for a speed-up, and what their engine adds") {
  std::string const pages = at("llama_server_T0_before.txt") + " " + at("llama_server_T0_after.txt") + " --cost .1";
  CHECK(unwrapped(run_line("measure " + pages + " --draft-length 4").out)
            .find("Drafts differ in length, up to 4: no speed-up follows of these rounds, as the time of each goes "
                  "with its "
                  "draft. `draftgauge gamma` says what drafts of one length would give.") != std::string::npos);
  CHECK(unwrapped(run_line("measure " + at("llama_server_T1.jsonl") + " --cost .1").out)
            .find("Drafts differ in length, or their lengths are not said: no speed-up follows") !=
        std::string::npos);
  std::string text = testing::counters_text("llama_server_acceptance_per_position.log");
  for (std::size_t found; (found = text.find("draft-mtp")) != text.npos;) text.replace(found, 9, "draft-simple");
  TemporaryFile const model(".log", text);
  std::string const log = model.path() + " --cost .1";
  char const* const again =
      "In each round the draft model runs over all that is verified once more, as the engine does";
  CHECK(unwrapped(run_line("measure " + log).out).find(again) != std::string::npos);
  CHECK(unwrapped(run_line("measure " + scrapes + " --cost .93").out)
            .starts_with("SLOWER than decoding without drafts: 0.69× [0.67, 0.72] at γ = 3. Switch drafting off."));
  // The engine that is to be set plays other rounds than the one that counted.
  double const counted = document("gamma " + log)["best_speedup"],
               set = document("gamma " + log + " --for vllm")["best_speedup"];
  CHECK(counted == document("gamma " + log + " --for llama.cpp")["best_speedup"]);
  CHECK(set == Approx(counted * 1.5 / 1.4));
}

TEST_CASE("counters: without costs what ran is set") {
  CHECK(unwrapped(run_line("gamma " + at("vllm_log.log")).out)
            .find("That is the γ that ran: without costs none is best.") != std::string::npos);
}

TEST_CASE("counters: a line of llama.cpp with drafts that ended early says what to give") {
  std::string const line = "draft acceptance rate = 0.56556 ( 1376 accepted /  2433 generated)\n";
  std::string const advice =
      "give the log with each request's line \"eval time = … / N tokens\", which has its rounds, or a newer "
      "server's, "
      "which has \"mean len\"\n";
  TemporaryFile const log(".log", line);
  CHECK(complaint("measure " + log.path(), 3) ==
        "error: " + log.path() +
            ": llama-server log counts draft tokens and no rounds (how many tokens did a round draft?)\nhint: say "
            "it, as "
            "the engine was set, with --draft-length; where drafts end early, " +
            advice);
  CHECK(
      complaint("measure " + log.path() + " --draft-length 16", 2) ==
      "error: --draft-length is 16, and " + log.path() +
          " counts 2433 draft tokens (which are no whole rounds; rounds gave 1.566 tokens if each drafted one, 10.05 if "
          "16)\nhint: give the length that the engine was set to; where drafts end early, " +
          advice);
  TemporaryFile const whole(".log", "eval time =   90000.00 ms /  2000 tokens\n" + line);
  CHECK(document("measure " + whole.path())["counts"]["rounds"] == 2000 - 1 - 1376);
}

TEST_CASE("counters: lines of SGLang's log, each a mean of as many steps, give tokens per round") {
  nlohmann::json const found = document("measure " + at("sglang_decode.log") + " --draft-length 3 --cost .1");
  double const mean = (2.17 + 1.95 + 1.8 + 2.05 + 1.8) / 5;
  CHECK(number(found["mean_tokens"]["value"]) == Approx(mean));
  CHECK((number(found["mean_tokens"]["low"]) < mean && number(found["mean_tokens"]["high"]) > mean));
  CHECK(number(found["speedup"]["value"]) == Approx(mean / 1.3));
  CHECK(run_line("measure " + at("sglang_decode.log"))
            .out.find("95 % intervals over the lines of the log, each a mean of some steps, as if lines were") !=
        std::string::npos);
  TemporaryFile const info(".json", R"({"internal_states": [{"avg_spec_accept_length": 2.5}]})");
  nlohmann::json const alone = document("measure " + info.path());
  CHECK((alone["mean_tokens"]["value"] == 2.5 && alone["mean_tokens"]["low"].is_null()));
}

TEST_CASE("counters: requests whose last round is shorter are a sample of requests still, in gamma as in measure") {
  std::string rows;
  for (int r = 0; r < 30; ++r)  // half of the requests keep little, half much
    rows += fmt::format(
        R"({{"id":"r{}","metrics":{{"speculative_decoding":{{"acceptance_histogram_by_draft_length":{{"4":{},"2":[0,1,0]}},)"
        R"("num_spec_steps":41,"num_accepted_draft_tokens":{},"num_draft_tokens":162,"num_spec_tokens":4}}}}}})"
        "\n",
        r, r % 2 ? "[25,10,3,1,1]" : "[2,3,5,10,20]", r % 2 ? 10 + 6 + 3 + 4 + 1 : 3 + 10 + 30 + 80 + 1);
  TemporaryFile const file(".jsonl", rows);
  nlohmann::json const found = document("gamma " + file.path() + " --cost .1"),
                       measured = document("measure " + file.path() + " --cost .1");
  CHECK((found["estimator"] == "kaplan_meier_requests" && found["requests"] == 30));
  CHECK(number(found["dependence"]["p_value"]) < .01);
  nlohmann::json const& speedup = found["curve"][4]["speedup"];
  double const wide = number(measured["mean_tokens"]["high"]) - number(measured["mean_tokens"]["low"]);
  CHECK((number(speedup["high"]) - number(speedup["low"])) * 1.4 == Approx(wide).epsilon(.15));
  // A copy of a response is no further request.
  TemporaryFile const twice(".jsonl", rows + rows.substr(0, rows.find('\n') + 1));
  CHECK(complaint("measure " + twice.path(), 3) == "error: " + twice.path() +
                                                       ": request 'r0' stands twice (counted as two it would make "
                                                       "intervals too narrow)\nhint: keep one of the two\n");
}

TEST_CASE("counters: responses without counts, among others and alone") {
  std::string const counted =
      R"({"id":"a","choices":[],"metrics":{"speculative_decoding":{"acceptance_histogram":[3,1],"num_spec_steps":4,)"
      R"("num_accepted_draft_tokens":1,"num_draft_tokens":4}}})"
      "\n";
  std::string const bare = R"({"id":"b","choices":[],"metrics":{"speculative_decoding":null}})"
                           "\n";
  TemporaryFile const mixed(".jsonl", R"({"error":{"code":503}})"
                                      "\n" +
                                          counted + bare),
      alone(".jsonl", bare);
  CHECK(document("measure " + mixed.path())["counts"]["rounds"] == 4);
  CHECK(run_line("measure " + mixed.path()).out.find("2 responses without counts of drafts are left out.") !=
        std::string::npos);
  CHECK(complaint("inspect " + alone.path(), 3).find("1 response, and none counts drafts") != std::string::npos);
}

TEST_CASE("counters: one scrape given twice, and a draft that is never accepted") {
  std::string const page = at("vllm_cpu_T1_after.txt");
  CHECK(complaint("gamma " + page + " " + page, 2) ==
        "error: " + page +
            " is given twice (what happened between two scrapes is asked)\nhint: give an earlier and a later "
            "one\n");
  std::string const words =
      unwrapped(run_line("measure " + at("vllm_cpu_T1_before.txt") + " " + at("vllm_cpu_T1_after.txt")).out);
  CHECK(words.starts_with("BROKEN: draft 2 was never accepted, though 56 rounds accepted all drafts before it. "));
}

TEST_CASE("counters: what is looked at by mistake is named") {
  auto const told = [](std::string const& text) {
    TemporaryFile const file(".txt", text);
    std::string const message = complaint("measure " + file.path(), 3);
    return message.substr(message.find(": ", 8) + 2);
  };
  CHECK(told("data: {\"id\": \"a\"}\n\n") ==
        "it is a stream of events (counts of drafts stand in whole responses)\nhint: ask without streaming, or keep "
        "the "
        "last event's JSON\n");
  CHECK(told("# TYPE go_threads gauge\ngo_threads 8\n")
            .starts_with("it is a page of metrics without known counters of drafts (`draftgauge list counters`"));
  CHECK(told("============ Serving Benchmark Result ============\nSuccessful requests: 8\n") ==
        "it is a benchmark's table for people (it has means and no counts)\nhint: run the benchmark with "
        "--save-result, "
        "and give the file that it writes\n");
  CHECK(complaint("measure none.txt " + at("vllm_cpu_after.txt"), 3).starts_with("error: none.txt: "));
  CHECK(complaint("gamma --alpha .8 --cost " DRAFTGAUGE_SOURCE_DIR "/tests/data/load/batch_table.csv", 2)
            .ends_with(
                "batch_table.csv has times by batch size (a cost is of one sequence)\nhint: give it as --load\n"));
  TemporaryFile const wrong("cost.csv", "phase,batch,tokens,mean_s\nverify,2,1,.01\nverify,4,1,-3\n");
  CHECK(complaint("gamma --alpha .8 --cost " + wrong.path(), 3).find("give it as --load") == std::string::npos);
}

TEST_CASE("counters: files and options that do not belong together are refused") {
  CHECK(complaint("measure " + columns_file + " " + at("vllm_response.json"), 2) ==
        "error: some FILEs are an engine's counters, some are recordings (each is a question of its own)\nhint: give "
        "them one after the other\n");
  CHECK(complaint("gamma " + scrapes + " " + at("vllm_response.json"), 2) ==
        "error: 3 files of counters are given (one, or two scrapes of one server's metrics)\nhint: give one or two; "
        "`draftgauge gamma` compares drafts that --cost names, as small=.1,large=.05\n");
  CHECK(
      complaint("gamma " + scrapes + " --temperature .5", 2) ==
      "error: --temperature has no meaning for an engine's counters (they hold no text and no probabilities)\nhint: "
      "leave it out\n");
  CHECK(complaint("measure " + scrapes + " --pool", 2).starts_with("error: --pool has no meaning for an engine's"));
  for (std::string const& line :
       {std::string("gamma --alpha .8"), "gamma " + columns_file, "measure " + columns_file})
    CHECK(complaint(line + " --draft-length 3", 2) ==
          "error: --draft-length has no meaning without an engine's counters (nothing would come of it)\nhint: leave "
          "it "
          "out\n");
  CHECK(complaint("measure " + columns_file + " --for vllm", 2) ==
        "error: --for has no meaning without an engine's counters (a recording's best γ is gamma's to say)\nhint: "
        "draftgauge gamma FILE --cost C --for ENGINE\n");
  CHECK(complaint("gamma --alpha .5,.6 --cost .1 --for vllm", 2) ==
        "error: --for has no meaning where no single γ is best (there is nothing to set)\nhint: give one recording "
        "or α, "
        "and --cost\n");
  TemporaryFile const idle(".txt",
                           "vllm:spec_decode_num_drafts_total 0\nvllm:spec_decode_num_draft_tokens_total 0\n"
                           "vllm:spec_decode_num_accepted_tokens_total 0\n");
  CHECK(complaint("gamma " + idle.path(), 3) == "error: " + idle.path() +
                                                    ": no round had a draft (0 tokens were drafted in 0 "
                                                    "rounds)\nhint: generate more text, with speculation on\n");
}

TEST_CASE("counters: report makes a page of them, with what to set") {
  nlohmann::json const page = document("report " + scrapes + " --cost .05");
  REQUIRE(page["subjects"].size() == 1);
  nlohmann::json const& subject = page["subjects"][0];
  CHECK(subject["name"] == "vllm_cpu_after.txt");
  CHECK(subject["headline"].get<std::string>().starts_with("γ=3, S=2.2856; the data allow γ=2 to 3; no longer draft is known"));
  CHECK((subject["gamma"]["best_gamma"] == 3 && subject["gamma"]["settings"]["engine"] == "vllm"));
  CHECK(subject["gamma"]["counts"]["rounds"] == 646);
  // Its own figure leads those of theory; without costs there is none.
  CHECK(page["figures"][0] == "speedup");
  auto const unpriced = document("report " + scrapes);
  for (auto const& name : unpriced["figures"]) CHECK(name != "speedup");
  Run const html = run_line("report " + scrapes + " --cost .05");
  CHECK((html.status == 0 && html.out.find("num_speculative_tokens") != std::string::npos));
  CHECK(html.out.find(
            "by what an engine counted (vllm_cpu_after.txt less vllm_cpu_before.txt: vLLM metrics); a "
            "draft step takes 0.05 of a plain "
            "step of the target. Bar at γ = 3, which ran: 95 %, rounds taken to be independent. γ = 0 is plain "
            "decoding.") != std::string::npos);
  CHECK(complaint("report " + scrapes + " --temperature .5", 2)
            .starts_with("error: --temperature has no meaning for an"));
}

TEST_CASE("counters: --for prints settings for α and for recordings, too") {
  nlohmann::json const alpha = document("gamma --alpha .8 --cost .05 --for sglang");
  CHECK((alpha["best_gamma"] == 8 && alpha["settings"]["json"]["speculative_num_steps"] == 8));
  CHECK(number(alpha["settings"]["synthetic"]["SGLANG_SIMULATE_ACC_LEN"]) == 4.33);
  // llama.cpp drafts argmax q, and keeps less of a text that was drawn than drafts from q do.
  nlohmann::json const recording = document("gamma data/smollm2/prune2_T1.tsv --cost .1 --for llama.cpp"),
                       sampled =
                           document("gamma data/smollm2/prune2_T1.tsv --cost .1 --for llama.cpp --estimator replay");
  CHECK((recording["estimator"] == "replay_argmax" && recording["settings"]["json"]["spec-draft-n-max"] == 1));
  CHECK((sampled["estimator"] == "replay" && sampled["settings"]["json"]["spec-draft-n-max"] == 5));
  CHECK(
      unwrapped(run_line("gamma data/smollm2/prune2_T1.tsv --cost .1 --for vllm").out)
          .find(
              "vllm drafts argmax q (its default), accepts it with probability p, else emits from p without it: its "
              "rounds are replayed so (--estimator replay: drafts drawn from q).") != std::string::npos);
  nlohmann::json const plain = document("gamma --alpha .1 --cost .5 --for vllm");
  CHECK(
      (plain["settings"]["gamma"] == 0 && plain["settings"]["flags"].empty() && plain["settings"]["json"].is_null()));
}

}  // namespace draftgauge
