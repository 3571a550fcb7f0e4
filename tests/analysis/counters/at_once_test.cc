#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "analysis/counters/difference.h"
#include "analysis/open/opened.h"
#include "analysis/recordings/text_file.h"
#include "analysis/why/counted_tokens.h"
#include "tests/analysis/counters/fixture.h"

/// How many sequences engines say that they decode at once.
using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

std::string vllm_page(int rounds, std::string const& running) {
  std::string const count = std::to_string(rounds);
  return "vllm:spec_decode_num_drafts_total " + count + "\nvllm:spec_decode_num_draft_tokens_total " + count +
         "\nvllm:spec_decode_num_accepted_tokens_total 5\n" + running;
}

std::string llama_page(int rounds, std::string const& steps, std::string const& busy) {
  std::string const count = std::to_string(rounds);
  return "llamacpp:spec_decode_num_drafts_total " + count + "\nllamacpp:spec_decode_num_draft_tokens_total " + count +
         "\nllamacpp:spec_decode_num_accepted_tokens_total 5\nllamacpp:n_decode_total " + steps +
         "\nllamacpp:n_busy_slots_per_decode " + busy + "\n";
}

}  // namespace

TEST_CASE("sequences at once: vLLM's gauge is the mean of its engines and of the scrapes that found them busy") {
  std::string const two = "vllm:num_requests_running{engine=\"0\"} 3\nvllm:num_requests_running{engine=\"1\"} 5\n";
  EngineCounters const busy = counters_in(vllm_page(20, two));
  REQUIRE(busy.at_once);
  CHECK((busy.at_once->name == "num_requests_running" && busy.at_once->over == "when the page was scraped"));
  CHECK(busy.at_once->mean() == 4);
  EngineCounters const idle = counters_in(vllm_page(10, "vllm:num_requests_running 0.0\n"));
  CHECK_FALSE(idle.at_once);
  CHECK(difference(idle, busy).at_once->mean() == 4);
  CHECK(difference(counters_in(vllm_page(10, "vllm:num_requests_running 10\n")), busy).at_once->mean() == 6);
  CHECK_FALSE(difference(idle, counters_in(vllm_page(20, ""))).at_once);
  CHECK(counters_error(vllm_page(20, "vllm:num_requests_running -1\n")) ==
        "x, line 4: vllm:num_requests_running is -1 (expected: a number from 0 to 1000000) scrape the page again");
}

TEST_CASE("sequences at once: another model's gauge on the page is not of those that draft") {
  std::string const drafts =
      "vllm:spec_decode_num_drafts_total{model_name=\"a\"} 100\n"
      "vllm:spec_decode_num_draft_tokens_total{model_name=\"a\"} 300\n"
      "vllm:spec_decode_num_accepted_tokens_total{model_name=\"a\"} 90\n";
  std::string const running = "vllm:num_requests_running{model_name=";
  CHECK_FALSE(counters_in(running + "\"other\"} 16\n" + drafts).at_once);
  CHECK(counters_in(running + "\"other\"} 16\n" + drafts + running + "\"a\"} 3\n").at_once->mean() == 3);
}

TEST_CASE("sequences at once: llama-server's mean since its start has a difference") {
  EngineCounters const before = counters_in(llama_page(10, "100", "1")),
                       after = counters_in(llama_page(20, "400", "2.5"));
  CHECK((after.at_once->name == "n_busy_slots_per_decode" && after.at_once->over == "a mean over steps"));
  CHECK((after.at_once->mean() == 2.5 && after.at_once->since_start));
  CHECK(difference(before, after).at_once->mean() == Approx((2.5 * 400 - 100) / 300));
  CHECK_FALSE(difference(after, after).at_once);
  // Of a hundred steps behind ten million the six digits that are printed say nothing.
  CHECK_FALSE(
      difference(counters_in(llama_page(10, "1e7", "2")), counters_in(llama_page(20, "10000100", "2"))).at_once);
  CHECK_FALSE(counters_in(llama_page(10, "0", "0")).at_once);
  CHECK(message<InputError>([&] {
          difference(after, counters_in(llama_page(30, "50", "1")));
        }).starts_with("a counter falls from 400 in x to 50 in x: llamacpp:n_decode ("));
}

TEST_CASE("sequences at once: SGLang's log and page, TensorRT-LLM's iterations") {
  EngineCounters const log = counters_in(
      "Decode batch. #running-req: 4, accept len: 2.50\nDecode batch. #running-req: 8, accept len: 3.50\n"
      "Decode batch. accept len: 3.00\n");
  CHECK((log.at_once->mean() == 6 && log.at_once->name == "#running-req"));
  CHECK(log.at_once->over == "a mean over lines");
  CHECK(counters_error("Decode batch. #running-req: 1.5, accept len: 2.50\n") ==
        "x, line 1: #running-req cannot be read (expected: a whole number ≥ 0) correct the log");
  EngineCounters const page = counters_in("sglang:spec_accept_length 2.5\nsglang:num_running_reqs 7\n");
  CHECK((page.at_once->mean() == 7 && page.at_once->name == "num_running_reqs"));
  EngineCounters const iterations = counters_in(
      R"([{"iter": 1, "iterLatencyMS": 20.0, "inflightBatchingStats": {"numGenRequests": 4}},
          {"iter": 2, "iterLatencyMS": 10.0, "inflightBatchingStats": {"numGenRequests": 0}},
          {"iter": 3, "iterLatencyMS": 20.0, "inflightBatchingStats": {"numGenRequests": 2}}])");
  CHECK((iterations.at_once->mean() == 3 && iterations.at_once->name == "numGenRequests"));
  CHECK(iterations.at_once->over == "a mean over iterations that decode");
}

TEST_CASE("what cards say of times and of sequences at once is what is read of files") {
  std::set<std::string_view> at_once, times;
  auto const look = [&](EngineCounters const& read) {
    CounterFormat const& format = *counter_format(read.format);
    if (read.at_once && at_once.insert(format.name).second) CHECK(read.at_once->name == format.at_once);
    if (counted_token_time(read)) times.insert(format.name);
  };
  for (char const* folder : {"/fuzz/seeds/counters_fuzz", "/tests/data/counters"})
    for (auto const& entry : std::filesystem::directory_iterator(std::string(DRAFTGAUGE_SOURCE_DIR) + folder)) {
      std::string const path = entry.path().string();
      CAPTURE(path);
      if (holds_counters(path)) look(read_counters(path, TextFile(path).text()));
    }
  // The pages there are of idle servers.
  look(counters_in(vllm_page(10, "vllm:num_requests_running 3\n")));
  look(counters_in("sglang:spec_accept_length 2.5\nsglang:num_running_reqs 7\n"));
  for (CounterFormat const& format : counter_formats()) {
    CAPTURE(format.name);
    CHECK(at_once.contains(format.name) == !format.at_once.empty());
    CHECK(times.contains(format.name) == (format.times_sequences || format.times_tokens));
  }
}
