#include "analysis/engines/settings.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

EngineSettings written(std::string_view engine, SettingsAsked const& asked) {
  return write_settings(engine_card(engine), asked);
}

SettingsAsked const three{.gamma = 3, .survival = {.57843, .57844, .2728, .1}, .tokens_per_round = 2.2223};

}  // namespace

TEST_CASE("each engine is told a draft length in its own words") {
  CHECK(written("vllm", three).flags ==
        std::vector<std::string>{
            R"(--speculative-config '{"method":"draft_model","model":"DRAFT","num_speculative_tokens":3}')"});
  // A rate that rounding or noise has above the one before it would be refused there.
  CHECK(
      written("vllm", three).synthetic ==
      R"({"method":"draft_model","model":"DRAFT","num_speculative_tokens":3,"rejection_sample_method":"synthetic","synthetic_acceptance_rates":[0.5784,0.5784,0.2728]})");
  CHECK(written("sglang", three).flags ==
        std::vector<std::string>{
            "--speculative-num-steps 3 --speculative-eagle-topk 1 --speculative-num-draft-tokens 4"});
  CHECK(written("sglang", three).lines.back() ==
        "SGLANG_SIMULATE_ACC_LEN=2.22 SGLANG_SIMULATE_ACC_METHOD=match-expected");
  CHECK(written("trtllm", three).flags == std::vector<std::string>{"max_draft_len: 3"});
  CHECK(written("trtllm", three).lines[3] == "draft_len_schedule: {1: 3}");
  CHECK(written("trtllm", three).lines[5] == "draft_len_schedule: {LARGEST_BATCH: 3}");
  CHECK(written("llama.cpp", three).lines ==
        std::vector<std::string>{
            "# beside the draft model; of 2026, where without --spec-type nothing is drafted; with EAGLE, MTP or "
            "n-grams keep your own",
            "--spec-type draft-simple --spec-draft-n-max 3 --spec-draft-n-min 0 --spec-draft-p-min 0",
            "# of 2025, where the draft model is enough", "--draft-max 3 --draft-min 0 --draft-p-min 0"});
  CHECK(
      written("hf", three).json ==
      R"({"num_assistant_tokens":3,"num_assistant_tokens_schedule":"constant","assistant_confidence_threshold":0.0})");
}

TEST_CASE("llama.cpp is told what drafts, by the kinds that it counted, and each kind's own length") {
  auto const of_kinds = [](std::vector<std::string> kinds) {
    return written("llama.cpp", {.gamma = 3, .draft_kinds = std::move(kinds)});
  };
  CHECK(of_kinds({"draft"}).lines ==
        std::vector<std::string>{
            "# beside the draft model; of 2026",
            "--spec-type draft-simple --spec-draft-n-max 3 --spec-draft-n-min 0 --spec-draft-p-min 0",
            "# of 2025, where the draft model is enough", "--draft-max 3 --draft-min 0 --draft-p-min 0"});
  CHECK(of_kinds({"draft-mtp"}).lines ==
        std::vector<std::string>{
            "# of 2026", "--spec-type draft-mtp --spec-draft-n-max 3 --spec-draft-n-min 0 --spec-draft-p-min 0"});
  CHECK(of_kinds({"ngram_simple"}).flags ==
        std::vector<std::string>{"--spec-type ngram-simple --spec-ngram-simple-size-m 3"});
  CHECK(of_kinds({"ngram-map-k4v"}).json == R"({"spec-type":"ngram-map-k4v","spec-ngram-map-k4v-size-m":3})");
  CHECK(
      of_kinds({"ngram-mod", "draft-simple"}).flags ==
      std::vector<std::string>{
          "--spec-type ngram-mod,draft-simple --spec-ngram-mod-n-max 3 --spec-ngram-mod-n-min 0 --spec-draft-n-max 3 "
          "--spec-draft-n-min 0 --spec-draft-p-min 0"});
  CHECK(of_kinds({"ngram-cache"}).lines ==
        std::vector<std::string>{"# of 2026", "--spec-type ngram-cache",
                                 "# (ngram-cache drafts up to 8 tokens, whatever is set)"});
  // A log may call a kind anything: no line to paste repeats what a shell would obey.
  std::string const left_out =
      "# (a kind of draft is left out: the log gives it a name that no kind has; keep your own --spec-type)";
  CHECK(of_kinds({"draft-$(id>pwned);\x1b[31m", "draft-mtp"}).lines ==
        std::vector<std::string>{
            "# of 2026", "--spec-type draft-mtp --spec-draft-n-max 3 --spec-draft-n-min 0 --spec-draft-p-min 0",
            left_out});
  // The names of 2025, and each kind once.
  CHECK(of_kinds({"draft", "eagle3", "draft-simple"}).flags ==
        std::vector<std::string>{"--spec-type draft-simple,draft-eagle3 --spec-draft-n-max 3 --spec-draft-n-min 0 "
                                 "--spec-draft-p-min 0"});
  for (std::string const kind :
       {"`id`", "a b", "-x", "x\ny", "\u202e", "draft-rm", "model/draft-mtp", "none", "ngram-"})
    CHECK(of_kinds({kind}).lines ==
          std::vector<std::string>{"# of 2026", "--spec-draft-n-max 3 --spec-draft-n-min 0 --spec-draft-p-min 0",
                                   left_out});
}

TEST_CASE("a length for each batch size goes to engines that take one") {
  SettingsAsked const ranges{.gamma = 2,
                             .survival = {.8, .6, .4},
                             .tokens_per_round = 2.4,
                             .by_batch = {{2, 8, 3}, {9, 32, 2}, {33, 128, 0}}};
  // vllm/docs/features/speculative_decoding/dynamic_speculative_decoding.md
  CHECK(
      written("vllm", ranges).json ==
      R"({"method":"draft_model","model":"DRAFT","num_speculative_tokens":3,"num_speculative_tokens_per_batch_size":[[1,8,3],[9,32,2],[33,128,0]]})");
  CHECK(nlohmann::json::parse(written("vllm", ranges).synthetic)["synthetic_acceptance_rates"] ==
        nlohmann::json{.8, .6, .4});
  SettingsAsked unknown = ranges;
  unknown.survival.clear();
  CHECK(written("vllm", unknown).synthetic.empty());  // E[N] is that of γ = 2
  CHECK(written("trtllm", ranges).flags == std::vector<std::string>{"max_draft_len: 3"});
  CHECK(nlohmann::json::parse(written("trtllm", ranges).json)["draft_len_schedule"].size() == 2);
  CHECK(nlohmann::json::parse(written("trtllm", ranges).json)["draft_len_schedule"]["by_largest_batch"].size() ==
        ranges.by_batch.size());
  CHECK(nlohmann::json::parse(written("trtllm", ranges).json)["draft_len_schedule"]["by_smallest_batch"]["1"] ==
        ranges.by_batch[0].gamma);
  CHECK(written("trtllm", ranges).lines[3] == "draft_len_schedule: {1: 3, 9: 2, 33: 0}");
  CHECK(written("trtllm", ranges).lines[5] == "draft_len_schedule: {8: 3, 32: 2, 128: 0}");
  SettingsAsked const grows{.gamma = 2, .by_batch = {{1, 8, 2}, {9, 32, 3}}};
  // validate_draft_len_schedule of either meaning: max_draft_len at the smallest key, and nothing above it.
  CHECK(written("trtllm", grows).lines[1] ==
        "# (held to 2: no version takes a schedule that grows, and the best are 3 with 9 to 32)");
  CHECK(written("trtllm", grows).flags == std::vector<std::string>{"max_draft_len: 2"});
  CHECK(written("trtllm", grows).lines[4] == "draft_len_schedule: {1: 2}");
  CHECK(written("trtllm", grows).lines[6] == "draft_len_schedule: {32: 2}");
  SettingsAsked const humped{.gamma = 8, .by_batch = {{1, 1, 8}, {2, 2, 9}, {3, 5, 8}, {6, 32, 5}}};
  CHECK(written("trtllm", humped).lines[1] ==
        "# (held to 8: no version takes a schedule that grows, and the best are 9 with 2)");
  CHECK(written("trtllm", humped).lines[4] == "draft_len_schedule: {1: 8, 6: 5}");
  CHECK(
      written("trtllm", humped).json ==
      R"({"speculative_config":{"max_draft_len":8},"draft_len_schedule":{"by_smallest_batch":{"1":8,"6":5},"by_largest_batch":{"5":8,"32":5}}})");
  // Where plain decoding is best in the smallest batch, a schedule could say nothing else.
  SettingsAsked const late{.gamma = 3, .by_batch = {{1, 8, 0}, {9, 32, 3}}, .batch = 16};
  CHECK(written("trtllm", late).flags == std::vector<std::string>{"max_draft_len: 3"});
  CHECK(written("trtllm", late).lines[4] == "draft_len_schedule: {1: 3}");
  CHECK(written("llama.cpp", ranges).flags == written("llama.cpp", {.gamma = 2}).flags);
  CHECK(written("vllm", {.gamma = 0, .by_batch = {{1, 8, 0}}}).flags.empty());
}

TEST_CASE("synthetic acceptance goes by what is known") {
  SettingsAsked const length{.gamma = 3, .tokens_per_round = 2.345};
  CHECK(nlohmann::json::parse(written("vllm", length).synthetic)["synthetic_acceptance_length"] == 2.35);
  CHECK(written("vllm", {.gamma = 3}).synthetic.empty());
  CHECK(written("sglang", {.gamma = 3}).synthetic.empty());
  CHECK(rounded_survival({.gamma = 3, .survival = {.5}}).empty());
}

TEST_CASE("plain decoding has no line to paste, and says how drafting is switched off") {
  for (std::string const& name : settable_engines()) {
    CAPTURE(name);
    EngineSettings const none = written(name, {.gamma = 0});
    CHECK((none.flags.empty() && none.json.empty() && none.synthetic.empty()));
    CHECK((none.lines.empty() && !none.off.empty()));
    CHECK(written(name, {.gamma = 3}).off.empty());
  }
  CHECK(message([] {
          engine_card("vlm");
        }).starts_with("there is no engine 'vlm' (known: exllama, fastdeploy, gpt-fast, hf, "));
  CHECK(message([] { engine_card("algorithm1"); }).starts_with("there is no engine 'algorithm1' (known: "));
}
