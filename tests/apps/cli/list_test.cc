#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/counters/formats.h"
#include "analysis/load/load_table.h"
#include "analysis/open/text_cards.h"
#include "analysis/recordings/costs/cost_file.h"
#include "analysis/recordings/format_names.h"
#include "analysis/recordings/logprobs/logprob_form.h"
#include "analysis/texts/text_width.h"
#include "apps/output/result.h"
#include "sim/base/names.h"
#include "sim/recordings/row_file.h"
#include "sim/task/task.h"
#include "tests/apps/run.h"
#include "tests/content.h"

namespace draftgauge {
namespace {

TEST_CASE("list: what is true or false of a rule is a boolean for programs and a word for readers") {
  auto const rules = nlohmann::json::parse(run({"list", "rules", "--format", "json"}).out)["rules"];
  for (auto const& rule : rules) {
    RuleCard const& card = rule_card(rule["name"].get<std::string>());
    CHECK(rule["lossless"] == nlohmann::json(card.lossless));
    bool const plans = card.name.starts_with("local-ot") || card.name == "gbv";
    CHECK(rule["many_candidates"] == nlohmann::json(card.many_children || plans));
    CHECK_FALSE(card.counterexample);
  }
  auto const faulty = nlohmann::json::parse(run({"list", "faulty", "--format", "json"}).out)["faulty"];
  auto const after = [&](char const* option) {
    return std::ranges::count_if(faulty, [&](auto const& each) { return each["option"] == option; });
  };
  CHECK(std::cmp_equal(rules.size() + static_cast<std::size_t>(after("--rule")), rule_cards().size()));
  CHECK(after("--schedule") == 5);
  CHECK(run({"list", "rules"}).out.find(" yes ") != std::string::npos);
  CHECK(run({"list", "rules", "--format", "csv"}).out.find(",true,false,") != std::string::npos);
}

TEST_CASE("list: a terminal shows every column, no line wider than 100, and no word of prose cut") {
  auto const all = nlohmann::json::parse(run({"list", "--format", "json"}).out);
  for (char const* name : {"rules", "faulty", "engines", "sources", "policies", "tables", "figures", "recordings",
                           "estimators", "counters", "lookups"}) {
    std::string const page = run({"list", name}).out;
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(display_width(line) <= 100);
    }
    for (auto const& entry : all[name])
      for (char const* key : {"name", "summary", "counts", "drafter", "rule"})
        if (entry.contains(key) && !entry[key].is_null())
          for (std::string const& word : wrap(entry[key].get<std::string>(), 1)) {
            INFO(name << ": " << word);
            CHECK(page.find(word) != std::string::npos);
          }
  }
}

TEST_CASE("list: recordings and formats are those of the cards, and docs/scripting.md names each format") {
  auto const names = [](std::string const& list) {
    auto const document = nlohmann::json::parse(run({"list", list, "--format", "json"}).out);
    std::vector<std::string> all;
    for (auto const& entry : document[list]) all.push_back(entry["name"]);
    return all;
  };
  std::vector<std::string> known = names_in<std::string>(row_file_cards());
  std::ranges::copy(names_in<std::string>(text_cards()), std::back_inserter(known));
  CHECK(names("recordings") == known);
  CHECK(names("formats") == names_in<std::string>(format_cards));
  std::string const page = content(std::string(DRAFTGAUGE_SOURCE_DIR) + "/docs/scripting.md");
  for (FormatCard const& card : format_cards) {
    CAPTURE(card.name);
    CHECK(page.find((card.name == "json" ? "`--format " : "`") + std::string(card.name) + "`") != std::string::npos);
  }
  std::string const recordings = run({"list", "recordings", "--format", "csv"}).out;
  for (std::string const& line :
       {"costs,\"" + cost_format_names() + "\",\"c and v(n), for --cost\"",
        "loads,\"" + load_format_names() + "\",\"γ of each batch size, for --load\"",
        "logs,\"rounds, and counters of " + counter_engines() + "\",\"what an engine did, for --log\"",
        "log-probabilities,\"responses of " + logprob_servers() + ", a file a model\","}) {
    CAPTURE(line);
    CHECK(recordings.find(line) != std::string::npos);
  }
  for (std::string const& all : {counter_engines(), logprob_servers()})
    for (char const* known : {"vLLM", "SGLang", "llama.cpp"}) {
      INFO(all << ": " << known);
      CHECK(all.find(known) != std::string::npos);
    }
}

TEST_CASE("list: counters are the formats of the cards, with what each is of") {
  auto const listed = nlohmann::json::parse(run({"list", "counters", "--format", "json"}).out)["counters"];
  REQUIRE(listed.size() == counter_formats().size());
  for (std::size_t i = 0; i < listed.size(); ++i) {
    CounterFormat const& format = counter_formats()[i];
    CAPTURE(format.name);
    CHECK((listed[i]["name"] == format.name && listed[i]["summary"] == format.summary));
    CHECK(listed[i]["versions"] == format.versions);
    CHECK(listed[i]["engine"].is_null() == format.engine.empty());
  }
  CHECK(
      run({"list", "counters", "--format", "csv"})
          .out.find("vLLM bench,the JSON of vllm bench serve --save-result,vLLM,vLLM 0.12 and later; MAX's benchmark "
                    "writes the same names,max_concurrency\r\n") != std::string::npos);
}

}  // namespace
}  // namespace draftgauge
