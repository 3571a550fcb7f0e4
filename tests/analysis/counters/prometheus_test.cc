#include "analysis/counters/prometheus.h"

#include <catch2/catch.hpp>

#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

std::vector<MetricSample> read(std::string const& text) { return read_metrics("x", text, "a:"); }
std::string error(std::string const& text) {
  return message<InputError>([&] { read(text); });
}

}  // namespace

TEST_CASE("lines of a page of metrics") {
  auto const samples = read(
      "# TYPE a:one counter\n"
      "a:one_total 3\n"
      "a:one_created 1.7e9\n"
      "b:two_total 4\n"
      "a:three{k=\"x, }\\\"\\\\\\n\", l = \"\" , } 1e3 1700000000 # {t=\"y\"} 1\n"
      "a:nan NaN\n");
  REQUIRE(samples.size() == 3);
  CHECK((samples[0].name == "a:one" && samples[0].value == 3 && samples[0].line == 2 && samples[0].labels.empty()));
  CHECK((samples[1].value == 1000 && samples[1].label("k") == "x, }\"\\\n" && samples[1].label("l").empty()));
  CHECK(samples[1].label("m").empty());
  CHECK(has_metric("c\na:b 1", "a:"));
  CHECK_FALSE(has_metric("# a:b\n", "a:"));
}

TEST_CASE("lines that are cut or broken are named") {
  for (std::string const line :
       {"a:b", "a:b{", "a:b{k", "a:b{k=", "a:b{k=\"", "a:b{k=\"v", "a:b{k=\"v\\", "a:b{k=\"v\"", "a:b{k=\"v\"}",
        "a:b{k=\"v\"} ", "a:b{k=\"v\"}5", "a:b x", "a:b 1e999", "a:b{=\"v\"} 1", "a:b{k=\"v\" l=\"w\"} 1"}) {
    CAPTURE(line);
    CHECK(error("\n" + line + "\n") ==
          "x, line 2: a:b cannot be read (expected: NAME{labels} value) scrape the page again");
  }
  CHECK(error("a:b{k=\"1\"} 1\na:b{k=\"2\"} 1\na:b{k=\"1\"} 2\n") ==
        "x, line 3: a:b is there twice with the same labels (a page has each series once) give one scrape a file");
}
