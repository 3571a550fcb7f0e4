#include "apps/cli/written_values.h"

#include <catch2/catch.hpp>

#include "sim/base/error.h"
#include "tests/apps/run.h"
#include "tests/apps/shipped_files.h"
#include "tests/message.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

TEST_CASE("an option's text alone says whether it is numbers or a file") {
  using enum ValueShape;
  for (char const* text : {".1", "0.0001844683579314187", "1e-05", "1.8446744073709552e+19", "1/3", ".02,.1", "-1",
                           "0..1", "1-5", "2026-11-21"}) {
    INFO(text);
    CHECK(value_shape(text) == numbers);
  }
  for (char const* text : {"1:1,2:1.8", "2:x", "12:"}) {
    INFO(text);
    CHECK(value_shape(text) == points);
  }
  for (char const* text : {"costs.jsonl", "cheap", "./0.1", "../0.1", "/1", "data/1.csv", "7b_costs.json", "nan", "-",
                           "C:1", ":1", ""}) {
    INFO(text);
    CHECK(value_shape(text) == file);
  }
  CHECK((value_shape("1k;2.5M", ";kM") == numbers && value_shape("1k;2") == file && value_shape("k;", ";k") == file));
}

TEST_CASE("each part of a path may be as long as a name") {
  std::string const name(255, 'a');
  CHECK(could_be_there(name + "/" + name + "/" + name));
  CHECK_FALSE(could_be_there("folder/a" + name));
  std::string folders;
  while (folders.size() < 4096) folders += "a/";
  CHECK_FALSE(could_be_there(folders));
}

TEST_CASE("probabilities keep to their domain") {
  for (char const* text : {"0", "1", "0.25", "1/3", "1e-300"}) CHECK_NOTHROW(parse_written_probability(text));
  CHECK(parse_written_probabilities("0.25,1/2").back().value == .5);
  for (char const* text : {"1.0000000001", "-0.1", "4/3"})
    CHECK(testing::message<Error>([&] { static_cast<void>(parse_written_probabilities(text)); }) ==
          std::string(text) + " is not a probability (it lies outside [0, 1]) write it like 0.8 or 4/5");
}

TEST_CASE("what Python prints of a double is taken wherever a number is") {
  for (std::string const cost : {"0.0001844683579314187", "1e-05", "0.30000000000000004", "5e-324"}) {
    INFO(cost);
    for (std::string const& line : std::vector<std::string>{
             "gamma --alpha .8 --cost " + cost, "gamma --alpha .8 --cost .1," + cost,
             "gamma --alpha .8 --overhead " + cost,
             "gamma --alpha .8 --cost .1 --verify-cost 1:1,8:" + (cost == "0.30000000000000004" ? cost : "1.5"),
             "theory --alpha .8 --cost " + cost, "theory --alpha 0.0001844683579314187 --cost " + cost,
             "gamma --alpha " + cost + "..0.8", "exact --p .3,.7 --q .6,.4 --gamma 1 --cost " + cost,
             "simulate exact-alpha:vocab=8,alpha=.6 --gamma 2 --rounds 1000 --cost " + cost,
             "simulate dirichlet:vocab=4,concentration=0.0101844683579314187 --gamma 1 --rounds 100",
             "figure leviathan-3 --cost " + cost + " --format csv", "table reference-grid --alpha .6 --cost " + cost,
             "measure " + columns_file + " --gamma 2 --cost " + cost}) {
      INFO(line);
      Run const got = run_line(line);
      CHECK(got.err == "");
      CHECK(got.status == 0);
    }
  }
  // PairTables whose digits fit no ratio of 64-bit integers are rounded, and that is said.
  Run const law = run_line("exact --p 0.0001844683579314187,0.9998155316420685813 --q 0.5,0.5 --gamma 1");
  CHECK(law.err == "");
  CHECK(law.out.find("integers close to the source's") != law.out.npos);
  // And kept where an answer is a fraction of any size.
  CHECK(run_line("table acceptance --p 0.0001844683579314187,0.9998155316420685813 --q 0.5,0.5").status == 0);
  CHECK(run_line("gamma --alpha .8 --cost 1e-400").err ==
        "error: --cost: '1e-400' is out of range (numbers are read from 4.9e-324 to 1.8e308, and 0)\nhint: write one "
        "within\n");
}

TEST_CASE("a long list of costs is a list and never a file's name") {
  std::string curve = "1:1";
  for (int n = 2; n <= 39; ++n) curve += "," + std::to_string(n) + ":1." + std::to_string(100 + n);
  REQUIRE(curve.size() > 255);
  std::string costs = ".1";
  for (int i = 0; i < 60; ++i) costs += ",0.0" + std::to_string(100 + i);
  REQUIRE(costs.size() > 255);
  for (std::string const& line :
       std::vector<std::string>{"gamma --alpha .8 --cost .1 --verify-cost " + curve,
                                "measure " + columns_file + " --gamma 2 --cost .1 --verify-cost " + curve,
                                "figure best-gamma " + columns_file + " --verify-cost " + curve,
                                "gamma --alpha .8 --cost " + costs, "figure leviathan-3 --cost " + costs}) {
    INFO(line);
    Run const got = run_line(line);
    CHECK(got.err == "");
    CHECK(got.status == 0);
  }
  std::string const word(300, 'a');
  CHECK(run_line("gamma --alpha .8 --verify-cost " + word).err ==
        "error: --verify-cost: '" + word.substr(0, 60) +
            "…' is neither a list of n:v(n) nor a file (v(n) is the time of a pass over n tokens, or is taken from "
            "measured times)\nhint: give 1:1,2:1.8,5:3.35, or a file of llama-bench\n");
  CHECK(run_line("gamma --alpha .8 --verify-cost no/costs.json").err ==
        "error: no/costs.json: there is no such file (--verify-cost is a list of n:v(n), or measured times)\nhint: "
        "there is no folder 'no'\n");
  CHECK(run_line("inspect " + word).status == 2);
  CHECK(run_line("inspect " + word).err.find("mistake") == std::string::npos);
}

}  // namespace
}  // namespace draftgauge
