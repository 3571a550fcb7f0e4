#include "analysis/report/field.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <set>

#include "analysis/open/arrays.h"
#include "apps/bench/bench_report.h"
#include "apps/exact/exact_ceiling.h"
#include "apps/exact/for_all_command.h"
#include "apps/gamma/gamma_load_words.h"
#include "apps/inspect/inspect_rows.h"
#include "apps/tree/tree_grown.h"
#include "apps/tree/tree_prompts.h"
#include "apps/tree/tree_report.h"
#include "apps/verify/faulty_rules.h"
#include "apps/verify/verify_report.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"

namespace draftgauge {
namespace {

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
  std::set<std::string> const doubt{"confidence_set", "expected_regret", "speedup_interval"};
  check_schema("gamma", "/definitions/batch_point", cards_of(point_fields()), doubt);
  std::string const load = "/definitions/load/properties/";
  RateAnswer const rate{};
  check_schema("gamma", load + "request_rate/oneOf/1/properties/curve/items", cards_of(rate_fields(rate)));
  check_schema("gamma", load + "waiting/oneOf/1/properties/batches/items", cards_of(wait_fields()));
  check_schema("tree", "/properties/sizes/items", cards_of(size_fields()));
  check_schema("tree", "/properties/states/items", cards_of(state_fields({})));
  check_schema("tree", "/properties/grown/items", grown_cards());
  check_schema("exact", "/oneOf/0/properties/ceiling/properties/rules/items", cards_of(kept_fields(1)));
  check_schema("exact", "/oneOf/1/properties/surveys/items", cards_of(survey_fields()));
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
