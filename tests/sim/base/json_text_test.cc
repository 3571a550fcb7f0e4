#include "sim/base/json_text.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/base/error.h"
#include "tests/message.h"

namespace draftgauge {
namespace {

std::string json_error(std::string const& text, JsonText const& expected = {}) {
  return testing::message<Error>([&] { parse_json(text, expected); });
}

TEST_CASE("JSON is read as the library reads it") {
  for (std::string const text :
       {"1", "-0.0", "1e300", "18446744073709551615", "-5", "null", "true", R"("a\u00e9\n")", "[]", "{}",
        "[[], {}, [1]]", R"({"b": [1, {"c": null, "a": [2.5, false]}], "a": {"b": {}}, "": "x"})", " [1 , 2]\n"})
    CHECK(parse_json(text) == nlohmann::json::parse(text));
}

TEST_CASE("a key that stands twice in an object is refused, at any depth") {
  std::string const twice = "' twice (readers differ in which of them they take) keep one";
  CHECK(json_error(R"({"logp":-1,"logq":-1,"logp":-2})") == "it has the key 'logp" + twice);
  CHECK(json_error(R"([1, {"a": {"b": 1, "c": {"b": 2}, "b": 3}}])") == "it has the key 'b" + twice);
  CHECK(json_error(R"({"a": 1, "\u0061": 2})", {.subject = "the row"}) == "the row has the key 'a" + twice);
  CHECK(json_error(R"({"a": {"b": 1}, "b": {"a": 1}, "c": [{"a": 1}, {"a": 1}]})") == "(no error)");
  std::string const name(100'000, 'k');
  CHECK(json_error("{\"" + name + "\": 1, \"" + name + "\": 1}") ==
        "it has the key '" + name.substr(0, 40) + "…" + twice);
}

TEST_CASE("JSON is nested as deep as is said and no deeper") {
  auto const nested = [](std::size_t levels, std::string const& open, std::string const& close) {
    std::string text;
    for (std::size_t i = 0; i < levels; ++i) text += open;
    text += "1";
    for (std::size_t i = 0; i < levels; ++i) text += close;
    return text;
  };
  std::string const deep = " levels (no format that is read is so deep) check that it is the right file";
  for (auto const& [open, close] : {std::pair("[", "]"), {"{\"a\":", "}"}}) {
    CHECK(json_error(nested(deepest_json, open, close)) == "(no error)");
    CHECK(json_error(nested(deepest_json + 1, open, close)) == "it is nested deeper than 100" + deep);
    CHECK(json_error(nested(1'000'000, open, close)) == "it is nested deeper than 100" + deep);
    CHECK(json_error(nested(4, open, close), {.deepest = 3}) == "it is nested deeper than 3" + deep);
  }
}

TEST_CASE("what is not JSON is refused where it begins") {
  std::string const rest = " on (JSON is expected, which has no NaN and no Infinity) correct it";
  CHECK(json_error("") == "it is not JSON from its byte 0 of 0" + rest);
  CHECK(json_error("[1, NaN]") == "it is not JSON from its byte 5 of 8" + rest);
  CHECK(json_error("{}\n\n[1}") == "it is not JSON from its line 3, byte 1" + rest);
  CHECK(json_error("\"\xff\"") == "it is not JSON from its byte 2 of 3" + rest);
  CHECK(json_error("[1e999]", {.subject = "the row", .why = "it counts", .hint = "write it again"}) ==
        "the row has a number that is out of range (it counts) write it again");
}

TEST_CASE("Python's literals are strings where they are asked for, and nowhere inside strings") {
  JsonText const python{.python = true};
  CHECK(parse_json(R"({"NaN": [NaN, -Infinity, Infinity, "NaN", "\"NaN", -1], "b": "-Infinity"})", python) ==
        nlohmann::json::parse(R"({"NaN": ["NaN", "-Infinity", "Infinity", "NaN", "\"NaN", -1], "b": "-Infinity"})"));
  CHECK(parse_json("NaN", python) == "NaN");
  CHECK(json_error("[NaN, Infinity, oops]", python).starts_with("it is not JSON from its byte 17 of 21 on"));
  CHECK(json_error("{NaN: 1}", python).starts_with("it has NaN as a key"));
  for (char const* text : {"[NaNs]", "[NaN1]", "[Inf]", "[+Infinity]", "[-NaN]", "[1NaN]", "[nan]", "NaN NaN"})
    CHECK(json_error(text, python).starts_with("it is not JSON"));
  std::string many = "[NaN";
  for (int i = 0; i < 1'000'000; ++i) many += ",NaN";
  CHECK(parse_json(many + "]", python).size() == 1'000'001);
  CHECK(json_error("[" + std::string(5'000'000, '-') + "Infinity", python).starts_with("it is not JSON"));
}

}  // namespace
}  // namespace draftgauge
