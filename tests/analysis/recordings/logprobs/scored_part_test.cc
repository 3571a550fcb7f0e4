#include <catch2/catch.hpp>

#include "analysis/recordings/columns.h"
#include "analysis/recordings/logprobs/logprobs.h"
#include "tests/message.h"

// Which of a response's tokens are the text that was to be scored, and which were scored at all.
using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

ModelRecording scored_in(std::string const& text, LogprobOptions const& options = {}) {
  return read_logprobs("x", text, options);
}
std::string problem_in(std::string const& text, LogprobOptions const& options = {}) {
  return message<InputError>([&] { scored_in(text, options); });
}
std::vector<double> log_probs_of(ModelText const& text) {
  std::vector<double> all;
  for (ModelToken const& token : text.tokens) all.push_back(token.log_prob);
  return all;
}
std::string whole(std::string const& list) {
  return "Every token of " + list +
         " is taken as the text, since no record says how long its prompt is: give n_prompt in each record, or "
         "`prompt-tokens`.";
}

std::string scored_by_sglang(std::string const& output) {
  return R"({"meta_info": {"prompt_tokens": 4, "input_token_logprobs": [[null, 3, null], [-1, 5, null], [-2, 7, null], [-3, 8, null]])" +
         output + "}}";
}

std::string completion(int tokens, std::string const& value, std::string const& last) {
  std::string names, all;
  for (int i = 0; i < tokens; ++i) {
    names += i ? ", \"a\"" : "\"a\"";
    all += (i ? ", " : "") + (i + 1 < tokens ? value : last);
  }
  return R"({"choices": [{"logprobs": {"tokens": [)" + names + R"(], "token_logprobs": [)" + all + "]}}]}\n";
}

}  // namespace

TEST_CASE("what SGLang scored of its input is the text where it generates a token at most") {
  for (std::string const& output : {std::string(), std::string(R"(, "output_token_logprobs": [])"),
                                    std::string(R"(, "output_token_logprobs": [[-9, 1, null]])")}) {
    CAPTURE(output);
    ModelRecording const scored = scored_in(scored_by_sglang(output));
    CHECK((scored.format == "SGLang input_token_logprobs" && scored.texts[0].first == 1));
    CHECK(log_probs_of(scored.texts[0]) == std::vector<double>{-1, -2, -3});
    CHECK(scored.notes == std::vector{whole("input_token_logprobs")});
  }
  // With its prompt's length nothing is taken for granted.
  CHECK(log_probs_of(scored_in(scored_by_sglang(""), {.prompt_tokens = 2, .temperature = {}}).texts[0]) ==
        std::vector<double>{-2, -3});
  ModelRecording const generated =
      scored_in(scored_by_sglang(R"(, "output_token_logprobs": [[-8, 1, null], [-9, 1, null]])"));
  CHECK(log_probs_of(generated.texts[0]) == std::vector<double>{-8, -9});
  CHECK(generated.notes ==
        std::vector<std::string>{
            "What the servers generated is the text: scored tokens of the prompts are passed over."});
}

TEST_CASE("what vLLM and completions echo of a prompt is not passed over for the one token behind it") {
  std::string const scored = R"("prompt_logprobs": [null, {"5": -1}, {"7": -2}])";
  CHECK(problem_in(R"({"choices": [{"logprobs": {"tokens": ["a"], "token_logprobs": [-9]}, )" + scored + "}]}")
            .starts_with("x, line 1: how many tokens of prompt_logprobs are the prompt's is not said ("));
  CHECK(
      scored_in(R"({"choices": [{"logprobs": {"tokens": ["a", "b"], "token_logprobs": [-8, -9]}, )" + scored + "}]}")
          .format == "OpenAI completions logprobs");
  ModelRecording const echoed = scored_in(
      R"({"choices": [{"logprobs": {"tokens": ["z", "a", "b", "c"], "token_logprobs": [null, -1, -2, -9]}}], "usage": {"prompt_tokens": 3}})");
  CHECK((log_probs_of(echoed.texts[0]) == std::vector<double>{-1, -2} && echoed.texts[0].first == 1));
  CHECK(echoed.notes == std::vector{whole("logprobs.tokens")});
}

TEST_CASE("texts whose log-probabilities are all 0 were not computed, but for certain ones") {
  std::string const why =
      "x: 30 of 30 logprobs are 0 in texts that hold nothing else (they were not computed: vLLM V0 writes 0 where it "
      "speculates) score the text again with speculation off";
  CHECK(problem_in(completion(30, "0.0", "0.0")) == why);
  CHECK(problem_in(completion(30, "-0.0", "0")) == why);
  CHECK(problem_in(completion(20, "0.0", "0.0") + completion(9, "-1", "-1"))
            .starts_with("x: 20 of 29 logprobs are 0 "));
  // A text that is certain but for one token, a short one, few of many, and a greedy one.
  CHECK(problem_in(completion(30, "0.0", "-0.01")) == "(no error)");
  CHECK(problem_in(completion(9, "0.0", "0.0")) == "(no error)");
  CHECK(problem_in(completion(10, "0.0", "0.0") + completion(30, "-1", "-1")) == "(no error)");
  CHECK(problem_in(completion(30, "0.0", "0.0"), {.prompt_tokens = {}, .temperature = 0}) == "(no error)");
}

TEST_CASE("columns of 0 were not computed either") {
  std::string rows = "logp\tlogq\n";
  for (int i = 0; i < 12; ++i) rows += "0\t-1.5\n";
  auto const problem = [&](std::optional<double> temperature) {
    return message<InputError>(
        [&] { read_columns("x", rows, {.temperature = temperature, .as_written = temperature == 0}); });
  };
  CHECK(
      problem(1) ==
      "x: 12 of 12 entries of log p are 0 in texts that hold nothing else (they were not computed: vLLM V0 writes 0 "
      "where it speculates) score the text again with speculation off");
  CHECK(problem({}).starts_with("x: 12 of 12 entries of log p are 0 "));
  CHECK(problem(0) == "(no error)");
}

TEST_CASE("a logprob of 0 without a list, where others have one, was filled in, whichever server wrote it") {
  CHECK(
      problem_in(
          R"({"choices": [{"logprobs": {"tokens": ["a", "b"], "token_logprobs": [-1, 0.0], "top_logprobs": [{"a": -1, "c": -0.7}, null]}}]})") ==
      "x, line 1, logprobs.tokens[1]: token 'b' has a logprob of 0 and an empty list (the server filled it in: "
      "llama.cpp does so for drafted tokens that it accepts) record with speculation off, or score the text "
      "afterwards");
  // A certain token that is all of its list is none.
  CHECK(
      problem_in(
          R"({"choices": [{"logprobs": {"tokens": ["a", "b"], "token_logprobs": [-1, 0.0], "top_logprobs": [{"a": -1, "c": -0.7}, {"b": 0.0}]}}]})") ==
      "(no error)");
}
