#include "sim/sources/by_hand.h"

#include <catch2/catch.hpp>
#include <ranges>

#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/play/simulation.h"
#include "sim/recordings/row_file.h"
#include "sim/sources/source.h"
#include "tests/message.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

using List = std::vector<Fraction>;

Source open_json(std::string const& content, SourceOptions const& options = {}) {
  TemporaryFile const file(".json", content);
  return open_source(file.path(), options);
}

/// The message without the file's path before it.
std::string by_hand_error(std::string const& content, SourceOptions const& options = {}) {
  TemporaryFile const file(".json", content);
  std::string const message = testing::message<InputError>([&] { open_source(file.path(), options); });
  return message.starts_with(file.path() + ": ") ? message.substr(file.path().size() + 2) : "not named: " + message;
}

TEST_CASE("lists are one context, kept exactly") {
  Source const source = source_of_row(List{{1, 3}, {2, 3}}, List{{2, 3}, {1, 3}});
  CHECK(source.tables.rows() == 1);
  CHECK(source.tables.total(0) == 3);
  CHECK(source.rounding.exact());
  CHECK(source.description == "--p 1/3,2/3 --q 2/3,1/3");
  Source const decimals = source_of_row(List{parse_fraction(".3"), parse_fraction(".7")}, List{{1, 2}, {1, 2}});
  CHECK(decimals.tables.total(0) == 10);
  CHECK(source_of_row(List{1}, List{1}).tables.vocab() == 1);
  Source const counts = source_of_row(List{1, 3}, List{5, 5}, {.normalise = true});
  CHECK(counts.tables.total(0) == 4);
  Source const odd = source_of_row(List{{1, INT64_MAX}, {INT64_MAX - 1, INT64_MAX}}, List{{1, 2}, {1, 2}});
  CHECK_FALSE(odd.rounding.exact());
  CHECK(odd.rounding.vanished == 1);
  CHECK(odd.tables.total(0) == quantised_total);
}

TEST_CASE("lists that are no distributions are refused by name") {
  auto const error = [](List const& p, List const& q) {
    return testing::message<InputError>([&] { source_of_row(p, q); });
  };
  CHECK(error({}, {}) == "`p` is empty (a distribution has at least one token) list its probabilities");
  CHECK(error({1}, {}) == "`q` is empty (a distribution has at least one token) list its probabilities");
  CHECK(error({{1, 2}, {1, 2}}, {1}) ==
        "`q` has 1 tokens, but `p` has 2 (all distributions are over one vocabulary) give them as many entries");
  CHECK(error({0, 0}, {1, 0}) ==
        "`p` sums to 0 (no token could ever be drawn) give one token at least a probability above 0");
  CHECK(error({{1, 2}, {1, 3}}, {1, 0}) ==
        "`p` sums to 0.833333333333 (a distribution sums to 1) mend it, or divide it by its sum with `normalise`");
  CHECK(error({2, -1}, {1, 0}) == "`p`, token 1 is -1 (a probability is a number from 0 to 1) mend the entry");
}

TEST_CASE("a file by hand is one context, a Markov pair, or what it says") {
  Source const one = open_json(R"({"p":[[0.3,0.7e0,0]],"q":[["1/3","1/3","1/3"]]})");
  CHECK(contexts_text(one.tables.contexts()) == "one context");
  CHECK(one.tables.total(0) == 30);
  CHECK(one.rounding.exact());
  CHECK(one.inputs.size() == 1);
  CHECK(one.inputs[0].sha256.size() == 64);
  CHECK(one.description == "json:file=" + one.inputs[0].path);

  std::string const two = R"({"p":[[1,0],[0.5,0.5]],"q":[["1/2","1/2"],[0,1]]})";
  CHECK(open_json(two).tables.contexts().follow == Follow::token);
  CHECK(open_json(two, {.contexts = "bag"}).tables.contexts().follow == Follow::independent);
  CHECK(open_json(two, {.contexts = "path"}).tables.reach(0) == 2);
  CHECK(open_json(two.substr(0, two.size() - 1) + R"(,"contexts":"bag"})").tables.contexts().follow ==
        Follow::independent);

  std::string const three = R"({"p":[[1,0],[1,0],[1,0]],"q":[[1,0],[1,0],[1,0]]})";
  CHECK(open_json(three, {.contexts = "bag"}).tables.rows() == 3);
  std::string const four = R"({"p":[[1,0],[1,0],[1,0],[1,0]],"q":[[1,0],[1,0],[1,0],[1,0]]})";
  CHECK(
      by_hand_error(four) ==
      "it has 4 rows of 2 tokens (1 row is one context, 2 are a Markov pair, 3 one whose first row is the beginning) "
      "say how contexts follow each other with \"contexts\": \"bag\" or \"path\"");
  CHECK(open_json(four, {.contexts = "bag"}).tables.rows() == 4);
}

TEST_CASE("a file of one row more than there are tokens is a Markov pair and the row that texts begin with") {
  std::string const text = R"({"p":[[0.3,0.7],[1,0],[0.5,0.5]],"q":[["1/2","1/2"],["1/3","2/3"],[0,1]]})";
  for (std::string const& file : {text, text.substr(0, text.size() - 1) + R"(,"contexts":"markov"})"}) {
    Source const source = open_json(file);
    Contexts const contexts = source.tables.contexts();
    CHECK(contexts.follow == Follow::state);
    for (std::uint32_t row = 0; row < 3; ++row)
      for (Token x = 0; x < 2; ++x) CHECK(contexts.after(row, x) == x + 1);
    CHECK(Simulation({}, source.tables, 1).starts() == std::vector<std::uint32_t>{0});
    CHECK(Simulation({.start = 2}, source.tables, 1).starts() == std::vector<std::uint32_t>{2});
  }
  CHECK(Simulation({}, open_json(R"({"p":[[1,0],[1,0]],"q":[[1,0],[1,0]]})").tables, 1).starts().size() == 2);
}

TEST_CASE("fractions that no integers hold are kept as they were written") {
  // The least common total of p and q is 2·(2^53 + 1).
  std::int64_t const den = (std::int64_t{1} << 53) + 1;
  List const p{{1, den}, {den - 1, den}}, q{{1, 2}, {1, 2}};
  Source const source = source_of_row(p, q);
  CHECK_FALSE(source.rounding.exact());
  REQUIRE(source.written.size() == 1);
  CHECK(source.written[0].p == p);
  CHECK(source.written[0].q == q);
  CHECK(source.rounding_of_written().exact());
  CHECK(source_of_row(q, q).written.empty());

  Source const file = open_json(R"({"p":[["1/9007199254740993","9007199254740992/9007199254740993"],[1,0]],)"
                                R"("q":[[0.5,0.5],[1,0]]})");
  REQUIRE(file.written.size() == 2);
  CHECK(file.written[0].p == p);
  CHECK(file.written[1].q == List{1, 0});
}

TEST_CASE("a distribution is not called exact because doubles cannot tell") {
  // Both entries are 1/2 as doubles, and so are the integers' shares.
  std::int64_t const half = std::int64_t{1} << 59;
  Source const source = source_of_row(List{{half + 1, 2 * half}, {half - 1, 2 * half}}, List{{1, 2}, {1, 2}});
  CHECK(source.tables.p(0)[0] == source.tables.p(0)[1]);
  CHECK_FALSE(source.rounding.exact());
  CHECK(source.rounding.max_tv <= 0x1p-52);
  CHECK(source.written.size() == 1);
}

TEST_CASE("a file's distributions are refused while they are read, before they take more memory than there may be") {
  std::string rows;
  for (int i = 0; i < 1000; ++i) rows += "[1,0],";
  // Cut off within p: only a reader that counts as it goes can know.
  CHECK(by_hand_error("{\"p\":[" + rows, {.memory_limit = 1000}) ==
        "p, row 11, token 0: the distributions need more memory than the limit (they are held whole while they are "
        "read) take "
        "fewer rows");
  std::string empty;
  for (int i = 0; i < 1000; ++i) empty += "[],";
  CHECK(by_hand_error("{\"p\":[" + empty, {.memory_limit = 1000}).find("more memory than the limit") !=
        std::string::npos);
}

TEST_CASE("more digits than a fraction holds are rounded, and said to be") {
  Source const source = open_json(R"({"p":[[0.3333333333333333333333,0.6666666666666666666667]],"q":[[1,0]]})");
  CHECK_FALSE(source.rounding.exact());
  CHECK(source.tables.total(0) == quantised_total);
  CHECK(source.rounding.max_tv < 1e-13);
  CHECK(source.written.empty());
  CHECK_FALSE(source.rounding_of_written().exact());
}

TEST_CASE("what is wrong in a file by hand is said with row and token") {
  std::string const shape = " write {\"p\": [[…]], \"q\": [[…]]}";
  CHECK(by_hand_error("") ==
        "it is not JSON from byte 1 on (distributions by hand are JSON, in which NaN and 1/3 need \"\")" + shape);
  CHECK(by_hand_error(R"({"p":[[NaN]],"q":[[1]]})").starts_with("it is not JSON from byte "));
  CHECK(by_hand_error(R"({"p":[[1e999]],"q":[[1]]})") ==
        "a number that ends at byte 12 is beyond 1.8e308 (entries are held as doubles) write {\"p\": [[…]], \"q\": "
        "[[…]]}");
  CHECK(by_hand_error("{}") == "there is no \"p\" (distributions are pairs of p and q)" + shape);
  CHECK(by_hand_error(R"({"p":[[1]]})") == "there is no \"q\" (distributions are pairs of p and q)" + shape);
  CHECK(by_hand_error(R"({"r":1})") == "there is no key \"r\" (known are p, q and contexts)" + shape);
  CHECK(by_hand_error(R"({"p":[[1]],"p":[[1]]})") == "\"p\" stands twice (only one could count)" + shape);
  CHECK(by_hand_error(R"({"contexts":"sack"})") ==
        "\"contexts\" is \"sack\" (known are bag, path and markov)" + shape);
  std::string const lists = " (distributions are lists of rows of numbers)" + shape;
  CHECK(by_hand_error("[]") == "is a list" + lists);
  CHECK(by_hand_error(R"({"p":[1]})") == "p, row 0 is a number" + lists);
  CHECK(by_hand_error(R"({"p":1})") == "p is a number" + lists);
  CHECK(by_hand_error(R"({"p":[[1,0],[0,null]]})") == "p, row 1, token 1 is null" + lists);
  CHECK(by_hand_error(R"({"p":[[true]]})") == "p, row 0, token 0 is true or false" + lists);
  CHECK(by_hand_error(R"({"p":[[{}]]})") == "p, row 0, token 0 is an object" + lists);
  CHECK(by_hand_error(R"({"p":[[[1]]]})") == "p, row 0, token 0 is a list" + lists);
  CHECK(by_hand_error(R"({"p":[["NaN"]]})") ==
        "p, row 0, token 0: 'NaN' is not a number (decimals and ratios are read exactly) write it like 0.25, 1e-3 or "
        "1/3");
  CHECK(by_hand_error("{\"p\":" + std::string(1000000, '[')).find("row 0, token 0 is a list") != std::string::npos);

  std::string const entry = " (a probability is a number from 0 to 1) mend the entry";
  CHECK(by_hand_error(R"({"p":[[1,0],[1.5,-0.5]],"q":[[1,0],[1,0]]})") == "p, row 1, token 1 is -1/2" + entry);
  CHECK(by_hand_error(R"({"p":[[1,0]],"q":[[1.5,-0.50000000000000000000001]]})") == "q, token 1 is -0.5" + entry);
  CHECK(by_hand_error(R"({"p":[[1,0]],"q":[[0,0]]})") ==
        "q sums to 0 (no token could ever be drawn) give one token at least a probability above 0");
  CHECK(by_hand_error(R"({"p":[[1,0]],"q":[[0.3,0.3]]})") ==
        "q sums to 0.6 (a distribution sums to 1) mend it, or divide it by its sum with `normalise`");
  CHECK(open_json(R"({"p":[[1,0]],"q":[[0.3,0.3]]})", {.normalise = true}).tables.q(0)[0] == 1);
  CHECK(
      by_hand_error(R"({"p":[[1,0]],"q":[[1,0,0]]})").find(": p has 2 (all distributions are over one vocabulary)") !=
      std::string::npos);
  CHECK(by_hand_error(R"({"p":[],"q":[]})")
            .ends_with("p has no rows (there is no context without a distribution) give at least one"));
  CHECK(by_hand_error(R"({"p":[[]],"q":[[]]})") ==
        "p is empty (a distribution has at least one token) list its probabilities");
  CHECK(by_hand_error(R"({"p":[[1]],"q":[]})").find("(each context needs both distributions) give as many of each") !=
        std::string::npos);
}

TEST_CASE("a file that is not there, or does not say what it is") {
  CHECK(testing::message<InputError>([] { open_source("nowhere/laws.json"); }) ==
        "nowhere/laws.json: there is no such file (distributions and recordings are read from files and pipes) "
        "there is no folder 'nowhere'");
  auto const endings = [](bool one_model, std::string_view between) {
    auto const such = [&](RowFileCard const& card) { return card.one_model == one_model; };
    return joined(row_file_cards() | std::views::filter(such), &RowFileCard::name, between);
  };
  std::string const pairs = ", and pairs of " + endings(true, " and ") + ") ";
  CHECK(testing::message<InputError>([] { open_source("laws.dat"); }) ==
        "laws.dat: its name does not say what it holds (distributions are read from .json, " + endings(false, ", ") +
            pairs + "rename it or name a source");
  CHECK(testing::message<InputError>([] {
          open_source("book.txt");
        }).ends_with(pairs + "of a book name the source ngram:text=book.txt"));
  CHECK(
      testing::message<InputError>([] { open_source("text.tsv"); })
          .ends_with(
              " columns say what two models gave a text's own tokens, and no distributions: draftgauge measure reads "
              "them"));
  CHECK(testing::message<InputError>([] { open_source("/"); }) ==
        "/: it is a folder (distributions and recordings are read from files and pipes) check the path");
}

}  // namespace
}  // namespace draftgauge
