#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analysis/recordings/columns.h"
#include "sim/base/mapped_file.h"
#include "tests/apps/answers.h"
#include "tests/apps/counters/counter_files.h"

/// What real engines counted, beside what the texts that they wrote say when they are scored.
namespace draftgauge {
namespace {

/// What `measure` says of a recording of the run of llama-server, at its γ and by its rule.
nlohmann::json scored_by_llama_cpp(std::string const& temperature) {
  return document("measure " DRAFTGAUGE_SOURCE_DIR "/tests/data/recordings/llama_server_" + temperature +
                  ".tsv --gamma 4 --engine llama.cpp-server");
}

}  // namespace

TEST_CASE("counters: a real run of vLLM kept at temperature 0 what the scored text says that it keeps") {
  std::string const file = DRAFTGAUGE_SOURCE_DIR "/tests/data/recordings/vllm_cpu_T0.tsv";
  constexpr std::size_t gamma = 4;
  int rounds = 0;
  std::vector<int> kept(gamma);
  MappedFile const mapped(file);
  TokenTrace const recorded = read_columns(file, mapped.text());
  for (TextTrace const& text : recorded.texts) {
    REQUIRE(text.argmax_match.size() == 48);
    for (std::size_t start = 1; start < text.argmax_match.size();
         ++rounds) {  // the first token comes with the prompt
      std::size_t i = 0;
      for (; i < gamma && start + i < text.argmax_match.size() && text.argmax_match[start + i]; ++i) ++kept[i];
      start += i + 1;
    }
  }
  nlohmann::json const counted =
      document("inspect " + at("vllm_cpu_T0_before.txt") + " " + at("vllm_cpu_T0_after.txt"))["counts"];
  CHECK(counted["rounds"] == rounds);
  CHECK(counted["by_position"] == kept);
}

TEST_CASE("counters: a real run of llama-server counts what its scored text gives") {
  std::string const both = at("llama_server_T0_before.txt") + " " + at("llama_server_T0_after.txt");
  nlohmann::json const found = document("inspect " + both);
  nlohmann::json const& counts = found["counts"];
  CHECK((found["sound"] == true && found["engine"] == "llama.cpp" && found["format"] == "llama.cpp metrics"));
  CHECK((counts["rounds"] == 172 && counts["drafted"] == 673 && counts["accepted"] == 303));
  CHECK(counts["by_position"] == nlohmann::json{117, 81, 60, 45});
  CHECK((counts["at_once"]["value"] == 1 && counts["at_once"]["name"] == "n_busy_slots_per_decode"));
  CHECK(run_line("inspect " + both).out.find("1.00: n_busy_slots_per_decode, a mean over steps") !=
        std::string::npos);
  CHECK(counts["emitted"] == 5 + 172 + 303);  // the first token of each of five texts came with its prompt
  nlohmann::json const counted = document("measure " + both)["mean_tokens"];
  CHECK(counted["value"].get<double>() == Approx(2.762).margin(5e-4));
  nlohmann::json const text = scored_by_llama_cpp("T0");
  CHECK(text["tokens"] == counts["emitted"]);
  double const predicted = text["tokens_per_round"][0]["replay_argmax"]["value"].get<double>();
  CHECK(predicted == Approx(2.727).margin(5e-4));
  CHECK((counted["low"].get<double>() < predicted && predicted < counted["high"].get<double>()));
}

TEST_CASE("counters: llama-server's responses at temperature 1 count what its greedy drafts are worth") {
  nlohmann::json const found = document("measure " + at("llama_server_T1.jsonl") + " --draft-length 4");
  CHECK((found["format"] == "llama-server timings" && found["counts"]["drafted"] == 230 + 226));
  CHECK((found["counts"]["accepted"] == 36 + 36 && found["counts"]["emitted"] == 96 + 96));
  CHECK(found["counts"]["rounds"] == 96 + 96 - 2 - 36 - 36);  // all tokens but the first of each text and the drafts
  CHECK(found["mean_tokens"]["value"].get<double>() == Approx(1.61).margin(5e-4));
  // Both requests kept as many in as many rounds, so that only the rounds say how far off their mean may be.
  CHECK((found["mean_tokens"]["low"].get<double>() < 1.5 && found["mean_tokens"]["high"].get<double>() > 1.7));
  CHECK(found["notes"][0].get<std::string>().starts_with(
      "95 % intervals take rounds to be independent, and to differ"));
  nlohmann::json const text = scored_by_llama_cpp("T1");
  CHECK((text["tokens"] == 192 && text["text_check"]["rejected"] == false));
  CHECK(text["tokens_per_round"][0]["replay_argmax"]["value"].get<double>() == Approx(1.6).margin(5e-4));
}

}  // namespace draftgauge
