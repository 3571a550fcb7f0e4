#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/apps/run.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

Run inspect(std::vector<std::string_view> words) {
  words.insert(words.begin(), "inspect");
  return run(words);
}

nlohmann::json inspect_json(std::vector<std::string_view> words) {
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

TEST_CASE("inspect says what a recording holds") {
  std::string_view const file = DRAFTGAUGE_SOURCE_DIR "/data/smollm2_prune2_24.safetensors";
  CHECK(inspect({file}).status == 0);
  nlohmann::json const found = inspect_json({file});
  CHECK(found["sound"] == true);
  CHECK(found["laws"]["rows"] == 24);
  CHECK(found["laws"]["vocab"] == 49152);
  CHECK(found["laws"]["contexts"] == "bag of 24 i.i.d. contexts");
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

TEST_CASE("inspect takes any source") {
  nlohmann::json const by_hand = inspect_json({"--p", "1/3,2/3", "--q", ".5,.5"});
  CHECK(by_hand["laws"]["rounding"]["exact"] == true);
  CHECK(by_hand["laws"]["beta"]["mean"].get<double>() == Approx(5. / 6));
  CHECK(inspect({"markov:vocab=5"}).out.find("Markov pair") != std::string::npos);
  CHECK(inspect_json({"markov:vocab=5"})["laws"]["source"] == "markov:vocab=5,concentration=1/2,noise=1,seed=1");
}

TEST_CASE("inspect ends with what is wrong where nothing can be shown") {
  std::string const name = "draftgauge inspect: ";
  Run const missing = inspect({"nowhere.safetensors"});
  CHECK(missing.status == 3);
  CHECK(missing.out.empty());
  CHECK(missing.err ==
        name +
            "nowhere.safetensors: there is no such file (laws and recordings are read from regular files) check the "
            "path\n");
  TemporaryFile const cut(".safetensors", recording({0, 0, 0, 0}).substr(0, 40));
  CHECK(inspect({cut.path()}).err.find("the file was cut short or is not safetensors") != std::string::npos);
  CHECK(inspect({"--p", ".3,.3", "--q", ".5,.5"}).err ==
        name + "--p sums to 0.6 (a law sums to 1) mend it, or divide it by its sum with --normalise\n");
  CHECK(inspect({"exact-alpha:alpha=1.5"}).status == 2);
  CHECK(inspect({}).status == 2);
}

}  // namespace
}  // namespace draftgauge
