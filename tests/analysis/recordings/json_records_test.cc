#include "analysis/recordings/json_records.h"

#include <catch2/catch.hpp>

#include "sim/base/limits.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

/// The values of a text, each with its line.
std::string all(std::string const& text) {
  std::string const file = "x";
  JsonRecords records(file, text);
  std::string values;
  while (records.next()) values += records.value().dump() + "@" + records.place().substr(8) + " ";
  return values;
}
std::string records_error(std::string const& text) {
  return message<InputError>([&] { all(text); });
}

constexpr auto why =
    " (JSON is expected: an object a line, or a list of objects) write it again, or cut off a line that is not "
    "finished";

}  // namespace

TEST_CASE("records come one a line, over several lines, or as a list") {
  CHECK(all("{\"a\":1}\n\n{\"b\":[1,2]}\n") == "{\"a\":1}@1 {\"b\":[1,2]}@3 ");
  CHECK(all("{\n \"a\": \"}\\\"{\"\n}{\"b\":2} 7") == "{\"a\":\"}\\\"{\"}@1 {\"b\":2}@3 7@3 ");
  CHECK(all("[\n{\"a\":1},\n [2],\"]\" , 3]\n") == "{\"a\":1}@2 [2]@3 \"]\"@3 3@3 ");
  CHECK(all("[] [1]\n") == "1@1 ");
  CHECK(all("  ") == "");
  std::string lists;
  for (int i = 0; i < 1'000'000; ++i) lists += "[]";
  CHECK(all(lists + "[1]") == "1@1 ");
}

TEST_CASE("what is no JSON is refused where it begins") {
  CHECK(records_error("{\"a\":1}\n{\"a\":") ==
        std::string("x, line 2: the value that begins here is not finished") + why);
  CHECK(records_error("{\"a\":nan}") == std::string("x, line 1: it is not JSON from its byte 7 of 9 on") + why);
  CHECK(records_error("{\"a\":1e999}") == std::string("x, line 1: it has a number that is out of range") + why);
  CHECK(records_error("[1\n2]") == std::string("x, line 2: there is no comma in the list") + why);
  CHECK(records_error("[1") == std::string("x, line 1: the list is not finished") + why);
  CHECK(records_error("[1,") == std::string("x, line 1: the list is not finished") + why);
  CHECK(records_error("[,]") == std::string("x, line 1: it is not JSON from its byte 0 of 0 on") + why);
  CHECK(records_error("}") == std::string("x, line 1: it is not JSON from its byte 0 of 0 on") + why);
  CHECK(
      records_error("{\"a\":" + std::string(200, '[') + std::string(200, ']') + "}") ==
      "x, line 1: it is nested deeper than 100 levels (no format that is read is so deep) check that it is the right "
      "file");
  CHECK(records_error("{\"a\":1}\n{\"logp\":-1,\"b\":{\"logp\":0},\"logp\":-2}") ==
        "x, line 2: it has the key 'logp' twice (readers differ in which of them they take) keep one");
  CHECK(
      records_error("\"" + std::string(longest_record + 9, 'x')) ==
      std::string("x, line 1: a record is longer than 64 MiB; list fewer tokens for each position, or give full rows "
                  "as .safetensors") +
          why);
}

TEST_CASE("members are looked for by any of their names") {
  auto const object = nlohmann::json::parse(R"({"a": null, "b": {"c": 3}})");
  CHECK(member(object, {"a", "b"})->dump() == "{\"c\":3}");
  CHECK(member(object, {"c"}) == nullptr);
  CHECK(member(3, {"c"}) == nullptr);
  CHECK(member_at(object, {"b", "c"})->get<int>() == 3);
  CHECK(member_at(object, {"a", "c"}) == nullptr);
  CHECK(count_of("x", "n", 3.0) == 3);
  CHECK(message<InputError>([] { count_of("x", "n", 1e300); }) ==
        "x: n is '1e+300' (expected: a whole number ≥ 0) correct it");
  CHECK(keys_of(nlohmann::json::parse(
            "{\"1\":1,\"2\":1,\"3\":1,\"4\":1,\"5\":1,\"6\":1,\"7\":1,\"8\":1,\"9\":1,\"91\":1,\"92\":1}")) ==
        "1, 2, 3, 4, 5, 6, 7, 8, 9, 91, …");
}
