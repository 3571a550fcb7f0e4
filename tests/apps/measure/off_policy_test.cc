#include <catch2/catch.hpp>

#include "tests/apps/exchanged_columns.h"
#include "tests/apps/measure/measure_run.h"

namespace draftgauge {
namespace {

TEST_CASE("measure: hits along a text of another distribution are no estimate") {
  nlohmann::json const off =
      measured({rows_file, "--temperature", "0", "--gamma", "1", "--estimator", "replay_argmax"}, 4);
  CHECK(off["policy"] == "off-policy");
  CHECK(off["tokens_per_round"][0]["replay_argmax"].is_null());
  CHECK(off["estimator"] == "replay_argmax");
  CHECK(off["tokens_per_round"][0]["speedup"].is_null());
  CHECK(value(off["tokens_per_round"][0]["iid"]) == Approx(1 + value(off["alpha"])));
  nlohmann::json const claimed = measured({rows_file, "--temperature", "0,1", "--gamma", "1"});
  CHECK(claimed["recordings"][0]["estimator"] == "iid");
  CHECK(claimed["recordings"][1]["estimator"] == "replay");
}

TEST_CASE("measure: a text that was truncated is on-policy for the distribution that was") {
  auto const recorded = [](std::string const& metadata) {
    std::string bytes;
    for (int i = 0; i < 2; ++i)
      for (float z : {2.f, 1.f, 0.f, 0.f, 1.f, 2.f}) bytes.append(reinterpret_cast<char const*>(&z), 4);
    for (std::int64_t x : {0, 2}) bytes.append(reinterpret_cast<char const*>(&x), 8);
    return tensor_bytes(R"({"__metadata__":{"temperature_of_text":"1")" + metadata +
                            R"(},"target_logits":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                            R"("draft_logits":{"dtype":"F32","shape":[2,3],"data_offsets":[24,48]},)"
                            R"("tokens":{"dtype":"I64","shape":[2],"data_offsets":[48,64]}})",
                        bytes);
  };
  TemporaryFile const whole(".safetensors", recorded("")), cut(".safetensors", recorded(R"(,"top_k_of_text":"2")"));
  CHECK(measured({whole.path(), "--gamma", "1"})["policy"] == "on-policy");
  nlohmann::json const found = measured({cut.path(), "--gamma", "1"});
  CHECK(found["policy"] == "on-policy");
  CHECK(found["fold"]["target"]["top_k"] == 2);
  CHECK(measured({cut.path(), "--gamma", "1", "--top-k", "0"})["policy"] == "off-policy");
}

TEST_CASE("measure: columns of truncated distributions are on-policy for that truncation") {
  TemporaryFile const cut(
      ".tsv", "# temperature: .6\n# top-p: .9\nseq\tlogp\tlogq\n0\t-1\t-1.5\n0\t-2\t-1\n1\t-.5\t-1\n1\t-.4\t-1\n");
  nlohmann::json const found = measured({cut.path(), "--gamma", "1"});
  CHECK(found["policy"] == "on-policy");
  CHECK((found["truncation_of_text"]["top_k"] == 0 && found["truncation_of_text"]["top_p"] == .9));
  Run const shown = measure({cut.path(), "--gamma", "1", "--top-p", ".9"});  // what it is recorded at
  CHECK(shown.out.find("written at T = 0.6, top-p 0.9: on-policy.") != std::string::npos);
  CHECK(shown.out.find("p and q are what that truncation leaves of the models' distributions") != std::string::npos);
  CHECK(measure({columns_file, "--gamma", "1"}).out.find("that truncation") == std::string::npos);
  CHECK(measure_refusal({cut.path(), "--top-p", ".8"}, 3) ==
        cut.path() +
            ": --top-p .8 is asked of columns recorded at T = 0.6, top-p 0.9 (two numbers a token do not tell what "
            "other distributions would be)\nhint: it needs full rows");
  CHECK(measure_refusal({cut.path(), columns_file, "--pool"}, 2).find("temperatures or truncations differ") !=
        std::string::npos);
}

/// A title and notes as one line each, however they were wrapped.
TEST_CASE("measure: a text that the target would not write leads, fails, and marks every table") {
  nlohmann::json const sound = measured({columns_file, "--gamma", "1"});
  CHECK(
      (sound["usable"] == true && sound["text_check"]["refuted"] == false && sound["text_check"]["cause"].is_null()));
  TemporaryFile const file(".tsv", exchanged_columns(columns_file));
  std::string const name = file.path().substr(file.path().rfind('/') + 1);
  Run const done = measure({file.path(), "--gamma", "1", "--cost", ".1"});
  CHECK(done.status == 1);
  std::string const out = unwrapped(done.out);
  CHECK(out.starts_with(name + ": rejected, no figure below is to be used. This is not a text that the target would "
                               "write at these distributions (z: likelihood +8.5, top -0.1, odds for the draft e^"));
  CHECK(
      out.find("; false alarm 0.0001), and tokens per round along it are not the target's. With the two models "
               "exchanged nothing speaks against it: are log p and log q, or the two files, the wrong way round, or "
               "did the draft write the text?") != std::string::npos);
  nlohmann::json const found = measured({file.path(), "--gamma", "1", "--cost", ".1"}, 1);
  CHECK((found["usable"] == false && found["text_check"]["refuted"] == true));
  CHECK(found["text_check"]["cause"].get<std::string>().starts_with("With the two models exchanged"));
  CHECK(found["text_check"]["log_odds"].get<double>() > 1'000);
  CHECK(found["policy"] == "off-policy");
  CHECK(out.find("said to be written at T = 1, and rejected.") != std::string::npos);
  CHECK((found["best_gamma"].is_null() && found["tokens_per_round"][0]["speedup"].is_null()));
  std::string const csv = measure({file.path(), "--gamma", "1", "--cost", ".1", "--format", "csv"}).out;
  CHECK(csv.find("\"the text, by its own check\",rejected: use nothing below") != std::string::npos);
  CHECK(csv.find("speedup") == std::string::npos);
  std::string const rounds =
      measure({file.path(), "--gamma", "1", "--cost", ".1", "--format", "csv", "--table", "tokens-per-round"}).out;
  CHECK(rounds.find(",text_check\r\n1,") != std::string::npos);
  CHECK(rounds.find(",rejected\r\n") != std::string::npos);
  CHECK(rounds.find("speedup") == std::string::npos);
}

TEST_CASE("measure: one token that p excludes changes the estimator, and it is said which and where") {
  std::string text = some_texts(columns_file, 100, true);
  std::size_t line = text.find("\n", text.find("logp\tlogq")) + 1;
  std::size_t const log_p = text.find('\t', text.find('\t', text.find('\t', line) + 1) + 1) + 1;
  text.replace(log_p, text.find('\t', log_p) - log_p, "-inf");
  TemporaryFile const file(".tsv", text);
  Run const done = measure({file.path(), "--gamma", "1"});
  CHECK(done.status == 1);
  std::string const out = unwrapped(done.out);
  // The tables of a text that is rejected are shown where all is asked for.
  CHECK(out.find("Tokens per round") == std::string::npos);
  CHECK(out.find("More: --verbose") != std::string::npos);
  std::string const whole = unwrapped(measure({file.path(), "--gamma", "1", "--verbose"}).out);
  CHECK(whole.find("the text, by its own check") != std::string::npos);
  CHECK(out.find("One token of the text has probability 0 under p (text 0, token 1): the target did not write it at "
                 "these distributions. Was it written at another temperature, under a wider truncation, or by "
                 "another model?") != std::string::npos);
  CHECK(whole.find("replay is not known here: it needs text of the distribution p itself: p excludes a token of it. "
                   "What leads is "
                   "by Eq. (1).") != std::string::npos);
  CHECK(measured({file.path(), "--gamma", "1"}, 1)["estimator"] == "iid");
}

TEST_CASE("measure: a rule of argmax p is lossless where p is that") {
  std::vector<std::string> const words{rows_file, "--rules", "--candidates", "1", "--gamma", "1", "--temperature"};
  auto const lossless = [&](std::string temperature, std::string const& rule) {
    auto all = words;
    all.push_back(std::move(temperature));
    nlohmann::json const found = measured(all);
    for (nlohmann::json const& one : found["rules"])
      if (one["rule"] == rule) return one["lossless"].get<bool>();
    FAIL(rule << " is not there");
    return false;
  };
  CHECK_FALSE(lossless("1", "greedy"));
  CHECK(lossless("0", "greedy"));
  CHECK((lossless("1", "token") && lossless("0", "token")));
  CHECK_FALSE(lossless("1", "typical"));
  CHECK(lossless("0", "typical"));
  CHECK_FALSE(lossless("0", "lenient-greedy"));
  auto several = words;
  several.insert(several.end(), {"0,1", "--format", "csv", "--table",
                                 "what-each-rule-accepts-at-a-position-of-smollm2-prune2-24-safetensors"});
  CHECK(measure(several).out.find("greedy,top,1,at T = 0,") != std::string::npos);
}

TEST_CASE("measure: a truncation that keeps no token is refused") {
  for (std::string const& file : {columns_file, rows_file})
    for (std::string const option : {"--top-p", "--draft-top-p"})
      CHECK(measure_refusal({file, option, "0"}, 2) ==
            option +
                " 0 keeps no token (a distribution is of one at least, and engines differ in what they make of "
                "0)\nhint: give "
                "a share above 0, or --temperature 0 for the most likely token alone");
  nlohmann::json const all = measured({rows_file, "--gamma", "1", "--top-k", "0", "--min-p", "0", "--top-p", "1"});
  CHECK(value(all["alpha"]) == value(measured({rows_file, "--gamma", "1"})["alpha"]));
  // A law of its most likely token alone, by either cut.
  nlohmann::json const one = measured({rows_file, "--gamma", "1", "--top-k", "1"});
  CHECK(value(measured({rows_file, "--gamma", "1", "--min-p", "1"})["alpha"]) == value(one["alpha"]));
  CHECK(value(measured({rows_file, "--gamma", "1", "--temperature", "0"})["alpha"]) == value(one["alpha"]));
}

}  // namespace
}  // namespace draftgauge
