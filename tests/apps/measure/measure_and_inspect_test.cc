#include <catch2/catch.hpp>
#include <cmath>

#include "tests/apps/measure/measure_run.h"

namespace draftgauge {
namespace {

TEST_CASE("measure and inspect say what a reader must know") {
  auto const says = [](Run const& done, char const* what) {
    INFO(what << ", in " << done.out << done.err);
    CHECK(unwrapped(done.out).find(what) != std::string::npos);
  };
  TemporaryFile const silent(".tsv", "seq\tlogp\tlogq\n0\t-1\t-1.5\n0\t-1\t-.5\n1\t-1\t-2\n1\t-1\t-1\n");
  Run const unknown = measure({silent.path(), "--gamma", "1"});
  says(unknown, "4 tokens in 2 texts, at which temperature they were written is not recorded.");
  says(unknown,
       "95 % intervals over texts; of so few they may cover less: a kind of text that is one in ten is missing from "
       "2 texts");
  says(unknown,
       "Who wrote the text is not recorded (--recorded-temperature T says it): what is estimated along the "
       "text holds if the target wrote it at this temperature.");
  says(measure({columns_file, "--gamma", "1"}), "95 % intervals over texts.");
  says(measure({columns_file, "--gamma", "1..4", "--cost", ".1"}),
       "c = 0.1, verification as cheap as one token (no v(n) is given).");
  says(measure({rows_file, "--gamma", "1", "--temperature", ".6"}),
       "The text is not a sample of these distributions: β at each position is exact, but other texts would be met, "
       "so that "
       "means over the text and everything below lean towards the text's own distribution.");
  TemporaryFile const cut(".tsv",
                          "# temperature: 1\n# top-p: 0.9\nseq\tlogp\tlogq\n0\t-1\t-1.5\n0\t-1\t-.5\n"
                          "1\t-1\t-2\n1\t-1\t-1\n");
  says(measure({cut.path(), "--gamma", "1"}),
       "p and q are what that truncation leaves of the models' distributions: all below is on-policy for it alone, "
       "and says "
       "nothing of other truncations or none.");
  std::string const kld = DRAFTGAUGE_SOURCE_DIR "/tests/data/rows/real_";
  Run const floored = measure({kld + "target.kld", kld + "draft.kld", "--gamma", "1"});
  says(floored, "Of the target's rows a share of ");
  says(floored, " lies on tokens whose probability the file had raised to its floor; rows are renormalised.");
  says(run({"inspect", DRAFTGAUGE_SOURCE_DIR "/tests/data/recordings/prompt_logprobs_target.jsonl"}),
       "One model's word on a text: measure takes it with the other model's.");
  says(run({"inspect", columns_file}), "z of what its own text has mean 0 of");

  // Three of four tokens are what p = 3/4 has: at the rows as they are, and not at the .25 that is said.
  std::vector<float> const z(200, std::log(3.f));
  std::vector<std::int64_t> x(200, 0);
  for (std::size_t i = 0; i < x.size(); i += 4) x[i] = 1;
  TemporaryFile const applied(".safetensors", small_rows(z, z, x, 100, "0.25"));
  says(run({"inspect", applied.path()}), "The numbers are sound, but the text does not fit them");
  says(
      run({"inspect", applied.path()}),
      "The text fits these rows at T = 1 and not at the recorded 0.25: the temperature seems to have been applied to "
      "the rows already. Measure at --temperature 1.");
}

TEST_CASE("inspect says what each kind of file holds") {
  auto const inspect = [](std::vector<std::string_view> words) {
    words.insert(words.begin(), "inspect");
    words.insert(words.end(), {"--format", "json"});
    return nlohmann::json::parse(run(words).out);
  };
  CHECK(inspect({columns_file})["scores"]["texts"] == 28);
  CHECK(inspect({costs_file})["costs"]["models"]["prune2"].size() == 1);
  CHECK(inspect({engine_rounds})["engine_log"]["rounds"] == 2749);
  nlohmann::json const rows = inspect({rows_file});
  CHECK(rows["models"][0]["numbers"] == "logits");
  CHECK(rows["recording"]["fitted_temperature"]["value"].get<double>() == Approx(1).margin(.3));
  std::string probabilities;
  for (int i = 0; i < 2; ++i) {
    float const row[] = {.5f, .25f, .25f};
    probabilities.append(reinterpret_cast<char const*>(row), sizeof row);
  }
  TemporaryFile const file(
      ".safetensors",
      tensor_bytes(R"({"logits":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})", probabilities));
  nlohmann::json const found = inspect({file.path()});
  CHECK(found["sound"] == false);
  CHECK(found["models"][0]["numbers"] == "probabilities");
  CHECK(found["models"][0]["duplicate_rows"] == 1);
  CHECK(found["faults"][0].get<std::string>() ==
        file.path() +
            ": logits: its rows are probabilities that sum to 1 (they are read as logits or "
            "log-probabilities) write their logarithms");
}

}  // namespace
}  // namespace draftgauge
