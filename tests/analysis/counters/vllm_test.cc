#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "analysis/counters/difference.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/rates.h"
#include "tests/analysis/counters/fixture.h"

using namespace draftgauge;
using namespace draftgauge::testing;
using Histograms = std::map<std::int64_t, std::vector<std::int64_t>>;

TEST_CASE("vLLM's metrics, and what happened between two scrapes") {
  EngineCounters const before = counters_in(counters_text("vllm_cpu_before.txt"));
  EngineCounters const after = counters_in(counters_text("vllm_cpu_after.txt"));
  CHECK((after.engine == "vllm" && after.format == "vLLM metrics" && after.since_start && after.draft_length == 3));
  CHECK((after.sums.rounds == 674 && after.sums.drafted == 2022 && after.sums.accepted == 1104));
  CHECK((after.sums.emitted == 1766 && after.sums.by_position == std::vector<std::int64_t>{495, 350, 259}));
  CHECK(after.sums.histograms == Histograms{{3, {179, 145, 91, 259}}});
  EngineCounters const meanwhile = difference(before, after);
  CHECK((meanwhile.sums.rounds == 646 && meanwhile.sums.drafted == 1938 && meanwhile.sums.accepted == 1052));
  CHECK((meanwhile.sums.histograms == Histograms{{3, {176, 136, 86, 248}}} && !meanwhile.since_start));
  CHECK(broken_identities(meanwhile).empty());
  CHECK(message<InputError>([&] { difference(after, before); }) ==
        "a counter falls from 674 in x to 28 in x: rounds (the files are in the wrong order) swap them");
  EngineCounters const log = counters_in(counters_text("vllm_log.log"));
  CHECK(message<InputError>([&] { difference(log, after); }) ==
        "x is of vLLM log, x of vLLM metrics (only two scrapes of one server's metrics have a difference) give one "
        "file, or two scrapes; `draftgauge gamma` compares drafts that `cost` names, as small=.1,large=.05");
  CHECK(
      message<InputError>([&] { difference(log, log); }) ==
      "x and x count nothing from the server's start on (two files of vLLM log have no difference) give the engine's "
      "responses, which count rounds");
}

TEST_CASE("vLLM's metrics are summed over engines, and not over models") {
  auto const page = [](std::string const& labels, std::string const& position) {
    return "vllm:spec_decode_num_drafts_total{engine=\"0\"} 10\n"
           "vllm:spec_decode_num_drafts_total{" +
           labels +
           "} 5\n"
           "vllm:spec_decode_num_draft_tokens_total{engine=\"0\"} 30\n"
           "vllm:spec_decode_num_accepted_tokens_total{engine=\"0\"} 9\n"
           "vllm:spec_decode_num_accepted_tokens_per_pos_total{engine=\"0\",position=\"" +
           position + "\"} 9\n";
  };
  CHECK(counters_in(page("engine=\"1\"", "0")).sums.rounds == 15);
  CHECK(counters_error(page("model_name=\"b\"", "0") + "vllm:spec_decode_num_drafts_total{model_name=\"c\"} 1\n") ==
        "x, line 6: vllm:spec_decode_num_drafts is of the model 'c', those before it are of 'b' (which of the two is "
        "asked "
        "about?) keep the lines of one model");
  CHECK(counters_error(page("engine=\"1\"", "-1")) ==
        "x, line 5: vllm:spec_decode_num_accepted_tokens_per_pos has the position '-1' (expected: a whole number "
        "from 0 "
        "to 4095) scrape the page again");
  CHECK(counters_error(page("engine=\"1\"", "99999999999999999999"))
            .starts_with("x, line 5: vllm:spec_decode_num_acc"));
  for (std::string const value : {"-1", "NaN", "+Inf", "1.5", "1e13"}) {
    CAPTURE(value);
    CHECK(counters_error("vllm:spec_decode_num_drafts_total " + value + "\n") ==
          "x, line 1: vllm:spec_decode_num_drafts cannot be read (expected: a whole number from 0 to 1000000000000) "
          "scrape the page again");
  }
  CHECK(counters_error("vllm:num_requests_running 3\n") ==
        "x: there are no counters of speculation on it (the server drafts nothing, or the page was cut) start the "
        "server "
        "with --speculative-config, and scrape the whole page");
  CHECK(counters_error("vllm:spec_decode_num_accepted_tokens_total 5\n") ==
        "x: spec_decode_num_drafts or spec_decode_num_draft_tokens is missing (rounds cannot be counted without) "
        "scrape "
        "the whole page");
}

TEST_CASE("drafts of several lengths leave the rates by position as bounds") {
  EngineCounters const counters = counters_in(
      "vllm:spec_decode_num_drafts_total 10\n"
      "vllm:spec_decode_num_draft_tokens_total 17\n"
      "vllm:spec_decode_num_accepted_tokens_total 9\n"
      "vllm:spec_decode_num_accepted_tokens_per_pos_total{position=\"0\"} 6\n"
      "vllm:spec_decode_num_accepted_tokens_per_pos_total{position=\"1\"} 3\n");
  CHECK(counters.sums.histograms.empty());
  CounterRates const rates = counter_rates(counters);
  CHECK((rates.cumulative == std::vector{.6, .3} && rates.conditional.empty() && !rates.alpha));
  CHECK((rates.accepted_per_drafted == 9. / 17 && rates.tokens_per_round == 1.9));
}

TEST_CASE("a file of responses that count no drafts says so") {
  CHECK(counters_error(R"({"id":"a","choices":[]} {"error":{"code":503}})") ==
        "x: 2 responses, and none counts drafts (the server was not asked to) start it with speculation, and what "
        "makes "
        "responses count it (docs/engines.md)");
}

TEST_CASE("V0's accepted tokens passed their test by themselves") {
  EngineCounters const log = counters_in(
      "INFO Speculative metrics: Draft acceptance rate: 0.607, System efficiency: 0.510, Number of speculative "
      "tokens: "
      "4, Number of accepted tokens: 32594, Number of draft tokens: 53716, Number of emitted tokens: 34244.\n");
  CHECK((log.sums.rounds == 13429 && log.sums.accepted == 34244 - 13429 && log.passed_alone == 32594));
  CounterRates const rates = counter_rates(log);
  CHECK(*rates.independent == Approx(.6068).margin(5e-5));
  CHECK(*rates.accepted_per_drafted == Approx(.3875).margin(5e-5));
  CHECK(*rates.tokens_per_round == Approx(5 * .510).margin(5 * 5e-4));  // System efficiency is of γ + 1
  CHECK(broken_identities(log).empty());
  EngineCounters const page = counters_in(
      "vllm:spec_decode_efficiency 0.51\n"
      "vllm:spec_decode_num_accepted_tokens_total 32594\n"
      "vllm:spec_decode_num_draft_tokens_total 53716\n"
      "vllm:spec_decode_num_emitted_tokens_total 34244\n");
  CHECK((page.sums.rounds == 13429 && page.sums.accepted == 20815 && page.passed_alone == 32594));
  CHECK(counters_error("Speculative metrics: Number of speculative tokens: 0\n") ==
        "x, line 1: Number of speculative tokens cannot be read (expected: at least 1) correct the log");
  CHECK(
      counters_error("Speculative metrics: Number of speculative tokens: 2, Number of accepted tokens: 1, Number of "
                     "draft tokens: 8, Number of emitted tokens: 3.\n") ==
      "x: fewer tokens are emitted than rounds were played (each emits one at least) correct the log");
}

TEST_CASE("vLLM's log lines give rounds and rates by position") {
  EngineCounters const log = counters_in(counters_text("vllm_log.log"));
  CHECK((log.sums.rounds == 129 && log.sums.accepted == 150 && log.sums.drafted == 387));
  CHECK(log.sums.by_position == std::vector<std::int64_t>{70, 46, 34});
  CHECK(log.notes == std::vector<std::string>{
                         "Rounds are drafted tokens over the draft's length, which fits the rates by position."});
  // 10 rounds drafted 2 tokens, 10 but one: .5 and .1 of all 20.
  EngineCounters const uneven = counters_in(
      "SpecDecoding metrics: Accepted: 12 tokens, Drafted: 30 tokens, Per-position acceptance rate: 0.500, 0.100\n");
  CHECK((uneven.sums.rounds == 20 && uneven.sums.by_position == std::vector<std::int64_t>{10, 2}));
  CHECK(uneven.sums.histograms.empty());
  CHECK(uneven.notes[0].starts_with("Rounds are accepted tokens over the sum of the rates by position"));
  CHECK(counters_error("SpecDecoding metrics: Accepted: 1, Drafted: 3, Per-position acceptance rate: 1.5\n") ==
        "x, line 1: Per-position acceptance rate cannot be read (expected: numbers from 0 to 1) correct the log");
  CHECK(counters_error("SpecDecoding metrics: Accepted: nan, Drafted: 3\n") ==
        "x, line 1: Accepted cannot be read (expected: a whole number ≥ 0) correct the log");
  CHECK(counters_error("SpecDecoding metrics: Accepted: 1e13, Drafted: 3\n") ==
        "x, line 1: Accepted cannot be read (expected: at most 1000000000000) correct the log");
}

TEST_CASE("vLLM's responses, request by request") {
  EngineCounters const one = counters_in(counters_text("vllm_response.json"));
  CHECK((one.requests.size() == 1 && one.sums.rounds == 43 && one.sums.emitted == 54 && one.draft_length == 3));
  CHECK(one.sums.histograms == Histograms{{3, {39, 1, 0, 3}}});
  CHECK(counter_rates(one).conditional[0] == Approx(4. / 43));
  CHECK(counter_rates(one).conditional[1] == Approx(.75));
  CHECK(*counter_rates(one).alpha == Approx(10. / 50));
  auto const stats = [](std::string const& lengths) {
    return "{\"choices\": [{\"speculative_decoding_stats\": {\"num_spec_steps\": 2, \"num_accepted_draft_tokens\": "
           "1, "
           "\"num_draft_tokens\": 3, \"acceptance_histogram_by_draft_length\": " +
           lengths + "}}]}\n";
  };
  EngineCounters const several =
      counters_in(stats("{\"1\": [0, 1], \"2\": [1, 0, 0]}") + stats("{\"1\": [0, 1], \"2\": [1, 0, 0]}"));
  CHECK(several.sums.histograms == Histograms{{1, {0, 2}}, {2, {2, 0, 0}}});
  CHECK((several.sums.rounds == 4 && several.sums.drafted == 6 && !several.sums.emitted));
  CHECK(counter_rates(several).conditional == std::vector{.5});
  CHECK(*counter_rates(several).per_request_mean == Approx(1. / 3));
  CHECK(counters_error(stats("{\"1\": [1]}")) ==
        "x, line 1: acceptance_histogram_by_draft_length is a list of 1 at length 1 (expected: a list of one more than the length) correct the log");
  CHECK(counters_error(stats("{\"1\": 2}")).starts_with("x, line 1: acceptance_histogram_by_draft_length is '2' at length 1 (expected: a list of"));
  CHECK(counters_error(stats("{\"1\": [1, -1]}")) ==
        "x, line 1: acceptance_histogram_by_draft_length is '-1' (expected: a number ≥ 0) correct the print");
  CHECK(counters_error(stats("{\"1\": [1, 1e13]}")) ==
        "x, line 1: acceptance_histogram_by_draft_length is 10000000000000 (expected: a whole number from 0 to 1000000000000) "
        "correct the log");
  EngineCounters const drafts = counters_in(R"({"metrics": {"speculative_decoding": {"num_draft_tokens": 3}}})");
  CHECK((drafts.sums.drafted == 3 && !drafts.sums.rounds && !drafts.sums.accepted));
}

TEST_CASE("vLLM's metrics that end in the middle of a line are refused, and so is a V0 log that begins anew") {
  std::string const page = counters_text("vllm_cpu_after.txt");
  std::string const cut = page.substr(0, page.find("1766.0") + 3);
  CHECK(
      counters_error(cut) ==
      "x: its last line does not end (it may be cut, and so a number in it) scrape the page again, or end the line");
  CHECK(counters_in(page.substr(0, page.rfind("# HELP"))).sums.rounds ==
        674);  // comments and other lines may be missing
  auto const line = [](int passed, int drafted, int emitted) {
    return fmt::format(
        "Speculative metrics: Draft acceptance rate: 0.600, System efficiency: 0.500, Number of speculative tokens: "
        "4, Number of "
        "accepted tokens: {}, Number of draft tokens: {}, Number of emitted tokens: {}.\n",
        passed, drafted, emitted);
  };
  CHECK(counters_in(line(100, 400, 180) + line(200, 800, 380)).sums.emitted == 380);
  CHECK(counters_error(line(200, 800, 380) + line(100, 400, 180)) ==
        "x, line 2: the number of draft tokens falls from 800 to 400 (the server was started anew, or there are "
        "several) "
        "give the lines of one server, from one start on");
}

TEST_CASE("the JSON of vLLM's benchmark has a percentage beside shares") {
  std::string const run =
      R"({"duration": 9.5, "total_output_tokens": 14, "spec_decode_acceptance_rate": 60.0, "spec_decode_acceptance_length": 2.8, "spec_decode_num_drafts": 5, "spec_decode_draft_tokens": 15, "spec_decode_accepted_tokens": 9, "spec_decode_per_position_acceptance_rates": [1.0, 0.6, 0.2]})";
  EngineCounters const bench = counters_in(run);
  CHECK((bench.sums.rounds == 5 && bench.sums.by_position == std::vector<std::int64_t>{5, 3, 1}));
  CHECK((!bench.seconds && bench.sums.histograms.size() == 1 && broken_identities(bench).empty()));
  // The benchmark's duration is not of decoding alone; how many ran at once it says where they came at no rate.
  std::string const others = run.substr(1);
  EngineCounters const full = counters_in(R"({"request_rate": "inf", "max_concurrency": 16, )" + others);
  CHECK((full.at_once && full.at_once->mean() == 16 && full.at_once->over == "as many as were let run"));
  CHECK_FALSE(counters_in(R"({"request_rate": 2.5, "max_concurrency": 16, )" + others).at_once);
  CHECK(counter_rates(bench).accepted_per_drafted == .6);
  CHECK(counters_error(run + "\n" + run) ==
        "x, line 2: it is a second run (counts of one run are read) give one file a run");
  CHECK(counters_error(R"({"spec_decode_num_drafts": 5, "spec_decode_draft_tokens": 18})") ==
        "x, line 1: spec_decode_accepted_tokens is missing (expected: a whole number ≥ 0) correct the log");
}

TEST_CASE("a server that was started anew and has counted past its old numbers has no difference") {
  auto const page = [](int rounds, double made) {
    auto const line = [&](std::string const& name, int value) {
      std::string const metric = "vllm:spec_decode_num_" + name, labels = "{engine=\"0\"} ";
      return metric + "_total" + labels + std::to_string(value) + "\n" + metric + "_created" + labels +
             std::to_string(made) + "\n";
    };
    return counters_in(line("drafts", rounds) + line("draft_tokens", 3 * rounds) + line("accepted_tokens", rounds));
  };
  CHECK(difference(page(1000, 1.5e9), page(3000, 1.5e9)).sums.rounds == 2000);
  CHECK(message<InputError>([&] { difference(page(1000, 1.5e9), page(3000, 1.5e9 + 60)); }) ==
        "vllm:spec_decode_num_accepted_tokens{engine=0} was made anew between x and x (the server was started anew, "
        "and has counted more since than before) scrape twice in one run");
}

TEST_CASE("one engine of several that was started anew, and another model, have no difference") {
  auto const page = [](std::string const& model, int first, int second) {
    auto const engine = [&](int number, int rounds) {
      auto const line = [&](std::string const& name, int value) {
        return "vllm:spec_decode_num_" + name + "_total{engine=\"" + std::to_string(number) + "\",model_name=\"" +
               model + "\"} " + std::to_string(value) + "\n";
      };
      return line("drafts", rounds) + line("draft_tokens", 3 * rounds) + line("accepted_tokens", rounds);
    };
    return counters_in(engine(0, first) + engine(1, second));
  };
  CHECK(difference(page("a", 1000, 1000), page("a", 1100, 3000)).sums.rounds == 2100);
  CHECK(
      message<InputError>([&] { difference(page("a", 1000, 1000), page("a", 100, 3000)); }) ==
      "a counter falls from 1000 in x to 100 in x: vllm:spec_decode_num_accepted_tokens{engine=0,model_name=a} (the "
      "server was started anew, or the files are in the wrong order) swap them if the first is the later one, else "
      "scrape twice in one run");
  // Neither page says when its counters were made.
  CHECK(difference(page("a", 10, 10), page("a", 20, 20))
            .notes.back()
            .starts_with(
                "Whether the server was started anew between the two scrapes is told by a counter that falls alone"));
  EngineCounters gone = page("a", 20, 20);
  std::erase_if(gone.series, [](auto const& series) { return series.first.find("engine=1") != std::string::npos; });
  CHECK(message<InputError>([&] { difference(page("a", 10, 10), gone); }) ==
        "vllm:spec_decode_num_accepted_tokens{engine=1,model_name=a} is in x and not in x (an engine that it counted "
        "is "
        "gone) scrape twice in one run");
  CHECK(message<InputError>([&] { difference(page("a", 10, 10), page("b", 20, 20)); }) ==
        "x is of the model 'a', x of 'b' (their counters have no difference) give two scrapes of one server");
}

TEST_CASE("V0's efficiency is a share, and what follows from it is a number of rounds") {
  auto const page = [](std::string const& efficiency) {
    return "vllm:spec_decode_efficiency " + efficiency +
           "\nvllm:spec_decode_num_draft_tokens_total 300\nvllm:spec_decode_num_accepted_tokens_total 100\n"
           "vllm:spec_decode_num_emitted_tokens_total 200\n";
  };
  CHECK(counters_in(page("0.5")).sums.rounds == 100);
  for (auto const* const wrong : {"0", "-1", "1.5", "NaN", "+Inf"}) {
    CAPTURE(wrong);
    CHECK(counters_error(page(wrong)) ==
          "x, line 1: vllm:spec_decode_efficiency cannot be read (expected: a share above 0, at most 1) scrape the "
          "page "
          "again");
  }
  // More rounds than tokens came out of: the share is not that of these counts.
  for (auto const* const wrong : {"1e-18", "1e-300", "0.2", "0.9"}) {
    CAPTURE(wrong);
    CHECK(counters_error(page(wrong))
              .starts_with("x: spec_decode_num_drafts or spec_decode_num_draft_tokens is missing"));
  }
}

TEST_CASE("lines of vLLM's log whose shares say little are counted by what they draft, or left out") {
  auto const line = [](int accepted, int drafted, std::string const& shares) {
    return "SpecDecoding metrics: Accepted: " + std::to_string(accepted) +
           " tokens, Drafted: " + std::to_string(drafted) + " tokens" +
           (shares.empty() ? "" : ", Per-position acceptance rate: " + shares) +
           fmt::format(", Avg Draft acceptance rate: {:.1f}%\n", 100. * accepted / drafted);
  };
  EngineCounters const rare = counters_in(line(246, 29999, "0.025, 0.000, 0.000"));
  CHECK(rare.sums.rounds == 10000);
  CHECK(broken_identities(rare).empty());
  EngineCounters const none =
      counters_in(line(0, 299, "0.000, 0.000, 0.000") + line(150, 300, "0.800, 0.500, 0.200"));
  CHECK(none.sums.rounds == 200);
  CHECK(broken_identities(none).empty());
  EngineCounters const cut = counters_in(line(150, 300, "0.800, 0.500, 0.200") + line(90, 180, ""));
  CHECK((cut.sums.rounds == 100 && cut.sums.accepted == 150 && cut.sums.drafted == 300));
  CHECK(cut.notes.front() == "1 lines without rates by position are left out.");
  // Where no line has them, rounds follow from the length that the user says.
  EngineCounters const bare = counters_in(line(90, 180, "") + line(60, 120, ""));
  CHECK((!bare.sums.rounds && bare.sums.accepted == 150 && bare.sums.drafted == 300));
  CHECK(bare.notes.front() == "No line has rates by position: rounds are not counted.");
}

TEST_CASE("a rate that contradicts the counts of its own line, response or program is refused") {
  auto const with = [](std::string text, std::string_view was, std::string_view is) {
    std::size_t const at = text.find(was);
    REQUIRE(at != text.npos);
    return text.replace(at, was.size(), is);
  };
  std::string const why = " (counts that contradict each other say nothing) look at them with `draftgauge inspect`";
  std::string const log = counters_text("vllm_log.log");
  CHECK(contradiction_in(with(log, "length: 2.16", "length: 3.16")) ==
        "x: line 1: Mean acceptance length = 1 + accepted/rounds does not hold: 3.1600 and 2.1628" + why);
  CHECK(contradiction_in(with(log, "38.8%", "68.8%")) ==
        "x: line 1: Draft acceptance rate = accepted/drafted does not hold: 0.6880 and 0.3876" + why);
  // The first builds left the token after the drafts out of the mean; those that say "Avg" do not.
  std::string const older = with(log, "length: 2.16", "length: 1.16");
  CHECK(counters_in(older).sums.rounds == 129);
  CHECK(contradiction_in(with(older, "Draft acceptance", "Avg Draft acceptance")).find(": 1.1600 and 2.1628") !=
        std::string::npos);
  CHECK(counters_in(with(log, "38.8%", "nan%")).sums.rounds == 129);
  // 10 rounds of two drafts, 10 of one: the mean is by the rates by position.
  std::string const uneven =
      "SpecDecoding metrics: Mean acceptance length: 1.60, Accepted: 12 tokens, Drafted: 30 tokens, Per-position "
      "acceptance rate: 0.500, 0.100, Avg Draft acceptance rate: 40.0%\n";
  CHECK(counters_in(uneven).sums.rounds == 20);
  CHECK(contradiction_in(with(uneven, "1.60", "1.80")).find("does not hold: 1.8000 and 1.6000") != std::string::npos);

  std::string const response = counters_text("vllm_response.json");
  CHECK(contradiction_in(with(response, "1.2325581395348837", "1.3325")) ==
        "x: request cmpl-1: mean_acceptance_length = 1 + accepted/rounds does not hold: 1.3325 and 1.2326" + why);
  CHECK(contradiction_in(with(response, "0.07751937984496124", "0.175")) ==
        "x: request cmpl-1: draft_acceptance_rate = accepted/drafted does not hold: 0.1750 and 0.0775" + why);
  CHECK(counters_in(with(response, "1.2325581395348837", "1.2326")).sums.rounds == 43);
  CHECK(contradiction_in(with(counters_text("trtllm_speculative_decoding.jsonl"), "1.0", "0.9")) ==
        "x: request 3: acceptance_rate = accepted/drafted does not hold: 0.9000 and 1.0000" + why);
  std::string const sglang = counters_text("sglang_meta_info.json");
  CHECK(contradiction_in(with(sglang, "\"spec_accept_length\": 2.0", "\"spec_accept_length\": 2.5")) ==
        "x: request cmpl-spec-test: spec_accept_length = 1 + accepted/rounds does not hold: 2.5000 and 2.0000" + why);
  CHECK(counters_in(with(sglang, "\"spec_accept_length\": 2.0", "\"spec_accept_length\": 0")).sums.rounds == 1);
  CHECK(contradiction_in(with(counters_text("llama_speculative_v100.log"), "80.000%", "81.000%")) ==
        "x: accept = accepted/drafted does not hold: 0.8100 and 0.8000" + why);
  CHECK(contradiction_in(with(counters_text("llama_server_acceptance_per_position.log"), "0.66237", "0.76237")) ==
        "x: request task 42: draft acceptance = accepted/drafted does not hold: 0.7624 and 0.6624" + why);
}

TEST_CASE("a log that is given or pasted twice is refused") {
  std::string const why = " stands twice (counted as two it would make intervals too narrow) keep one of the two";
  auto const twice = [](char const* file) { return counters_text(file) + counters_text(file); };
  CHECK(counters_error(twice("vllm_log.log")) == "x, line 2: line 1" + why);
  CHECK(counters_error(twice("sglang_decode.log")).ends_with(why));
  CHECK(counters_error(twice("llama_server_acceptance_per_position.log")) == "x, line 11: request 'task 42'" + why);
  // Without a time, or with other counts, it may be another.
  std::string const bare =
      "SpecDecoding metrics: Accepted: 12 tokens, Drafted: 24 tokens, Per-position acceptance rate: 0.700, 0.300\n";
  CHECK(counters_in(bare + bare).sums.rounds == 24);
  auto const task = [](int accepted) {
    return fmt::format("slot print_timing: | task 7 | draft acceptance = 0.5 ({} accepted / {} generated)\n",
                       accepted, 2 * accepted);
  };
  CHECK(counters_in(task(4) + task(5)).requests.size() == 2);
  CHECK(counters_error(task(4) + task(4)) == "x, line 2: request 'task 7'" + why);
}

TEST_CASE("a list of more positions than any engine drafts is refused, not cut") {
  std::string rates;
  for (std::size_t i = 0; i < most_positions; ++i) rates += "0, ";
  std::string const line =
      "SpecDecoding metrics: Accepted: 0 tokens, Drafted: 4096 tokens, Per-position acceptance rate: ";
  CHECK(counters_in(line + rates.substr(0, rates.size() - 2) + "\n").draft_length == 4096);
  CHECK(counters_error(line + rates + "0\n") ==
        "x, line 1: Per-position acceptance rate cannot be read (expected: at most 4096 numbers) correct the log");
}

TEST_CASE("what was counted at two lengths, or as shares, has no difference") {
  auto const log = [](int length, int rounds) {
    EngineCounters counters =
        counters_in(fmt::format("Speculative metrics: Number of speculative tokens: {}, Number of accepted tokens: "
                                "{}, Number of draft tokens: "
                                "{}, Number of emitted tokens: {}.\n",
                                length, rounds, length * rounds, 2 * rounds));
    counters.file = fmt::format("v{}", length);
    return counters;
  };
  CHECK(difference(log(2, 100), log(2, 300)).sums.rounds == 200);
  CHECK(message<InputError>([&] { difference(log(5, 100), log(2, 300)); }) ==
        "v5 is of drafts of 5 tokens, v2 of 2 (the server was started anew, or drafts by another length) give two "
        "scrapes of one run at one length");
  // TensorRT-LLM's positions are those that were reached so far.
  EngineCounters before = log(2, 100), after = log(5, 300);
  before.draft_length_so_far = after.draft_length_so_far = true;
  CHECK(difference(before, after).sums.rounds == 200);
  CHECK_THROWS_AS(difference(after, before), InputError);
  EngineCounters const sums = counters_in(
      "statistics draft: #calls(b,g,a) = 1 40 40, #gen drafts = 40, #gen tokens = 80, #acc tokens = 40, #acc "
      "rate/pos "
      "= (0.6, 0.4)\n");
  CHECK(message<InputError>([&] { difference(sums, sums); }) ==
        "x and x are two of llama.cpp statistics (rates by position are printed as shares, which have no difference) "
        "give the later file alone: it counts from the server's start on");
}

TEST_CASE("a request's draft length may be another's, and is one that can be") {
  auto const request = [](int length, int rounds) {
    return R"({"metrics":{"speculative_decoding":{"num_spec_steps":)" + std::to_string(rounds) +
           R"(,"num_draft_tokens":)" + std::to_string(length * rounds) +
           R"(,"num_accepted_draft_tokens":5,"num_spec_tokens":)" + std::to_string(length) + "}}}\n";
  };
  EngineCounters const mixed = counters_in(request(5, 10) + request(3, 10));
  CHECK(mixed.draft_length == 5);
  CHECK(broken_identities(mixed).empty());
  CHECK(counters_error(request(5000, 1))
            .find("num_spec_tokens is 5000 (expected: a number of draft tokens, from 1 to 4096)") !=
        std::string::npos);
}
