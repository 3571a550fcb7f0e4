#include "apps/output/result.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

namespace draftgauge {
namespace {

Origin const origin{"simulate", "1.2.3", 7};

Result sample() {
  Table table{{"rule", "rule", Align::left}, {"mean_tokens", "E[N]"}};
  table.add({"token", Number{3.68928}});
  return {.document = {{"rounds", 10}},
          .backend = "cpu",
          .inputs = {{"laws.json", "ab12"}},
          .title = "A title",
          .sections = {{.heading = "A heading",
                        .paragraphs = {"Some words."},
                        .table = table,
                        .code = {"draftgauge help"},
                        .notes = {"A note_."}}}};
}

TEST_CASE("JSON puts the envelope around the document") {
  CHECK(Json::parse(render(sample(), Format::json, origin)).dump() ==
        R"({"schema":"draftgauge/simulate","version":"1.2.3","command":"simulate","seed":7,"backend":"cpu",)"
        R"("inputs":[{"path":"laws.json","sha256":"ab12"}],"rounds":10})");
  CHECK(Json::parse(render({}, Format::json, origin))["backend"].is_null());
}

TEST_CASE("infinite and undefined numbers are null") {
  Result result;
  result.document = {{"a", std::numeric_limits<double>::infinity()}, {"b", std::nan("")}};
  auto const document = Json::parse(render(result, Format::json, origin));
  CHECK(document["a"].is_null());
  CHECK(document["b"].is_null());
}

TEST_CASE("bytes that are not UTF-8 do not lose a result") {
  Result result;
  result.inputs = {{"a\xff.json", "00"}};
  CHECK_NOTHROW(Json::parse(render(result, Format::json, origin)));
}

TEST_CASE("a name cannot speak to the terminal, wherever it stands and in whatever format") {
  std::string const name = "a\x1b[2J\nb\u009b\u202e\x7fé";
  Table table{{"name", name, Align::left}};
  table.add({name});
  Result const result{.document = {{"name", name}},
                      .inputs = {{name, "00"}},
                      .title = name,
                      .sections = {{.heading = name,
                                    .paragraphs = {name},
                                    .table = table,
                                    .code = {name},
                                    .notes = {name}}}};
  for (FormatCard const& card : format_cards) {
    CAPTURE(card.name);
    std::string const text = render(result, static_cast<Format>(&card - format_cards), origin);
    for (std::string const part : {"\x1b", "2J\nb", "\u009b", "\u202e", "\x7f"})
      CHECK(text.find(part) == std::string::npos);
    CHECK(text.find("é") != std::string::npos);
  }
  CHECK(Json::parse(render(result, Format::json, origin))["name"] == name);
}

TEST_CASE("every format for readers prints the same parts in one order") {
  CHECK(render(sample(), Format::text, origin) ==
        "A title\n\nA heading\n\nSome words.\n\nrule     E[N]\n─────  ──────\ntoken  3.6893\n\n  draftgauge help\n\n"
        "A note_.\n\nseed 7, backend cpu, draftgauge 1.2.3\nlaws.json sha256 ab12\n");
  CHECK(render(sample(), Format::md, origin) ==
        "# A title\n\n## A heading\n\nSome words.\n\n| rule | E\\[N\\] |\n| :--- | ---: |\n| token | 3.6893 |\n\n"
        "```\ndraftgauge help\n```\n\n- A note\\_.\n\n- seed 7, backend cpu, draftgauge 1.2.3\n- laws.json sha256 "
        "ab12\n");
  CHECK(render(sample(), Format::csv, origin) == "rule,mean_tokens\r\ntoken,3.68928\r\n");
  CHECK(render(sample(), Format::latex, origin).starts_with("\\section*{A title}\n\n\\subsection*{A heading}\n"));
}

TEST_CASE("on a terminal the answer and the verdicts stand out") {
  Table table{{"claim", "claim", Align::left}, {"verdict", "verdict", Align::left}};
  for (Verdict const verdict : {Verdict::holds, Verdict::fails, Verdict::inconclusive})
    table.add({"holds", std::string(word(verdict))});
  table.add({"holds", "a result"});
  Result const result{.sections = {{.paragraphs = {"All hold", "but one."}, .table = table}}};
  std::string const plain = render(result, Format::text, origin);
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(render(result, Format::text, origin, {.colour = true}) ==
        "\x1b[1mAll hold\x1b[0m\n\nbut one.\n\nclaim  verdict\n─────  ────────────\nholds  \x1b[32mholds\x1b[0m\n"
        "holds  \x1b[31mfails\x1b[0m\nholds  \x1b[33minconclusive\x1b[0m\nholds  a result\n");
  CHECK(render(result, Format::md, origin, {.colour = true}) == render(result, Format::md, origin));
  CHECK(render({}, Format::text, origin, {.colour = true}).empty());
}

TEST_CASE("statuses join in the order of the contract") {
  CHECK(both(Status::done, Status::done) == Status::done);
  CHECK(both(Status::inconclusive, Status::done) == Status::inconclusive);
  CHECK(both(Status::inconclusive, Status::failed) == Status::failed);
  CHECK(both(Status::failed, Status::interrupted) == Status::interrupted);
  CHECK(both(Status::input, Status::interrupted) == Status::input);
  CHECK(both(Status::failed, Status::input) == Status::input);
  CHECK(both(Status::usage, Status::input) == Status::usage);
}

TEST_CASE("result: a brief one says that there is more, and nothing where there is not") {
  Result result = sample();
  CHECK(render(brief(result), Format::text, origin) == render(result, Format::text, origin));
  result.sections.push_back({.paragraphs = {"A detail."}, .detail = true});
  std::string const text = render(brief(result), Format::text, origin);
  CHECK(text.find("A detail.") == std::string::npos);
  CHECK(text.find("More: --verbose, or --format json.\n") != std::string::npos);
  CHECK(render(result, Format::text, origin).find("A detail.") != std::string::npos);
}

}  // namespace
}  // namespace draftgauge
