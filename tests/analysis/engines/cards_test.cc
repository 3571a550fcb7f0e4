#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/engines/engines.h"
#include "analysis/engines/settings.h"
#include "analysis/engines/settings_values.h"
#include "sim/base/lists.h"
#include "sim/task/task.h"
#include "tests/content.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

/// Lines to paste for γ = 3, each engine's as its own documents have them, and the same as its configuration has it.
struct Pasted {
  std::string engine;
  std::vector<std::string> flags;
  std::string json;
};

std::vector<Pasted> const pasted = {
    {"mlx-lm", {"--num-draft-tokens 3"}, R"({"num_draft_tokens":3})"},
    {"tgi", {"--speculate 3"}, R"({"speculate":3})"},
    {"lmdeploy", {"--speculative-num-draft-tokens 3"}, R"({"num_speculative_tokens":3})"},
    {"exllama", {"num_draft_tokens = 3"}, R"({"num_draft_tokens":3})"},
    {"tabbyapi",
     {"draft_num_tokens: 3", "dynamic_draft: false"},
     R"({"draft_model":{"draft_num_tokens":3,"dynamic_draft":false}})"},
    {"koboldcpp", {"--draftamount 3"}, R"({"draftamount":3})"},
    {"lmstudio", {"speculativeDecodingNumDraftTokensExact: 3"}, R"({"speculativeDecodingNumDraftTokensExact":3})"},
    {"openvino", {"config.num_assistant_tokens = 3"}, R"({"num_assistant_tokens":3})"},
    {"mlc-llm", {R"(--overrides "spec_draft_length=3")"}, R"({"spec_draft_length":3})"},
    {"fastdeploy",
     {R"(--speculative-config '{"method":"mtp","model":"DRAFT","num_speculative_tokens":3,"num_model_steps":3}')"},
     R"({"method":"mtp","model":"DRAFT","num_speculative_tokens":3,"num_model_steps":3})"},
    {"gpt-fast", {"--speculate_k 3"}, R"({"speculate_k":3})"},
    {"max", {"--num-speculative-tokens 3"}, R"({"num_speculative_tokens":3})"},
    {"ik_llama.cpp", {"--spec-type draft:n_max=3,p_min=0.0"}, R"({"spec-type":"draft:n_max=3,p_min=0.0"})"},
    {"mlx-vlm", {"--draft-block-size 4"}, R"({"draft_block_size":4})"},
    {"rapid-mlx",
     {R"(--speculative-config '{"method":"mtp","num_speculative_tokens":3,"disable_auto_k":true}')"},
     R"({"method":"mtp","num_speculative_tokens":3,"disable_auto_k":true})"}};
/// Which settings_test.cc asks at length.
std::set<std::string> const asked_elsewhere{"vllm", "sglang", "trtllm", "llama.cpp", "hf"};

std::string refusal(std::string const& text) {
  return message<InputError>([&] { read_engine_card("x.toml", text); });
}

std::string const head = "name = \"x\"\ntitle = \"X\"\nsummary = \"s\"\n";
std::string const settings = head + "[settings]\nversions = \"v\"\noff = \"o\"\nsource = \"s\"\n";

}  // namespace

TEST_CASE("each engine's lines to paste are its own") {
  std::set<std::string> seen = asked_elsewhere;
  for (Pasted const& each : pasted) {
    CAPTURE(each.engine);
    EngineSettings const found = write_settings(engine_card(each.engine), {.gamma = 3});
    CHECK(found.flags == each.flags);
    CHECK(found.json == each.json);
    CHECK((found.gamma == 3 && found.lines.front().starts_with("# ")));
    seen.insert(each.engine);
  }
  CHECK(seen == std::set<std::string>(settable_engines().begin(), settable_engines().end()));
}

TEST_CASE("an engine's longest draft holds what is asked, and the lines say so") {
  EngineSettings const held = write_settings(engine_card("fastdeploy"), {.gamma = 8});
  CHECK((held.gamma == 5 && nlohmann::json::parse(held.json)["num_speculative_tokens"] == 5));
  CHECK(contains(held.lines, "# (held to 5: FastDeploy takes no longer draft, and the best is 8)"));
  CHECK(write_settings(engine_card("fastdeploy"), {.gamma = 5}).lines.size() == 2);
}

TEST_CASE("cards of engines name rules, drafters and sources that there are") {
  std::set<std::string> names, runs, words;
  for (EngineCard const& card : engine_cards()) {
    CAPTURE(card.name);
    CHECK(names.insert(card.name).second);
    CHECK((!card.runs.empty() || !card.summary.empty()));
    for (EngineRun const& run : card.runs) {
      CHECK(runs.insert(run.name).second);
      RuleCard const& rule = *std::ranges::find(rule_cards(), run.rule, &RuleCard::name);
      CHECK(run.lossless == rule.lossless);
      CHECK(run.extra_draft_passes <= 1);
    }
    if (!card.settings) continue;
    for (std::string const& word : card.called) CHECK(words.insert(word).second);
    CHECK(engine_called(card.name) == &card);
    CHECK(engine_called(card.title) == &card);
  }
  CHECK(engine_called("tensorrt_llm")->name == "trtllm");
  CHECK(engine_called("algorithm1") == nullptr);  // no engine
  CHECK(engine_called("") == nullptr);
  CHECK(engine_run("llama.cpp-server").extra_draft_passes == 1);
  CHECK(engine_card("llama.cpp").run()->name == "llama.cpp-server");
  CHECK(engine_run("vllm").otherwise.front().rule == "token");
  CHECK(message([] {
          engine_run("llama-server");
        }).starts_with("there is no engine 'llama-server' (known: algorithm1, exllama, "));
  CHECK((what_ends_drafts("llama.cpp") == "--draft-p-min" && what_ends_drafts("vllm").empty() &&
         what_ends_drafts("").empty()));
  std::size_t files = 0;
  for (auto const& file : std::filesystem::directory_iterator(DRAFTGAUGE_SOURCE_DIR "/analysis/engines/cards"))
    files += file.path().extension() == ".toml";
  CHECK(files == engine_cards().size());
}

TEST_CASE("the pages have a line of each engine, and of each value that a card may name") {
  std::string const page = content(DRAFTGAUGE_SOURCE_DIR "/docs/engines.md");
  for (std::string const& name : settable_engines()) {
    EngineCard const& card = engine_card(name);
    std::string const flags =
        joined(write_settings(card, {.gamma = 3}).flags, [](std::string const& flag) { return "`" + flag + "`"; });
    std::string rule = "not known";
    if (EngineRun const* const run = card.run())
      rule = run->rule + (run->drafter == "top" ? ", argmax q" : ", drawn from q");
    CHECK(page.find("| " + card.title + " | `" + name + "` | " + flags + " | " + rule + " |\n") != page.npos);
  }
  std::string const adding = content(DRAFTGAUGE_SOURCE_DIR "/docs/adding-an-engine.md");
  for (std::string_view const value : settings_value_names())
    CHECK(adding.find("`{" + std::string(value) + "}`") != adding.npos);
  std::string const fence = "```toml\n";
  std::size_t const at = adding.find(fence) + fence.size();
  EngineCard const card = read_engine_card("x.toml", adding.substr(at, adding.find("```\n", at) - at));
  CHECK(write_settings(card, {.gamma = 2, .survival = {.5, .25}}).lines ==
        std::vector<std::string>{"# beside --draft", "--draft-tokens 2", "--simulate [0.5,0.25]"});
  CHECK(write_settings(card, {.gamma = 2}).json == R"({"draft_tokens":2})");
}

TEST_CASE("what is no card of an engine is refused by its file and place") {
  CHECK(refusal("name = ").starts_with("x.toml: line 1: "));
  CHECK(refusal("name = \"x\"") == "x.toml: there is no title write title = \"…\"");
  CHECK(refusal("name = \"x\"\ntitle = \"X\"") == "x.toml: there is no summary write summary = \"…\"");
  CHECK(refusal(head + "colour = 1") == "x.toml: there is no key 'colour' leave it out");
  CHECK(refusal(head + "[[runs]]\nrule = \"tokn\"") ==
        "x.toml, runs: there is no rule 'tokn' `draftgauge list rules` names all");
  CHECK(refusal(head + "[[runs]]\nrule = \"token\"\nsummary = \"s\"\ndrafter = \"tp\"") ==
        "x.toml, runs: there is no drafter 'tp' `draftgauge list drafters` names all");
  CHECK(refusal(head + "[settings]\nversions = \"v\"") == "x.toml, settings: there is no off write off = \"…\"");
  CHECK(refusal(settings) == "x.toml, settings: no line is a flag write { flag = \"…\" } in lines");
  CHECK(refusal(settings + "by_batch = 1") ==
        "x.toml, settings: by_batch is neither true nor false write one of them");
  CHECK(refusal(settings + "most = -1") == "x.toml, settings: most is no count write most = 1");
  CHECK(refusal(settings + "lines = [{ flag = \"--k {gama}\" }]")
            .starts_with("x.toml, settings, lines: there is no value 'gama' write one of "));
  CHECK(refusal(settings + "lines = [{ flag = \"--k {gamma}\", if = \"no length and\" }]")
            .starts_with("x.toml, settings, lines: there is no value 'length and' "));
  CHECK(refusal(settings + "lines = [{ text = \"--k {gamma}\" }]")
            .starts_with("x.toml, settings, lines: it has no text "));
  CHECK(refusal(settings + "lines = [\"--k {gamma}\"]") ==
        "x.toml, settings, lines: it is no table write name = value");
  CHECK(refusal(settings + "lines = [{ flag = \"--k\" }]\n[[settings.kinds]]\njson = \"x\"") ==
        "x.toml, settings, kinds: it names no kind write names = [\"…\"]");
  CHECK(read_engine_card("x.toml", settings + "lines = { flag = \"--k {gamma}\" }").settings->lines.size() == 1);
}
