#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "analysis/counters/formats.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/log_fields.h"
#include "analysis/counters/measured_rounds.h"
#include "analysis/counters/rates.h"
#include "analysis/engines/engines.h"
#include "sim/base/error.h"
#include "sim/base/limits.h"
#include "tests/analysis/counters/fixture.h"
#include "tests/analysis/recordings/fixture.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("llama-server's log says a request's rounds by its mean, and their rates by position") {
  EngineCounters const log = counters_in(counters_text("llama_server_acceptance_per_position.log"));
  CHECK((log.format == "llama-server log" && log.requests.size() == 1 && log.requests[0].name == "task 42"));
  // 353 tokens would be 95 rounds: the text was cut behind accepted tokens.
  CHECK((log.sums.rounds == 97 && log.sums.drafted == 388 && log.sums.accepted == 257 && log.sums.emitted == 353));
  CHECK(log.sums.by_position == std::vector<std::int64_t>{78, 68, 61, 50});
  CHECK((log.seconds == Approx(3.1332) && broken_identities(log).empty()));
  // Its mean is of more rounds than any run has.
  CHECK_FALSE(counters_in("draft acceptance = 1 (1000000000000 accepted / 1000000000000 generated), mean acceptance "
                          "length = 1.0000001\n")
                  .sums.rounds);
  EngineCounters const bare = counters_in("draft acceptance rate = 0.5 ( 26 accepted /  52 generated)\n");
  CHECK((!bare.sums.rounds && bare.notes.size() == 1));
  CHECK(counters_error("eval time = 5 ms / 20 tokens\ndraft acceptance = 0.5 (26 accepted / 52 generated)\n") ==
        "x, line 2: draft acceptance cannot be read (expected: fewer accepted tokens than the request's tokens) "
        "correct "
        "the log");
  CHECK(counters_error(
            "draft acceptance = 0.75 (6 accepted / 8 generated), mean acceptance length = 2.5, acceptance rate "
            "per position = (2, 0.5)\n") ==
        "x, line 1: acceptance rate per position cannot be read (expected: numbers from 0 to 1) correct the log");
}

TEST_CASE(
    "llama-speculative-simple's times of passes: of all draft contexts, and of the target without the prompt's") {
  std::string const text = counters_text("llama_eagle3.txt");
  auto const with = [&](std::string const& old, std::string const& words) {
    return std::string(text).replace(text.find(old), old.size(), words);
  };
  EngineCounters const found = counters_in(text);
  CHECK((found.sums.rounds == 102 && found.sums.drafted == 118 && found.draft_length == 8));
  CHECK(*found.draft_seconds == Approx(.01186 + .02402 + 1.20211 + .70132));
  CHECK(*found.target_seconds == Approx(27.90203 - 1.911));
  // Without the prompt's own time the target's cannot be told from it; and what is no time is none.
  CHECK_FALSE(counters_in(text.substr(text.find("decoded"))).target_seconds);
  CHECK_FALSE(counters_in(with("1.911 seconds", "99 seconds")).target_seconds);
  CHECK(*counters_in(with("1202.11 ms", "-1 ms")).draft_seconds == Approx(.01186 + .02402 + .70132));
  CHECK_FALSE(counters_in(text.substr(0, text.find("draft:"))).draft_seconds);
}

TEST_CASE("llama-server's log has the draft model's time, and responses without drafts are in no time of rounds") {
  std::string const request =
      "slot print_timing: id 0 | task 1 | eval time = 1000.00 ms / 100 tokens\n"
      "draft acceptance = 0.50000 ( 60 accepted / 120 generated), mean acceptance length = 2.50\n";
  EngineCounters const timed = counters_in(
      request + "statistics draft: #calls(b,g,a) = 1 40 40, #gen drafts = 40, dur(b,g,a) = 0.005, 320.0, 0.1 ms\n");
  CHECK((timed.draft_seconds == .32 && timed.draft_calls == 40));
  CHECK_FALSE(counters_in(request).draft_seconds);
  // Sums since the start: the last line of a kind counts, and of several kinds none is the time of a round's draft.
  auto const kind = [](std::string const& name, int drafts, std::string const& ms) {
    return "statistics " + name + ": #calls(b,g,a) = 1 40 40, #gen drafts = " + std::to_string(drafts) +
           ", dur(b,g,a) = 0.005, " + ms + ", 0.1 ms\n";
  };
  CHECK(counters_in(request + kind("draft-simple", 20, "160.0") + kind("draft-simple", 40, "320.0")).draft_seconds ==
        .32);
  EngineCounters const both =
      counters_in(request + kind("draft-simple", 40, "320.0") + kind("ngram-simple", 5, "1.0"));
  CHECK((!both.draft_seconds && !both.draft_calls));
  CHECK(counters_in(request + kind("draft-simple", 40, "320.0") + kind("ngram-simple", 0, "1.0")).draft_seconds ==
        .32);
  EngineCounters const mixed =
      counters_in(R"({"timings":{"predicted_n":100,"predicted_ms":1000,"draft_n":160,"draft_n_accepted":59}})"
                  "\n"
                  R"({"timings":{"predicted_n":50,"predicted_ms":5000}})"
                  "\n");
  CHECK(mixed.seconds == 1.);
}

TEST_CASE("llama-server's metrics, statistics and timings") {
  EngineCounters const page = counters_in(fixture_text("server_prune2_g4_metrics.txt"));
  CHECK((page.sums.rounds == 1007 && page.sums.emitted == 2196 && page.since_start && page.seconds == 81.777));
  CHECK((page.draft_length == 4 && page.sums.by_position == std::vector<std::int64_t>{508, 297, 205, 156}));
  CHECK(broken_identities(page).empty());
  CHECK(counters_error("llamacpp:prompt_tokens_total 5\n") ==
        "x: there are no counters of speculation on it (the server drafts nothing, or is older than these counters) "
        "give "
        "the server's log, or its responses with timings");
  CHECK(counters_error("llamacpp:spec_decode_num_accepted_tokens_total 5\n") ==
        "x: spec_decode_num_drafts or spec_decode_num_draft_tokens is missing (rounds cannot be counted without) "
        "scrape "
        "the whole page");
  CHECK(
      counters_error("llamacpp:spec_decode_num_drafts_total -5\n") ==
      "x, line 1: llamacpp:spec_decode_num_drafts cannot be read (expected: a whole number from 0 to 1000000000000) "
      "scrape the page again");

  EngineCounters const sums = counters_in(
      "I statistics        draft-mtp: #calls(b,g,a) =    2    134    134, #gen drafts =    134, #acc drafts =   109, "
      "#gen "
      "tokens =    536, #acc tokens =   354, #mean acc len = 3.64, #acc rate/pos = (0.813, 0.716, 0.619, 0.493), "
      "dur(b,g,a) = 0.004, 808.560, 0.264 ms\n");
  CHECK((sums.format == "llama.cpp statistics" && sums.sums.rounds == 134 && sums.draft_seconds == Approx(.80856)));
  CHECK(sums.sums.by_position == std::vector<std::int64_t>{109, 96, 83, 66});
  CHECK((sums.requests.empty() && broken_identities(sums).empty()));

  EngineCounters const timings = counters_in(fixture_text("server_prune2_g4_completion.jsonl"));
  CHECK((timings.requests.size() == 2 && timings.sums.rounds == 56 + 45 && timings.temperature == 0));
  CHECK(*timings.seconds == Approx(9.020229));
  CHECK(counters_error(R"({"timings": {"predicted_n": 5, "draft_n": 3}})") ==
        "x, line 1: accepted is missing (it stands beside drafted, accepted) give the whole record");
  CHECK(contradiction_in(R"({"timings": {"predicted_n": 5, "draft_n": 9, "draft_n_accepted": 7}})")
            .starts_with("x: tokens = those of rounds + those without a draft does not hold: "));
  CHECK(counters_error(R"({"timings": {"predicted_n": 5}, "generation_settings": {"temperature": 1}}
{"timings": {"predicted_n": 5}, "generation_settings": {"temperature": 0}})") ==
        "x, line 2: temperature is 0, and 1 before (counts are of one distribution) correct the log");
}

TEST_CASE("llama-server's page rounds large counts to six digits, but for those by position") {
  auto const page = [](std::string const& accepted) {
    return counters_in(
        "llamacpp:spec_decode_num_draft_tokens_total 4e+06\n"
        "llamacpp:spec_decode_num_accepted_tokens_total " +
        accepted +
        "\nllamacpp:spec_decode_num_drafts_total 2e+06\n"
        "llamacpp:spec_decode_num_accepted_tokens_per_pos_total{position=\"0\"} 1234567\n"
        "llamacpp:spec_decode_num_accepted_tokens_per_pos_total{position=\"1\"} 1\n");
  };
  EngineCounters const rounded = page("1.23457e+06");
  CHECK((rounded.sums.accepted == 1234568 && broken_identities(rounded).empty()));
  auto const broken = broken_identities(page("1.23557e+06"));
  REQUIRE_FALSE(broken.empty());
  CHECK(to_string(broken.front()) == "Σ by_position = accepted does not hold: 1234568 and 1235570");
  CHECK(counters_error("llamacpp:spec_decode_num_accepted_tokens_per_pos_total{position=\"x\"} 1\n") ==
        "x, line 1: llamacpp:spec_decode_num_accepted_tokens_per_pos has the position 'x' (expected: a whole number "
        "from "
        "0 to 4095) scrape the page again");
}

TEST_CASE("which of llama.cpp's two programs it was follows from its name or its counts, or is said to be open") {
  EngineCounters const all = counters_in("n_draft = 4\nn_predict = 137\nn_drafted = 216\nn_accept = 83\n");
  CHECK((all.sums.rounds == 54 && all.writers == std::vector<std::string_view>{"llama-speculative-simple"} &&
         all.notes.empty()));
  EngineCounters const open = counters_in("n_draft = 4\nn_predict = 137\nn_drafted = 212\nn_accept = 83\n");
  CHECK((open.sums.rounds == 54 && open.writers.size() == 2));
  CHECK(
      open.notes[0].starts_with("Taken as llama-speculative-simple's; if it was llama-speculative, its first round"));
  CHECK(counters_in("llama-speculative: x\nn_predict = 137\nn_drafted = 200\nn_accept = 83\n").sums.rounds == 53);
  CHECK(counters_in("llama-speculative: x\nn_predict = 0\nn_drafted = 5\nn_accept = 0\n").sums.rounds == 0);
  CHECK(counters_error("n_predict = 7\nn_drafted = 216\nn_accept = 83\n") ==
        "x: more tokens are accepted than predicted (each round gives one more than it keeps) correct the log");
}

TEST_CASE("SGLang's responses under each of their names, and its log") {
  EngineCounters const one = counters_in(counters_text("sglang_meta_info.json"));
  CHECK((one.engine == "sglang" && one.sums.rounds == 1 && one.sums.drafted == 2 && one.sums.accepted == 1));
  CHECK((one.requests[0].name == "cmpl-spec-test" && one.says.size() == 2 && broken_identities(one).empty()));
  CHECK(one.sums.histograms.empty());  // a histogram whose last entry is 1 of 2 drafts does not say how far each went
  EngineCounters const older = counters_in(
      R"([{"meta_info": {"completion_tokens": 7, "spec_verify_ct": 3, "spec_accept_token_num": 3, "spec_draft_token_num": 6, "spec_accept_histogram": [1, 1, 1]}},
          {"choices": [{"meta_info": {"completion_tokens": 4, "spec_verify_ct": 3, "spec_accepted_drafts": 0, "spec_proposed_drafts": 6, "spec_correct_drafts_histogram": [3, 0, 0]}}]}])");
  CHECK((older.requests.size() == 2 && older.says.empty()));
  CHECK(older.sums.histograms == std::map<std::int64_t, std::vector<std::int64_t>>{{2, {4, 1, 1}}});
  EngineCounters const lines = counters_in("Decode batch. accept len: 2.50, x: 3\nDecode batch. accept len: 3.50\n");
  CHECK((lines.says[0].value == 3 && !lines.sums.rounds));
  CHECK(lines.notes[0] ==
        "The mean of 2 lines, each of as many steps (decode-log-interval); how many sequences ran is not said.");
  EngineCounters const weighed = counters_in(
      "Decode batch. #running-req: 3, accept len: 2.00\nDecode batch. #running-req: 1, accept len: 3.00\n");
  CHECK(weighed.says[0].value == 2.25);
  CHECK(weighed.notes[0] ==
        "The mean of 2 lines, each of as many steps (decode-log-interval), weighted by the sequences that ran.");
  for (char const* idle : {"0.00", "2.00"}) {
    EngineCounters const none = counters_in("Decode batch. #running-req: 0, accept len: " + std::string(idle) + "\n");
    CHECK((none.says.empty() && none.stretches.empty()));
  }
  EngineCounters const served = counters_in(counters_text("sglang_decode.log"));
  CHECK((served.format == "SGLang log" && served.says[0].value == Approx((2.17 + 1.95 + 1.8 + 2.05 + 1.8) / 5)));
  CHECK((served.at_once && served.at_once->mean() == 1));
  CHECK(counters_error("accept len: x\n") ==
        "x, line 1: accept len cannot be read (expected: a number ≥ 0) correct the log");
}

TEST_CASE("a file is of one format, and each format has a card") {
  CHECK(counters_error(R"({"timings": {"predicted_n": 5}} {"meta_info": {"spec_verify_ct": 1}})") ==
        "x, line 1: it is of SGLang meta_info, records before it are of llama-server timings (a file is of one kind) "
        "give them as two files");
  CHECK(counters_error("[]") == "x: there is no record in it (an engine writes some) run it again");
  CHECK(counters_error("{\"a\": 1}").starts_with("x, line 1: unknown format of counters: it has a"));
  CHECK(counters_error("hello").starts_with("x: it is no engine's output that is known (`draftgauge list counters`"));
  for (CounterFormat const& format : counter_formats()) {
    CAPTURE(format.name);
    CHECK((!format.summary.empty() && !format.versions.empty()));
    CHECK((!format.engine.empty() || format.writers.empty()));
    CHECK((format.engine.empty() || engine_card(format.engine).name == format.engine));
    for (std::string_view const writer : format.writers) CHECK_FALSE(engine_run(writer).name.empty());
    CHECK((format.is_record != nullptr) != (format.is_text != nullptr));
    CHECK((format.take == nullptr || format.is_record != nullptr));
    CHECK((format.is_text == nullptr || format.read != nullptr));
    CHECK((format.take != nullptr) != (format.read != nullptr));
  }
  CHECK(counter_format("answers")->engine.empty());  // of any method, which nothing in the file says
}

TEST_CASE("each engine writes some format") {
  std::set<std::string_view> runs{"algorithm1"}, engines{"hf"};  // no engine, and one that returns no counts
  for (CounterFormat const& format : counter_formats()) {
    runs.insert(format.writers.begin(), format.writers.end());
    engines.insert(format.engine);
  }
  engines.insert("max");  // by what a benchmark's file says
  for (EngineCard const& card : engine_cards()) {
    CAPTURE(card.name);
    CHECK((!card.settings || engines.contains(card.name)));
    for (EngineRun const& run : card.runs) CHECK((card.name == "hf" || runs.contains(run.name)));
  }
}

TEST_CASE("each format is among the first inputs of the fuzz target") {
  std::set<std::string> seeded;
  for (auto const& entry : std::filesystem::directory_iterator(DRAFTGAUGE_SOURCE_DIR "/fuzz/seeds/counters_fuzz")) {
    CAPTURE(entry.path());
    EngineCounters const read = counters_in(content(entry.path()));
    seeded.insert(read.format);
  }
  for (CounterFormat const& format : counter_formats()) {
    CAPTURE(format.name);
    CHECK(seeded.contains(std::string(format.name)));
  }
}

TEST_CASE("llama.cpp's statistics are of calls that verified a draft, and their mean length is held against them") {
  auto const line = [](int calls, std::string const& mean) {
    return "statistics draft-simple: #calls(b,g,a) =    2    200    " + std::to_string(calls) +
           ", #gen drafts = 134, #acc drafts = 90, #gen tokens = 400, #acc tokens = 200, #mean acc len = " + mean +
           "\n";
  };
  EngineCounters const counted = counters_in(line(100, "3.00"));
  CHECK(counted.sums.rounds == 100);
  CHECK(broken_identities(counted).empty());
  auto const broken = broken_identities(counters_in(line(134, "3.00")));
  REQUIRE(broken.size() == 1);
  CHECK(to_string(broken.front()) == "line 1: #mean acc len = 1 + accepted/rounds does not hold: 3.0000 and 2.4925");
}

TEST_CASE("a request of llama-server that drafted nothing has no round with a draft, and times are times") {
  EngineCounters const both = counters_in(R"({"timings":{"predicted_n":101,"draft_n":90,"draft_n_accepted":60}})"
                                          "\n"
                                          R"({"timings":{"predicted_n":1001}})"
                                          "\n");
  CHECK((both.sums.rounds == 40 && both.sums.accepted == 60));
  for (std::string const wrong : {"NaN", "-1", "+Inf"})
    CHECK(
        counters_error("llamacpp:tokens_predicted_seconds_total " + wrong + "\n") ==
        "x, line 1: llamacpp:tokens_predicted_seconds cannot be read (expected: seconds, at least 0) scrape the page "
        "again");
}

TEST_CASE("a log names a hundred kinds of drafts at most") {
  EngineCounters counters{.file = "x"};
  for (std::size_t i = 0; i < most_draft_kinds; ++i)
    for (int twice = 0; twice < 2; ++twice)
      add_draft_kind(counters, "I statistics kind" + std::to_string(i) + ": #calls");
  CHECK(counters.draft_kinds.size() == most_draft_kinds);
  CHECK(message<InputError>([&] { add_draft_kind(counters, "statistics more: #calls"); }) ==
        "x: it names more than 100 kinds of drafts (a server has a few) give the log of one server");
}
