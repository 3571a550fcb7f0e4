#include "analysis/recordings/logprobs/logprobs.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/recordings/logprobs/logprob_form.h"
#include "sim/base/lists.h"
#include "tests/analysis/recordings/fixture.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

ModelRecording read(std::string const& text, std::optional<std::int64_t> prompt = {}) {
  return read_logprobs("x", text, {.prompt_tokens = prompt, .temperature = {}});
}
std::string error(std::string const& text, std::optional<std::int64_t> prompt = {}) {
  return message<InputError>([&] { read(text, prompt); });
}

/// The token's names, comma-separated.
std::string names(ModelText const& text) {
  std::string all;
  for (ModelToken const& token : text.tokens) all += (all.empty() ? "" : ",") + token.name;
  return all;
}

/// One response of one text in each format; "a" (5) then "b" (7), of log-probability −1 and −2.
std::string vllm(std::string const& entries, std::string const& more = "\"n_prompt\": 1") {
  return "{\"request_id\": \"r\", \"prompt_token_ids\": [3, 5, 7], \"prompt_logprobs\": [null, " + entries + "], " +
         more + "}";
}

}  // namespace

TEST_CASE("vLLM's prompt_logprobs of two models give the columns that were recorded beside them") {
  ModelRecording const target = read_logprobs("t.jsonl", fixture_text("prompt_logprobs_target.jsonl"));
  ModelRecording const draft = read_logprobs("d.jsonl", fixture_text("prompt_logprobs_draft-prune2.jsonl"));
  CHECK((target.format == "vLLM prompt_logprobs" && target.ids));
  REQUIRE(target.texts.size() == 2);
  CHECK(
      (target.texts[0].name == "seq-0" && target.texts[0].first == 39 && target.texts[0].place == "t.jsonl, line 1"));
  TokenTrace const trace = join(target, draft, {.prompt_tokens = {}, .temperature = 1});
  CHECK((trace.name == "t.jsonl, d.jsonl" && trace.estimated_as == "vLLM prompt_logprobs"));
  CHECK((trace.temperature == 1 && trace.files == std::vector<std::string>{"t.jsonl", "d.jsonl"}));
  TextTrace const& text = trace.texts[0];
  REQUIRE(text.size() == 12);
  // As in trace_prune2_T1.tsv, whose β lies between the bounds.
  CHECK(text.tokens == std::vector<std::int64_t>{50, 1040, 14517, 314, 1135, 411, 7745, 8200, 913, 618, 14517, 28});
  CHECK(text.log_p[0] == Approx(-0.588202299).epsilon(1e-6));
  CHECK(text.log_q[1] == Approx(-0.132571652).epsilon(1e-6));
  CHECK(text.beta.empty());
  CHECK((text.beta_low[0] < 0.792196208 && 0.792196208 < text.beta_high[0]));
  CHECK((text.beta_low[1] < 0.902707647 && 0.902707647 < text.beta_high[1]));
  CHECK((text.argmax_match.size() == 12 && text.argmax_match[0] == 1 && text.rank_q[0] == 1 && text.top[0] == 1));
  CHECK(text.max_p[0] == Approx(std::exp(-0.588202299)));
  CHECK(trace.notes ==
        std::vector<std::string>{
            "only the most likely tokens were listed: β is bounded, not known",
            "log-probabilities are the servers': of the distributions before temperature and truncation unless "
            "they were asked for processed ones"});
}

TEST_CASE("what vLLM 0.18 answered to record_vllm.py") {
  std::string const target_file = fixture_text("vllm_0.18_target.jsonl");
  ModelRecording const target = read_logprobs("t.jsonl", target_file);
  ModelRecording const draft = read_logprobs("d.jsonl", fixture_text("vllm_0.18_draft-prune2.jsonl"));
  CHECK((target.format == "vLLM prompt_logprobs" && target.ids));
  REQUIRE(target.texts.size() == 2);
  CHECK((target.texts[0].name == "8" && target.texts[0].first == 14 && target.texts[1].first == 12));
  TokenTrace const trace = join(target, draft, {.prompt_tokens = {}, .temperature = 1});
  // Sums over the records' own entries, taken by another program.
  for (auto const& [number, mean] : {std::pair{0, 0.8481082416}, std::pair{1, 0.7408137859}}) {
    TextTrace const& text = trace.texts[static_cast<std::size_t>(number)];
    REQUIRE(text.size() == 60);
    double sum = 0;
    for (std::size_t t = 0; t < text.size(); ++t) sum += std::min(1.0, std::exp(text.log_q[t] - text.log_p[t]));
    CHECK(sum / 60 == Approx(mean).epsilon(1e-9));
  }
  TextTrace const& text = trace.texts[0];
  CHECK((text.tokens[0] == 260 && text.tokens[1] == 6562 && text.log_p[0] == Approx(-1.405600667)));
  CHECK(std::ranges::count(text.top, 1) == 29);
  CHECK((text.top[7] == 0 && text.log_p[7] == Approx(-1.7193917036)));

  // Without return_token_ids the server says null, and of two listed tokens the second most likely may be either.
  std::string without = target_file;
  std::string const ids = "\"prompt_token_ids\": ";
  for (std::size_t at = 0; (at = without.find(ids + "[", at)) != std::string::npos; ++at)
    without.replace(at, without.find(']', at) + 1 - at, ids + "null");
  CHECK(message<InputError>([&] { read_logprobs("t.jsonl", without); }) ==
        "t.jsonl, line 1, prompt_logprobs[21]: which of the 2 listed tokens is the text's own is not said (ranks do "
        "not tell here) ask for return_token_ids, or list none beside it (prompt_logprobs 0)");
}

TEST_CASE("every format gives the same text") {
  struct Case {
    std::string format, record;
    std::optional<std::int64_t> prompt;
  };
  std::string const chat =
      R"({"choices": [{"logprobs": {"content": [)"
      R"({"token": "a", "bytes": [97], "logprob": -1, "top_logprobs": [{"token": "c", "bytes": [99], "logprob": -0.5}]},)"
      R"({"token": "b", "logprob": -2, "top_logprobs": [{"token": "b", "bytes": null, "logprob": -2}]}]}}]})";
  for (
      Case const& each : std::vector<Case>{
          {"vLLM prompt_logprobs",
           vllm(R"({"5": {"logprob": -1, "rank": 2}, "9": {"logprob": -0.5, "rank": 1}}, {"7": -2})"),
           {}},
          {"vLLM prompt_logprobs", R"({"prompt_logprobs": [null, {"5": -1}, {"7": -2}]})", 1},
          {"vLLM prompt_logprobs",
           R"({"choices": [{"prompt_logprobs": [null, {"5": -1}, {"7": -2}], "logprobs": null}], "prompt_len": 0})",
           {}},
          {"vLLM prompt_logprobs",
           R"({"prompt_logprobs": [null, {"5": {"logprob": -1, "rank": 3}, "9": {"logprob": -2, "rank": 1}}, {"7": -2}]})",
           1},
          {"OpenAI chat logprobs", chat, {}},
          {"OpenAI chat logprobs", R"({"custom_id": "r", "response": {"body": )" + chat + "}}", {}},
          {"OpenAI chat logprobs",
           R"({"choices": [{"logprobs": {"content": [{"token": "token_id:5", "logprob": -1}, {"token": "token_id:7", "logprob": -2}]}}]})",
           {}},
          {"llama.cpp logprobs",
           R"({"choices": [{"logprobs": {"content": [{"id": 5, "token": "a", "logprob": -1}, {"id": 7, "token": "b", "logprob": -2}]}}]})",
           {}},
          {"OpenAI completions logprobs",
           R"({"choices": [{"logprobs": {"tokens": ["a", "b"], "token_logprobs": [-1, -2], "top_logprobs": [{"a": -1, "c": -0.5}, null]}}]})",
           {}},
          {"OpenAI completions logprobs",
           R"({"choices": [{"logprobs": {"tokens": ["z", "a", "b"], "token_logprobs": [null, -1, -2]}}], "usage": {"prompt_tokens": 1}})",
           {}},
          {"SGLang output_token_logprobs",
           R"({"meta_info": {"prompt_tokens": 1, "input_token_logprobs": [[null, 3, null]], "output_token_logprobs": [[-1, 5, "a"], [-2, 7, null]], "output_top_logprobs": [[[-1, 5, "a"]], null]}})",
           {}},
          {"SGLang input_token_logprobs",
           R"({"n_prompt": 2, "meta_info": {"prompt_tokens": 4, "input_token_logprobs": [[null, 3, null], [-1, 5, "a"], [-2, 7, null]], "output_token_logprobs": [[-1, 8, null]]}})",
           {}},
          {"llama.cpp completion_probabilities",
           R"({"completion_probabilities": [{"id": 5, "token": "a", "logprob": -1, "top_logprobs": []}, {"id": 7, "token": "b", "prob": 0.1353352832366127, "top_probs": []}]})",
           {}},
          {"llama.cpp completion_probabilities",
           R"({"completion_probabilities": [{"content": "a", "probs": [{"tok_str": "a", "prob": 0.36787944117144233}]}, {"content": "b", "probs": [{"tok_str": "b", "prob": 0.1353352832366127}]}]})",
           {}}}) {
    CAPTURE(each.record);
    for (std::string const& text : {each.record, "[" + each.record + "]", "\n" + each.record + "\n\n"}) {
      ModelRecording const recording = read(text, each.prompt);
      CHECK(recording.format == each.format);
      REQUIRE(recording.texts.size() == 1);
      CHECK(names(recording.texts[0]) == (recording.ids ? "5,7" : "a,b"));
      CHECK(recording.texts[0].tokens[0].log_prob == Approx(-1));
      CHECK(recording.texts[0].tokens[1].log_prob == Approx(-2));
      CHECK(contains(recording.texts[0].tokens[0].law.tokens, recording.ids ? "5" : "a", &ListedToken::name));
    }
  }
}

TEST_CASE("what a list tells of the most likely tokens") {
  // The k most likely apart from the token: none that is missing exceeds the last of them.
  ModelToken const apart =
      read(R"({"choices": [{"logprobs": {"content": [{"token": "x", "logprob": -3, "top_logprobs": [
               {"token": "a", "logprob": -0.5}, {"token": "b", "logprob": -2}]}]}}]})")
          .texts[0]
          .tokens[0];
  CHECK(apart.law.most_unlisted == Approx(std::exp(-2)));
  CHECK((apart.most_likely == false && apart.max_prob == Approx(std::exp(-.5)) && apart.law.tokens.size() == 3));
  // Mixed: the token may be one that was added, so that its own probability bounds nothing…
  auto const mixed = [](std::string const& map) { return read(vllm(map + ", {\"7\": -2}")).texts[0].tokens[0]; };
  CHECK(mixed(R"({"5": -3, "9": -0.5, "8": -2})").law.most_unlisted == Approx(std::exp(-2)));
  // … unless its rank says that it is among the most likely.
  CHECK(
      mixed(
          R"({"5": {"logprob": -3, "rank": 3}, "9": {"logprob": -0.5, "rank": 1}, "8": {"logprob": -2, "rank": 2}})")
          .law.most_unlisted == Approx(std::exp(-3)));
  CHECK(
      mixed(
          R"({"5": {"logprob": -3, "rank": 4}, "9": {"logprob": -0.5, "rank": 1}, "8": {"logprob": -2, "rank": 2}})")
          .law.most_unlisted == Approx(std::exp(-2)));
  ModelToken const alone = mixed(R"({"5": -3})");
  CHECK((!alone.most_likely && !alone.max_prob && alone.law.most_unlisted == 1));
  ModelToken const first = mixed(R"({"5": {"logprob": -1, "rank": 1}})");
  CHECK((first.most_likely == true && first.law.most_unlisted == Approx(std::exp(-1)) && first.rank == 1));
  // Two tokens of one text cannot be told apart: they count as not listed.
  ModelToken const twins =
      read(R"({"choices": [{"logprobs": {"content": [{"token": "x", "logprob": -3, "top_logprobs": [
               {"token": "?", "logprob": -0.9}, {"token": "?", "logprob": -1}, {"token": "b", "logprob": -2}]}]}}]})")
          .texts[0]
          .tokens[0];
  CHECK((twins.law.tokens.size() == 2 && twins.law.most_unlisted == Approx(std::exp(-.9))));
  CHECK(mixed(R"({"5": -9999})").log_prob == -std::numeric_limits<double>::infinity());
}

TEST_CASE("lists of the whole distribution give β itself") {
  auto const recording = [](std::string const& p5, std::string const& p7) {
    return read(vllm("{\"5\": " + p5 + ", \"7\": " + p7 + "}, {\"5\": " + p5 + ", \"7\": " + p7 + "}"));
  };
  TokenTrace const trace =
      join(recording("-1.3862943611198906", "-0.2876820724517809"), recording("-0.6931472", "-0.6931472"));
  CHECK(trace.texts[0].beta_low.empty());
  REQUIRE(trace.texts[0].beta.size() == 2);
  CHECK(trace.texts[0].beta[0] == Approx(.75));
  CHECK(trace.texts[0].argmax_match == std::vector<std::uint8_t>{1, 1});
  CHECK(trace.texts[0].top == std::vector<std::uint8_t>{0, 1});
}

TEST_CASE("texts are matched by request, else by order; a difference is shown where it is") {
  auto const record = [](std::string const& id, std::string const& a, std::string const& b) {
    return "{\"request_id\": \"" + id + "\", \"n_prompt\": 1, \"prompt_logprobs\": [null, {\"" + a + "\": -1}, {\"" +
           b + "\": -2}]}\n";
  };
  TokenTrace const trace =
      join(read(record("r", "5", "7") + record("s", "6", "8")), read(record("s", "6", "8") + record("r", "5", "7")));
  CHECK(trace.texts[1].tokens == std::vector<std::int64_t>{6, 8});
  TokenTrace const ordered =
      join(read(record("r", "5", "7") + record("s", "6", "8")), read(record("1", "5", "7") + record("2", "6", "8")));
  CHECK(ordered.notes[0] == "no request ids are in both files: texts are matched by their order");

  auto const refused = [](std::string const& target, std::string const& draft) {
    return message<InputError>([&] { join(read_logprobs("t", target), read_logprobs("d", draft)); });
  };
  CHECK(
      refused(record("r", "5", "7"), record("r", "5", "8")) ==
      "text 'r' differs at token 1: '7' in t, line 1 (position 2 of the record), '8' in d, line 1 (position 2) (both "
      "models must score the same tokens) give the draft the target's own tokens as its prompt, and check both "
      "prompts' lengths");
  CHECK(refused(record("r", "5", "7"), R"({"n_prompt": 1, "prompt_logprobs": [null, {"5": -1}]})") ==
        "text 'r' has 2 tokens in t, line 1, 1 in d, line 1 (both models must score the same tokens) score the same "
        "text with both, and check that neither record counts its prompt");
  CHECK(
      refused(record("r", "5", "7") + record("s", "5", "7"), record("r", "5", "7") + record("u", "5", "7")) ==
      "t, line 2: the text 's' is not in d (both models must score the same texts) score it with the draft, too, or "
      "leave it out");
  CHECK(refused(record("r", "5", "7"), record("r", "5", "7") + record("u", "5", "7")) ==
        "t has 1 texts, d has 2 (both models must score the same texts) score the same requests with both");
  CHECK(refused(record("r", "5", "7"),
                R"({"choices": [{"logprobs": {"tokens": ["a", "b"], "token_logprobs": [-1, -2]}}]})") ==
        "t names tokens by id, d by text (they cannot be compared) ask both servers for token ids "
        "(return_tokens_as_token_ids)");
}

TEST_CASE("drafted tokens that llama.cpp's server filled in are refused") {
  std::string const why =
      "token '990' has a logprob of 0 and an empty list (the server filled it in: llama.cpp does so "
      "for drafted tokens that it accepts) record with speculation off, or score the text afterwards";
  CHECK(error(fixture_text("server_prune2_g4_completion_n_probs3.json")) ==
        "x, line 1, completion_probabilities[1]: " + why);
  CHECK(error(fixture_text("server_prune2_g4_v1_completions_logprobs3.json"))
            .starts_with("x, line 1, choices[0].logprobs.content[1]: token '578' has a logprob of 0"));
  CHECK(error(R"({"completion_probabilities": [{"id": 990, "logprob": 0, "token": "", "top_logprobs": []}]})") ==
        "x, line 1, completion_probabilities[0]: " + why);
  // A certain token beside its list is no placeholder, nor one without a list where no token has one.
  CHECK(
      error(
          R"({"completion_probabilities": [{"id": 9, "prob": 1, "token": "", "top_probs": [{"id": 9, "token": "", "prob": 1}]}]})") ==
      "(no error)");
  CHECK(
      error(
          R"({"completion_probabilities": [{"id": 9, "logprob": 0, "token": ""}, {"id": 9, "logprob": -1, "token": ""}]})") ==
      "(no error)");
}

TEST_CASE("the prompt's tokens must be known, and leave a text") {
  CHECK(error(R"({"prompt_logprobs": [null, {"5": -1}]})") ==
        "x, line 1: how many tokens of prompt_logprobs are the prompt's is not said (the target did not write those) "
        "add "
        "n_prompt to the record, or give the prompt's length");
  CHECK(error(R"({"prompt_logprobs": [null, {"5": -1}]})", 2) ==
        "x, line 1: prompt_logprobs has 2 tokens, of which the prompt has 2 (no text is left to score) correct the "
        "prompt's length, or score prompt and text together");
  CHECK(
      error(R"({"n_prompt": 1, "meta_info": {"prompt_tokens": 9, "input_token_logprobs": [[-1, 5, null]]}})") ==
      "x, line 1: input_token_logprobs begins at token 8, the text at 1 (the text's first tokens are not scored) ask "
      "with a smaller logprob_start_len");
  // One request for several prompts counts their tokens together.
  std::string const echoed = R"({"logprobs": {"tokens": ["z", "a", "b"], "token_logprobs": [null, -1, -2]}})";
  std::string const batch = R"({"choices": [)" + echoed + ", " + echoed + R"(], "usage": {"prompt_tokens": 2}})";
  CHECK(error(batch) ==
        "x, line 1: usage.prompt_tokens is of 2 choices together (their prompts may differ, and the target did not "
        "write those) add n_prompt to the record, or ask for one text in a request");
  for (ModelText const& text : read(batch, 1).texts) CHECK(names(text) == "a,b");
  CHECK(message([] { read("", -1); }) == "a prompt of -1 tokens (a length is at least 0) give its number of tokens");
}

TEST_CASE("a record that is not as its format has it is refused where it is wrong") {
  std::string const keys = logprob_keys(), known = " (known: " + keys + ") ask the server for them";
  for (char const* key : {"prompt_logprobs", "choices[].logprobs.content", "choices[].logprobs.tokens",
                          "completion_probabilities", "meta_info"}) {
    CAPTURE(key);
    CHECK(keys.find(key) != std::string::npos);
  }
  CHECK((keys.find(", ") < keys.find(" or ") && keys.rfind(", ") < keys.rfind(" or ")));
  CHECK(keys.find(" or ") == keys.rfind(" or "));
  struct Case {
    std::string record, problem;
  };
  for (
      Case const& each : std::vector<Case>{
          {vllm(R"({"5": 0.5}, {"7": -2})"),
           ", prompt_logprobs[1]: logprob is 0.5 (expected: a natural logarithm of a probability, at most 0) ask for "
           "log-probabilities, not for logits"},
          {vllm(R"({"5": -0.1, "9": -0.2}, {"7": -2})"),
           ", prompt_logprobs[1]: the listed tokens' probabilities sum to 1.72357 (expected: at most 1, since they "
           "are "
           "of one distribution) ask for log-probabilities (vLLM: --logprobs-mode processed_logprobs), not for "
           "logits"},
          {vllm(R"({"9": -1}, {"7": -2})"),
           ", prompt_logprobs[1]: the text's token 5 is not among those listed (its own probability is needed, a "
           "bound "
           "does not do) keep the entry that the server adds for it beside the most likely"},
          {vllm(R"(null, {"7": -2})"),
           ", prompt_logprobs[1]: it is 'null' (expected: the listed tokens by id) score the whole text"},
          {vllm(R"({"5": "-1"}, {"7": -2})"),
           ", prompt_logprobs[1]: logprob is '\"-1\"' (expected: a number) correct it"},
          {vllm(R"({"a": -1}, {"7": -2})"), ", prompt_logprobs[1]: a key is 'a' (expected: a token's id) correct it"},
          {vllm(R"({"5": {"rank": 1}}, {"7": -2})"),
           ", prompt_logprobs[1]: token 5 has no logprob (its probability is needed) correct it"},
          {vllm(R"({"5": -1}, {"7": -2}, {"7": -2})"),
           ": prompt_token_ids is a list of 3, prompt_logprobs a list of 4 (expected: one id for each token) correct "
           "it"},
          {vllm(R"({"5": -1}, {"7": -2})", "\"n_prompt\": -1"),
           ": n_prompt is '-1' (expected: a whole number ≥ 0) correct it"},
          {R"({"n_prompt": 1, "prompt_logprobs": [null, {"5": {"logprob": -1, "rank": 1}, "6": {"logprob": -2, "rank": 2}}]})",
           ", prompt_logprobs[1]: which of the 2 listed tokens is the text's own is not said (ranks do not tell "
           "here) "
           "ask for return_token_ids, or list none beside it (prompt_logprobs 0)"},
          {R"({"n_prompt": 1, "prompt_logprobs": 5})", ": prompt_logprobs is '5' (expected: a list) correct it"},
          {R"({"choices": [{"logprobs": {"content": []}}]})",
           ": it has no token (a text of none says nothing) leave the record out, or ask for logprobs"},
          {R"({"choices": [{"text": "a"}]})", ": choices[0] has no log-probabilities (its keys: text)" + known},
          {R"({"choices": [{"logprobs": {"content": [{"token": "a", "logprob": -1}]}}, {"text": "a"}]})",
           ": choices[1] has no log-probabilities (its keys: text)" + known},
          {R"({"choices": [{"logprobs": {"content": [{"logprob": -1}]}}]})",
           ", choices[0].logprobs.content[0]: there is no token (its keys: logprob) (expected: id or token) correct "
           "it"},
          {R"({"choices": [{"logprobs": {"content": [{"token": "token_id:x", "logprob": -1}]}}]})",
           ", choices[0].logprobs.content[0]: the token is 'x' (expected: token_id:NUMBER) correct it"},
          {R"({"choices": [{"logprobs": {"content": [{"id": 5, "token": "a", "logprob": -1}, {"token": "b", "logprob": -1}]}}]})",
           ", choices[0].logprobs.content[1]: tokens are named by id here and by text elsewhere (they cannot be "
           "compared) ask for token ids (return_tokens_as_token_ids)"},
          {R"({"choices": [{"logprobs": {"content": [{"token": "a"}]}}]})",
           ", choices[0].logprobs.content[0]: the text's token 'a' has no logprob and is not among those listed (its "
           "own probability is needed, a bound does not do) use a server that gives it, or list more"},
          {R"({"choices": [{"logprobs": {"content": [{"token": "a", "prob": 1.5}]}}]})",
           ", choices[0].logprobs.content[0]: prob is 1.5 (expected: a probability) correct it"},
          {R"({"choices": [{"logprobs": {"content": [{"token": "a", "logprob": -1, "top_logprobs": 5}]}}]})",
           ", choices[0].logprobs.content[0]: its list is '5' (expected: a list of tokens) correct it"},
          {R"({"choices": [{"logprobs": {"content": [{"token": "a", "logprob": -1, "top_logprobs": [{"token": "b"}]}]}}]})",
           ", choices[0].logprobs.content[0]: a listed token has no logprob (expected: logprob or prob) correct it"},
          {R"({"choices": [{"logprobs": {"tokens": 5}}]})",
           ": logprobs.tokens is '5' (expected: a list of tokens) correct it"},
          {R"({"choices": [{"logprobs": {"tokens": ["a", "b"], "token_logprobs": [-1]}}]})",
           ": token_logprobs is a list of 1 (expected: a list of 2, one for each token) correct it"},
          {R"({"choices": [{"logprobs": {"tokens": [5], "token_logprobs": [-1]}}]})",
           ", logprobs.tokens[0]: it is '5' (expected: a token's text) correct it"},
          {R"({"choices": [{"logprobs": {"tokens": ["a"], "token_logprobs": [-1], "top_logprobs": [[-1]]}}]})",
           ", logprobs.tokens[0]: its entry of top_logprobs is a list of 1 (expected: logarithms by token, or null) "
           "correct it"},
          {R"({"meta_info": {"input_token_logprobs": []}})",
           ": there are no log-probabilities (its keys: meta_info)" + known},
          {R"({"meta_info": {"output_token_logprobs": [[-1]]}})",
           ", output_token_logprobs[0]: it is a list of 1 (expected: [logprob, id, text]) correct it"},
          {R"({"meta_info": {"output_token_logprobs": [[-1, 5.5, null]]}})",
           ", output_token_logprobs[0]: the token's id is '5.5' (expected: a whole number ≥ 0) correct it"},
          {R"({"text": "a"})", ": there are no log-probabilities (its keys: text)" + known}})
    CHECK(error(each.record) == "x, line 1" + each.problem);
  CHECK(error(R"({"meta_info": {"output_token_logprobs": [[-1, 5, null]]}}
{"completion_probabilities": [{"id": 5, "token": "a", "logprob": -1}]})") ==
        "x, line 2: it is llama.cpp completion_probabilities, records before it are SGLang output_token_logprobs (a "
        "file "
        "is of one kind) give each a file of its own");
  CHECK(error("[]") == "x: there is no record in it (one response for each text) record again");
}
