#include "analysis/report/results.h"

#include <catch2/catch.hpp>

#include "analysis/report/schema.h"
#include "tests/content.h"

namespace draftgauge {
namespace {

TEST_CASE("the schema and the Python classes of results are fresh") {
  INFO("written by draftgauge help --results FILE (make docs)");
  CHECK(content(DRAFTGAUGE_SOURCE_DIR "/docs/schema/results.json") == results_schema());
  CHECK(content(DRAFTGAUGE_SOURCE_DIR "/python/draftgauge/_described.py") == results_in_python());
}

TEST_CASE("what is short stands on one line of a schema") {
  Json const long_text(std::string(200, 'x'));
  CHECK(laid_out({{"a", {1, 2}}}) == R"({"a": [1, 2]})" "\n");
  CHECK(laid_out({{"a", {{"b", long_text}, {"c", Json::array()}}}}) ==
        "{\n  \"a\": {\n    \"b\": " + long_text.dump() + ",\n    \"c\": []\n  }\n}\n");
}

}  // namespace
}  // namespace draftgauge
