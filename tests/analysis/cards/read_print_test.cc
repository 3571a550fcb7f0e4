#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "analysis/cards/json_path.h"
#include "analysis/cards/read_print.h"
#include "sim/base/error.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;
using enum PrintedQuantity;
using namespace std::string_view_literals;

namespace {

Card card_of(std::string const& form, std::string const& rest) {
  return read_card("mine.toml", "name = \"mine\"\nprogram = \"p\"\nsummary = \"s\"\nversions = \"v\"\nform = \"" + form +
                                    "\"\nscope = \"request\"\n" + rest);
}

std::vector<std::size_t> indices(nlohmann::json const& root, std::string_view path) {
  std::vector<std::size_t> all;
  for (AtPath const& each : at_path(root, path)) all.push_back(each.index);
  return all;
}

}  // namespace

TEST_CASE("paths lead to members, elements, and what stands for a number in a name") {
  nlohmann::json const root = nlohmann::json::parse(
      R"({"a": {"b": [5, 6, 7]}, "at": {"p_10": 1, "p_2": 2, "p_x": 3}, "runs": [{"n": 1}, {"n": 2}], "none": null})");
  CHECK(*value_at_path(root, "a.b[1]") == 6);
  CHECK(indices(root, "a.b[1:]") == std::vector<std::size_t>{0, 1});
  CHECK(indices(root, "at.p_*") == std::vector<std::size_t>{2, 10});
  CHECK(at_path(root, "runs[*].n").size() == 2);
  nlohmann::json const table = nlohmann::json::parse(R"({"rounds": [[2, 4, 1], [3, 4, 0], [9, 4]], "deep": [[[7]]]})");
  CHECK(indices(table, "rounds[*][2]") == std::vector<std::size_t>{0, 1});
  CHECK((*value_at_path(table, "rounds[0][2]") == 1 && *value_at_path(table, "deep[0][0][0]") == 7));
  for (char const* nowhere : {"none", "a.c", "a.b[9]", "a.b.c", "a[0]", "at.q_*", "a.b[99999999999999999999]", "a.b[-1]",
                              "a.b[", "[", ".", "a..b"})
    CHECK(value_at_path(root, nowhere) == nullptr);
}

TEST_CASE("numbers of a text are read with the digits that they are printed to") {
  Card const card = card_of("text", R"(recognise = ["mean"]
lines = ['mean (?P<tokens_per_round>\S+)', 'rates = \((?P<by_position>[^)]*)\)', '(?P<rounds>\d+) rounds']
unit.by_position = "percent"
)");
  auto const prints = prints_of(card, "x", "log 17 rounds, mean 2.920\nrates = (71.5, 50)\n18 rounds, mean 5.0%\n"sv);
  REQUIRE(prints.size() == 2);
  CHECK(prints[0].place == "x, line 1");
  CHECK(prints[0].numbers.at(tokens_per_round).value == 2.92);
  CHECK(prints[0].numbers.at(tokens_per_round).within == Approx(.0005));
  CHECK(prints[0].lists.at(by_position)[0].value == Approx(.715));
  CHECK(prints[0].lists.at(by_position)[0].within == Approx(.0005));
  CHECK(prints[1].place == "x, line 3");
  CHECK(prints[1].numbers.at(rounds).value == 18);
  CHECK(prints[1].numbers.at(tokens_per_round).value == Approx(.05));
  CHECK(message<InputError>([&] { prints_of(card, "x", "\nmean many\n"sv); }) ==
        "x, line 2: mean is 'many' (expected: a number ≥ 0) correct the print");
  CHECK(message<InputError>([&] { prints_of(card, "x", "mean -1"sv); }).starts_with("x, line 1: mean is '-1'"));
}

TEST_CASE("an index far away takes no memory") {
  Card const card = card_of("text", "recognise = [\"at\"]\nlines = ['at (?P<index>\\d+): (?P<by_position>\\d+)']\n");
  CHECK(message<InputError>([&] { prints_of(card, "x", "at 99999999999: 4"sv); })
            .starts_with("x, line 1: by_position has the index 99999999999"));
  CHECK(prints_of(card, "x", "at 99999999999999999999999: 4"sv).empty());  // no number of 64 bits
}

TEST_CASE("a table's rows are prints, whatever the order of its columns") {
  Card const card = card_of("table", R"(recognise = ["drafts", "kept"]
[read]
name = "set"
rounds = "drafts"
accepted = "kept"
by_position = "pos_*"
)");
  CHECK(is_print(card, "set,kept,drafts\n"sv));
  CHECK_FALSE(is_print(card, "set,kept\n"sv));
  auto const prints = prints_of(card, "x", "set,kept,drafts,pos_1,pos_0\na,5,4,1,4\n\nb,,4,,\n"sv);
  REQUIRE(prints.size() == 2);
  CHECK(prints[0].texts.at(name) == "a");
  CHECK(prints[0].lists.at(by_position)[0].value == 4);
  CHECK_FALSE(prints[1].numbers.contains(accepted));
}

TEST_CASE("of records the elements of a list are prints, and what stands beside the list is of each") {
  Card const card = card_of("json", R"(recognise = ["runs", "by=us"]
records = "runs[*]"
[read]
engine = "/by"
rounds = ["n", "rounds"]
histogram = "h"
)");
  nlohmann::json const record = nlohmann::json::parse(
      R"({"by": "us", "runs": [{"n": 3, "h": {"0": 1, "2": 2}}, {"rounds": "4", "h": [1, 3]}]})");
  CHECK(is_print(card, record));
  CHECK_FALSE(is_print(card, nlohmann::json::parse(R"({"by": "them", "runs": []})")));
  auto const prints = prints_of(card, "x, line 1", record);
  REQUIRE(prints.size() == 2);
  CHECK(prints[0].texts.at(engine) == "us");
  CHECK(prints[0].lists.at(histogram).size() == 3);
  CHECK(prints[0].lists.at(histogram)[1].value == 0);
  CHECK(prints[1].numbers.at(rounds).value == 4);
  CHECK(message<InputError>([&] { prints_of(card, "x", nlohmann::json::parse(R"({"runs": [{"n": {}}]})")); }) ==
        "x: n is an object (expected: a number) correct the log");
}

TEST_CASE("thousands may have commas between them") {
  Card const card = card_of("text", "recognise = [\"x\"]\nlines = ['x=(?P<rounds>.*)']\n");
  auto const number = [&](std::string_view text) { return printed_number(card, rounds, "f", "x", text).value; };
  CHECK((number("1,234") == 1234 && number("12,345,678") == 12345678 && number("1,234.5") == 1234.5));
  for (char const* none : {"1,23", "1234,567", ",123", "1,2345", "1,,234", "1,234,", "1,23,456"})
    CHECK(message<InputError>([&] { number(none); }).starts_with("f: x is "));
}

TEST_CASE("a table's numbers may have decimal commas, and one that may be two numbers is refused") {
  Card const card = card_of("table", R"(recognise = ["drafts", "mean"]
[read]
name = "set"
rounds = "drafts"
tokens_per_round = "mean"
)");
  auto const prints = prints_of(card, "x", "set;drafts;mean;other\na;1.204;2,92;1,234\nb;12 045;3,5;x\n"sv);
  REQUIRE(prints.size() == 2);
  CHECK((prints[0].numbers.at(rounds).value == 1204 && prints[1].numbers.at(rounds).value == 12045));
  CHECK((prints[0].numbers.at(tokens_per_round).value == 2.92 && prints[1].numbers.at(tokens_per_round).value == 3.5));
  CHECK(prints[0].numbers.at(tokens_per_round).within == Approx(.005));
  CHECK(message<InputError>([&] { prints_of(card, "x", "set,drafts,mean\na,12,\"1,234\"\n"sv); }) ==
        "x, line 2: mean is '1,234', which may be 1.234 or 1234 (expected: a number) write all numbers with decimal points, "
        "and nothing between thousands: 1234.5");
}

TEST_CASE("a record's lists by draft length, its zeros, and what is beside the others") {
  Card const card = card_of("json", R"(recognise = [["a[].n", "n"], "!no"]
records = ["a[]"]
aside = "kind=all"
[read]
rounds = "n"
by_draft_length = "h.*"
)");
  auto const print = [&](char const* text) { return prints_of(card, "x", nlohmann::json::parse(text)).at(0); };
  PrintedRecord const one = print(R"({"kind": "all", "a": [{"n": 3, "h": {"1": [0, 2], "2": [1, 0, 0]}}]})");
  CHECK((one.numbers.at(rounds).value == 3 && one.is_aside && one.by_length.size() == 2));
  CHECK((one.by_length.at(1).at(1).value == 2 && one.by_length.at(2).at(0).value == 1));
  CHECK_FALSE(print(R"({"n": 4, "kind": "one"})").is_aside);
  CHECK(is_print(card, nlohmann::json::parse(R"({"response": {"body": {"n": 1}}})")));
  for (char const* none : {R"({"a": [{"n": 3}, {"n": 4}]})", R"({"n": 1, "no": 1})", "[]", "3"})
    CHECK_FALSE(is_print(card, nlohmann::json::parse(none)));
}
