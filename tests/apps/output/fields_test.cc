#include "apps/output/fields.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <set>

#include "analysis/open/arrays.h"
#include "apps/bench/bench_report.h"
#include "apps/exact/exact_ceiling.h"
#include "apps/exact/for_all_command.h"
#include "apps/gamma/gamma_alpha.h"
#include "apps/gamma/gamma_load_words.h"
#include "apps/gamma/gamma_yield.h"
#include "apps/inspect/inspect_rows.h"
#include "apps/measure/measured_tokens.h"
#include "apps/simulate/tally_report.h"
#include "apps/theory/theory_command.h"
#include "apps/tree/tree_grown.h"
#include "apps/tree/tree_prompts.h"
#include "apps/tree/tree_report.h"
#include "apps/verify/faulty_rules.h"
#include "apps/verify/verify_report.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"

namespace draftgauge {
namespace {

struct Row {
  std::string name;
  double value;
  std::optional<Interval> interval = {}, lead = {};
  std::optional<std::int64_t> best = {};
  bool guess = false;
};

Fields<Row> row_fields() {
  return {{"name", "who", &Row::name},
          {"mark", "", [](Row const& row) { return row.value > 1 ? "more" : ""; }, for_people},
          {"value", "S", estimated(&Row::value, &Row::interval), {.decimals = 2, .of_interval = 1}},
          {"lead", "lead", &Row::lead, {.decimals = 1, .optional = true, .difference = true}},
          {"best", "best γ", &Row::best, {.none = "unbounded"}},
          {"guess", "a guess", &Row::guess, {.if_any = true, .quiet = true}},
          {"even.at", &Row::value},
          {"list", [](Row const& row) { return std::vector{row.value}; }}};
}

TEST_CASE("fields are the columns that people see and the members of JSON") {
  Interval const near{1.25, 1.5, 2, .95};
  std::vector<Row> const rows{{"one", 1}, {"two", 2, near, Interval{1e-17, -1, 1, .95}, 7, true}};
  CHECK(to_csv(rows_of(row_fields(), rows).table()) ==
        "name,mark,value,value_low,value_high,value_confidence,lead,lead_low,lead_high,lead_confidence,best,guess\r\n"
        "one,,1,,,,,,,,unbounded,\r\ntwo,more,1.25,1.5,2,0.95,0,-1,1,0.95,7,true\r\n");
  Json const all = rows_of(row_fields(), rows).array();
  CHECK(all[0] == Json::parse(R"({"name": "one", "value": 1.0, "best": null, "guess": false, "even": {"at": 1.0},
                                  "list": [1.0]})"));
  CHECK(all[1]["value"] == to_json(near));
  CHECK(all[1]["lead"]["value"] == 1e-17);
  CHECK(row_of(row_fields(), rows[1]).object() == all[1]);
}

TEST_CASE("a column that no row has is left out, and a row far from the answer where it is wanted alone") {
  std::vector<Row> const rows{{"one", 1}, {"two", 2}};
  Table const table = rows_of(row_fields(), rows, [](Row const& row) { return row.value > 1; }).table();
  CHECK(table.columns().size() == 4);
  CHECK(table.rows().size() == 2);
  CHECK(table.brief().rows().size() == 1);
  CHECK(to_csv(table.only({"best", "name"})) == "best,name\r\nunbounded,one\r\nunbounded,two\r\n");
  CHECK_THROWS_AS(table.only({"lead"}), std::logic_error);
}

TEST_CASE("the fields of one row are lines") {
  Table const lines = row_of(row_fields(), {"one", 1}).lines(Table{{"what", "what"}, {"value", "value"}});
  CHECK(to_csv(lines) == "what,value\r\nwho,one\r\n,\r\nS,1\r\nlead,\r\nbest γ,unbounded\r\na guess,\r\n");
}

Json schema_file(std::string const& name) {
  std::ifstream file(DRAFTGAUGE_SOURCE_DIR "/docs/schema/" + name);
  return Json::parse(file);
}

/// Whether the schema's definition has the members that the fields write, and no others. `beside`: members
/// that are from elsewhere.
void check_schema(std::string const& name, std::string const& at, FieldCards const& fields,
                  std::set<std::string> beside = {}) {
  std::string const file = name + ".json";
  Json const definition = schema_file(file).at(Json::json_pointer(at));
  for (FieldCard const& card : fields) {
    if (card.form.table_only) continue;
    INFO("docs/schema/" << file << '#' << at << ": " << card.key);
    std::size_t const dot = card.key.find('.');
    std::string const outer = card.key.substr(0, dot),
                      member = dot == card.key.npos ? outer : card.key.substr(dot + 1);
    beside.insert(outer);
    REQUIRE(definition["properties"].contains(outer));
    Json const& in = dot == card.key.npos ? definition : definition["properties"][outer];
    REQUIRE(in["properties"].contains(member));
    bool const required = std::ranges::count(in["required"], Json(member)) > 0;
    CHECK(required == !card.form.optional);
  }
  INFO("docs/schema/" << file << '#' << at);
  std::set<std::string> members;
  for (auto const& [key, value] : definition["properties"].items()) members.insert(key);
  CHECK(members == beside);
}

TEST_CASE("docs/schema has the members that fields write") {
  check_schema("gamma", "/definitions/curve/items", cards_of(curve_fields({})));
  check_schema("gamma", "/definitions/yields/items", cards_of(yield_fields({})));
  check_schema("gamma", "/definitions/policies/items", cards_of(policy_fields(1)));
  check_schema("gamma", "/definitions/ends/items", end_cards());
  std::set<std::string> const doubt{"confidence_set", "expected_regret", "speedup_interval"};
  check_schema("gamma", "/definitions/batch_point", cards_of(point_fields()), doubt);
  std::string const load = "/definitions/load/properties/";
  RateAnswer const rate{};
  check_schema("gamma", load + "request_rate/oneOf/1/properties/curve/items", cards_of(rate_fields(rate)));
  check_schema("gamma", load + "waiting/oneOf/1/properties/batches/items", cards_of(wait_fields()));
  check_schema("tree", "/properties/sizes/items", cards_of(size_fields()));
  check_schema("tree", "/properties/states/items", cards_of(state_fields({})));
  check_schema("tree", "/properties/grown/items", grown_cards());
  check_schema("theory", "/definitions/row", theory_cards());
  std::vector<double> const log_q(8, -1.5), log_p(8, -1);
  MeasuredRecording const measured(recording_of_columns("eight tokens", log_p, log_q, {}), {}, {});
  FieldCards by_gamma = cards_of(token_fields(measured, {}));
  // The schema says of estimators that each is there, under its name.
  CHECK(std::erase_if(by_gamma, [](FieldCard const& card) {
          return contains(names_in(estimator_cards()), card.key);
        }) == estimators().size());
  check_schema("measure", "/definitions/recording/properties/tokens_per_round/items", by_gamma);
  check_schema("exact", "/oneOf/0/properties/ceiling/properties/rules/items", cards_of(kept_fields(1)));
  check_schema("exact", "/oneOf/1/properties/surveys/items", cards_of(survey_fields()));
  std::set<std::string> rest;
  Json const simulate = schema_file("simulate.json");
  for (auto const& [key, value] : simulate["properties"].items()) rest.insert(key);
  check_schema("simulate", "", estimate_cards(), rest);
  check_schema("simulate", "/properties/by_rank/items", cards_of(rank_fields()));
  check_schema("verify", "/oneOf/0/properties/checks/items", check_cards());
  for (std::string const test : {"shows", "hides"})
    check_schema("verify", "/oneOf/2/properties/faulty/items/properties/" + test, faulty_cards());
  check_schema("bench", "/definitions/row", cards_of(bench_fields()));
  check_schema("bench", "/definitions/growth", cards_of(growth_fields()));
  check_schema("inspect", "/properties/tensors/items", tensor_cards());
  check_schema("inspect", "/properties/models/items", model_cards());
}

}  // namespace
}  // namespace draftgauge
