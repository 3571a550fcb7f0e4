#include "analysis/recordings/costs/time_format.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "analysis/load/load_table.h"
#include "analysis/recordings/costs/cost_file.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

TEST_CASE("formats of times: each has one name, an option, and one way to be read") {
  std::set<std::string_view> names;
  for (TimeFormat const& format : time_formats()) {
    CAPTURE(format.name);
    CHECK(names.insert(format.name).second);
    CHECK((format.cost || format.load));
    CHECK((format.pass != nullptr) != (format.take_load != nullptr));
    CHECK((format.pass || (!format.cost && format.batch.empty())));
    CHECK((format.batch.empty() || contains(format.fields, format.batch)));
    CHECK((format.load || format.batch.empty()));
    CHECK((format.cost || (!format.batch_as_tokens && format.constant.empty())));
    CHECK((format.whole_rounds || !format.accepted_elsewhere));
    CHECK((!format.markdown || (format.load && !format.cost)));
  }
}

TEST_CASE("formats of times: the names that --cost and --load say are the cards'") {
  auto const said = [](std::string const& list, std::string_view each, std::string const& between = ", ") {
    return (between + list + between).find(between + std::string(each) + between) != std::string::npos;
  };
  for (TimeFormat const& format : time_formats()) {
    CAPTURE(format.name);
    CHECK(said(cost_format_names(), format.name) == format.cost);
    CHECK(said(load_format_names(), format.name));
    CHECK(said(load_formats_with_acceptance(), format.name) == format.says_acceptance());
  }
  for (char const* known : {"n_prompt, n_gen, avg_ns of llama-bench", "pl, tg, t_tg of llama-batched-bench",
                            "phase, tokens, mean_s of cost.csv", "model, n_tokens, median_ms or mean_ms of passes"}) {
    CAPTURE(known);
    CHECK(said(cost_format_fields(), known, "; "));
  }
  for (char const* known : {"SGLang bench_speculative", "vLLM dynamic speculation"})
    CHECK(said(load_formats_with_acceptance(), known));
}

TEST_CASE("formats of times: a line that both options take says one time to both") {
  struct Case {
    std::string_view text;
    std::string cost_model, load_model;
    std::int64_t cost_tokens, tokens, batch;
  };
  for (Case const& each : {Case{R"({"pl": 4, "tg": 8, "t_tg": 0.4})", "run", "model", 4, 1, 4},
                           Case{"phase,batch,tokens,mean_s\nverify,2,3,.05\n", "target", "target", 3, 3, 2},
                           Case{R"({"n_prompt": 5, "n_gen": 0, "avg_ns": 50000000})", "model", "model", 5, 5, 1},
                           Case{R"({"model": "m", "n_tokens": 2, "mean_ms": 50})", "m", "m", 2, 2, 1}}) {
    CAPTURE(each.text);
    CHECK(read_costs("run.json", each.text).models.at(each.cost_model).seconds.at(each.cost_tokens) ==
          Approx(.05).epsilon(1e-12));
    CHECK(read_load("run.json", each.text).models.at(each.load_model).ms.at(each.tokens, each.batch)->value ==
          Approx(50).epsilon(1e-12));
  }
}

}  // namespace
}  // namespace draftgauge
