#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/recordings/logprobs/logprobs.h"
#include "tests/analysis/recordings/fixture.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

std::string join_error(std::string const& target, std::string const& draft) {
  return message<InputError>([&] { join(read_logprobs("t", target), read_logprobs("d", draft)); });
}

std::string chat(std::vector<std::pair<int, std::string>> const& tokens) {
  std::string content;
  for (auto const& [id, text] : tokens)
    content += (content.empty() ? "" : ", ") + (R"({"id": )" + std::to_string(id)) + R"(, "token": ")" + text +
               R"(", "logprob": -1})";
  return R"({"choices": [{"logprobs": {"content": [)" + content + "]}}]}\n";
}

std::string sglang(std::vector<std::pair<int, std::string>> const& tokens) {
  std::string list;
  for (auto const& [id, text] : tokens)
    list += (list.empty() ? "" : ", ") + ("[-1, " + std::to_string(id)) + ", \"" + text + "\"]";
  return R"({"meta_info": {"output_token_logprobs": [)" + list + "]}}\n";
}

std::string completion(std::string const& tokens, std::string const& log_probs) {
  return R"({"choices": [{"logprobs": {"tokens": [)" + tokens + R"(], "token_logprobs": [)" + log_probs + "]}}]}\n";
}

constexpr char const* differ =
    ", though the words are the same: the tokenizers differ (token-level speculation needs one "
    "vocabulary) take a draft with the target's tokenizer, or transformers' "
    "assistant_tokenizer, which drafts in words";

}  // namespace

TEST_CASE("the same words in other tokens are of two tokenizers") {
  CHECK(join_error(fixture_text("two_tokenizers_target.jsonl"), fixture_text("two_tokenizers_draft.jsonl")) ==
        std::string("text '0' differs at token 0: '18' in t, line 1 (position 1 of the record), '118' in d, line 1 "
                    "(position 1)") +
            differ);
  for (auto const& write : {chat, sglang}) {
    CHECK(join_error(write({{1, "un"}, {2, "happy"}}), write({{1, "un"}, {7, "hap"}, {8, "py"}})).ends_with(differ));
    CHECK(join_error(write({{1, "un"}, {2, "happy"}}), write({{1, "un"}, {3, "happily"}}))
              .ends_with("check both prompts' lengths"));
  }
  // The first token, which no server scores, ends elsewhere; and of one tokenizer, with a wrong prompt's length.
  CHECK(join_error(sglang({{1, "un"}, {2, "happy"}, {3, " day"}}), sglang({{5, "happy"}, {6, " day"}}))
            .ends_with(differ));
  CHECK(join_error(sglang({{1, "un"}, {2, "happy"}, {3, " day"}}), sglang({{2, "happy"}, {3, " day"}}))
            .ends_with("check both prompts' lengths"));
  CHECK(join_error(completion(R"("un", "happy")", "-1, -2"), completion(R"("unhap", "py")", "-1, -2"))
            .ends_with(differ));
  CHECK(join_error(completion(R"("un", "happy")", "-1, -2"), completion(R"("un", "fit")", "-1, -2"))
            .ends_with("check both prompts' lengths"));
}

TEST_CASE("minus infinity of Python's json.dumps is a token of probability 0") {
  TokenTrace const trace = join(read_logprobs("t", fixture_text("minus_infinity_target.jsonl")),
                                read_logprobs("d", fixture_text("minus_infinity_draft.jsonl")));
  REQUIRE(trace.tokens() == 180);
  double sum = 0;
  for (TextTrace const& text : trace.texts)
    for (std::size_t t = 0; t < text.size(); ++t) sum += text.acceptance(t);
  CHECK(sum / 180 == Approx(.7770).margin(5e-5));
  // That <unk> is excluded says nothing of the tokens that are not listed, nor which is the most likely.
  CHECK((trace.texts[0].beta_high[0] > .9 && trace.texts[0].max_p.empty() && trace.texts[0].top.empty()));
}

TEST_CASE("NaN is refused where it stands, at a token or in its list") {
  auto const said = [](std::string const& text) { return message<InputError>([&] { read_logprobs("t", text); }); };
  CHECK(said(completion(R"("a", "b")", "-1, NaN")) ==
        "t, line 1, logprobs.tokens[1]: token_logprobs is 'NaN' (expected: a number) correct it");
  CHECK(said(completion(R"("a", "b")", "-1, Infinity")) ==
        "t, line 1, logprobs.tokens[1]: token_logprobs is 'Infinity' (expected: a number) correct it");
  CHECK(said(R"({"prompt_logprobs": [null, {"5": {"logprob": NaN}}], "n_prompt": 1})")
            .starts_with("t, line 1, prompt_logprobs[1]: logprob is 'NaN'"));
  // Elsewhere it is nobody's business.
  CHECK(said(R"({"choices": [{"logprobs": {"tokens": ["a"], "token_logprobs": [-1]}}], "time": NaN})") ==
        "(no error)");
}
