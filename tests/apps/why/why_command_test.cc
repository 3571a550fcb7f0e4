#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/apps/answers.h"
#include "tests/apps/counters/counter_files.h"
#include "tests/apps/shipped_files.h"
#include "tests/sim/temporary_file.h"
#include "tests/variable.h"

namespace draftgauge {
namespace {

std::string const v100 = DRAFTGAUGE_SOURCE_DIR "/tests/data/counters/llama_speculative_v100";

Json const& step(Json const& document, std::string_view name) {
  for (Json const& each : document["steps"])
    if (each["name"] == name) return each;
  FAIL("no step " << name);
  throw;
}

double sum_of_steps(Json const& document) {
  double sum = 0;
  for (Json const& each : document["steps"])
    if (!each["ms_per_token"].is_null()) sum += number(each["ms_per_token"]);
  return sum;
}

}  // namespace

TEST_CASE("why --verbose says a note of the counters once, under the steps") {
  std::string const note = "Counted are requests that have ended, by position";
  Run const said =
      run_line("why " + at("trtllm_metrics_positions.txt") + " --cost .1 --plain 50t/s --measured 60t/s --verbose");
  std::size_t const first = said.out.find(note);
  REQUIRE(first != std::string::npos);
  CHECK(first < said.out.find("accepted draft tokens"));
  CHECK(said.out.find(note, first + 1) == std::string::npos);
}

TEST_CASE("why: the V100 of llama.cpp issue 3649") {
  Json const found = document("why " + v100 + ".log --cost " + v100 + "_costs.csv");
  CHECK((found["gamma"] == 5 && found["engine"] == "llama.cpp" && found["counts"]["rounds"] == 52));
  CHECK(number(found["plain_ms"]) == Approx(1000 / 52.5).epsilon(1e-5));
  CHECK(number(found["measured"]["ms_per_token"]) == Approx(2967. / 261));
  CHECK(number(found["ideal"]["ms_per_token"]) == Approx(1000 / 52.5 / 6).epsilon(1e-5));
  CHECK(number(step(found, "acceptance")["ms_per_token"]) == Approx(1000 / 52.5 * (1 / 5. - 1 / 6.)).epsilon(1e-4));
  CHECK(step(found, "dependence")["ms_per_token"].is_null());
  CHECK(number(step(found, "draft_time")["ms_per_token"]) == Approx(1000 / 619.43).epsilon(1e-4));
  // A pass of 6 tokens lies between those of 5 and 8.
  double const pass = 5000 / 121.7 + (8000 / 194.6 - 5000 / 121.7) / 3;
  CHECK(number(step(found, "verification")["ms_per_token"]) == Approx((pass - 1000 / 52.5) / 5).epsilon(1e-4));
  CHECK(number(found["ideal"]["ms_per_token"]) + sum_of_steps(found) + number(found["unexplained"]["ms_per_token"]) ==
        Approx(2967. / 261));
  CHECK(number(found["unexplained"]["share"]) == Approx(.187).margin(.001));
  CHECK(run_line("why " + v100 + ".log --cost " + v100 + "_costs.csv")
            .out.starts_with(
                "11.37 ms per token, 1.68× the speed of plain decoding (19.05 ms), where 3.17 ms are "
                "ideal (γ=5): the\nlargest part is verification, 4.41 ms (54 %); 1.53 ms (19 %) is unexplained\n"));
}

TEST_CASE("why: 18.44 tokens a second expected and 16.52 measured, of llama.cpp issue 3649") {
  std::string const run = DRAFTGAUGE_SOURCE_DIR "/tests/data/counters/llama_3649";
  Json const found = document("why " + run + ".log --gamma 16 --cost " + run + "_costs.csv");
  CHECK((found["counts"]["rounds"] == 119 && found["counts"]["emitted"] == 503));
  // The thread's sum of seconds, over the tokens that were emitted; it has those of the draft tokens among them twice.
  double const seconds = 119 / 14.68 + 426 / 90.20 + 426 / 25.48;
  CHECK((119 + 426) / seconds == Approx(18.44).epsilon(1e-3));
  CHECK(number(found["measured"]["ms_per_token"]) == Approx(1000 / 16.52).epsilon(1e-4));
  CHECK(number(found["measured"]["ms_per_token"]) - number(found["unexplained"]["ms_per_token"]) ==
        Approx(1000 * seconds / 503).epsilon(1e-4));
  CHECK(number(found["unexplained"]["share"]) == Approx(.039).margin(.001));  // of 3.58 drafts a round
}

TEST_CASE("why: of a recording every step of the tokens has an interval") {
  Json const found =
      document("why " + columns_file + " --gamma 4 --cost .1 --plain 50t/s --engine vllm --measured 25ms");
  for (char const* name : {"acceptance", "dependence", "ends_of_texts", "engine", "draft_time"}) {
    Json const& one = step(found, name);
    CAPTURE(name);
    CHECK((number(one["interval"]["low"]) < number(one["ms_per_token"]) &&
           number(one["ms_per_token"]) < number(one["interval"]["high"])));
  }
  // Tokens per round that measure gives, by the same estimators.
  CHECK(number(found["predicted"]["plain_steps"]) == Approx(1.4 * (.6616)).epsilon(1e-3));
  CHECK(number(found["ideal"]["ms_per_token"]) + sum_of_steps(found) + number(found["unexplained"]["ms_per_token"]) ==
        Approx(25));
  CHECK(step(found, "engine")["from"] == "prune2_T1.tsv: replay_argmax");
  CHECK(step(found, "batch")["from"] == "no --batch");
  CHECK(found["lost"]["by"].size() == 4);
}

TEST_CASE("why: what no input says is unknown, and times may be in plain steps alone") {
  Json const found = document("why " + columns_file + " --gamma 4");
  for (char const* name : {"engine", "draft_time", "verification", "overhead", "batch"})
    CHECK((step(found, name)["plain_steps"].is_null() && step(found, name)["share"].is_null()));
  CHECK((found["plain_ms"].is_null() && found["measured"].is_null() && found["ideal"]["ms_per_token"].is_null()));
  CHECK(found["unexplained"]["plain_steps"].is_null());
  CHECK(found["notes"][0] ==
        "Nothing measured is compared with it (no --measured, and no time of decoding in counters).");
}

TEST_CASE("why: counters say tokens per round, and beside a recording the engine's own step") {
  Json const counted = document("why " + scrapes + " --cost .05 --plain 50t/s --measured 90t/s");
  CHECK(number(counted["predicted"]["plain_steps"]) == Approx(1.15 * 646 / (646 + 1052)));
  CHECK(number(step(counted, "dependence")["plain_steps"]) > 0);
  CHECK(counted["lost"]["by"][0]["groups"].size() == 3);
  Json const both = document("why " + columns_file + " " + scrapes + " --cost .05 --plain 50t/s");
  CHECK(number(both["predicted"]["plain_steps"]) == Approx(1.15 * 646 / (646 + 1052)));
  CHECK(step(both, "engine")["from"] == "vllm_cpu_after.txt: tokens per round");
  CHECK(both["gamma"] == 3);
}

TEST_CASE("why: costs as times, a step slower than a file of costs measured, and a batch") {
  std::string const line = "why " + columns_file + " --gamma 4 --plain 20ms";
  CHECK(number(step(document(line + " --cost 2ms"), "draft_time")["plain_steps"]) ==
        number(step(document(line + " --cost .1"), "draft_time")["plain_steps"]));
  CHECK(number(step(document(line + " --cost 500t/s"), "draft_time")["plain_steps"]) ==
        number(step(document(line + " --cost .1"), "draft_time")["plain_steps"]));
  // The draft and passes of several tokens take what they took, whatever a plain step takes.
  TemporaryFile const costs(
      ".csv", "phase,batch,tokens,mean_s\ndraft,1,1,.001\nverify,1,1,.01\nverify,1,5,.03\nverify,1,10,.04\n");
  Json const own = document("why " + columns_file + " --gamma 4 --cost " + costs.path()),
             slower = document(line + " --cost " + costs.path());
  CHECK(number(step(own, "draft_time")["ms_per_token"]) ==
        Approx(number(step(slower, "draft_time")["ms_per_token"])));
  CHECK(number(step(own, "verification")["ms_per_token"]) - number(step(slower, "verification")["ms_per_token"]) ==
        Approx(10 * number(own["predicted"]["ms_per_token"]) / (10 + 4 + 20)));
  Json const batch = document("why " + columns_file + " --gamma 4 --batch 2 --cost " + costs.path());
  // A pass of 10 tokens in place of one of 5, and the draft's of two, of which nothing was measured.
  CHECK(number(step(batch, "batch")["ms_per_token"]) ==
        Approx(10 * number(own["predicted"]["ms_per_token"]) / (10 + 4 + 20)));
}

TEST_CASE("why: beside --plain the user's own ratios stay, and times of either file of costs do") {
  std::string const line = "why " + columns_file + " --gamma 4", costs = v100 + "_costs.csv";
  // 3.03 tokens per round.
  CHECK(number(step(document(line + " --cost " + costs + " --verify-cost 1:1,5:1.2 --plain 40ms"),
                    "verification")["ms_per_token"]) == Approx(.2 * 40 / 3.03).epsilon(2e-3));
  Json const both = document(line + " --cost " + costs + " --plain 20ms"),
             verify = document(line + " --cost .1 --verify-cost " + costs + " --plain 20ms");
  CHECK(number(step(both, "verification")["ms_per_token"]) ==
        Approx(number(step(verify, "verification")["ms_per_token"])));
  CHECK(number(step(verify, "draft_time")["plain_steps"]) ==
        Approx(number(step(document(line + " --cost .1"), "draft_time")["plain_steps"])));
  // A file of v(n) says what a plain step takes, too.
  Json const measured = document(line + " --verify-cost " + costs + " --measured 88t/s");
  CHECK(number(measured["plain_ms"]) == Approx(1000 / 52.5).epsilon(1e-5));
  CHECK(number(measured["measured"]["ms_per_token"]) == Approx(1000 / 88.));
  CHECK(number(step(document(line + " --cost 1.9ms --verify-cost " + costs), "draft_time")["ms_per_token"]) ==
        Approx(4 * 1.9 / 3.03).epsilon(2e-3));
}

TEST_CASE("why: what is carried on beyond the passes that were measured is said, and has no interval") {
  std::string const line = "why " + columns_file + " --gamma 4 --cost .1 --plain 20ms --measured 30ms --verify-cost ";
  Json const batch = document(line + "1:1,5:3.35 --batch 64");
  CHECK(batch["notes"].dump().find("v(320) is carried on from v(5), the last that was measured.") !=
        std::string::npos);
  CHECK_FALSE(step(batch, "verification")["interval"].is_null());
  CHECK(number(step(batch, "batch")["plain_steps"]) > 0);
  CHECK((step(batch, "batch")["interval"].is_null() && batch["unexplained"]["interval"].is_null()));
  Json const alone = document(line + "1:1,4:2");
  CHECK(alone["notes"].dump().find("v(5) is carried on from v(4)") != std::string::npos);
  CHECK((step(alone, "verification")["interval"].is_null() && !step(alone, "draft_time")["interval"].is_null()));
}

TEST_CASE("why: of an engine that is not lossless the reason is given") {
  CHECK(step(document("why " + columns_file + " --gamma 4 --engine llama-speculative"), "engine")["from"] ==
        "llama-speculative is not lossless: nothing along the text is its rounds");
  CHECK(step(document("why " + columns_file + " --gamma 4"), "engine")["from"] == "no engine is named or counted");
}

TEST_CASE("why: what is missing or makes no sense is refused") {
  check_refused("why " + columns_file, 2,
                "nothing says how many tokens a round drafts (the ideal is as many and one more)");
  check_refused("why " DRAFTGAUGE_SOURCE_DIR "/README.md", 3, "README.md: unknown file format");
  check_refused("why " + columns_file + " --gamma 4 --measured 90t/s", 2,
                "--measured has no meaning without the time of a plain step (what would it be compared with?)");
  check_refused("why " + columns_file + " --gamma 4 --cost 2ms", 2,
                "--cost 2ms is a time (c is a share of a plain step of the target)");
  check_refused("why " + columns_file + " --gamma 4 --plain 52", 2,
                "--plain is '52' (tokens per second, or time per token?)");
  check_refused("why " + columns_file + " --gamma 4 --plain 0t/s", 2,
                "--plain is '0t/s' (a token takes from a nanosecond to a day)");
  for (char const* speed : {"1e-320ms", "1e300t/s", "1e12t/s", "1e-7t/s", "86401s"})
    check_refused("why " + columns_file + " --gamma 4 --plain " + speed, 2,
                  "--plain is '" + std::string(speed) + "' (a token takes from a nanosecond to a day)");
  check_refused("why " + columns_file + " --gamma 4 --batch 2 --cost .1", 2,
                "--batch 2 has no meaning without v(n) (which passes of more tokens cost)");
  check_refused("why " + columns_file + " " + columns_file + " --gamma 4", 2, "is named twice");
  check_refused("why " + scrapes + " --gamma 2", 2, "--gamma is 2");
  check_refused("why " + scrapes + " --temperature 1", 2, "--temperature has no meaning for an engine's counters");
  check_refused("why " + scrapes + " --engine vllm", 2, "--engine has no meaning for an engine's counters");
}

TEST_CASE("why: --figure writes the steps that are printed") {
  TemporaryFile const place(".vl.json", "");
  Json const printed =
      document("why " + scrapes + " --cost .05 --plain 50t/s --measured 90t/s --figure " + place.path());
  std::ifstream written(place.path());
  Json const bars = Json::parse(written)["data"]["values"];
  REQUIRE(bars.size() == 6);  // ideal, α, dependence, drafts, unexplained, measured
  CHECK(number(bars[1]["time"]) == Approx(number(step(printed, "acceptance")["ms_per_token"])).epsilon(1e-5));
  CHECK(number(bars[4]["time"]) == Approx(number(printed["unexplained"]["ms_per_token"])).epsilon(1e-5));
  CHECK(number(bars[5]["end"]) == Approx(1000 / 90.).epsilon(1e-5));
  // Without what draws, the answer is there before the complaint.
  testing::Variable const none("DRAFTGAUGE_RENDERER", "none");
  TemporaryFile const drawn(".svg", "");
  Run const kept = run_line("why " + scrapes + " --cost .05 --plain 50t/s --figure " + drawn.path());
  CHECK(kept.status == 3);
  CHECK(kept.out == run_line("why " + scrapes + " --cost .05 --plain 50t/s").out);
  CHECK(kept.err.starts_with("error: nothing here draws .svg, .pdf or .png ("));
  check_refused("why " + scrapes + " --style dark", 2, "--style has no meaning without --figure (nothing is drawn)");
  check_refused("why " + scrapes + " --figure steps.bmp", 2, "figures are not written as .bmp");
}

TEST_CASE(
    "why: it says how much faster or slower than plain decoding that is, and of impossible speeds that they are") {
  auto const title = [](std::string const& speeds) {
    return unwrapped(run_line("why data/smollm2/prune2_T1.tsv --gamma 4 --cost .1 " + speeds).out);
  };
  CHECK_THAT(
      title("--measured 40t/s --plain 52t/s"),
      Catch::StartsWith("SLOWER than decoding without drafts: 0.77× at γ = 4. Switch drafting off.  25.00 ms per "
                        "token, 1.3 times slower than plain decoding (19.23 ms), where 3.85 ms"));
  CHECK_THAT(
      title("--measured 300t/s --plain 52t/s"),
      Catch::Contains("(γ=4): faster than the ideal, where every draft is accepted at no cost. γ or one of the two "
                      "speeds is not what ran"));
  CHECK_THAT(title("--measured 5ms --plain 19ms"),
             Catch::Contains("the largest part is draft time, 2.51 ms; 3.79 ms less than all parts predict"));
  CHECK_THAT(title(""),
             Catch::StartsWith("0.4624 plain steps per token predicted, 2.16× the speed of plain decoding, "
                               "where 0.2000 plain steps are ideal"));
}

TEST_CASE("why: measured below the ideal, shares are of what the parts predict") {
  Json const found = document("why data/smollm2/prune2_T1.tsv --gamma 4 --cost .1 --measured 300t/s --plain 52t/s");
  double const ideal = number(found["ideal"]["plain_steps"]), predicted = number(found["predicted"]["plain_steps"]);
  double sum = 0;
  for (Json const& each : found["steps"]) {
    if (each["plain_steps"].is_null()) continue;
    CHECK(number(each["share"]) == Approx(number(each["plain_steps"]) / (predicted - ideal)));
    sum += number(each["share"]);
  }
  CHECK(sum == Approx(1));
  CHECK(number(found["unexplained"]["share"]) ==
        Approx((number(found["measured"]["plain_steps"]) - predicted) / (predicted - ideal)));
  CHECK(found["notes"][0].get<std::string>().starts_with("Measured is faster than the ideal. Shares are of what"));
}

TEST_CASE("why: what is unknown of a round is unexplained, with its share, and no unit is suspected for it") {
  TemporaryFile const page(".txt",
                           "vllm:spec_decode_num_drafts_total 435\nvllm:spec_decode_num_draft_tokens_total 1304\n"
                           "vllm:spec_decode_num_accepted_tokens_total 1111\n");
  std::string const line = "why " + page.path() + " --plain 115.6t/s --measured 120.7t/s --gamma 3";
  // A round of 3.554 tokens takes 3.4 plain steps, of which nothing says what for.
  CHECK_THAT(
      unwrapped(run_line(line).out),
      Catch::StartsWith("8.29 ms per token, 1.04× the speed of plain decoding (8.65 ms), where 2.16 ms are "
                        "ideal (γ=3): the largest part, 5.85 ms (96 %), is unexplained"));
}

TEST_CASE("why: of drafts that end early the mean length is what ran, and the file's own times are used") {
  Json const found = document("why " + at("llama_eagle3.txt") + " --plain 5.3t/s");
  // 140 − 38 rounds drafted 118 tokens. The target's 27.902 s are with 1.911 s of the prompt.
  constexpr double rounds = 102, plain = 1000 / 5.3, per_round = 140 / rounds;
  CHECK((found["gamma"] == 8 && number(found["mean_drafts"]) == Approx(118 / rounds)));
  CHECK(number(found["measured"]["ms_per_token"]) == Approx(29702. / 140));
  CHECK(number(found["ideal"]["ms_per_token"]) == Approx(plain / (1 + 118 / rounds)));
  CHECK(number(step(found, "acceptance")["ms_per_token"]) == Approx(plain / per_round - plain / (1 + 118 / rounds)));
  CHECK(number(step(found, "draft_time")["ms_per_token"]) == Approx((11.86 + 24.02 + 1202.11 + 701.32) / 140));
  double const pass = (27902.03 - 1911) / rounds;
  CHECK(pass / plain == Approx(1.35).margin(.005));
  CHECK(number(step(found, "verification")["ms_per_token"]) == Approx((pass - plain) / per_round));
  CHECK(number(found["unexplained"]["share"]) == Approx(.10).margin(.005));
  std::string const said = unwrapped(run_line("why " + at("llama_eagle3.txt") + " --plain 5.3t/s").out);
  // Rounds give a token at least: rejected drafts alone make nothing slower than decoding without drafts.
  CHECK_THAT(said, Catch::StartsWith("SLOWER than decoding without drafts: 0.89× at γ = 8. Switch drafting off."));
  CHECK_THAT(said, Catch::Contains("212.2 ms per token, 1.12 times slower than plain decoding (188.7 ms), where "
                                   "87.5 ms are ideal (1.16 drafts per round): the largest part of a round's added "
                                   "time is verification, 48.2 ms (39 %); 12.7 ms (10 %) is unexplained"));
  CHECK_THAT(said, Catch::Contains("1.16 drafts per round, 8 at most"));
  CHECK_THAT(said, !Catch::Contains("p-min 0") && !Catch::Contains("That is the γ that ran"));
  CHECK_THAT(said, Catch::Contains("Leave the draft model and --spec-type out."));
  CHECK(found["settings"]["gamma"] == 0);
  // Where such drafts pay, nothing is set: lines for one length would change what ran.
  CHECK_THAT(unwrapped(run_line("why " + at("llama_3649.log") + " --gamma 16 --cost " + at("llama_3649_costs.csv")).out),
             Catch::Contains("Drafts ended early, so that nothing is set"));
  // Options come before the file's times, which nothing compares without a plain step.
  CHECK(step(document("why " + at("llama_eagle3.txt") + " --plain 5.3t/s --verify-cost 1:1,3:2"),
             "verification")["from"] == "--verify-cost 1:1,3:2");
  CHECK(step(document("why " + at("llama_eagle3.txt")), "verification")["from"] == "no --plain to compare it with");
}

TEST_CASE("why: speeds whose units do not fit are asked about") {
  std::string const line = "why " + columns_file + " --gamma 4 --cost .1 --plain 52ms --measured ";
  CHECK_THAT(unwrapped(run_line(line + "400ms").out),
             Catch::Contains("times what all parts predict: are both speeds in their units, of one model?"));
  CHECK_THAT(
      run_line("why " + columns_file + " --gamma 4 --plain 52").err,
      Catch::Contains("--plain is '52' (tokens per second, or time per token?)\nhint: write it as 52t/s or 52ms"));
  CHECK(run_line("why " + columns_file + " --gamma 4 --cost .1 --plain 52tps").status == 0);
  for (std::string const option : {"--plain", "--measured"})
    CHECK(complaint("why " + columns_file + " --gamma 4 --cost .1 " + option + " 88 t/s") ==
          "error: " + option +
              " 88 t/s is two words (a speed and its unit are one)\nhint: write 88t/s or \"88 t/s\"\n");
  CHECK(complaint("why " + columns_file + " t/s --gamma 4 --cost .1", 3).starts_with("error: t/s: there is no such"));
}

TEST_CASE("why: a file that is not there is named before γ is asked for") {
  CHECK_THAT(run_line("why no_such.tsv").err, Catch::StartsWith("error: no_such.tsv: "));
}

TEST_CASE("why: rounds that draft less than γ, and the draft model's own time") {
  TemporaryFile const log(
      ".jsonl",
      R"({"metrics":{"speculative_decoding":{"acceptance_histogram_by_draft_length":{"4":[10,5,5,10,30],"2":[5,5,30]},)"
      R"("num_spec_steps":100,"num_accepted_draft_tokens":230,"num_draft_tokens":320,"num_spec_tokens":4}}})"
      "\n");
  Json const found = document("why " + log.path() + " --cost .1");
  CHECK(found["gamma"] == 4);
  // 60 rounds of 4 and 40 of 2 drafts, 330 tokens: 3.2 drafts a round, of which 230 of 320 are accepted.
  CHECK(number(found["mean_drafts"]) == Approx(3.2));
  CHECK(number(found["ideal"]["plain_steps"]) == Approx(1 / 4.2));
  CHECK(step(found, "engine")["plain_steps"].is_null());
  double const alpha = 230. / (230 + 40),
               eq1 = .6 * (1 - std::pow(alpha, 5)) / (1 - alpha) + .4 * (1 - std::pow(alpha, 3)) / (1 - alpha);
  CHECK(number(step(found, "acceptance")["plain_steps"]) == Approx(1 / eq1 - 1 / 4.2));
  CHECK(number(step(found, "dependence")["plain_steps"]) == Approx(100 / 330. - 1 / eq1));
  CHECK(number(step(found, "draft_time")["plain_steps"]) == Approx(.1 * (60 * 4 + 40 * 2) / (100 + 230.)));
  CHECK(found["lost"]["by"][0]["groups"].size() == 4);

  TemporaryFile const statistics(
      ".log",
      "statistics draft-simple: #calls(b,g,a) = 1 500 500, #gen drafts = 500, #acc drafts = 400, #gen tokens = 1500, "
      "#acc tokens = 1000, #mean acc len = 3.00, dur(b,g,a) = 0.005, 2500.0, 0.1 ms\n");
  Json const timed = document("why " + statistics.path() + " --plain 10ms");
  CHECK(number(step(timed, "draft_time")["ms_per_token"]) == Approx(2500. / 1500));
  CHECK(step(timed, "draft_time")["from"].get<std::string>().ends_with(".log: time of the draft model"));
  CHECK(step(document("why " + statistics.path()), "draft_time")["from"] == "no --plain to compare it with");
  // An iteration of TensorRT-LLM drafts for all its sequences together.
  auto const iterations = [](int sequences) {
    std::string rows;
    for (int i = 0; i < 200; ++i)
      rows += fmt::format(
          R"({{"iter":{},"iterLatencyMS":12.5,"inflightBatchingStats":{{"numGenRequests":{}}},"specDecodingStats":)"
          R"({{"numDraftTokens":{},"numAcceptedTokens":{},"numRequestsWithDraftTokens":{},"iterLatencyMS":3}}}})"
          "\n",
          i, sequences, 3 * sequences, (3 * sequences * (1 + i % 2)) / 3, sequences);
    return TemporaryFile(".jsonl", rows);
  };
  TemporaryFile const one = iterations(1), eight = iterations(8);
  Json const alone = document("why " + one.path() + " --plain 10ms"),
             many = document("why " + eight.path() + " --plain 10ms");
  CHECK(number(step(alone, "draft_time")["ms_per_token"]) ==
        Approx(number(step(many, "draft_time")["ms_per_token"])));
  CHECK(step(many, "batch")["from"].get<std::string>().ends_with(": numGenRequests 8, and no --verify-cost"));
}

}  // namespace draftgauge
