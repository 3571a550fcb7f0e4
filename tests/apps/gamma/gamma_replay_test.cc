#include <algorithm>
#include <fmt/format.h>

#include "tests/apps/counters/counter_files.h"
#include "tests/apps/gamma/gamma_run.h"
#include "tests/apps/run.h"

/// What `gamma` and the others make of rounds that are listed in their order, and of counts that are not.
namespace draftgauge {
namespace {

/// Responses of a server that drafts two tokens a round: what their rounds accepted.
std::string responses(std::vector<std::vector<int>> const& requests, bool ordered) {
  std::string text;
  for (std::size_t r = 0; r < requests.size(); ++r) {
    std::vector<int> const& accepted = requests[r];
    std::vector<int> histogram(3), drafted(accepted.size(), 2);
    int sum = 0;
    for (int const k : accepted) ++histogram[static_cast<std::size_t>(k)], sum += k;
    text += fmt::format(
        R"({{"id": "{}", "choices": [{{}}], "usage": {{"completion_tokens": {}}}, "metrics": {{"speculative_decoding": )"
        R"({{"num_spec_steps": {}, "num_draft_tokens": {}, "num_accepted_draft_tokens": {}, "num_spec_tokens": 2, )"
        R"("acceptance_histogram": [{}])",
        r, sum + static_cast<int>(accepted.size()), accepted.size(), 2 * accepted.size(), sum,
        fmt::format("{}, {}, {}", histogram[0], histogram[1], histogram[2]));
    if (ordered) {
      std::string all, lengths;
      for (int const k : accepted)
        all += fmt::format("{}{}", all.empty() ? "" : ", ", k), lengths += lengths.empty() ? "2" : ", 2";
      text += fmt::format(R"(, "per_step_accepted": [{}], "per_step_drafted": [{}])", all, lengths);
    }
    text += "}}}\n";
  }
  return text;
}

/// 1 1 ? 1 1 ? 0 0 0 …: acceptances cluster.
std::vector<std::vector<int>> const clustered = {
    {2, 2, 2, 2, 0, 0, 0, 0, 2, 2, 2, 2, 0, 0, 0, 0, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2},
    {0, 0, 0, 0, 0, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0},
    {2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 2, 2, 2, 2, 2, 2}};

}  // namespace

TEST_CASE("gamma: rounds in their order are replayed at every draft length, beyond the one that ran") {
  nlohmann::json const found = gamma_answer(engine_rounds + " --cost .05");
  CHECK(found["estimator"] == "replayed_rounds");
  CHECK((found["requests"] == 28 && found["rounds"] == 2749));
  CHECK(found["best_gamma"] == 7);
  nlohmann::json const& replay = found["replay"];
  CHECK((replay["gamma_ran"] == 4 && replay["tokens"] == 8918 && replay["holes"] == 1111));
  CHECK(replay["curve"].size() == 8);
  nlohmann::json const& ran = replay["curve"][3];
  CHECK(number(ran["mean_tokens"]["value"]) == Approx(8918. / 2749));
  CHECK(number(ran["low"]) == Approx(8918. / 2749));
  CHECK(number(ran["truncated"]) == Approx(8918. / 2749));
  nlohmann::json const& shorter = replay["curve"][0];
  CHECK(number(shorter["low"]) < number(shorter["truncated"]));
  CHECK(number(shorter["mean_tokens"]["value"]) > number(shorter["truncated"]));
  CHECK(replay["curve"][4]["truncated"].is_null());
  std::string const out = unwrapped(run_line("gamma " + engine_rounds + " --cost .05").out);
  CHECK(
      out.starts_with("γ=7, S=2.9380 [2.7996, 3.0764]; the data allow γ=4 to 8 (28 requests, 2749 rounds in their "
                      "order, c=0.05) (block_run_rounds.jsonl: round log)"));
  CHECK(
      out.find("1111 of 8918 tokens follow a full round, so no draft of them was tested. The replay accepts them at "
               "the rate 0.7539, as seen one token later.") != std::string::npos);
  CHECK(out.find("The survival curve of the rounds that ran, cut off at γ = 2, gives 2.352 tokens per round: -1.5 % "
                 "off.") != std::string::npos);
  CHECK(gamma_answer(engine_rounds + " --most 3")["replay"]["curve"].size() == 3);
  CHECK(gamma_refusal(engine_rounds + " --most 257", 2).starts_with("--most 257 is out of range where rounds are replayed"));
}

TEST_CASE("gamma: where difficulty clusters, order changes the answer") {
  TemporaryFile const ordered(".jsonl", responses(clustered, true)), counts(".jsonl", responses(clustered, false));
  nlohmann::json const with = gamma_answer(ordered.path() + " --cost .02"),
                       without = gamma_answer(counts.path() + " --cost .02");
  CHECK((with["estimator"] == "replayed_rounds" && without["estimator"] == "kaplan_meier_requests"));
  // 48 of 90 rounds keep both drafts, and the tokens behind them are mostly right, too: the curve knows of neither.
  CHECK(number(without["curve"][1]["mean_tokens"]) == Approx(1 + 48. / 90));
  CHECK(number(with["replay"]["curve"][0]["mean_tokens"]["value"]) > 1.57);
  CHECK(with["best_gamma"] == 4);  // the longest replayed
  CHECK_FALSE(with.contains("order_free"));
  // By counts alone: 48 full rounds are one or two rounds of one draft each, the others one.
  REQUIRE(without["order_free"].size() == 1);
  CHECK(number(without["order_free"][0]["low"]) == Approx(186. / 138));
  CHECK(number(without["order_free"][0]["high"]) == Approx(186. / 90));
  CHECK(number(without["order_free"][0]["truncated"]) == Approx(1 + 48. / 90));
}

TEST_CASE("gamma: counts without an order say where the survival curve is off") {
  // γ + 1 = 2 divides 4: E[N] of one draft is exact, whatever depends on what.
  std::string const said = unwrapped(run_line("gamma " + scrapes + " --cost .05 --verbose").out);
  CHECK(said.find("Tokens per round of shorter drafts, whatever the order of rounds") != std::string::npos);
  nlohmann::json const found = gamma_answer(scrapes + " --cost .05");
  CHECK(found["order_free"][0]["low"] == found["order_free"][0]["high"]);
  // Steps that drafted nothing lie between rounds, so that these counts bracket nothing.
  CHECK_FALSE(gamma_answer(at("vllm_ngram_T0.jsonl") + " --cost .05").contains("order_free"));
}

TEST_CASE("gamma: accept_lengths are replayed once --draft-length says how many tokens were drafted") {
  std::string const answers = at("spec_bench_answers.jsonl");
  nlohmann::json const found = gamma_answer(answers + " --draft-length 15 --cost .05");
  CHECK(found["estimator"] == "replayed_rounds");
  CHECK(number(found["replay"]["curve"][0]["low"]) == number(found["replay"]["curve"][0]["high"]));  // none was full
  CHECK(unwrapped(run_line("gamma " + answers + " --cost .05").out)
            .find("The file lists rounds but not how many tokens each drafted. Say the length to replay them.") !=
        std::string::npos);
}

TEST_CASE("gamma: acceptance at every token gives exact values, and says whether drafts depend on their depth") {
  std::string const lengths = at("acceptance_lengths.jsonl");
  nlohmann::json const eagle = gamma_answer(lengths + " --draft-key eagle --draft-length 4 --cost .05");
  CHECK(eagle["replay"]["depth_test"] == nlohmann::json{{"held", 84}, {"places", 217}});
  nlohmann::json const& row = eagle["replay"]["curve"][1];
  CHECK(number(row["mean_tokens"]["value"]) == Approx(334. / 159));
  CHECK((row["replayed"].is_number() && eagle["replay"]["gamma_ran"] == 4));
  std::string const out =
      unwrapped(run_line("gamma " + lengths + " --draft-key eagle --draft-length 4 --cost .05").out);
  CHECK(out.find("(6 requests, 334 tokens, c=0.05)") != std::string::npos);
  CHECK(
      out.find("Drafts depend on their depth: a round that starts one token later accepts one draft less at 39 % of "
               "217 places. A replay of rounds alone would be off.") != std::string::npos);
  CHECK(out.find("The order of rounds at γ = 4 alone gives ") != std::string::npos);
  CHECK(unwrapped(run_line("gamma " + lengths + " --draft-key ngram").out)
            .find("Drafts hardly depend on their depth") != std::string::npos);
  CHECK(gamma_refusal(lengths, 2).find("it has 2 drafts, eagle, ngram") != std::string::npos);
  CHECK(gamma_refusal(engine_rounds + " --draft-key eagle", 2).find("has no drafts by name") != std::string::npos);
  CHECK(unwrapped(run_line("gamma " + engine_rounds).out)
            .find("Rounds of one draft length cannot show whether drafts depend on their depth.") !=
        std::string::npos);
  CHECK(run_line("measure " + lengths + " --draft-key ngram --draft-length 2").out.starts_with("1.9306 ["));
  CHECK(run_line("why " + lengths + " --draft-key ngram --gamma 3").status == 0);
}

TEST_CASE("gamma: where every draft was accepted no longer one than ran is recommended") {
  TemporaryFile const full(".jsonl", responses(std::vector(4, std::vector(30, 2)), true));
  nlohmann::json const found = gamma_answer(full.path() + " --cost .05");
  CHECK((found["best_gamma"] == 2 && found["replay"]["curve"].size() == 2));
  std::string const out = unwrapped(run_line("gamma " + full.path() + " --cost .05").out);
  CHECK(
      out.find("No draft was rejected, so nothing bounds γ here. γ = 2 is the longest that ran: run a longer one.") !=
      std::string::npos);
  CHECK(out.find("try --most") == std::string::npos);
}

TEST_CASE("gamma: one long request has intervals over its parts, and says so first") {
  std::vector<int> rounds;
  for (int i = 0; i < 1600; ++i) rounds.push_back(i % 7 < 3 || i % 11 == 5 ? 2 : i % 2);
  TemporaryFile const alone(".jsonl", responses({rounds}, true));
  nlohmann::json const found = gamma_answer(alone.path() + " --cost .05");
  CHECK(found["replay"]["curve"][0]["mean_tokens"].contains("low"));
  std::string const out = unwrapped(run_line("gamma " + alone.path() + " --cost .05").out);
  CHECK(out.find("(1 request, 1600 rounds in their order, intervals over parts of one request, c=0.05)") !=
        std::string::npos);
  CHECK(out.find("95 % intervals over 20 parts of one request. They say nothing of other texts.") !=
        std::string::npos);
}

TEST_CASE("report and gamma choose the same draft length by rounds in their order") {
  nlohmann::json const page = document("report " + engine_rounds + " --cost .02"),
                       alone = gamma_answer(engine_rounds + " --cost .02");
  CHECK(page["subjects"][0]["gamma"]["best_gamma"] == alone["best_gamma"]);
  CHECK(alone["best_gamma"] == 8);
  CHECK(document("report " + engine_rounds + " --cost .02 --most 5")["subjects"][0]["gamma"]["curve"].size() == 6);
}

TEST_CASE("gamma: two runs at two draft lengths are held against each other, whichever is named first") {
  // Texts of clusters: 1 1 ? 1 1 ? 0 0 …, and the same at γ = 1, which rounds of 2 allow.
  std::vector<std::vector<int>> longer, shorter;
  for (int r = 0; r < 12; ++r) {
    longer.push_back(clustered[static_cast<std::size_t>(r % 3)]);
    shorter.push_back({});
    for (int const kept : longer.back())
      for (int i = 0; i < 1 + kept / 2; ++i) shorter.back().push_back(kept / 2);
  }
  std::string log;
  for (std::size_t r = 0; r < shorter.size(); ++r)
    for (std::size_t i = 0, start = 0; i < shorter[r].size(); start += static_cast<std::size_t>(shorter[r][i++]) + 1)
      log += fmt::format(R"({{"prompt": {}, "start": {}, "gamma": 1, "emitted": {}}})", r, start, shorter[r][i] + 1) +
             "\n";
  TemporaryFile const two(".two.jsonl", responses(longer, true)), one(".one.jsonl", log);
  for (std::string const& files : {two.path() + " " + one.path(), one.path() + " " + two.path()}) {
    nlohmann::json const found =
        gamma_answer(files + " --cost two.jsonl=.05,one.jsonl=.05")["counted_drafts"]["two_lengths"];
    CHECK((found["longer"] == "two.jsonl" && found["shorter"] == "one.jsonl"));
    CHECK((found["gamma_longer"] == 2 && found["gamma_shorter"] == 1 && found["by_order"] == true));
    CHECK((found["paired"] == true && found["verdict"].is_string()));
    CHECK(unwrapped(run_line("measure " + files + " --cost two.jsonl=.05,one.jsonl=.05").out)
              .find("two.jsonl drafted 2 tokens a round, one.jsonl drafted 1. ") != std::string::npos);
    CHECK(unwrapped(run_line("gamma " + files + " --cost two.jsonl=.05,one.jsonl=.05").out)
              .find("At γ = 1 the order of two.jsonl's rounds allows ") != std::string::npos);
  }
}

TEST_CASE("measure, why and report read a log of rounds alone") {
  CHECK(run_line("measure " + engine_rounds).out.starts_with("3.2441 [3.1344, 3.3538] tokens per round at γ=4"));
  CHECK(run_line("why " + engine_rounds).out.find("rejected drafts") != std::string::npos);
  Run const page = run_line("report " + engine_rounds + " --cost .05");
  CHECK((page.status == 0 && page.out.starts_with("<!")));
}

}  // namespace draftgauge
