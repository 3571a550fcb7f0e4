#include "analysis/report/field.h"

#include <catch2/catch.hpp>

#include "analysis/report/python_classes.h"
#include "analysis/report/schema.h"

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

struct Inner {
  std::optional<double> at;
  std::vector<std::string> words;
};
Described<Inner> describe(Inner const* /*row*/) {
  return {{.name = "InnerRow", .says = "Where."},
          {{"at", "place", &Inner::at, {.says = "The place.", .least = 0, .above = true}},
           {"words", &Inner::words, {.fewest = 1}}}};
}

struct Outer {
  Inner one;
  std::vector<Inner> several = {};
  std::optional<Inner> maybe = {};
  std::int64_t count = 2;
  Exact fraction = {"1/3"};
  double far = HUGE_VAL;
  Interval near = {1, .5, 2, .95};
  std::optional<Estimated> estimate = {};
};
Described<Outer> describe(Outer const* /*row*/) {
  return {{.name = "Outer", .says = "All kinds.", .former = {{"single", "one.at"}}},
          {{"one", &Outer::one, {.says = "One."}},
           {"several", &Outer::several},
           {"maybe", &Outer::maybe},
           {"left_out", &Outer::maybe, {.optional = true}},
           {"count", "n", &Outer::count, {.least = 1, .most = 9}},
           {"for_people", "n²", [](Outer const& row) { return row.count * row.count; }, for_people},
           {"fraction", "f", &Outer::fraction},
           {"far", "far", &Outer::far, {.says = "Far.", .endless = true}},
           {"near", "near", [](Outer const& row) { return Estimated{1, row.near}; }, {.least = 0}},
           {"nearer", &Outer::estimate},
           {"kind", [](Outer const&) { return "a"; }, {.words = {"a", "b"}}}}};
}

TEST_CASE("results within a result are objects and arrays of its document") {
  Json const document = document_of(Outer{.one = {3, {"x"}}, .several = {{}, {4, {}}}});
  CHECK(document.dump() ==
        R"({"one":{"at":3.0,"words":["x"]},"several":[{"at":null,"words":[]},{"at":4.0,"words":[]}],"maybe":null,)"
        R"("count":2,"fraction":"1/3","far":null,"near":{"value":1.0,"low":0.5,"high":2.0,"confidence":0.95},)"
        R"("nearer":null,"kind":"a"})");
}

TEST_CASE("a schema follows from the fields, with what is within") {
  std::vector<Description> const results{describe(static_cast<Outer const*>(nullptr))};
  Json const definitions = schema_of(results)["definitions"];
  CHECK(definitions["inner_row"] == Json::parse(R"({
    "type": "object", "description": "Where.", "required": ["at", "words"], "additionalProperties": false,
    "properties": {"at": {"type": ["number", "null"], "exclusiveMinimum": 0, "description": "The place."},
                   "words": {"type": "array", "minItems": 1, "items": {"type": "string"}}}})"));
  Json const& outer = definitions["outer"];
  CHECK(outer["required"].dump() ==
        R"(["one","several","maybe","count","fraction","far","near","nearer","kind"])");
  CHECK(outer["properties"] == Json::parse(R"({
    "one": {"$ref": "#/definitions/inner_row", "description": "One."},
    "several": {"type": "array", "items": {"$ref": "#/definitions/inner_row"}},
    "maybe": {"oneOf": [{"type": "null"}, {"$ref": "#/definitions/inner_row"}]},
    "left_out": {"$ref": "#/definitions/inner_row"},
    "count": {"type": "integer", "minimum": 1, "maximum": 9},
    "fraction": {"$ref": "envelope.json#/definitions/fraction"},
    "far": {"type": ["number", "null"], "description": "Far."},
    "near": {"oneOf": [{"type": "number", "minimum": 0}, {"$ref": "envelope.json#/definitions/interval"}]},
    "nearer": {"oneOf": [{"type": "null"}, {"type": "number"}, {"$ref": "envelope.json#/definitions/interval"}]},
    "kind": {"enum": ["a", "b"]}})"));
}

TEST_CASE("a class of Python follows from the fields") {
  std::vector<Description> const results{describe(static_cast<Outer const*>(nullptr))};
  std::string const text = python_classes(results);
  CHECK(text.substr(text.find("@dataclass")) == R"(@dataclass(frozen=True)
class InnerRow(Result):
    """Where."""

    at: float | None  #: The place.
    words: list[str]


@dataclass(frozen=True)
class Outer(Result):
    """All kinds."""

    one: InnerRow  #: One.
    several: Rows[InnerRow]
    maybe: InnerRow | None
    left_out: InnerRow | None
    count: int
    fraction: Fraction
    far: float  #: Far.
    near: Interval
    nearer: Interval | None
    kind: str

    single = renamed("single", "one.at")
)");
}

}  // namespace
}  // namespace draftgauge
