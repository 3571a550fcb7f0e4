#include "apps/output/rule_rows.h"

#include <catch2/catch.hpp>

namespace draftgauge {
namespace {

Table columns() { return {{"rule", "rule", Align::left}, {"tokens", "E[N]"}}; }

TEST_CASE("rule rows: those of one distribution that are equal as shown are one, and no others") {
  for (bool const join : {true, false}) {
    RuleRows rows(columns(), 0, join);
    rows.add("token", "token", {Cell(), Number{2.19, 2}});
    rows.add("block", "block", {Cell(), Number{2.19, 2}});
    rows.add("google:coin=0", "token", {Cell(), Number{2.1901, 2}});
    rows.add("chen", "token", {Cell(), Number{2.2, 2}});
    rows.add("lenient:lenience=1", "token", {Cell(), Number{2.2, 2}});
    rows.add("lenient:lenience=1", "token", {Cell(), Number{2.2, 2}}, ", adaptive");
    std::string const text = to_csv(rows.table());
    if (join)
      CHECK(text ==
            "rule,tokens\r\ntoken = google,2.19\r\nblock,2.19\r\nchen = lenient:lenience=1,2.2\r\n"
            "\"lenient:lenience=1, adaptive\",2.2\r\n");
    else
      CHECK(rows.table().rows().size() == 6);
  }
}

}  // namespace
}  // namespace draftgauge
