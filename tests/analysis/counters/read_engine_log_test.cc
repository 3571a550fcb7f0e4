#include "analysis/counters/read_engine_log.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "analysis/counters/measured_rounds.h"
#include "analysis/counters/read_counters.h"
#include "sim/task/task.h"
#include "tests/analysis/recordings/fixture.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

EngineLog read_log(std::string const& text) { return read_engine_log("x", text); }
std::string log_error(std::string const& text) {
  return message<InputError>([&] { read_log(text); });
}
MeasuredRounds measured(EngineLog const& log, std::string_view engine) {
  return measured_rounds(log, engine_run(engine));
}

std::string round(std::string const& more) { return "{\"prompt\": 0, " + more + "}\n"; }

}  // namespace

TEST_CASE("a run of rounds") {
  EngineLog const log = read_log(fixture_text("rounds_q2k_T1_g4.jsonl"));
  CHECK((log.kind == "rounds" && log.temperature == 1 && log.file == "x"));
  REQUIRE(log.rounds.size() == 60);
  EngineRound const& second = log.rounds[1];
  CHECK((second.text == "0" && second.start == 1 && second.gamma == 4 && second.emitted == 5 && !second.ends));
  CHECK(second.tokens == std::vector<std::int64_t>{1040, 14517, 13685, 1568, 288});
  MeasuredRounds const all = measured(log, "algorithm1");
  CHECK((all.rounds == 60 && all.tokens_per_round() == all.as_counted));
  CHECK(all.tokens == static_cast<double>(log.rounds[29].start + log.rounds[29].emitted + log.rounds[59].start +
                                          log.rounds[59].emitted));
  CHECK(measured(log, "vllm").rounds == 60);
  CHECK((log.gamma == 4 && log.drafted == 240 && log.accepted == 80 && log.emitted == all.tokens));
  EngineLog const some = read_log(round("\"start\": 0, \"gamma\": 2, \"drafted\": 2, \"accepted\": 1, \"emitted\": 2") +
                              round("\"start\": 2, \"gamma\": 3, \"emitted\": 1"));
  CHECK((!some.gamma && !some.drafted && !some.accepted && some.emitted == 3));  // one round alone says it
  CHECK(read_log(round("\"start\": 3, \"gamma\": 2, \"emitted\": 3") +
             round("\"start\": 6, \"drafted\": [1], \"emitted\": 1"))
            .rounds[1]
            .gamma == 1);
}

TEST_CASE("rounds say what they drafted, and whether they end their text where a log does") {
  EngineLog const log = read_log(round("\"start\": 0, \"gamma\": 4, \"drafted\": 1, \"emitted\": 2") +
                             round("\"start\": 2, \"gamma\": 4, \"emitted\": 2"));
  CHECK(log.rounds[0].drafts() == 1);
  CHECK(log.rounds[1].drafts() == 4);
  CHECK_FALSE(log.tells_ends);
  EngineLog const told = read_log(round("\"start\": 0, \"gamma\": 4, \"emitted\": 2, \"eog\": false"));
  CHECK(told.tells_ends);
  CHECK_FALSE(told.rounds[0].ends);
}

TEST_CASE("rounds that cannot be are refused") {
  struct Case {
    std::string fields, problem;
  };
  for (Case const& each : std::vector<Case>{
           {"\"start\": 0, \"gamma\": 2, \"emitted\": 4",
            "a round of gamma 2 emitted 4 tokens (expected: 1 to gamma + 1)"},
           {"\"start\": 0, \"gamma\": 2, \"emitted\": []",
            "a round of gamma 2 emitted 0 tokens (expected: 1 to gamma + 1)"},
           {"\"start\": 0, \"emitted\": 1", "drafted is missing (expected: a whole number)"},
           {"\"start\": -1, \"gamma\": 1, \"emitted\": 1", "start is '-1' (expected: a whole number ≥ 0)"},
           {"\"start\": 0, \"gamma\": 1, \"drafted\": [1, 2], \"emitted\": 1",
            "2 tokens are drafted where gamma is 1 (expected: at most gamma)"},
           {"\"start\": 0, \"gamma\": 3, \"drafted\": 1, \"emitted\": 3",
            "a round of 1 drafted tokens emitted 3 (expected: 1 to drafted + 1)"},
           {"\"start\": 0, \"gamma\": 3, \"accepted\": 1, \"emitted\": 1",
            "of 3 drafted tokens 1 are accepted and 1 emitted (expected: one more than accepted, or fewer where the "
            "text "
            "ends)"},
           {"\"start\": 0, \"gamma\": 3, \"eog\": 1, \"emitted\": 1", "eog is '1' (expected: true or false)"},
           {"\"start\": 0, \"gamma\": 3, \"emitted\": [-5]",
            "an emitted token is '-5' (expected: a whole number ≥ 0)"},
           {"\"start\": 0, \"gamma\": 3, \"temperature\": \"1\", \"emitted\": 1",
            "temperature is '\"1\"' (expected: a number)"}}) {
    std::string const found = log_error(round(each.fields));
    CHECK(found.substr(0, found.rfind(" correct ")) == "x, line 1: " + each.problem);
  }
  CHECK(log_error(round("\"start\": 0, \"gamma\": 1, \"emitted\": 2") +
                  round("\"start\": 3, \"gamma\": 1, \"emitted\": 1")) ==
        "x, line 2: the round starts at token 3 of its text, the one before ended at 2 (rounds of a text follow each "
        "other) correct the log");
  CHECK(log_error(round("\"start\": 0, \"gamma\": 1, \"temperature\": 1, \"emitted\": 1") +
                  round("\"start\": 1, \"gamma\": 1, \"temperature\": 0, \"emitted\": 1")) ==
        "x, line 2: temperature is 0, and 1 before (a log is of one distribution) correct the log");
  CHECK(log_error(round("\"start\": 0, \"gamma\": 1, \"emitted\": 1") + "{\"timings\": {\"predicted_n\": 1}}") ==
        "x, line 2: it has timings, records before it are rounds (a log is of one kind) correct the log");
  CHECK(log_error("{\"a\": 1}").starts_with("x, line 1: unknown format of counters: it has a"));
  CHECK(log_error("[]") == "x: there is no record in it (an engine writes some) run it again");
}

TEST_CASE("llama-speculative counts a round without a draft, llama-speculative-simple does not") {
  EngineLog const simple = read_log(fixture_text("llama-speculative-simple_q2_k_T0_g4_p0.log"));
  CHECK((simple.kind == "llama-speculative-simple" && simple.gamma == 4));
  CHECK((simple.emitted == 137 && simple.drafted == 216 && simple.accepted == 83));
  MeasuredRounds const plain = measured(simple, "llama-speculative-simple");
  CHECK((plain.rounds == 54 && plain.rounds * 4 == *simple.drafted && plain.tokens == 137));

  EngineLog const log = read_log(fixture_text("llama-speculative_prune2_T1.0_g1_p0.log"));
  CHECK((log.kind == "llama-speculative" && log.gamma == 1));
  MeasuredRounds const rounds = measured(log, "llama-speculative");
  CHECK((rounds.rounds == *log.drafted && rounds.tokens == 160 && rounds.as_counted == Approx(161. / 91)));

  EngineLog const either = read_log("n_draft = 4\nn_predict = 137\nn_drafted = 216\nn_accept = 83\naccept = 38.426%\n");
  CHECK(measured(either, "llama-speculative-simple").rounds == 54);
  CHECK(either.kind == "llama-speculative-simple");  // as 216 drafts are those of all 54 rounds
  CHECK(
      log_error("n_predict = 137\nn_drafted = 216\n") ==
      "x: of n_predict, n_drafted and n_accept some are missing (all three stand at the end of the program's output) "
      "keep its output to the end");
  CHECK(log_error("n_drafted = 1\nn_predict = -7\n") ==
        "x, line 2: n_predict cannot be read (expected: a whole number ≥ 0) correct the log");
  CHECK(log_error("n_draft = 1\nn_predict = 3\nn_drafted = 1\nn_accept = 2\n") ==
        "x: accepted ≤ drafted does not hold: 2 and 1 (counts that contradict each other say nothing) look at them "
        "with `draftgauge inspect`");
}

TEST_CASE("llama-server says the same in its log, its metrics and its responses") {
  EngineLog const log = read_log(fixture_text("server_prune2_g4.log"));
  CHECK(log.kind == "llama-server log");
  CHECK((log.accepted == 1166 && log.drafted == 3999 && log.emitted == 2196 && log.requests == 18));
  MeasuredRounds const rounds = measured(log, "llama.cpp-server");
  CHECK((rounds.rounds == 1012 && rounds.tokens == 2178));

  EngineLog const metrics = read_log(fixture_text("server_prune2_g4_metrics.txt"));
  CHECK(metrics.kind == "llama.cpp metrics");
  CHECK((metrics.accepted == 1166 && metrics.drafted == 3999 && metrics.emitted == 2196 &&
         metrics.round_count == 1007));
  CHECK(measured(metrics, "llama.cpp-server").as_counted == Approx(1 + 1166. / 1007));

  EngineLog const responses = read_log(fixture_text("server_prune2_g4_completion.jsonl"));
  CHECK((responses.kind == "llama-server timings" && responses.temperature == 0 && responses.requests == 2));
  CHECK((responses.drafted == 224 + 179 && responses.accepted == 79 + 114 && responses.emitted == 136 + 160));
  // mean len of the log's first two lines: 2.41 over 56 rounds, 3.53 over 45.
  CHECK(measured(responses, "llama.cpp-server").rounds == 56 + 45);
  CHECK(message<InputError>([] { measured(read_log("{\"timings\": {\"predicted_n\": 5}}"), "llama.cpp-server"); }) ==
        "x: it has no round with a draft (0 by its counters) generate more text, with speculation on");
}

TEST_CASE("requests and texts of a log are counted one by one") {
  auto const sums_up = [](EngineLog const& log, std::string_view engine, std::size_t texts) {
    auto const each = measured_by_text(log, engine_run(engine));
    REQUIRE(each.size() == texts);
    MeasuredRounds const all = measured(log, engine);
    double rounds = 0, tokens = 0;
    for (MeasuredRounds const& text : each) {
      rounds += text.rounds;
      tokens += text.tokens;
    }
    CHECK((rounds == all.rounds && tokens == all.tokens));
    return each;
  };
  // The first request's line in the log has a mean of 2.41 over its 56 rounds.
  auto const server = sums_up(read_log(fixture_text("server_prune2_g4.log")), "llama.cpp-server", 18);
  CHECK((server[0].rounds == 56 && server[0].tokens == 135));
  sums_up(read_log(fixture_text("server_prune2_g4_completion.jsonl")), "llama.cpp-server", 2);
  sums_up(read_log(fixture_text("rounds_q2k_T1_g4.jsonl")), "algorithm1", 2);
  auto const vllm = [](int steps, int accepted) {
    return R"({"metrics": {"speculative_decoding": {"num_spec_steps": )" + std::to_string(steps) +
           R"(, "num_draft_tokens": )" + std::to_string(3 * steps) + R"(, "num_accepted_draft_tokens": )" +
           std::to_string(accepted) + "}}}\n";
  };
  // A request without a draft has no round to count.
  CHECK(sums_up(read_log(vllm(10, 7) + vllm(0, 0) + vllm(5, 9)), "vllm", 2)[1].tokens_per_round() == 14. / 5);
  // llama-server writes no draft_n then.
  auto const plain = sums_up(read_log(R"({"timings": {"predicted_n": 11, "draft_n": 12, "draft_n_accepted": 7}})"
                                  "\n"
                                  R"({"timings": {"predicted_n": 3}})"),
                             "llama.cpp-server", 1);
  CHECK((plain[0].rounds == 3 && plain[0].tokens == 10));
  // Sums only: of metrics, and of a log that lacks a request's tokens.
  CHECK(
      measured_by_text(read_log(fixture_text("server_prune2_g4_metrics.txt")), engine_run("llama.cpp-server")).empty());
  CHECK(read_log("eval time = 1 ms / 43 tokens\ndraft acceptance rate = 0.5 ( 26 accepted /  52 generated)\n"
             "draft acceptance rate = 0.5 ( 26 accepted /  52 generated)\n")
            .by_request.empty());
}

TEST_CASE("log lines of all of llama-server's generations") {
  std::string const eval = "       eval time =    1153.51 ms /    43 tokens (   26.83 ms per token)\n";
  std::string const before = "slot print_timing: id  2 | task 7 | \nprompt eval time = 64 ms / 8733 tokens\n" + eval;
  for (std::string const line : {"draft acceptance rate = 0.50000 ( 26 accepted /  52 generated)",
                                 "draft acceptance = 0.50000 (   26 accepted /    52 generated)",
                                 "draft acceptance = 0.50000 (26 accepted / 52 generated), mean acceptance length =  "
                                 "2.62, acceptance rate per "
                                 "position = (0.805, 0.632, 0.188)",
                                 "draft acceptance = 0.50000 (   26 accepted /    52 generated), mean len =  "
                                 "2.62\nacc per pos = (0.812, 0.625, 0.188)"}) {
    EngineLog const log = read_log(before + line + "\n");
    CHECK((log.accepted == 26 && log.drafted == 52 && log.emitted == 43 && log.requests == 1 && log.notes.empty()));
    CHECK(measured(log, "llama.cpp-server").rounds == 16);
  }
  EngineLog const bare =
      read_log("prompt eval time = 64 ms / 87 tokens\ndraft acceptance rate = 0.5 ( 26 accepted /  52 generated)\n");
  CHECK(bare.notes ==
        std::vector<std::string>{"some requests have no line with their eval time: tokens are not known"});
  CHECK(message<InputError>([&] { measured(bare, "llama.cpp-server"); }) ==
        "x: it does not say how many tokens were emitted (rounds cannot be counted without) keep the log's lines of "
        "eval "
        "time and of acceptance");
  CHECK(log_error("draft acceptance rate = 0.5\n") ==
        "x, line 1: draft acceptance cannot be read (expected: ( A accepted / B generated)) correct the log");
  CHECK(log_error("draft acceptance rate = 0.5 (x accepted / 3 generated)\n") ==
        "x, line 1: the number accepted cannot be read (expected: a whole number ≥ 0) correct the log");

  EngineLog const sums = read_log(
      "statistics       draft-simple: #calls(b,g,a) =    2     17     15, #gen drafts = 9, #acc drafts = 9, #gen "
      "tokens = 9, "
      "#acc tokens = 9\n"
      "statistics       draft-simple: #calls(b,g,a) =    2     17     15, #gen drafts = 17, #acc drafts = 15, #gen "
      "tokens = "
      "68, #acc tokens = 34, #mean acc len = 3.00, #acc rate/pos = (0.824, 0.588, 0.353, 0.235), dur(b,g,a) = 0.005, 325.555, 0.114 "
      "ms\n"
      "statistics ngram_mod: #calls = 810, #gen drafts = 3, #acc drafts = 3, #gen tokens = 12, #acc tokens = 6\n");
  CHECK((sums.round_count == 20 && sums.drafted == 80 && sums.accepted == 40));
  CHECK(measured(sums, "llama.cpp-server").tokens_per_round() == 3);
}

TEST_CASE("vLLM's metrics, summed over engines, and what happened between two scrapes") {
  auto const scrape = [](int drafts, int drafted, int accepted) {
    return "# TYPE vllm:spec_decode_num_drafts counter\n"
           "vllm:spec_decode_num_drafts_total{engine=\"0\",model_name=\"m\"} " +
           std::to_string(drafts) +
           ".0\n"
           "vllm:spec_decode_num_drafts_total{engine=\"1\",model_name=\"m\"} 10.0\n"
           "vllm:spec_decode_num_drafts_created{engine=\"0\"} 1.7e9\n"
           "vllm:spec_decode_num_draft_tokens_total{engine=\"0\"} " +
           std::to_string(drafted) +
           "\n"
           "vllm:spec_decode_num_accepted_tokens_total{engine=\"0\"} " +
           std::to_string(accepted) +
           " 1700000000\n"
           "vllm:spec_decode_num_accepted_tokens_per_pos_total{engine=\"0\",position=\"0\"} 70\n"
           "vllm:spec_decode_num_accepted_tokens_per_pos_total{engine=\"0\",position=\"1\"} 50\n"
           "vllm:spec_decode_num_accepted_tokens_per_pos_total{engine=\"0\",position=\"2\"} 30\n";
  };
  EngineLog const first = read_log(scrape(100, 300, 150));
  CHECK((first.kind == "vLLM metrics" && first.round_count == 110 && first.drafted == 300 && first.accepted == 150));
  CHECK(first.notes == std::vector<std::string>{
                           "counters from the server's start on; give two scrapes for what happened between them"});
  CHECK(log_error("vllm:spec_decode_num_accepted_tokens_total 5\n") ==
        "x: spec_decode_num_drafts or spec_decode_num_draft_tokens is missing (rounds cannot be counted without) "
        "scrape "
        "the whole page");
  CHECK(log_error("vllm:spec_decode_num_drafts_total{a=\"b\" 5\n") ==
        "x, line 1: vllm:spec_decode_num_drafts_total cannot be read (expected: NAME{labels} value) scrape the page "
        "again");
  CHECK(log_error("vllm:spec_decode_num_drafts_total NaN\n") ==
        "x, line 1: vllm:spec_decode_num_drafts cannot be read (expected: a whole number from 0 to 1000000000000) "
        "scrape "
        "the page again");
}

TEST_CASE("vLLM's log lines, in whichever order their parts stand") {
  EngineLog const log = read_log(
      "INFO SpecDecoding metrics: Mean acceptance length: 2.16, Accepted throughput: 15.00 tokens/s, Drafted "
      "throughput: "
      "38.70 tokens/s, Accepted: 150 tokens, Drafted: 387 tokens, Per-position acceptance rate: 0.543, 0.357, 0.264, "
      "Avg "
      "Draft acceptance rate: 38.8%\n"
      "INFO SpecDecoding metrics: Draft acceptance rate: 50.0%, Mean acceptance length: 2.50, Accepted: 60 tokens, "
      "Drafted: 120 tokens, Per-position acceptance rate: 0.7, 0.5, 0.3\n");
  CHECK((log.kind == "vLLM log" && log.accepted == 210 && log.drafted == 507 && log.gamma == 3));
  CHECK(measured(log, "vllm").rounds == 169);
  EngineLog const older = read_log(
      "Speculative metrics: Draft acceptance rate: 0.1, System efficiency: 0.1, Number of speculative tokens: 4, "
      "Number of "
      "accepted tokens: 5, Number of draft tokens: 8, Number of emitted tokens: 7.\n"
      "Speculative metrics: Draft acceptance rate: 0.607, System efficiency: 0.510, Number of speculative tokens: 4, "
      "Number "
      "of accepted tokens: 32594, Number of draft tokens tokens: 53716, Number of emitted tokens: 34244.\n");
  CHECK((older.accepted == 20815 && older.drafted == 53716 && older.emitted == 34244 && older.gamma == 4));
  CHECK(measured(older, "vllm").rounds == 13429);
  CHECK(log_error("SpecDecoding metrics: Accepted: 150 tokens, Drafted: 387 tokens\n") ==
        "x: it does not say how many tokens a round drafts (rounds are drafted tokens over that number) keep the "
        "acceptance rates by position; or give the engine's responses, which count rounds");
  CHECK(log_error("SpecDecoding metrics: Drafted: 387 tokens\n") ==
        "x, line 1: Accepted cannot be read (expected: a whole number ≥ 0) correct the log");
  CHECK(
      log_error("SpecDecoding metrics: Accepted: 1, Drafted: 3, Per-position acceptance rate: 0.5, 0.2\n"
                "SpecDecoding metrics: Accepted: 1, Drafted: 3, Per-position acceptance rate: 0.5\n") ==
      "x, line 2: the number of speculative tokens cannot be read (expected: the same one in every line, at least 1) "
      "correct the log");
}

TEST_CASE("responses of vLLM and SGLang, and SGLang's log") {
  EngineLog const vllm = read_log(
      R"({"id": "a", "metrics": {"speculative_decoding": {"num_spec_steps": 43, "num_accepted_draft_tokens": 10, "num_draft_tokens": 129, "num_spec_tokens": 3}}}
{"id": "b", "metrics": {"speculative_decoding": {"num_spec_steps": 7, "num_accepted_draft_tokens": 15, "num_draft_tokens": 21, "num_spec_tokens": 3}}})");
  CHECK((vllm.kind == "vLLM responses" && vllm.requests == 2 && vllm.gamma == 3 && vllm.drafted == 150));
  CHECK(measured(vllm, "vllm").tokens_per_round() == 1.5);
  EngineLog const bench = read_log(
      R"({"duration": 9, "spec_decode_num_drafts": 100, "spec_decode_draft_tokens": 300, "spec_decode_accepted_tokens": 150, "total_output_tokens": 260})");
  CHECK(measured(bench, "vllm").tokens_per_round() == 2.5);

  EngineLog const sglang = read_log(
      R"({"text": "", "meta_info": {"completion_tokens": 101, "spec_verify_ct": 40, "spec_accept_token_num": 60, "spec_draft_token_num": 120}})");
  CHECK((sglang.kind == "SGLang meta_info" && sglang.accepted == 60));
  CHECK(measured(sglang, "sglang").tokens_per_round() == 2.5);
  CHECK(measured(sglang, "sglang").as_counted == Approx(101. / 40));
  EngineLog const bare = read_log(R"([{"meta_info": {"completion_tokens": 101, "spec_verify_ct": 40}}])");
  CHECK(measured(bare, "sglang").tokens_per_round() == 2.5);

  EngineLog const lines = read_log(
      "Decode batch. #running-req: 32, #token: 7352, accept len: 2.50, gen throughput: 39\n"
      "Decode batch. #running-req: 32, #token: 7352, accept len: 3.50, gen throughput: 39\n");
  CHECK((lines.kind == "SGLang log" && lines.mean_tokens == 3));
  CHECK(message<InputError>([&] { measured(lines, "sglang"); }) ==
        "x: it has means of some time each, 3.000 on average, and no counters (an average over rounds cannot be had "
        "from them) take the engine's responses");
  EngineLog const idle = read_log("Decode batch. #running-req: 0, accept len: 0.00\n");
  CHECK((idle.kind == "SGLang log" && !idle.mean_tokens));
  CHECK(message<InputError>([&] { measured(idle, "sglang"); }) ==
        "x: it has means of some time each, none of them of a sequence that ran, and no counters (an average over "
        "rounds cannot be had from them) take the engine's responses");
  CHECK(log_error("hello\n").starts_with("x: it is no engine's output that is known (`draftgauge list counters`"));
}

TEST_CASE("a mean without counts is no number of rounds, whoever prints it") {
  EngineLog const info = read_log(R"({"internal_states": [{"avg_spec_accept_length": 2.25}]})");
  CHECK(message<InputError>([&] { measured(info, "sglang"); }) ==
        "x: it has means of some time each, 2.250 on average, and no counters (an average over rounds cannot be had "
        "from them) take the engine's responses");
  CHECK(
      message<UsageError>([&] { measured(info, "vllm"); }) ==
      "x: it is of SGLang server_info, which vllm does not write (its counters mean something else) name the engine "
      "that wrote it");
}

TEST_CASE("what counted is what wrote the file, where it says so") {
  auto const engine = [](std::string const& text) {
    EngineRun const* const card = engine_that_counted(read_counters("x", text));
    return card ? card->name : "nobody";
  };
  std::string const counts = "n_draft = 4\nn_predict = 137\nn_drafted = 216\nn_accept = 83\n";
  CHECK(engine(counts) == "llama-speculative-simple");  // whose draft model has a pass more than llama-speculative's
  CHECK(engine("llama-speculative: x\n" + counts) == "llama-speculative");
  CHECK(engine("n_predict = 137\nn_drafted = 212\nn_accept = 83\n") == "nobody");
}

TEST_CASE("how likely an argmax draft passes a test that was made for a sampled one") {
  TokenTrace trace{.name = "s", .texts = {{}}, .temperature = 1, .files = {}, .estimated_as = "", .notes = {}};
  trace.texts[0].p_of_argmax_q = {.25, .5, 0};
  CHECK_FALSE(argmax_draft_tests(trace));
  trace.texts[0].max_q = {.5, .25, .5};
  CHECK(argmax_draft_tests(trace)->texts[0].beta == std::vector{.5, 1., 0.});
}

TEST_CASE("what one engine wrote is not counted as another counts") {
  CHECK(message([] { measured(read_log("n_draft = 1\nn_predict = 9\nn_drafted = 8\nn_accept = 1\n"), "vllm"); }) ==
        "x: it is of llama-speculative-simple, which vllm does not write (its counters mean "
        "something else) name the engine that wrote it");
}
