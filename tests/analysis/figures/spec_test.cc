#include "analysis/figures/spec.h"

#include <catch2/catch.hpp>
#include <cmath>

namespace draftgauge {
namespace {

TEST_CASE("figures: a table's rows are the specification's data, as a chart can read them") {
  Table table{{"name", "name", Align::left}, {"n", "n"}, {"x", "x"}, {"e", "e"}, {"yes", "yes"}, {"none", "none"}};
  table.add({"a", std::int64_t{3}, Number{1. / 3}, Estimate{{2, 1.5, 2.5, .95}}, true, Cell()});
  table.add({"b", std::int64_t{4}, Number{HUGE_VAL}, Number{2}, false, Exact{"1/3"}});
  Spec const spec = spec_of(R"json({"mark": "line"})json", table);
  CHECK(spec["mark"] == "line");
  Spec const& rows = spec["data"]["values"];
  REQUIRE(rows.size() == 2);
  CHECK(rows[0] == Spec::parse(R"json({"name": "a", "n": 3, "x": 0.333333, "e": 2, "e_low": 1.5, "e_high": 2.5,
                                       "yes": true, "none": null})json"));
  CHECK(rows[1]["x"].is_null());  // JSON has no infinity
  CHECK(rows[1]["none"] == "1/3");
  CHECK_THROWS_AS(spec_of("{", table), std::logic_error);
  CHECK_THROWS_AS(spec_of("[]", table), std::logic_error);
}

}  // namespace
}  // namespace draftgauge
