#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/apps/answers.h"
#include "tests/apps/run.h"
#include "tests/apps/shipped_files.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

Run inspect(std::vector<std::string> const& words) { return run_command("inspect", words); }

/// Whatever its status: it answers of broken files, too.
nlohmann::json inspect_json(std::vector<std::string> words) {
  words.insert(words.end(), {"--format", "json"});
  return nlohmann::json::parse(inspect(words).out);
}

/// Two rows over two tokens in F32, with these numbers as their targets' logits.
std::string recording(std::vector<float> const& target) {
  std::vector<float> const draft(4, 0);
  std::string data;
  for (auto const* values : {&target, &draft}) data.append(reinterpret_cast<char const*>(values->data()), 16);
  return tensor_bytes(R"({"target_logits":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},)"
                      R"("draft_logits":{"dtype":"F32","shape":[2,2],"data_offsets":[16,32]}})",
                      data);
}

TEST_CASE("inspect shows the times by batch size of every form that --load takes") {
  std::string const loads = DRAFTGAUGE_SOURCE_DIR "/tests/data/load/";
  nlohmann::json const table = inspect_json({loads + "batch_table.csv"})["loads"];
  CHECK((table["format"] == "batch table" && table["whole_rounds"] == false && table["survival"].empty()));
  CHECK(table["steps"][0] == nlohmann::json({{"model", "draft"}, {"tokens", 1}, {"batch", 1}, {"ms", .9}}));
  nlohmann::json const rounds = inspect_json({loads + "sglang_bench_speculative.jsonl"})["loads"];
  CHECK((rounds["format"] == "SGLang bench_speculative" && rounds["whole_rounds"] == true));
  CHECK((rounds["steps"][0]["tokens"] == 1 && !rounds["steps"][0].contains("tokens_per_round")));
  CHECK(rounds["steps"].back()["tokens_per_round"] > 1);
  CHECK(inspect_json({loads + "vllm_dynamic_speculative_config.json"})["loads"]["survival"].size() > 1);
  CHECK(holds(inspect({loads + "vllm_dynamic_speculative_config.json"}).out,
              "Shares of rounds that keep the first i drafts: 0."));
  CHECK(inspect_json({loads + "llama_bench.md"})["loads"]["format"] == "llama-bench in Markdown");
  TemporaryFile const costs("cost.csv",
                            "phase,batch,tokens,mean_s\nverify,2,1,.01\nverify,4,1,.02\ndraft,2,1,.001\n");
  CHECK(inspect_json({costs.path()})["loads"]["steps"].size() == 3);
  CHECK(holds(inspect({loads + "llama_batched_bench.md"}).out, "tokens in a pass"));
}

TEST_CASE("inspect says what a recording holds") {
  std::string const file = rows_file;
  CHECK(inspect({file}).status == 0);
  nlohmann::json const found = inspect_json({file});
  CHECK(found["sound"] == true);
  CHECK(found["laws"]["rows"] == 24);
  CHECK(found["laws"]["vocab"] == 49152);
  CHECK(found["laws"]["contexts"] == "24 i.i.d. contexts");
  CHECK(found["laws"]["beta"]["mean"].get<double>() == Approx(.688989).margin(1e-6));
  CHECK(found["laws"]["rounding"]["max_tv"].get<double>() < 1e-9);
  CHECK(found["laws"]["duplicate_rows"] == 0);
  CHECK(found["recording"]["tokens"] == 24);
  CHECK(found["recording"]["sequences"] == nlohmann::json{24});
  CHECK(found["recording"]["temperature_of_text"] == 1.0);
  CHECK(found["metadata"]["draft_name"] == "prune2");
  REQUIRE(found["tensors"].size() == 5);
  CHECK(found["tensors"][4]["name"] == "target_logits");
  CHECK(found["tensors"][4]["shape"] == nlohmann::json{24, 49152});
  CHECK(found["inputs"][0]["sha256"].get<std::string>().size() == 64);
}

TEST_CASE("inspect counts what repeats, what is zero and what is no number") {
  TemporaryFile const repeated(".safetensors", recording({0, -INFINITY, 0, -INFINITY}));
  nlohmann::json const found = inspect_json({repeated.path()});
  CHECK(found["laws"]["duplicate_rows"] == 1);
  CHECK(found["laws"]["zero_probabilities"]["p"] == 2);
  CHECK(found["laws"]["zero_probabilities"]["q"] == 0);
  CHECK(found["laws"]["beta"]["mean"] == .5);
  CHECK(found["tensors"][0]["minus_infinity"] == 2);

  TemporaryFile const broken(".safetensors", recording({0, NAN, NAN, INFINITY}));
  CHECK(inspect({broken.path()}).status == 3);
  nlohmann::json const faulty = inspect_json({broken.path()});
  CHECK(faulty["sound"] == false);
  CHECK(faulty["tensors"][0]["nan"] == 2);
  CHECK(faulty["tensors"][0]["plus_infinity"] == 1);
  CHECK(faulty["faults"] ==
        nlohmann::json{broken.path() + ": target_logits, row 0, column 1 is NaN (a logit is a number, or -inf for "
                                       "probability 0) record the row again"});
  CHECK_FALSE(faulty.contains("laws"));
  CHECK(inspect({"safetensors:file=" + broken.path() + ",rows=0..2"}).status == 3);
}

TEST_CASE("inspect says nothing of numbers of a type that is not read") {
  TemporaryFile const eighths(
      ".safetensors", tensor_bytes(R"({"t":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]}})", "\x7f\x7f"));
  nlohmann::json const tensor = inspect_json({eighths.path()})["tensors"][0];
  for (char const* key : {"least", "most", "nan", "plus_infinity", "minus_infinity"}) CHECK(tensor[key].is_null());
}

TEST_CASE("inspect names rows of log-probabilities that do not sum to 1") {
  auto const with_third_row = [](float shift) {
    float const half = std::log(.5f);
    std::vector<float> const target = {half, half, half, half, half + shift, half + shift}, draft(6, 1);
    std::string data;
    for (auto const* values : {&target, &draft}) data.append(reinterpret_cast<char const*>(values->data()), 24);
    return tensor_bytes(R"({"target_logits":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]},)"
                        R"("draft_logits":{"dtype":"F32","shape":[3,2],"data_offsets":[24,48]}})",
                        data);
  };
  TemporaryFile const good(".safetensors", with_third_row(0)), off(".safetensors", with_third_row(-1)),
      cut(".safetensors", with_third_row(-.01f));
  CHECK(inspect_json({good.path()})["models"][0]["rows_off_one"] == 0);
  CHECK(inspect({good.path()}).out.starts_with("Sound\n"));

  nlohmann::json const model = inspect_json({off.path()})["models"][0];
  CHECK(model["numbers"] == "log-probabilities");
  CHECK(model["rows_off_one"] == 1);
  Run const said = inspect({off.path()});
  CHECK(said.status == 0);  // softmax makes a law of it
  CHECK(said.out.starts_with("The numbers are sound, but not all rows are distributions: some do not sum to 1\n"));
  CHECK(holds(unwrapped(said.out),
              off.path() +
                  ": target_logits: 1 of 3 rows do not sum to 1 within 1e-3, the first is row 2, which sums to "
                  "0.367879; each is divided by its sum where it is used."));

  nlohmann::json const truncated = inspect_json({cut.path()})["models"][0];
  CHECK(truncated["numbers"] == "log-probabilities, cut off or floored");
  CHECK(truncated["rows_off_one"] == 1);
  CHECK(inspect_json({good.path()})["models"][1]["rows_off_one"] == 0);  // logits sum to nothing
}

TEST_CASE("inspect numbers rows as in their file, whatever is left out before them") {
  // Four rows over two tokens, of which the first and the third have no token that they predict.
  auto const labelled = [](std::string const& name, std::vector<float> const& logits) {
    std::int32_t const tokens[] = {-100, 0, -100, 1};
    std::string const data(reinterpret_cast<char const*>(logits.data()), 32);
    return tensor_bytes("{\"" + name + R"(":{"dtype":"F32","shape":[4,2],"data_offsets":[0,32]},)" +
                            R"("tokens":{"dtype":"I32","shape":[4],"data_offsets":[32,48]}})",
                        data + std::string(reinterpret_cast<char const*>(tokens), sizeof tokens));
  };
  float const half = std::log(.5f);
  std::vector<float> logits(8, half);
  TemporaryFile const sound(".safetensors", labelled("draft_logits", logits));
  logits[6] = NAN;
  TemporaryFile const broken(".safetensors", labelled("target_logits", logits));
  std::string const fault =
      ": target_logits, row 3, column 0 is NaN (a logit is a number, or -inf for probability 0) record the "
      "row again";
  CHECK(inspect_json({broken.path(), sound.path()})["faults"] == nlohmann::json{broken.path() + fault});
  CHECK(inspect_json({broken.path()})["faults"] == nlohmann::json{broken.path() + fault});
  // As the draft of a sound target, too.
  TemporaryFile const draft(".safetensors", labelled("draft_logits", logits));
  CHECK(holds(inspect_json({sound.path(), draft.path()})["faults"][0].get<std::string>(), "row 3, column 0"));
  // Of three rows that are left the last sums to 1/e.
  std::int32_t const tokens[] = {-100, 0, 0, -100, 1};
  std::vector<float> off(10, half);
  off[8] = off[9] = half - 1;
  TemporaryFile const cut(".safetensors",
                          tensor_bytes(R"({"logits":{"dtype":"F32","shape":[5,2],"data_offsets":[0,40]},)"
                                       R"("tokens":{"dtype":"I32","shape":[5],"data_offsets":[40,60]}})",
                                       std::string(reinterpret_cast<char const*>(off.data()), 40) +
                                           std::string(reinterpret_cast<char const*>(tokens), sizeof tokens)));
  CHECK(holds(unwrapped(inspect({cut.path()}).out), "1 of 3 rows do not sum to 1 within 1e-3, the first is row 4, "));
}

TEST_CASE("inspect takes two files of rows at most") {
  std::string const file = rows_file;
  CHECK(inspect({file, file, file}).err ==
        "error: 3 files of rows are given (a recording is one file, or a target's and a draft's)\nhint: look at them "
        "one after the other\n");
}

TEST_CASE("inspect takes any source") {
  nlohmann::json const by_hand = inspect_json({"--p", "1/3,2/3", "--q", ".5,.5"});
  CHECK(by_hand["laws"]["rounding"]["exact"] == true);
  CHECK(by_hand["laws"]["beta"]["mean"].get<double>() == Approx(5. / 6));
  CHECK(holds(inspect({"markov:vocab=5"}).out, "Markov pair"));
  CHECK(inspect_json({"markov:vocab=5"})["laws"]["source"] == "markov:vocab=5,concentration=1/2,noise=1,seed=1");
}

std::string recorded(std::string const& name) { return DRAFTGAUGE_SOURCE_DIR "/tests/data/recordings/" + name; }

TEST_CASE("inspect says whether the target could have written a text") {
  nlohmann::json const own = inspect_json({recorded("trace_prune2_T1.tsv")})["scores"];
  CHECK(own["mean_beta"].get<double>() == Approx(.68).margin(.001));
  CHECK(own["mean_acceptance"].get<double>() == Approx(.654).margin(.001));
  CHECK(own["target_wrote_it"]["refuted"] == false);
  CHECK(own["target_wrote_it"]["checks"].size() == 2);
  CHECK(own["notes"].empty());
  // Texts of the largest logits, with columns of temperature 1. From the entropies alone 120 such tokens are not enough
  // to tell: a law may have its entropy from a thin tail.
  std::string const greedy = recorded("trace_prune2_T0.tsv");
  CHECK(inspect_json({greedy})["scores"]["target_wrote_it"]["refuted"] == false);
  std::ifstream lines(greedy);
  std::string line, more;
  std::getline(lines, more);
  more += "\n";
  while (std::getline(lines, line))
    for (char const* text : {"a", "b", "c", "d"}) more += text + line + "\n";
  TemporaryFile const four(".tsv", more);
  nlohmann::json const other = inspect_json({four.path()})["scores"];
  CHECK(other["target_wrote_it"]["refuted"] == true);
  CHECK(other["target_wrote_it"]["checks"][1]["z"].get<double>() == Approx(-17.8).margin(.01));
  REQUIRE(other["notes"].size() == 2);
  CHECK(other["notes"][0].get<std::string>().starts_with("β is 0 or 1 everywhere"));
  CHECK(other["notes"][1] ==
        "This is not a text that the target would write at these distributions (z: draft bias +2.9, likelihood "
        "-17.8; false "
        "alarm "
        "0.0001), and tokens per round along it are not the target's. Its tokens are likelier than p has it: was it "
        "written at a lower temperature, or under a truncation?");
  CHECK(
      run({"inspect", four.path()})
          .out.starts_with("The numbers are sound, but the target did not write the text at these distributions\n"));
  TemporaryFile const impossible(".tsv", "logp,logq\n-inf,-1\n-1,-2\n");
  nlohmann::json const never = inspect_json({impossible.path()})["scores"];
  CHECK(never["mean_acceptance"].get<double>() == Approx(std::exp(-1)));
  CHECK(never["mean_beta"].is_null());
  CHECK(never["notes"][1].get<std::string>().starts_with("One token of the text has probability 0 under p ("));
  TemporaryFile const bare(".tsv", "0\t-1.5\t-2\n1\t-.25\t-1\n");
  CHECK(run({"inspect", bare.path()}).err ==
        "error: " + bare.path() +
            ": its first line that is no comment has 3 numbers and no names: a header line is missing (which column "
            "is log p and which log q would be a guess)\nhint: put a line of names before it, such as seq, token, "
            "logp, logq, with the same separator\n");
}

TEST_CASE("inspect names no temperature where the rows tell none, and none outside of what it tried") {
  // Each token is as good as certain at T = 1, and at most other temperatures.
  auto const texts = [](float z, std::size_t rows) {
    std::string data;
    auto const append = [&](auto number) { data.append(reinterpret_cast<char const*>(&number), sizeof number); };
    for (std::size_t i = 0; i < 2 * rows; ++i) append(z), append(0.f);
    for (std::size_t i = 0; i < rows; ++i) append(std::int64_t{0});
    std::string const n = std::to_string(rows);
    auto const at = [](std::size_t begin, std::size_t end) {
      return "[" + std::to_string(begin) + "," + std::to_string(end) + "]";
    };
    return tensor_bytes(R"({"__metadata__":{"temperature":"1"},"target_logits":{"dtype":"F32","shape":[)" + n +
                            R"(,2],"data_offsets":)" + at(0, 8 * rows) +
                            R"(},"draft_logits":{"dtype":"F32","shape":[)" + n + R"(,2],"data_offsets":)" +
                            at(8 * rows, 16 * rows) + R"(},"tokens":{"dtype":"I64","shape":[)" + n +
                            R"(],"data_offsets":)" + at(16 * rows, 24 * rows) + "}}",
                        data);
  };
  TemporaryFile const sure(".safetensors", texts(37, 100)), greedy(".safetensors", texts(1.5, 100));
  CHECK(holds(inspect({sure.path()}).out, "not known, many fit 100 tokens as well"));
  CHECK(inspect_json({sure.path()})["recording"]["fitted_temperature"]["value"].is_null());
  std::string const said = unwrapped(inspect({greedy.path()}).out);
  CHECK(
      holds(said, "The text does not fit these rows at the recorded T = 1, nor at any temperature from 0.05 to 5."));
  CHECK(holds(said, "At T = 0 nothing speaks against it: was it written greedily?"));
}

TEST_CASE("inspect shows an engine's sums, also where log-probabilities stand beside them") {
  nlohmann::json const rounds = inspect_json({recorded("rounds_q2k_T1_g4.jsonl")})["engine_log"];
  CHECK((rounds["drafted"] == 240 && rounds["accepted"] == 80 && rounds["emitted"] == 140 && rounds["gamma"] == 4));
  TemporaryFile const idle(".log", "Decode batch. #running-req: 0, accept len: 0.00\n");
  CHECK(inspect_json({idle.path()})["engine_log"]["kind"] == "SGLang log");
  TemporaryFile const bare(".jsonl", R"({"start": 0, "gamma": 3, "emitted": 2})");
  nlohmann::json const counted = inspect_json({bare.path()})["engine_log"];
  CHECK((counted["drafted"] == 3 && counted["accepted"].is_null()));
  nlohmann::json const both = inspect_json({recorded("server_prune2_g4_completion_n_probs3.json")});
  CHECK(both["sound"] == true);
  CHECK(both["engine_log"]["kind"] == "llama-server timings");
  CHECK(both["engine_log"]["accepted"] == 5);
  CHECK(holds(both["engine_log"]["notes"][0].get<std::string>(), "has a logprob of 0 and an empty list"));
  CHECK_FALSE(both.contains("log_probabilities"));
}

TEST_CASE("inspect of an unknown file says what was found in it") {
  auto const said = [](TemporaryFile const& file) {
    Run const found = inspect({file.path()});
    CHECK(found.status == 3);
    std::string const start = "error: " + file.path();
    REQUIRE(found.err.starts_with(start));
    return found.err.substr(start.size());
  };
  CHECK(said(TemporaryFile(".tsv", "")) ==
        ": it is empty (a tool that fails leaves an empty file)\nhint: make it again\n");
  CHECK(said(TemporaryFile(".json", "")).starts_with(": it is empty"));
  CHECK(said(TemporaryFile(".txt", "Once upon a time\n"))
            .ends_with(" distributions of a book come from the source ngram:text=FILE\n"));
  CHECK(said(TemporaryFile(".json", R"({"log": "x", "gamma": 4})"))
            .starts_with(", line 1: unknown file format: it has JSON with gamma, log\n"));
  CHECK(said(TemporaryFile(".jsonl", R"({"seq": 0, "tokens": [1, 2]})"))
            .starts_with(", line 1: unknown file format: it has JSON with seq, tokens\n"));
  CHECK(said(TemporaryFile(".log", "perplexity: tokenizing the input ..\n"))
            .starts_with(": unknown file format: it has a first line of 'perplexity: tokenizing the input ..'\n"));
  TemporaryFile const tables(".json", R"({"p": [[0.5, 0.5]], "q": [[1, 0]]})");
  CHECK(inspect_json({tables.path()})["laws"]["beta"]["mean"] == .5);
  CHECK_FALSE(holds(said(TemporaryFile(".json", R"({"p": [0.5)")), "unknown file format"));
  CHECK(inspect({DRAFTGAUGE_SOURCE_DIR}).err ==
        "error: " DRAFTGAUGE_SOURCE_DIR
        ": it is a folder (distributions and recordings are read from files and pipes)\nhint: check the path\n");
}

TEST_CASE("inspect refuses what it would pass over") {
  std::string const text = recorded("trace_prune2_T1.tsv");
  CHECK(refusal(inspect({text, "--p", "1", "--q", "1"}), 2) ==
        "--p has no meaning beside " + text + " (it says what it holds)\nhint: leave it out");
  CHECK(refusal(inspect({rows_file, "--q", "1"}), 2) ==
        "--q has no meaning beside " + rows_file + " (it says what it holds)\nhint: leave it out");
  CHECK(refusal(inspect({text, "--temperature", "2"}), 2) ==
        "--temperature has no meaning for " + text + " (it holds no distributions)\nhint: leave it out");
  CHECK(refusal(inspect({"markov:vocab=3", "--start", "1"}), 2).starts_with("there is no option '--start' "));
}

TEST_CASE("inspect ends with what is wrong where nothing can be shown") {
  std::string const name = "error: ";
  Run const missing = inspect({"nowhere.safetensors"});
  CHECK(missing.status == 3);
  CHECK(missing.out.empty());
  CHECK(missing.err ==
        name +
            "nowhere.safetensors: there is no such file (distributions and recordings are read from files and "
            "pipes)\nhint: check the path\n");
  TemporaryFile const cut(".safetensors", recording({0, 0, 0, 0}).substr(0, 40));
  CHECK(holds(inspect({cut.path()}).err, "the file was cut short or is not safetensors"));
  CHECK(inspect({"--p", ".3,.3", "--q", ".5,.5"}).err ==
        name +
            "--p sums to 0.6 (a distribution sums to 1)\nhint: mend it, or divide it by its sum with --normalise\n");
  CHECK(inspect({"exact-alpha:alpha=1.5"}).status == 2);
  CHECK(inspect({}).status == 2);
}

}  // namespace
}  // namespace draftgauge
