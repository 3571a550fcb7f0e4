#include "tests/apps/measure/measure_run.h"

/// Responses that do not hold what was to be scored, or only beside something else.
namespace draftgauge {
namespace {

/// SGLang's answer to a request that scores a text of `tokens` and generates one more.
std::string scored_by_sglang(std::string const& id, double log_prob, int tokens) {
  std::string list = "[null, 7, null]";
  for (int i = 1; i < tokens; ++i) list += ", [" + std::to_string(log_prob) + ", " + std::to_string(i) + ", null]";
  return R"({"text": "", "meta_info": {"id": ")" + id + R"(", "prompt_tokens": )" + std::to_string(tokens) +
         R"(, "input_token_logprobs": [)" + list +
         R"(], "output_token_logprobs": [[-1.1, 7, null]], "completion_tokens": 1}})" + "\n";
}

std::string completion(std::string const& log_prob, int tokens) {
  std::string names, values;
  for (int i = 0; i < tokens; ++i) {
    names += (i ? ", \"t" : "\"t") + std::to_string(i) + "\"";
    values += (i ? ", " : "") + log_prob;
  }
  return R"({"choices": [{"logprobs": {"tokens": [)" + names + R"(], "token_logprobs": [)" + values + "]}}]}\n";
}

}  // namespace

TEST_CASE("measure: a text that was scored as a prompt is taken, not the one token behind it") {
  TemporaryFile const target(".jsonl", scored_by_sglang("a", -1, 31) + scored_by_sglang("b", -1, 31)),
      draft(".jsonl", scored_by_sglang("a", -1.5, 31) + scored_by_sglang("b", -1.5, 31));
  nlohmann::json const found = measured({target.path(), draft.path(), "--recorded-temperature", "1"});
  CHECK(found["tokens"] == 60);
  CHECK(value(found["mean_a"]) == Approx(std::exp(-.5)));
  CHECK(
      holds(in_one_line(measure({target.path(), draft.path()}).out),
            "Every token of input_token_logprobs is taken as the text, since no record says how long its prompt is"));
}

TEST_CASE("measure: log-probabilities of 0 everywhere were not computed") {
  TemporaryFile const zeros(".jsonl", completion("0.0", 30)), scored(".jsonl", completion("-2.0", 30));
  std::string const why =
      ": 30 of 30 logprobs are 0 in texts that hold nothing else (they were not computed: vLLM V0 writes 0 where it "
      "speculates)\nhint: score the text again with speculation off";
  CHECK(measure_refusal({zeros.path(), scored.path(), "--recorded-temperature", "1"}, 3) == zeros.path() + why);
  CHECK(measure_refusal({scored.path(), zeros.path()}, 3) == zeros.path() + why);
  CHECK(refusal(run_command("inspect", {zeros.path()}), 3) == zeros.path() + why);
}

TEST_CASE("measure: two models' responses are no scrapes where both count drafts") {
  auto const response = [](std::string const& entry) {
    return R"({"completion_probabilities": [{"id": 5, "logprob": -1.5, "token": "a", "top_logprobs": [{"id": 5, "logprob": -1.5, "token": "a"}]}, )" +
           entry + R"(], "timings": {"predicted_n": 9, "draft_n": 28, "draft_n_accepted": 1}})" + "\n";
  };
  TemporaryFile const target(".jsonl", response(R"({"id": 6, "logprob": 0.0, "token": "b", "top_logprobs": []})")),
      draft(
          ".jsonl",
          response(
              R"({"id": 6, "logprob": -2, "token": "b", "top_logprobs": [{"id": 6, "logprob": -2, "token": "b"}]})"));
  CHECK(
      measure_refusal({target.path(), draft.path()}, 3) ==
      target.path() +
          ", line 1, completion_probabilities[1]: token '6' has a logprob of 0 and an empty list (the server filled "
          "it in: llama.cpp does so for drafted tokens that it accepts)\nhint: record with speculation off, or score "
          "the text afterwards");
  // One of them alone is counters.
  CHECK(measured({target.path()})["counts"]["accepted"] == 1);
}

}  // namespace draftgauge
