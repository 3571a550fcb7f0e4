#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/apps/measure/measure_run.h"
#include "tests/apps/run.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

constexpr int scored_tokens = 40;
double scored_log_p(int i) { return -.2 - .31 * (i * 7 % 9); }
double scored_log_q(int i) { return -.4 - .29 * (i * 5 % 11); }

std::string scored_columns(double off = 0) {
  std::string text = "# temperature: 1\nseq\ttoken\tlogp\tlogq\n";
  for (int i = 0; i < scored_tokens; ++i)
    text += fmt::format("0\t{}\t{}\t{}\n", i + 3, scored_log_p(i) - off, scored_log_q(i));
  return text;
}

/// An engine's response of that text, with what it reports of each token.
std::string engine_response(auto const& reported) {
  nlohmann::json logprobs = {{"tokens", nlohmann::json::array()}, {"token_logprobs", nlohmann::json::array()}};
  for (int i = 0; i < scored_tokens; ++i) {
    logprobs["tokens"].push_back(fmt::format("token_id:{}", i + 3));
    logprobs["token_logprobs"].push_back(reported(i));
  }
  return nlohmann::json{{"id", "0"}, {"choices", {{{"logprobs", logprobs}}}}}.dump() + "\n";
}

Run with_logprobs(std::string const& engine, std::vector<std::string> const& more = {},
                  std::string const& text = scored_columns()) {
  TemporaryFile const trace(".tsv", text), file(".jsonl", engine);
  std::vector<std::string> words = {"measure", "--logprobs", file.path(), trace.path(), "--format", "json"};
  words.insert(words.end(), more.begin(), more.end());
  return run({words.begin(), words.end()});
}

}  // namespace

TEST_CASE("measure --logprobs: an engine's are the target's, or which fault they have") {
  auto const right = with_logprobs(engine_response(scored_log_p));
  nlohmann::json const found = nlohmann::json::parse(right.out)["logprobs"];
  CHECK(found["differing"] == 0);
  CHECK(found["fault"].is_null());
  CHECK(found["mean_ratio"] == Approx(1));

  auto const zero = with_logprobs(engine_response([](int i) { return i % 2 ? 0. : scored_log_p(i); }));
  CHECK(zero.status == 1);
  nlohmann::json const zeros = nlohmann::json::parse(zero.out)["logprobs"];
  CHECK(zeros["fault"] == "zero");
  CHECK(zeros["differing"] == scored_tokens / 2);
  CHECK(zeros["first"]["token"] == 2);
  CHECK(nlohmann::json::parse(with_logprobs(engine_response(scored_log_q)).out)["logprobs"]["fault"] == "draft");
  CHECK(nlohmann::json::parse(with_logprobs(engine_response([](int i) {
                                return scored_log_p(i > 0 ? i - 1 : 0);
                              })).out)["logprobs"]["fault"] == "late");
}

TEST_CASE("measure --logprobs: a second recording of the target says how far noise goes") {
  auto const noisy = [](int i) { return scored_log_p(i) - .08; };
  CHECK(with_logprobs(engine_response(noisy)).status == 4);  // nobody knows whether that is noise
  TemporaryFile const again(".tsv", scored_columns(.1)), near(".tsv", scored_columns(.02));
  auto const within = with_logprobs(engine_response(noisy), {"--floor", again.path()});
  CHECK(nlohmann::json::parse(within.out)["logprobs"]["differing"] == 0);
  CHECK(with_logprobs(engine_response(noisy), {"--floor", near.path()}).status == 1);
}

TEST_CASE("measure --logprobs: of full rows those before temperature are known") {
  std::vector<float> target, draft;
  std::vector<std::int64_t> ids;
  nlohmann::json logprobs = {{"tokens", nlohmann::json::array()}, {"token_logprobs", nlohmann::json::array()}};
  for (int i = 0; i < scored_tokens; ++i) {
    float const z = .25f * static_cast<float>(i % 9) - 1;
    target.push_back(z);
    draft.push_back(-z);
    ids.push_back(i % 2);
    logprobs["tokens"].push_back(fmt::format("token_id:{}", i % 2));
    logprobs["token_logprobs"].push_back(-std::log1p(std::exp(i % 2 ? z : -z)));
  }
  TemporaryFile const rows(".safetensors", small_rows(target, draft, ids, scored_tokens, "2"));
  TemporaryFile const file(".jsonl", nlohmann::json{{"choices", {{{"logprobs", logprobs}}}}}.dump() + "\n");
  auto const at = [&](std::string const& temperature) {
    std::vector<std::string> const words = {"measure",       "--logprobs", file.path(), rows.path(),
                                            "--temperature", temperature,  "--format",  "json"};
    return nlohmann::json::parse(run({words.begin(), words.end()}).out)["logprobs"];
  };
  CHECK(at("1")["fault"].is_null());
  CHECK(at("1")["differing"] == 0);
  CHECK(at("2")["fault"] == "raw");
}

TEST_CASE("measure --logprobs: another text is refused") {
  auto const other =
      with_logprobs(engine_response(scored_log_p), {}, "seq\ttoken\tlogp\tlogq\n0\t1\t-1\t-1\n0\t2\t-1\t-1\n");
  CHECK(other.status == 3);
  CHECK(other.err.find("it has 40 tokens of the text") != std::string::npos);
}

}  // namespace draftgauge
