#include <algorithm>

#include "tests/apps/gamma/gamma_run.h"

/// `draftgauge gamma` on times by batch size.
namespace draftgauge {
namespace {

std::string const source = DRAFTGAUGE_SOURCE_DIR;
std::string const loads = source + "/tests/data/load/";
std::string const table = " --load " + loads + "batch_table.csv";
std::string const recording = source + "/data/smollm2/prune2_T1.tsv";

std::string text(std::string const& line) { return unwrapped(run_line("gamma " + line).out); }

}  // namespace

TEST_CASE("load: the best γ of each batch size, and where plain decoding begins") {
  nlohmann::json const found = gamma_answer("--alpha .8" + table);
  nlohmann::json const& load = found["load"];
  CHECK((load["format"] == "batch table" && load["by_tokens"] == false));
  REQUIRE(load["batches"].size() == 4);
  nlohmann::json const& eight = load["batches"][1];
  // T(4, 8) = 13.4 and three steps of 1 ms each.
  double const tokens = 1 + .8 + .64 + .512, round = 13.4 + 3;
  CHECK((eight["batch"] == 8 && eight["gamma"] == 3 && eight["extrapolated"] == false));
  CHECK((number(eight["mean_tokens"]) == Approx(tokens) && number(eight["round_ms"]) == Approx(round)));
  CHECK(number(eight["speedup"]) == Approx(tokens * 10.5 / round));
  CHECK(number(eight["ms_per_token"]) == Approx(round / tokens));
  CHECK(number(eight["tokens_per_second"]) == Approx(8e3 * tokens / round));
  CHECK((number(eight["plain_ms_per_token"]) == 10.5 &&
         number(eight["plain_tokens_per_second"]) == Approx(8e3 / 10.5)));
  CHECK(load["ranges"].front()["first"] == 1);
  CHECK((load["ranges"].back()["gamma"] == 0 && load["ranges"].back()["last"] == 128));
  CHECK((found["best_gamma"] == 5 && load["at"]["batch"] == 1 && load["at"]["concurrency"].is_null()));
  CHECK(
      text("--alpha .8" + table)
          .starts_with("from γ=5 with 1 sequence to plain decoding with 78 to 128 (batch_table.csv: batch table) "));
  CHECK(text("--alpha .8" + table).find("Plain decoding (K = 0) is best with 78 to 128 sequences.") !=
        std::string::npos);
}

TEST_CASE("load: at a concurrency all that is said of one batch is said of that") {
  nlohmann::json const found = gamma_answer(recording + table + " --concurrency 23.7 --resamples 0");
  CHECK((found["load"]["at"]["batch"] == 24 && number(found["load"]["at"]["concurrency"]) == 23.7));
  CHECK(found["best_gamma"] == 1);
  // Halfway between batches of 8 and of 32: (10.5·8 + 13·16)/24 and so on.
  CHECK(number(found["curve"][1]["round_cost"]) ==
        Approx((11.2 / 3 + 17.5 * 2 / 3 + 1 / 3. + 1.4 * 2 / 3) / (10.5 / 3 + 13 * 2 / 3.)));
  CHECK(number(found["curve"][1]["speedup"]["value"]) == Approx(number(found["load"]["at"]["curve"][1]["speedup"])));
  CHECK(text(recording + table + " --concurrency 23.7")
            .starts_with("with 24 sequences γ=1, S=1.2724 [1.2599, 1.2849], 9.56 ms per token, 2510 tokens/s; γ=4 up "
                         "to 3 sequences, "));
}

TEST_CASE("load: how sure the best γ of each batch size is") {
  nlohmann::json const batches = gamma_answer(recording + table)["load"]["batches"];
  REQUIRE(batches.size() == 4);
  for (nlohmann::json const& of_batch : batches) {
    CAPTURE(of_batch);
    // What the same question says of that batch alone.
    nlohmann::json const alone = gamma_answer(recording + table + " --concurrency " + of_batch["batch"].dump());
    CHECK((of_batch["gamma"] == alone["best_gamma"] && of_batch["confidence_set"] == alone["confidence_set"]));
    CHECK(of_batch["expected_regret"] == alone["expected_regret"]);
    nlohmann::json const& interval = of_batch["speedup_interval"];
    CHECK(interval.is_null() == (of_batch["gamma"] == 0));
    if (!interval.is_null()) CHECK(interval == alone["curve"][of_batch["gamma"].get<int>()]["speedup"]);
  }
  CHECK(batches[0]["confidence_set"] == nlohmann::json::parse(R"([{"first": 4, "last": 5}])"));
  CHECK(
      text(recording + table + " --confidence .9")
          .find(
              "Of each batch size by itself: with 90 % confidence its best γ is one that may be best, which the data "
              "do not show to be worse. The times of steps are taken as exact.") != std::string::npos);
  std::string const counters = source + "/tests/data/counters/";
  nlohmann::json const counted =
      gamma_answer(counters + "vllm_cpu_before.txt " + counters + "vllm_cpu_after.txt" + table)["load"]["batches"];
  CHECK(counted[1]["confidence_set"] == nlohmann::json::parse(R"([{"first": 2, "last": 3}])"));  // by bounds
  // What is taken as exact has no doubt.
  for (std::string const line : {"--alpha .8", "--survival .8,.64"}) {
    CAPTURE(line);
    CHECK_FALSE(gamma_answer(line + table)["load"]["batches"][0].contains("confidence_set"));
    CHECK(text(line + table).find("How sure") == std::string::npos);
  }
}

TEST_CASE("load: the engine says how many sequences are decoded at once where no option does") {
  std::string const page =
      "vllm:spec_decode_num_drafts_total 100\nvllm:spec_decode_num_draft_tokens_total 300\n"
      "vllm:spec_decode_num_accepted_tokens_total 90\nvllm:num_requests_running ";
  TemporaryFile const busy(".txt", page + "24\n"), idle(".txt", page + "0\n"), many(".txt", page + "70000\n"),
      more(".txt", page + "1000\n");
  nlohmann::json const at = gamma_answer(busy.path() + table)["load"]["at"];
  CHECK((at["batch"] == 24 && at["concurrency"] == 24 && at["concurrency_from"] == "num_requests_running"));
  std::string const words = text(busy.path() + table);
  CHECK(words.starts_with("with 24 sequences (by num_requests_running) γ=1, S="));
  CHECK(words.find("So many are decoded at once by the engine's own num_requests_running (24.00, when the page was "
                   "scraped); --concurrency says another number.") != std::string::npos);
  CHECK(text(more.path() + table)
            .find("  with 1000 sequences (by num_requests_running; none above 128 was measured) plain decoding") !=
        std::string::npos);
  // Options come first, and an idle server says nothing.
  nlohmann::json const asked = gamma_answer(busy.path() + table + " --concurrency 8")["load"]["at"];
  CHECK((asked["batch"] == 8 && asked["concurrency_from"] == "--concurrency"));
  CHECK(gamma_answer(busy.path() + table + " --request-rate 1 --tokens-per-request 9")["load"]["at"]["concurrency"]
            .is_null());
  CHECK(gamma_answer(idle.path() + table)["load"]["at"]["concurrency_from"].is_null());
  CHECK(gamma_refusal(many.path() + table, 2) == "num_requests_running 70000 is out of range (at most 65536)");
  std::string const counters = source + "/tests/data/counters/llama_server_T0_";
  CHECK(text(counters + "before.txt " + counters + "after.txt" + table)
            .starts_with("with 1 sequence (by n_busy_slots_per_decode) γ=4, S=1.7991 [1.6423, 1.9537], "));
  // What is said of the counts stands beside the answer.
  std::string const page_words = unwrapped(text(counters + "before.txt " + counters + "after.txt" + table));
  CHECK(page_words.find("rounds taken to be independent. Rounds of one request mostly are not") != std::string::npos);
  CHECK(page_words.find(
            "In each round the draft model runs over all that is verified once more, as the engine does: taken "
            "as c, as no file of costs has its times of longer passes.") != std::string::npos);
}

TEST_CASE("load: texts that wait for the longest") {
  nlohmann::json const waiting = gamma_answer("--alpha .8" + table + " --tokens-per-request 100")["load"]["waiting"];
  REQUIRE(waiting["batches"].size() == 4);
  nlohmann::json const& eight = waiting["batches"][1];
  CHECK((eight["batch"] == 8 && number(eight["rounds"]) > number(eight["rounds_alone"])));
  CHECK(number(eight["speedup"]) == Approx(100 * 10.5 / (1e3 * number(eight["seconds"]))));
}

TEST_CASE("load: what was not measured is said") {
  CHECK(text("--alpha .8" + table + " --concurrency 1000")
            .find("  with 1000 sequences (none above 128 was measured) plain decoding, S=1.0000, ") !=
        std::string::npos);
  CHECK(text("--alpha .8" + table + " --concurrency 1000")
            .find("These times are guesses: of batches none above 128 was measured.") != std::string::npos);
  CHECK(
      text("--alpha .8" + table + " --concurrency 8")
          .find("From γ=8 on times are guesses: not measured, but continued from shorter drafts or other batches.") !=
      std::string::npos);
  TemporaryFile const late(".csv", "batch,tokens,ms\n4,1,10\n8,1,11\n4,4,12\n8,4,14\n");
  CHECK(text("--alpha .8 --cost .05 --concurrency 2 --load " + late.path())
            .starts_with("with 2 sequences (none below 4 was measured) γ="));
  TemporaryFile const few(".csv",
                          "batch,tokens,ms\n1,1,10\n8,1,10.5\n32,1,13\n128,1,29\n1,4,10.6\n1,8,11.6\n8,8,19.6\n");
  TemporaryFile const draft(".csv", "batch,tokens,ms\n1,1,.5\n");
  std::string const line = "--alpha .8 --load " + few.path() + " --load-draft " + draft.path();
  CHECK(text(line).find(
            "Only plain steps were measured with 32, 128 sequences: n tokens are taken to take n of them, the "
            "most they can.") != std::string::npos);
  CHECK(text(line).find(
            "The draft was not measured with 8, 32, 128 sequences: its time is continued from other batches.") !=
        std::string::npos);
  CHECK(gamma_answer(line)["load"]["batches"][1]["extrapolated"] == true);
  CHECK(gamma_answer(line)["load"]["ranges"].back() == nlohmann::json{{"first", 9}, {"last", 128}, {"gamma", 0}});
  CHECK(text("--alpha 1" + table).starts_with("γ=256 or more (the longest looked at): "));
  CHECK_FALSE(text("--alpha 1 --most 256" + table).starts_with("γ=256 or more"));
}

TEST_CASE("load: texts that wait lead the answer, and the settings are said not to") {
  std::string const said = text("--alpha .8" + table + " --tokens-per-request 100 --for vllm");
  CHECK(said.starts_with("waiting for the longest of texts of 100 tokens: γ="));
  CHECK(said.find("too few rounds of the longest where texts differ from each other.") != std::string::npos);
  CHECK(said.find("Of continuous batching: engines do not wait for the longest text.") != std::string::npos);
  nlohmann::json const one = gamma_answer("--alpha .8 --no-bonus --most 1" + table +
                                          " --tokens-per-request 100")["load"]["waiting"]["batches"];
  // A round of one draft without the bonus token gives one token for a draft more.
  CHECK((one[0]["gamma"] == 0 && number(one[0]["rounds"]) == 100));
  CHECK(gamma_answer("--alpha .8 --no-bonus --most 4" + table +
                     " --tokens-per-request 100")["load"]["waiting"]["batches"]
            .size() == 4);
}

TEST_CASE("load: that no longer draft is known is said where the longest is best in any batch") {
  std::string const counters = source + "/tests/data/counters/vllm_cpu_",
                    line = counters + "before.txt " + counters + "after.txt" + table;
  std::string const note = "Nothing is known beyond γ = 3, and S still grows there.";
  for (std::string const at : {"", " --concurrency 64"}) {
    CAPTURE(at);
    CHECK(text(line + at).find("plain decoding from 66 to 128; no longer draft than γ=3 is known, and S still grows "
                               "there (batch_table.csv: batch table)") != std::string::npos);
    CHECK(text(line + at).find(note) != std::string::npos);
    nlohmann::json const notes = gamma_answer(line + at)["notes"];
    CHECK(std::ranges::count(notes, nlohmann::json(note)) == 1);
  }
  for (std::string const& known : {"--alpha .8" + table, line + " --most 2", recording + table})
    CHECK(text(known).find("no longer draft") == std::string::npos);
}

TEST_CASE("gamma: CSV says that it leaves the lines of --for out, and an α without a best γ why nothing is set") {
  Run const csv = run_line("gamma --alpha .8 --cost .05 --for vllm --format csv");
  CHECK(csv.err.find("draftgauge gamma: warning: CSV has tables alone, and not the lines of --for: text, md and json "
                     "have them\n") != std::string::npos);
  CHECK(run_line("gamma --alpha .8 --cost .05 --format csv").err.find("--for") == std::string::npos);
  CHECK(gamma_refusal("--alpha 1 --cost .05 --for sglang", 2) ==
        "--for has no meaning where no γ is best (S grows with γ at this α and these costs, the longer the draft the "
        "better)\nhint: add --most, the longest draft that you would set, or --cost where none is given");
  CHECK(gamma_answer("--alpha 1 --cost .05 --most 6 --for sglang")["settings"]["gamma"] == 6);
}

TEST_CASE("load: times of whole rounds that say what is accepted stand alone") {
  nlohmann::json const vllm = gamma_answer(loads + "vllm_dynamic_speculative_config.json");
  CHECK((vllm["estimator"] == "measured_rounds" && vllm["best_gamma"] == 3));
  CHECK(vllm["load"]["ranges"].back() == nlohmann::json{{"first", 114}, {"last", 128}, {"gamma", 0}});
  nlohmann::json const sglang = gamma_answer(loads + "sglang_bench_speculative.jsonl --concurrency 16");
  CHECK((sglang["best_gamma"] == 1 && number(sglang["load"]["at"]["curve"][1]["mean_tokens"]) == 1.709));
  nlohmann::json const specforge = gamma_answer(loads + "specforge_bench_eagle3.json");
  CHECK((specforge["best_gamma"] == 5 && specforge["load"]["ranges"][0]["gamma"] == 5));
  CHECK(text(loads + "specforge_bench_eagle3.json").find("2.0208") != std::string::npos);  // 300.9/148.9
  // What is given beside it counts.
  nlohmann::json const other = gamma_answer("--alpha .2 --load " + loads + "vllm_dynamic_speculative_config.json");
  CHECK((other["best_gamma"] == 1 && other["estimator"] == "closed_form"));
  CHECK(text("--alpha .2 --load " + loads + "vllm_dynamic_speculative_config.json")
            .find("says itself what is accepted: that is not looked at.") != std::string::npos);
}

TEST_CASE("load: engines that take a length by batch size are told it, the others one") {
  nlohmann::json const vllm =
      gamma_answer(recording + table + " --resamples 0 --estimator replay --for vllm")["settings"];
  CHECK(vllm["json"]["draft_sample_method"] == "probabilistic");
  CHECK(vllm["json"]["num_speculative_tokens_per_batch_size"] ==
        nlohmann::json::parse("[[1,3,4],[4,11,3],[12,22,2],[23,66,1],[67,128,0]]"));
  CHECK((vllm["json"]["num_speculative_tokens"] == 4 && vllm["by_batch"].size() == 5));
  std::string const sglang = text(recording + table + " --concurrency 8 --estimator replay --for sglang");
  CHECK(sglang.find("To set γ = 3 in SGLang") != std::string::npos);
  CHECK(sglang.find("SGLang takes one length for all batch sizes: this is the best with 8 at once.") !=
        std::string::npos);
  // As vLLM drafts if nothing else is set, argmax q, fewer are kept.
  nlohmann::json const standard = gamma_answer(recording + table + " --resamples 0 --for vllm")["settings"]["json"];
  CHECK(standard["num_speculative_tokens_per_batch_size"] == nlohmann::json::parse("[[1,20,1],[21,128,0]]"));
  CHECK_FALSE(standard.contains("draft_sample_method"));
}

TEST_CASE("load: drafts that nothing prices are named in the answer") {
  TemporaryFile const target(".csv", "batch,tokens,ms\n1,1,10\n1,8,12\n8,1,11\n8,8,20\n");
  CHECK(text("--alpha .8 --load " + target.path()).find(": batch table, drafts taken as free)") != std::string::npos);
  CHECK(text("--alpha .8 --cost .05 --load " + target.path()).find(": batch table)") != std::string::npos);
}

TEST_CASE("load: times of whole rounds that say what is accepted stand as FILE, as a table too") {
  TemporaryFile const rounds(".csv",
                             "# measured\nbatch_size,steps,topk,num_draft_tokens,acc_length,step_time\n"
                             "1,0,0,0,1,.01\n1,2,1,3,2.4,.012\n8,0,0,0,1,.011\n8,2,1,3,2.4,.02\n");
  CHECK(gamma_answer(rounds.path())["load"]["batches"][0]["gamma"] == 2);
}

TEST_CASE("load: what does not go together is refused") {
  std::string const file = loads + "batch_table.csv";
  CHECK(gamma_refusal(file, 2) ==
        file + " says how long steps take (as FILE stands what is accepted)\nhint: write --load " + file +
            ", alone where it says tokens per round, else beside a recording, an engine's counters, --alpha or "
            "--survival");
  for (char const* markdown : {"llama_bench.md", "llama_batched_bench.md"})
    CHECK(gamma_refusal(loads + markdown, 2).starts_with(loads + markdown + " says how long steps take"));
  CHECK(gamma_refusal("--alpha .8 --cost " + loads + "llama_bench.md", 3) ==
        loads +
            "llama_bench.md, line 1: it is llama-bench's table in Markdown (it has rates of few digits)\nhint: "
            "write it with -o jsonl");
  TemporaryFile const falls(".csv", "batch,tokens,ms\n1,1,10\n1,2,5\n8,1,11\n8,2,12\n");
  std::string const once = text("--alpha .8 --cost .05 --load " + falls.path());
  CHECK(once.find("Times contradict each other") == once.rfind("Times contradict each other"));
  CHECK(once.find("Times contradict each other") != std::string::npos);
  // One time says nothing of longer passes.
  TemporaryFile const one(".csv", "batch,tokens,ms\n1,1,10\n");
  CHECK(gamma_answer("--alpha .8 --cost .05 --load " + one.path())["load"]["batches"][0]["gamma"] == 0);
  CHECK(gamma_refusal("--load " + file, 2) ==
        file +
            " says how long rounds take (and not what is accepted in them)\nhint: give --alpha, --survival, a "
            "recording or an engine's counters beside it");
  CHECK(gamma_refusal("--alpha .8 --concurrency 8", 2) ==
        "--concurrency has no meaning without --load (nothing says what a batch costs)\nhint: add --load FILE");
  CHECK(gamma_refusal("--alpha .8 --batch 8" + table, 2) ==
        "--batch has no meaning with --load (which has times of its own for each batch size)\nhint: write "
        "--concurrency");
  CHECK(gamma_refusal("--alpha .8 --concurrency 8 --request-rate 2" + table, 2) ==
        "--concurrency and --request-rate both say how many sequences are decoded at once (which of the two counts "
        "would be a guess)\nhint: keep one");
  CHECK(gamma_refusal("--alpha .8 --request-rate 2" + table, 2) ==
        "--request-rate takes --tokens-per-request (a request is as much work as it has tokens)\nhint: add "
        "--tokens-per-request 256");
  CHECK(gamma_refusal("--alpha .8 --request-lengths equal --concurrency 2" + table, 2) ==
        "--request-lengths has no meaning without --request-rate (nothing else depends on it)\nhint: add "
        "--request-rate 6");
  CHECK(gamma_refusal("--alpha .8 --concurrency 0" + table, 2) ==
        "--concurrency is 0 (nothing is decoded)\nhint: give a number above 0");
  CHECK(gamma_refusal("--alpha .8 --request-rate 1e300 --tokens-per-request 1000000" + table, 2) ==
        "--request-rate 1e300 of 1000000 tokens each is out of range (at most 1e+18 tokens a second)");
  CHECK(gamma_refusal("--alpha .8 --load-draft " + file + table, 2) ==
        file + " and " + file +
            " both say what a draft costs (which of the two counts would be a guess)\nhint: leave --load-draft out");
  CHECK(gamma_refusal("--alpha .8 --cost-draft target" + table, 2) ==
        file +
            ": target is the target and the draft (it would draft for itself)\nhint: name another with --cost-draft");
  CHECK(gamma_refusal("--alpha .8 --concurrency 1e9" + table, 2) ==
        "--concurrency 1e9 is out of range (at most 65536)");
  CHECK(gamma_refusal("--alpha .8 --cost .1" + table, 2) ==
        "--cost and " + file +
            " both say what a draft costs (which of the two counts would be a guess)\nhint: leave --cost out");
  CHECK(gamma_refusal("--alpha .8 --cost " + source + "/data/smollm2/costs_2threads.jsonl" + table, 2) ==
        "--cost FILE and --load both say what passes cost (which of the two counts would be a guess)\nhint: keep "
        "one; --load-draft has the draft's own times");
  CHECK(gamma_refusal("--alpha .8 --cost .1,.2" + table, 2) ==
        "--cost .1,.2 is a list (one cost is taken)\nhint: give one");
  CHECK(gamma_refusal("--alpha .8 --cost .1.2" + table, 2) == gamma_refusal("--alpha .8 --cost .1.2", 2));
  CHECK(gamma_refusal("--alpha .8 --verify-cost 1:1,2:2" + table, 2) ==
        "--verify-cost and --load both say what passes cost (which of the two counts would be a guess)\nhint: keep "
        "one");
  CHECK(gamma_refusal("--alpha .8 --cost .1 --load-draft " + file + table, 2) ==
        "--cost and --load-draft both say what a draft costs (which of the two counts would be a guess)\nhint: keep "
        "one");
  CHECK(gamma_refusal("--alpha .8,.9" + table, 2) ==
        "several α are given with --load (its answer is of one)\nhint: give one");
  CHECK(gamma_refusal(recording + " " + source + "/data/smollm2/q2k_T1.tsv" + table, 2) ==
        "several recordings are given with --load (its answer is of one)\nhint: give one");
  std::string const sglang = loads + "sglang_bench_speculative.jsonl";
  CHECK(gamma_refusal(sglang + " --tokens-per-request 9", 2) ==
        "--tokens-per-request asks which text is last (and " + sglang +
            " does not say what rounds keep by position)\nhint: give --alpha or --survival beside it, or "
            "--request-rate");
  CHECK(gamma_refusal(sglang + " --no-bonus", 2) ==
        sglang +
            " says how many tokens rounds gave, and not by position (--no-bonus asks for what it does not "
            "hold)\nhint: leave it out, or give --alpha or --survival beside");
  CHECK(gamma_refusal(sglang + table, 2) ==
        sglang +
            " and --load both have times by batch size (which of the two counts would be a guess)\nhint: keep one");
  CHECK(gamma_refusal(sglang + " --cost-draft small", 2) ==
        sglang +
            " has no times of a draft model by itself (of which small would be the name)\nhint: leave --cost-draft "
            "out");
  for (std::string const option : {"--near", "--ops-cost"})
    CHECK(gamma_refusal(sglang + " " + option + " .5", 2) ==
          option +
              " has no meaning where times by batch size say what is accepted (the answer is the best γ of "
              "each)\nhint: leave it out");
}

TEST_CASE("load: --most holds for a file that says itself what is accepted") {
  std::string const vllm = loads + "vllm_dynamic_speculative_config.json";
  Json const longest = gamma_answer(vllm)["load"]["batches"];
  Json const capped = gamma_answer(vllm + " --most 1")["load"]["batches"];
  REQUIRE(longest.size() == capped.size());
  CHECK(longest[0]["gamma"] == 3);
  for (std::size_t i = 0; i < capped.size(); ++i)
    CHECK(capped[i]["gamma"] == std::min(1, longest[i]["gamma"].get<int>()));
}
}  // namespace draftgauge
