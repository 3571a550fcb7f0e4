#include <catch2/catch.hpp>

#include "analysis/counters/identities.h"
#include "analysis/recordings/python_literal.h"
#include "analysis/counters/rates.h"
#include "tests/analysis/counters/fixture.h"

// Counters that are known, in what another tool put around them.
using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("timings alone are those of a response") {
  std::string const timings = R"({"prompt_n": 1, "predicted_n": 220, "predicted_ms": 10021.4, "draft_n": 352,
                                  "draft_n_accepted": 88})";
  EngineCounters const alone = counters_in(timings), response = counters_in("{\"timings\": " + timings + "}");
  CHECK((alone.format == "llama-server timings" && alone.sums.rounds == 131 && alone.sums.accepted == 88));
  CHECK((*alone.seconds == Approx(10.0214) && response.sums.rounds == 131 && response.seconds == alone.seconds));
}

TEST_CASE("ik_llama.cpp's timings count by depth") {
  EngineCounters const ik = counters_in(counters_text("ik_llama_timings.json"));
  CHECK((ik.sums.rounds == 96 && ik.sums.drafted == 256 && ik.sums.accepted == 174 && broken_identities(ik).empty()));
  CHECK(ik.sums.by_position == std::vector<std::int64_t>{79, 66, 29});
  CHECK(ik.sums.drafted_by_position == std::vector<std::int64_t>{96, 96, 64});
  CHECK(counters_error(R"({"timings": {"predicted_n": 9, "draft_n": 6, "draft_n_accepted": 3, "draft_by_depth": [
                           {"depth": 2, "draft_n": 3, "draft_n_accepted": 2}]}})")
            .starts_with("x, line 1: unknown format of counters"));  // depths from 2 on would be read as those from 1 on
}

TEST_CASE("an answer of Prometheus is the page that it scraped") {
  auto const answer = [](std::string const& series) {
    return R"({"status": "success", "data": {"resultType": "vector", "result": [)" + series + "]}}";
  };
  auto const series = [](std::string const& name, std::string const& value, std::string const& more = "") {
    return R"({"metric": {"__name__": "vllm:spec_decode_num_)" + name +
           R"(_total", "engine": "0", "job": "v\"l\\lm")" + more + R"(}, "value": [1789000000.123, ")" + value +
           "\"]}";
  };
  auto const position = [&](int i, std::string const& value) {
    return series("accepted_tokens_per_pos", value, ", \"position\": \"" + std::to_string(i) + "\"");
  };
  std::string const all = series("drafts", "12600") + ", " + series("draft_tokens", "37800") + ", " +
                          series("accepted_tokens", "19141") + ", " + position(0, "9120") + ", " +
                          position(1, "6011") + ", " + position(2, "4010");
  EngineCounters const page = counters_in(answer(all));
  CHECK((page.format == "vLLM metrics" && page.sums.rounds == 12600 && page.draft_length == 3 && page.since_start));
  CHECK((*counter_rates(page).tokens_per_round == Approx(2.5191).epsilon(2e-5) && broken_identities(page).empty()));
  CHECK(page.series.contains("vllm:spec_decode_num_drafts{engine=0,job=v\"l\\lm}"));
  // Two engines' series are added up, as on a page.
  std::string second = series("drafts", "400");
  second.replace(second.find("\"0\""), 3, "\"1\"");
  CHECK(counters_in(answer(all + ", " + second)).sums.rounds == 13000);
  std::string const ask = " ask for all counters as they are, such as query={__name__=~\"vllm:spec_decode.+\"}";
  CHECK(counters_error(answer("")) ==
        "x, line 1: Prometheus answered with no series (no counter has that name at that time, or none is scraped)" + ask +
            ", at a time when the server ran");
  std::string const no_name =
      "x, line 1: a series of Prometheus' answer has no metric's name (sum(…), rate(…) and increase(…) take it away)" + ask;
  CHECK(counters_error(answer(R"({"metric": {}, "value": [1, "12600"]})")) == no_name);
  CHECK(counters_error(answer(R"({"metric": {"engine": "0"}, "value": [1, "12600"]})")) == no_name);
  CHECK(counters_error(R"({"status": "success", "data": {"resultType": "scalar", "result": [1, "12600"]}})") == no_name);
  CHECK(counters_error(R"({"data": {"result": [{"metric": {"__name__": "vllm:x"}}]}})") ==
        "x, line 1: a series has no value (expected: value or values, as Prometheus answers) ask again");
  CHECK(counters_error(R"({"data": {"result": [{"metric": {"__name__": "vllm:x"}, "values": [[1, 2]]}]}})") ==
        "x, line 1: a series has a sample without a number (expected: [time, \"number\"]) correct the log");
  CHECK(counters_error(answer(all) + "\n" + answer(all)) ==
        "x, line 2: it is a second answer of Prometheus (a scrape is one) give them as two files");
  CHECK(counters_error(answer(R"({"metric": {"__name__": "up"}, "value": [1, "1"]})"))
            .starts_with("x: it is no engine's output that is known ("));
}

// Two engines; the second was started anew between its third and fourth sample. Counted by hand: of each series the last
// value less the first, and the value before the fall.
TEST_CASE("an answer of query_range counts what happened between its first and last sample") {
  EngineCounters const range = counters_in(counters_text("prometheus_query_range.json"));
  CHECK((range.format == "vLLM metrics" && !range.since_start && range.earlier.empty() &&
         broken_identities(range).empty()));
  CHECK((range.sums.rounds == 4967 && range.sums.drafted == 14901 && range.sums.accepted == 8201));
  CHECK((!range.sums.emitted && range.sums.by_position == std::vector<std::int64_t>{3803, 2679, 1719}));
  CHECK(*counter_rates(range).tokens_per_round == Approx(2.6511).epsilon(2e-5));
  CHECK((range.notes.size() == 2 &&
         range.notes[1].starts_with("A counter fell between two samples: the server restarted.")));
}

TEST_CASE("a table that Grafana downloads is a range of samples, by comma or semicolon") {
  for (char const* const name : {"grafana_joined.csv", "grafana_excel.csv"}) {
    CAPTURE(name);
    EngineCounters const table = counters_in(counters_text(name));
    CHECK((table.format == "vLLM metrics" && broken_identities(table).empty() && table.notes.size() == 1));
    CHECK((table.sums.rounds == 2508 && table.sums.drafted == 7524 && table.sums.accepted == 4109));
    CHECK(*counter_rates(table).tokens_per_round == Approx(2.6384).epsilon(2e-5));
  }
  std::string formatted = counters_text("grafana_joined.csv");
  formatted.replace(formatted.find("6442"), 4, "6.44 K");
  CHECK(counters_error(formatted).find(
            " is '6.44 K' (expected: a number) download the CSV without \"Formatted data\"") != std::string::npos);
}

TEST_CASE("requests of AIPerf's warm-up are left out") {
  std::string const text = counters_text("aiperf_profile_export.jsonl");
  EngineCounters const all = counters_in(text);
  std::string warm = text.substr(0, text.find('\n') + 1);
  std::string_view const none = "\"metadata\": {}";
  warm.replace(warm.find(none), none.size(), R"("metadata": {"benchmark_phase": "warmup"})");
  EngineCounters const with = counters_in(warm + text);
  CHECK((with.sums.rounds == all.sums.rounds && with.requests.size() == all.requests.size()));
  CHECK(with.notes.back() == "1 print with metadata.benchmark_phase=warmup is left out.");
}

TEST_CASE("a batch's lines have the response in them, and counts of several choices are of no one request") {
  std::string const response = counters_text("vllm_response.json");
  for (std::string const& around : {R"({"custom_id": "a", "response": {"status_code": 200, "body": )" + response + "}}",
                                    R"({"body": )" + response + "}", "{\"response\": " + response + "}"}) {
    EngineCounters const line = counters_in(around);
    CHECK((line.format == "vLLM responses" && line.sums.rounds == 43 && line.requests[0].name == "cmpl-1"));
  }
  std::string const choice = R"({"speculative_decoding_stats": {"num_spec_steps": 2}})";
  CHECK(counters_in(R"({"choices": [)" + choice + "]}").sums.rounds == 2);
  CHECK(counters_error(R"({"choices": [)" + choice + "," + choice + "]}").starts_with("x: 1 response, and none counts"));
}

TEST_CASE("SGLang's request log has its responses as Python prints them") {
  auto const line = [](std::string const& id, std::string const& meta) {
    return "[2026-02-02 23:40:16] Finish: obj=GenerateReqInput(rid='" + id +
           "', return_logprob=False, stream=True), out={'text': 'it\\'s \"{so}\"', 'meta_info': {'id': '" + id +
           "', 'finish_reason': {'type': 'stop', 'matched': None}, 'cached': False, " + meta + "}}\n";
  };
  std::string const three =
      line("a", "'completion_tokens': 149, 'spec_accept_length': 2.8654, 'spec_verify_ct': 52") +
      line("b", "'completion_tokens': 160, 'spec_accept_length': 2.6230, 'spec_verify_ct': 61") +
      line("c", "'completion_tokens': 121, 'spec_accept_length': 2.5745, 'spec_verify_ct': 47");
  EngineCounters const log = counters_in(three);
  CHECK((log.format == "SGLang request log" && log.requests.size() == 3 && log.requests[0].name == "a"));
  CHECK((log.sums.rounds == 160 && log.sums.emitted == 430 && broken_identities(log).empty()));
  CHECK(*counter_rates(log).tokens_per_round == Approx(427. / 160));
  CHECK(log.requests[0].says[0].meaning == Rate::other);  // a mean of 149 tokens in 52 rounds, the prompt's with them
  EngineCounters const some = counters_in(three + line("d", "'completion_tokens': 9"));
  CHECK((some.requests.size() == 3 && some.notes.back() == "Requests without counts of drafts are left out: 1."));
  CHECK(counters_error(line("d", "'completion_tokens': 9")) ==
        "x: 1 request, and none counts drafts (the server did not speculate) start it with --speculative-algorithm");
  CHECK(counters_error(three.substr(0, three.size() - 3)) ==
        "x, line 3: out cannot be read (expected: a dictionary that ends on its line) correct the log");
  CHECK(counters_error(three + three).starts_with("x: request 'a' stands twice ("));
}

TEST_CASE("what Python prints as a dictionary is JSON but for its quotes and words") {
  CHECK(json_of_python("{'a': None, \"b\": (True, [False, 1.5]), 'c\\'\"': 'd'} and more") ==
        R"({"a": null, "b": [true, [false, 1.5]], "c'\"": "d"})");
  CHECK(!json_of_python("{'a': 1"));
  CHECK(!json_of_python("{'a"));
  CHECK(!json_of_python(""));
}
