#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/apps/measure/measure_run.h"

namespace draftgauge {
namespace {

TEST_CASE("measure: texts that all agree give no interval") {
  TemporaryFile const same(".tsv",
                           "# temperature: 1\nseq\tlogp\tlogq\n0\t-1\t-1\n0\t-2\t-2\n1\t-.5\t-.5\n1\t-.4\t-.4\n");
  nlohmann::json const found = measured({same.path(), "--gamma", "1"});
  CHECK((found["alpha"]["value"] == 1 && found["alpha"]["low"].is_null() && found["alpha"]["high"].is_null()));
  CHECK(found["tokens_per_round"][0]["replay"]["low"].is_null());
  CHECK(found["tokens_per_round"][0]["bootstrap"].empty());
  CHECK(measure({same.path(), "--gamma", "1"}).out.find("all texts agree on it: they have no spread") !=
        std::string::npos);
  CHECK(measure({columns_file, "--gamma", "1"}).out.find("agree on it") == std::string::npos);
  TemporaryFile const tokens(".tsv", "# temperature: 1\nseq\ttoken\tlogp\tlogq\n0\t5\t-1\t-1\n1\t6\t-1\t-2\n"),
      again(".tsv", "# temperature: 1\nseq\ttoken\tlogp\tlogq\n0\t5\t-1\t-1\n1\t6\t-1\t-2\n");
  nlohmann::json const pair = measured({tokens.path(), again.path(), "--gamma", "1"})["comparisons"][0];
  CHECK((pair["difference"]["low"].is_null() && pair["p_value"] == 1));
  CHECK(measure({tokens.path(), again.path(), "--gamma", "1"}).out.find("A difference that all texts agree on") !=
        std::string::npos);
}

TEST_CASE("measure: one text gives no interval, and one shorter than a round too little to say") {
  std::string const header = "# temperature: 1\nseq\tlogp\tlogq\n", line = "0\t-0.5\t-0.7\n";
  TemporaryFile const one(".tsv", header + line), long_one(".tsv", header + line + line + line);
  Run const said = measure({one.path(), "--gamma", "1,4"});
  CHECK(said.status == 4);
  std::string const out = unwrapped(said.out), name = std::filesystem::path(one.path()).filename().string();
  CHECK(out.starts_with(name + ": α = 0.8187, too little text to say more "));
  CHECK(out.find("1 token in 1 text, written at T = 1: on-policy.") != std::string::npos);
  CHECK(out.find("Intervals: inconclusive, since one text alone gives none.") != std::string::npos);
  CHECK(
      out.find("Not known: it has too little text, 1 token in 1 text, where no round fits in that was asked for.") !=
      std::string::npos);
  nlohmann::json const found = measured({one.path(), "--gamma", "1,4", "--cost", ".1"}, 4);
  CHECK(found["intervals"] == "inconclusive");
  CHECK(found["rounds_unknown"] ==
        "it has too little text, 1 token in 1 text, where no round fits in that was asked for");
  CHECK(found["best_gamma"].is_null());
  for (char const* estimator :
       {"iid", "survival", "replay", "replay_block", "simulated", "speedup", "break_even_cost"})
    CHECK(found["tokens_per_round"][0][estimator].is_null());
  Run const best = run({"gamma", one.path(), "--cost", ".1"});
  CHECK(best.status == 4);
  CHECK(
      unwrapped(best.out).starts_with(name + " does not say: it has too little text, 1 token in 1 text, where no "));
  // Formats without sentences say it, too.
  std::string const why = " does not say: it has too little text, 1 token in 1 text, where no round fits in that was asked for";
  CHECK(nlohmann::json::parse(run({"gamma", one.path(), "--cost", ".1", "--format", "json"}).out)["notes"] ==
        nlohmann::json{name + why});
  Run const table = run({"gamma", one.path(), "--cost", ".1", "--format", "csv"});
  CHECK(table.status == 4);
  CHECK(table.out.empty());
  CHECK(table.err == "draftgauge gamma: warning: CSV holds tables, and this answer has none: " + name + why + "\n");
  CHECK(run({"report", one.path(), "--cost", ".1", "--format", "md"}).out.find("It has too little text") !=
        std::string::npos);

  // Half of the tokens must be in texts that hold a round: else the figure would be of where texts end.
  std::string many = header;
  for (int i = 0; i < 9; ++i) many += std::to_string(i) + "\t-0.5\t-0.7\n";
  TemporaryFile const short_ones(".tsv", many + "9\t-0.5\t-0.7\n9\t-0.5\t-0.7\n");
  CHECK(measured({short_ones.path(), "--gamma", "1"})["tokens_per_round"][0]["replay"].is_null());

  // Best of those that can be compared: of texts of five tokens γ = 4 is the last.
  std::string fives = header;
  for (int i = 0; i < 20; ++i)
    for (int t = 0; t < 5; ++t) fives += std::to_string(i) + (t == i % 5 ? "\t-0.5\t-0.6\n" : "\t-0.5\t-0.5\n");
  TemporaryFile const all_short(".tsv", fives);
  CHECK(unwrapped(measure({all_short.path(), "--cost", ".01"}).out)
            .find("; more than 4 drafts were not compared, as most texts are too short for them.") !=
        std::string::npos);
  CHECK(unwrapped(run({"gamma", all_short.path(), "--cost", ".01"}).out)
            .find("More than 4 drafts were not compared: most of these texts are too short for them.") !=
        std::string::npos);

  // Three tokens hold a round of one draft, not of four.
  Run const more = measure({long_one.path(), "--gamma", "1,4"});
  CHECK(more.status == 0);
  CHECK(unwrapped(more.out).find(", one text gives no interval, no costs given") != std::string::npos);
  nlohmann::json const known = measured({long_one.path(), "--gamma", "1,4", "--cost", ".1"});
  CHECK(known["rounds_unknown"].is_null());
  CHECK(value(known["tokens_per_round"][0]["replay"]) > 1);
  CHECK(known["tokens_per_round"][1]["replay"].is_null());
  CHECK(known["tokens_per_round"][1]["iid"].is_object());
  CHECK(measured({columns_file, "--gamma", "1"})["intervals"] == "over texts");
  // Two texts of one token each have an α with an interval, of which Eq. (1) makes tokens per round.
  TemporaryFile const two(".tsv", header + line + "1\t-0.5\t-1.7\n");
  nlohmann::json const independent = measured({two.path(), "--gamma", "2"});
  CHECK(independent["estimator"] == "iid");
  CHECK(independent["tokens_per_round"][0]["iid"]["low"].is_number());
  CHECK(unwrapped(measure({two.path(), "--gamma", "2"}).out)
            .find("needs a text of 3 tokens, which a round of 2 drafts may emit") != std::string::npos);
}

TEST_CASE("measure says what is wrong, and with which file") {
  CHECK(measure_refusal({columns_file, "--temperature", ".6"}, 3) ==
        columns_file +
            ": --temperature .6 is asked of columns recorded at T = 1 (two numbers a token do not tell what other "
            "distributions would be)\nhint: it needs full rows");
  std::string const prompt_logprobs_pair = DRAFTGAUGE_SOURCE_DIR "/tests/data/recordings/prompt_logprobs_";
  CHECK(measure_refusal(
            {prompt_logprobs_pair + "target.jsonl", prompt_logprobs_pair + "draft-prune2.jsonl", "--top-k", "5"}, 3)
            .find(": --top-k 5 is asked of vLLM prompt_logprobs recorded at a temperature that they do not say (two "
                  "numbers a token ") != std::string::npos);
  for (std::string const& file : {columns_file, rows_file})
    CHECK(measure_refusal({file, "--prompt-tokens", "2"}, 2) ==
          "--prompt-tokens is asked of " + file +
              " (only log-probabilities of a server begin with a prompt)\nhint: leave it out");
  CHECK(measure_refusal({columns_file, "--rules"}, 3) ==
        "prune2_T1.tsv: --rules asks what other rules would accept (two numbers a token do not tell)\nhint: it needs "
        "full rows");
  CHECK(measure_refusal({rows_file, "--recorded-temperature", ".6"}, 3) ==
        rows_file +
            ": its text was written at temperature 1, as it says itself, and not 0.6 (one of the two is "
            "wrong)\nhint: ask for none that it was written at");
  CHECK(measure_refusal({columns_file, "--cost", "cheap"}, 2) ==
        "--cost: 'cheap' is neither a number nor a file (c is a time in steps of the target, or is taken from "
        "measured times)\nhint: give .05, or a file of llama-bench");
  CHECK(measure_refusal({columns_file, "--confidence", "1"}, 2) ==
        "--confidence is 1 (it is the probability that an interval covers the truth)\nhint: give a number between 0 "
        "and 1, "
        "such as 0.95");
  CHECK(measure_refusal({columns_file, "--gamma", "5000"}, 2) == "--gamma 5000 is out of range (at most 4096)\nhint: give 4096 or less");
  CHECK(measure_refusal({rows_file, "--rules", "--candidates", "33"}, 2) ==
        "--candidates 33 is out of range (at most 32)\nhint: give 32 or less");
  CHECK(measure_refusal({columns_file, other_columns, "--log", engine_rounds}, 2) ==
        "--log belongs to one recording, not to 2 (it is laid beside one)\nhint: run measure once for each");
  CHECK(measure_refusal({columns_file, "--log", engine_rounds, engine_rounds, engine_rounds}, 2) ==
        "--log names 3 files (one log, or two scrapes of one server's metrics)\nhint: give one or two");
  CHECK(measure_refusal({columns_file, "--coin-runs", "1e9"}, 2) ==
        "--coin-runs 1000000000 is out of range (at most 10000)\nhint: give 10000 or less");
  CHECK(measure_refusal({columns_file, "--until", "9"}, 2) ==
        "--until has no meaning without --log (nothing would come of it)\nhint: add --log");
  CHECK(measure_refusal({columns_file, "--rows", "0..3"}, 2) ==
        "--rows is asked of " + columns_file + " (it holds no rows)\nhint: leave it out");
  CHECK(measure_refusal({columns_file, "--order", "vllm"}, 2) ==
        "--order is asked of " + columns_file + " (it holds no rows)\nhint: leave it out");
  CHECK(measure_refusal({columns_file, "--cost", "no/costs.json"}, 3) ==
        "no/costs.json: there is no such file (--cost is a number, or measured times)\nhint: there is no folder "
        "'no'");
  CHECK(measure_refusal({columns_file, "--cost-draft", "prune2"}, 2) ==
        "--cost-draft names a model of a file of costs (no such file is given)\nhint: add --cost FILE");
  std::string probabilities;
  for (int i = 0; i < 4; ++i)
    probabilities.append("\0\0\0\x3f\0\0\x80\x3e\0\0\x80\x3e", 12);  // .5, .25, .25 in float32
  TemporaryFile const tables(".safetensors",
                             tensor_bytes(R"({"target_logits":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                                          R"("draft_logits":{"dtype":"F32","shape":[2,3],"data_offsets":[24,48]}})",
                                          probabilities));
  CHECK(measure_refusal({tables.path()}, 3) ==
        tables.path() +
            ": target_logits: its rows are probabilities that sum to 1 (they are read "
            "as logits or log-probabilities)\nhint: write their logarithms");
  TemporaryFile const responses(".jsonl", R"({"prompt_token_ids": [1, 2], "n_prompt": 1, "prompt_logprobs": )"
                                          R"([null, {"2": {"logprob": -0.5, "rank": 1}}]})");
  TemporaryFile const one_model(
      ".safetensors",
      tensor_bytes(R"({"logits":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})", std::string(8, '\0')));
  CHECK(measure_refusal({one_model.path(), responses.path()}, 3) ==
        one_model.path() + ": it holds full rows, and " + responses.path() +
            " text (two models are compared in one form)\nhint: give both models' rows, or both models' "
            "log-probabilities");
  CHECK(measure({columns_file, "--gamma", "2", "--engine", "vllm"}).out.find("vllm: drafts argmax q") !=
        std::string::npos);
  CHECK(measure({columns_file, "--gamma", "2", "--engine", "llama-speculative"})
            .out.find("the token rule's (--log FILE") != std::string::npos);
  CHECK(measure_refusal({}, 2).starts_with("FILE is missing"));
  CHECK(measure_refusal({"nowhere.tsv"}, 3).starts_with("nowhere.tsv: there is no such file"));
  CHECK(measure_refusal({costs_file}, 3).starts_with(costs_file));
}

TEST_CASE("rows: a temperature that is none, pieces of a text, and a text that does not fit") {
  auto const recorded = [](std::string const& temperature, std::vector<std::int32_t> const& sequence) {
    std::string bytes;
    std::size_t const rows = sequence.size();
    for (int side = 0; side < 2; ++side)
      for (std::size_t row = 0; row < rows; ++row)
        for (float z : {8.f, 0.f, 0.f}) bytes.append(reinterpret_cast<char const*>(&z), 4);
    for (std::size_t row = 0; row < rows; ++row) {
      std::int64_t const x = row % 2 == 0 ? 0 : 1;  // far more often 1 than logits of 8 and 0 allow
      bytes.append(reinterpret_cast<char const*>(&x), 8);
    }
    for (std::int32_t const s : sequence) bytes.append(reinterpret_cast<char const*>(&s), 4);
    auto const span = [](std::size_t begin, std::size_t size) {
      return "[" + std::to_string(begin) + "," + std::to_string(begin + size) + "]";
    };
    std::string const n = std::to_string(rows);
    return tensor_bytes(
        R"({"__metadata__":{"temperature":")" + temperature + R"("},"target_logits":{"dtype":"F32","shape":[)" + n +
            R"(,3],"data_offsets":)" + span(0, 12 * rows) + R"(},"draft_logits":{"dtype":"F32","shape":[)" + n +
            R"(,3],"data_offsets":)" + span(12 * rows, 12 * rows) + R"(},"tokens":{"dtype":"I64","shape":[)" + n +
            R"(],"data_offsets":)" + span(24 * rows, 8 * rows) + R"(},"sequence":{"dtype":"I32","shape":[)" + n +
            R"(],"data_offsets":)" + span(32 * rows, 4 * rows) + "}}",
        bytes);
  };
  TemporaryFile const wrong(".safetensors", recorded("warm", {0, 0}));
  CHECK(measure_refusal({wrong.path()}, 3) ==
        wrong.path() +
            ": metadata temperature is 'warm' (a temperature is a number of 0 or "
            "more)\nhint: write it again, or leave it out");
  TemporaryFile const pieces(".safetensors", recorded("1", {0, 0, 1, 1, 0, 0}));
  CHECK(measured({pieces.path(), "--gamma", "1"})["notes"][0] ==
        "The rows are 3 pieces of 2 texts; intervals take pieces for texts, and may be too narrow.");
  TemporaryFile const hot(".safetensors", recorded("1", std::vector<std::int32_t>(60, 0)));
  CHECK(run({"inspect", hot.path()}).out.starts_with("The numbers are sound, but the text does not fit them\n"));
  CHECK(run({"inspect", hot.path()}).out.find("The text does not fit these rows at the recorded T = 1") !=
        std::string::npos);
}

}  // namespace
}  // namespace draftgauge
