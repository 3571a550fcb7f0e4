#include <catch2/catch.hpp>

#include "analysis/cards/card.h"
#include "sim/base/error.h"
#include "tests/content.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

std::string const beginning = R"(name = "mine"
program = "an engine"
summary = "its print"
versions = "all"
form = "text"
scope = "run"
recognise = ["Drafts:"]
)";

std::string refused(std::string const& text) {
  return message<InputError>([&] { read_card("mine.toml", text); });
}

}  // namespace

TEST_CASE("a card of a text has lines whose groups are quantities") {
  Card const card = read_card("mine.toml", beginning + R"(lines = ['^Drafts \(all\): {2,}(?P<rounds>\d+)',
           '(?P<accepted>\d+) accepted of +(?P<drafted>\d+)', 'at (?P<index>\d+): (?P<by_position>[\d.]+)']
first_index = 1
first_token = "prompt"
unit.by_position = "percent"
)");
  CHECK(card.lines.size() == 3);
  CHECK(card.lines[0].groups.front().word == "Drafts (all)");
  CHECK(card.lines[1].groups.size() == 2);
  CHECK(card.lines[2].has_index);
  CHECK(card.first_index == 1);
  CHECK(card.meaning.first_token == FirstToken::prompt);
  CHECK(card.unit(PrintedQuantity::by_position).is_share);
  CHECK(card.unit(PrintedQuantity::by_position).scale == .01);
}

TEST_CASE("a card says what a print lacks, and what its numbers come from") {
  std::string const json = std::string(beginning).replace(beginning.find("\"text\""), 6, "\"json\"");
  Card const card = read_card("mine.toml", json + R"(records = ["a", "b[]"]
zero = ["drafted", "accepted"]
without_drafts = ["a", ["!b", "c"]]
emitted_by = "rounds and others"
at_once_over = "a mean over steps"
notes = ["one", { text = "two", without = "histogram" }]
[read]
rounds = "n"
)");
  CHECK((card.records.size() == 2 && card.zero.size() == 2 && card.meaning.emitted_by == EmittedBy::rounds_and_more));
  CHECK((!card.notes[0].without && card.notes[1].without == PrintedQuantity::histogram && card.notes[1].text == "two"));
  CHECK((card.without_drafts[1] == std::vector<std::string>{"!b", "c"}));
  std::string const read = "\n[read]\nrounds = \"n\"\n";
  CHECK(refused(json + "notes = [3]" + read).starts_with("mine.toml: notes is no list of texts"));
  CHECK(refused(json + "notes = [{ text = \"x\" }]" + read).starts_with("mine.toml: notes is no list of texts"));
  CHECK(refused(json + "zero = [\"acceptance_rate\"]" + read) ==
        "mine.toml: zero has acceptance_rate, which is no count leave it out");
  CHECK(refused(json + "emitted_by = \"us\"" + read) ==
        "mine.toml: emitted_by is 'us' write one of rounds, rounds and others");
  CHECK(refused(beginning + "lines = ['(?P<rounds>x)']\naside = \"a\"") ==
        "mine.toml: records, without_drafts and aside are of JSON leave them out");
  CHECK(refused(beginning + "lines = ['(?P<rounds>x)']\nbegins = '('").starts_with("mine.toml: '(' is no regular"));
  // A name that is no group's.
  CHECK(refused(beginning + R"(lines = ['\(?P<rounds>(?P<accepted>x)'])").starts_with("mine.toml: '\\(?P<rounds>"));
}

TEST_CASE("what is no card is refused by what is wrong in it") {
  for (char const* none : {"name = ", "[", "[\n", "[=]", "[[ \n"}) CHECK(refused(none).starts_with("mine.toml: line "));
  CHECK(refused("name = \"γ\" # γ\nγ = 1") ==
        "mine.toml: line 2: a letter outside of quotes is not ASCII write \"…\" around keys and texts with such letters, and no "
        "special blanks");
  CHECK(refused("form = \"text\"") == "mine.toml: the card has no name write name = \"…\"");
  CHECK(refused(beginning + "lines = ['x']") ==
        "mine.toml: 'x' has no named group name one by its quantity: (?P<rounds>\\d+)");
  CHECK(refused(beginning + "lines = ['(?P<round>x)']")
            .starts_with("mine.toml: there is no quantity 'round' write one of rounds, drafted, accepted"));
  CHECK(refused(beginning + "lines = ['(?P<rounds>x']").starts_with("mine.toml: '(?P<rounds>x' is no regular expr"));
  CHECK(refused(beginning + "lines = ['(?P<rounds>x)']\ncolour = 1")
            .starts_with("mine.toml: a card of this form has no key 'colour'"));
  CHECK(refused(beginning + "lines = ['(?P<rounds>x)']\nunit.rounds = \"km\"")
            .starts_with("mine.toml: the unit of rounds is \"km\""));
  std::string const json = std::string(beginning).replace(beginning.find("\"text\""), 6, "\"json\"");
  CHECK(refused(json) == "mine.toml: it reads nothing name under [read] where quantities stand");
  CHECK(refused(json + "[read]\nrounds = 3").starts_with("mine.toml: it does not say where rounds stands"));
  CHECK(refused("name = \"a\"\nsummary = \"a\"\nversions = \"a\"\nform = \"xml\"") ==
        "mine.toml: form is 'xml' write one of text, json, table, metrics");
  CHECK(refused("name = a b") ==
        "mine.toml: line 1: Error while parsing value: could not determine value type texts stand in quotes, and so do "
        "ranges and units: \"block\", \"1..8\", \"10k\"");
}

TEST_CASE("the page on cards shows the card beside it, and names every quantity") {
  std::string const page = content(DRAFTGAUGE_SOURCE_DIR "/docs/cards.md");
  CHECK(page.find("```toml\n" + content(DRAFTGAUGE_SOURCE_DIR "/docs/cards/mine.toml") + "```") != page.npos);
  for (QuantityCard const& card : quantity_cards()) {
    CAPTURE(card.name);
    CHECK(page.find("`" + std::string(card.name) + "`") != page.npos);
  }
}
