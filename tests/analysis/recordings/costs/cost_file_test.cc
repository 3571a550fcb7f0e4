#include "analysis/recordings/costs/cost_file.h"

#include <catch2/catch.hpp>

#include "tests/analysis/recordings/fixture.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

std::string cost_error(std::string const& text) {
  return message<InputError>([&] { read_costs("x", text); });
}

constexpr auto logits =
    "llama-bench computes the logits of a pass's last token only: verification, which needs all, takes longer";

}  // namespace

TEST_CASE("times of passes give the costs known of that machine") {
  CostTable const table = read_costs("x", fixture_text("cost_2threads.jsonl"));
  CHECK((table.format == "passes" && table.models.size() == 5));
  // Wall times on 2 cores, as they were summed up by hand when they were recorded.
  Costs const costs = costs_of(table, "", "prune2");
  CHECK(costs.draft == Approx(.981).margin(.0005));
  CHECK(costs_of(table, "target", "q2k").draft == Approx(.737).margin(.0005));
  std::map<int, double> const known = {{1, 1},    {2, 1.81}, {3, 2.21}, {4, 2.71}, {5, 3.35},
                                       {6, 3.93}, {7, 4.43}, {8, 4.42}, {9, 5.17}, {16, 8.18}};
  for (auto const& [n, v] : known) CHECK(costs.verify.at(n) == Approx(v).margin(.005));
  CHECK(table.notes == std::vector<std::string>{"target: 8 tokens take less time than fewer do, as measured"});
  CHECK(verify_costs(table, "target") == costs.verify);
}

TEST_CASE("llama-bench writes the same as a list, as lines and as CSV") {
  CostTable const json = read_costs("x", fixture_text("llama-bench.json"));
  CostTable const csv = read_costs("x", fixture_text("llama-bench.csv"));
  for (CostTable const& table : {json, csv}) {
    CHECK((table.format == "llama-bench" && table.models.size() == 1));
    CHECK(table.notes == std::vector<std::string>{logits});
    auto const& model = table.models.at("smollm2-135m-instruct-q4_1.gguf");
    CHECK((model.parameters == 134515008 && model.seconds.size() == 2));
  }
  CHECK(csv.models.begin()->second.seconds.at(5) == Approx(.021327229));
  CHECK(csv.models.begin()->second.seconds.at(1) == Approx(.118874807 / 16));

  CostTable const lines = read_costs("x", fixture_text("llama-bench.jsonl"));
  CHECK(lines.models.size() == 5);
  CHECK(lines.notes[0] == "T(1) is a generated token's time (n_gen), not that of n_prompt 1");
  Costs const costs = costs_of(lines, "smollm2-135m-instruct-q4_1.gguf", "smol-prune2.gguf");
  CHECK(costs.draft == Approx(244533758. / 256532282));
  CHECK(costs.verify_pass(5) == Approx(23730183. / (256532282. / 32)));
}

TEST_CASE("llama-batched-bench and cost.csv") {
  CostTable const batched = read_costs("dir/run.jsonl", R"({"pp": 128, "tg": 32, "pl": 1, "t_tg": 0.32}
{"pp": 128, "tg": 0, "pl": 1, "t_tg": 0}
{"pp": 128, "tg": 32, "pl": 4, "t_tg": 0.64})");
  CHECK(verify_costs(batched, "") == std::map<std::int64_t, double>{{1, 1}, {4, 2}});
  CHECK(batched.notes ==
        std::vector<std::string>{
            "a batch of n texts stands for a pass of n tokens: about the same work, but for attention"});
  CostTable const table =
      read_costs("x",
                 "# by hand\nphase,batch,tokens,ctx,mean_s,sd_s,n\nverify,1,1,128,.01,0,9\nverify,1,4,128,.02,0,9\n"
                 "Draft,1,1,128,.005,0,9\n");
  Costs const costs = costs_of(table, "", "");
  CHECK(costs.draft == .5);
  CHECK(costs.verify == std::map<std::int64_t, double>{{1, 1}, {4, 2}});
}

TEST_CASE("which model is which is found or asked") {
  auto const line = [](std::string const& model, int n, double parameters) {
    return R"({"n_prompt": 0, "n_gen": 1, "avg_ns": )" + std::to_string(n) + R"(, "model_filename": "a/)" + model +
           R"(", "model_n_params": )" + std::to_string(parameters) + "}\n";
  };
  CostTable const two = read_costs("x", line("s", 1, 1e6) + line("t", 4, 2e6));
  CHECK(costs_of(two, "", "").draft == .25);
  CHECK(costs_of(two, "s", "").draft == 4);
  CHECK(costs_of(two, "t", "t").draft == 1);
  CHECK(message([&] { costs_of(two, "u", ""); }) ==
        "x: there is no model 'u' for the target (it has s, t) name one of these");
  CHECK(message([&] { costs_of(two, "", "u"); }) ==
        "x: there is no model 'u' for the draft (it has s, t) name one of these");
  CostTable const same = read_costs("x", line("s", 1, 1e6) + line("t", 4, 1e6));
  CHECK(message([&] { costs_of(same, "", ""); }) ==
        "x: which model is the target is not clear (it has s, t) name it with `cost-target`");
  CostTable const three = read_costs("x", line("s", 1, 1e6) + line("t", 4, 2e6) + line("u", 4, 1e6));
  CHECK(message([&] { costs_of(three, "", ""); }) ==
        "x: which model is the draft is not clear (it has s, t, u) name it with `cost-draft`");
  CostTable const alone = read_costs("x", line("t", 4, 2e6));
  CHECK(message([&] { costs_of(alone, "", ""); }) ==
        "x: it has no draft (its only model is t, and c is the draft's time in the target's) measure the draft's "
        "passes, too, or name a model of it with `cost-draft`");
  CHECK(costs_of(alone, "", "t").draft == 1);
  CostTable const without = read_costs("x", R"({"model": "target", "n_tokens": 2, "mean_ms": 3})");
  CHECK(message<InputError>([&] { verify_costs(without, ""); }) ==
        "x: T(1) of target is missing (costs are in units of one step) measure a pass of one token, too (llama-bench "
        "-p "
        "1, or -n 32)");
}

TEST_CASE("a cost that is none is refused where it stands") {
  struct Case {
    std::string fields, problem;
  };
  for (Case const& each : std::vector<Case>{
           {R"("n_tokens": 1, "median_ms": 0)", "median_ms is 0 (expected: a time above 0)"},
           {R"("n_tokens": 1, "median_ms": -1)", "median_ms is -1 (expected: a time above 0)"},
           {R"("n_tokens": 1, "median_ms": "nan")", "median_ms is nan (expected: a time above 0)"},
           {R"("n_tokens": 1, "median_ms": "fast")", "median_ms is '\"fast\"' (expected: a number)"},
           {R"("n_tokens": 1)", "mean_ms is missing (expected: a number)"},
           {R"("n_tokens": 0, "median_ms": 1)", "n_tokens is 0 (expected: a whole number from 1 to 1000000)"},
           {R"("n_tokens": 1.5, "median_ms": 1)", "n_tokens is 1.5 (expected: a whole number from 1 to 1000000)"},
           {R"("n_tokens": 1e300, "median_ms": 1)",
            "n_tokens is 1e+300 (expected: a whole number from 1 to 1000000)"}})
    CHECK(cost_error(R"({"model": "target", )" + each.fields + "}") ==
          "x, line 1: " + each.problem + " correct it or measure again");
  CHECK(cost_error(R"({"model": 5, "n_tokens": 1, "median_ms": 1})") ==
        "x, line 1: model is '5' (expected: a name) correct it or measure again");
  CHECK(cost_error("model,n_tokens,median_ms\nt,1,5\nt,1,6\n") ==
        "x, line 3: T(1) of t stands twice (at two settings only one could count) keep the lines of one setting");
  std::string const generated = R"({"n_prompt": 0, "n_gen": 8, "avg_ns": 5})";
  CHECK(cost_error(generated + generated) ==
        "x, line 1: generation of model stands twice (at two settings only one could "
        "count) keep the lines of one setting");
  CHECK(cost_error(R"({"n_prompt": 0, "n_gen": 0, "avg_ns": 5})") ==
        "x, line 1: n_prompt is 0 and n_gen 0 (expected: one of them above 0) correct it or measure again");
  CHECK(
      cost_error(R"({"n_prompt": 8, "n_gen": 8, "avg_ns": 5})") ==
      "x: there is no time in it that says what a pass costs (a line for each number of tokens is expected) measure "
      "passes of 1, 2, … tokens");
  CHECK(
      cost_error("phase,batch,tokens,mean_s\ntarget,1,1,.1\ntarget,8,2,.1\n") ==
      "x, line 3: batch is 8 (expected: 1 as in the lines before; v(n) is of one batch) correct it or measure again");
  CHECK(cost_error(R"({"a": 1})") == "x, line 1: it has a (known: " + cost_format_fields() + ") write one of these");
  std::string const table = "'s table in Markdown (it has rates of few digits) write it with ";
  CHECK(cost_error("\n| model | size | params | backend | threads | test | t/s |\n| --- |\n") ==
        "x, line 2: it is llama-bench" + table + "-o jsonl");
  CHECK(cost_error("|    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |\n") ==
        "x, line 1: it is llama-batched-bench" + table + "--output-format jsonl");
  CHECK(
      cost_error(R"({"model": "t", "n_tokens": 1, "median_ms": 1} {"pl": 1, "tg": 1, "t_tg": 1})") ==
      "x, line 1: it is of llama-batched-bench, lines before it are of passes (a file is of one kind) give one kind");
}
