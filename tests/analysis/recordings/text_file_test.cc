#include "analysis/recordings/text_file.h"

#include <catch2/catch.hpp>

#include "analysis/open/open_text.h"
#include "sim/base/error.h"
#include "tests/message.h"
#include "tests/sim/packed_text.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

std::string const &packed = testing::packed_text, &plain = testing::plain_text;

TEST_CASE("a text is the same whether it is packed or not") {
  TemporaryFile const file(".csv.gz", packed), unpacked(".csv", plain);
  TextFile moved = [&] { return TextFile(file.path()); }();
  CHECK(moved.text() == plain);
  CHECK(TextFile(unpacked.path()).text() == plain);
  TokenTrace const trace = open_text_trace(file.path(), {}), same = open_text_trace(unpacked.path(), {});
  CHECK(trace.texts.front().log_p == same.texts.front().log_p);
  CHECK(trace.texts.front().log_q == std::vector<double>{-2, -.25});
}

TEST_CASE("a packed text that cannot be read names its file") {
  TemporaryFile const cut(".csv.gz", packed.substr(0, 30)), file(".csv.gz", packed);
  CHECK(testing::message<InputError>([&] { TextFile(cut.path()); }) ==
        cut.path() +
            ": its packed bytes end too soon, at byte 30 of 30 of the gzip file (the file was cut short or "
            "damaged) copy or pack it again");
  CHECK(testing::message<InputError>([&] { TextFile(file.path(), 4); }) ==
        file.path() +
            ": it unpacks to more than 0 MiB (what is unpacked is held in memory) unpack it first: gunzip " +
            file.path());
}

TEST_CASE("a log that is kept as JSON is its lines") {
  TemporaryFile const docker(".log", R"({"log": "one\n", "stream": "stderr", "time": "2026-08-15T15:27:04Z"}
{"log": "tw", "stream": "stderr", "time": "2026-08-15T15:27:04Z"}
{"log": "o \"2\"\n", "stream": "stdout", "time": "2026-08-15T15:27:05Z"}
)");
  CHECK(TextFile(docker.path()).text() == "one\ntwo \"2\"\n");
  TemporaryFile const journal(".log", R"({"__REALTIME_TIMESTAMP": "1", "MESSAGE": "one"}
{"__REALTIME_TIMESTAMP": "2", "MESSAGE": [27, 255]}
{"__REALTIME_TIMESTAMP": "3", "MESSAGE": "three"}
)");
  CHECK(TextFile(journal.path()).text() == "one\n\nthree\n");
  for (char const* other : {R"({"log": "one", "seq": 0})", R"({"stream": true, "choices": []})", "[1, 2]\n"}) {
    TemporaryFile const file(".json", other);
    CHECK(TextFile(file.path()).text() == other);
  }
}

TEST_CASE("a paste that was indented or quoted is its lines") {
  auto const read = [](std::string const& text) {
    TemporaryFile const file(".txt", text);
    return std::string(TextFile(file.path()).text());
  };
  std::string const plain = "Drafts: 3\n\n  Position 0: 1\nend\n";
  CHECK(read("    Drafts: 3\n\n      Position 0: 1\n    end\n") == plain);
  CHECK(read("> Drafts: 3\n>\n>   Position 0: 1\n> end\n") == plain);
  CHECK(read("> > Drafts: 3\n> > end\n") == "Drafts: 3\nend\n");
  CHECK(read(plain) == plain);
  CHECK(read("  Drafts: 3\nend\n") == "  Drafts: 3\nend\n");
  CHECK(read("\ta\tb\n\t1\t2\n") == "\ta\tb\n\t1\t2\n");  // a first column that is empty
  CHECK(read("1\n" + std::string(100000, ' ') + "x").size() == 100003);
}

TEST_CASE("dictionaries that Python printed are JSON") {
  TemporaryFile const file(".txt", "[   {   'a': None,\n        'b': [True, 'it\\'s', (1, 2.5)]}]\n{'a': \"'\"}\n");
  CHECK(TextFile(file.path()).text() == "[   {   \"a\": null,\n        \"b\": [true, \"it's\", [1, 2.5]]}]\n{\"a\": \"'\"}");
  for (char const* other : {"{'a': 1", "{\"a\": 'x'}", "'a'\n", "[[1, 'a']]"}) {
    TemporaryFile const same(".txt", other);
    CHECK(TextFile(same.path()).text() == other);
  }
}

TEST_CASE("a list of records is read like a record a line") {
  std::string const records = R"([{"seq": 0, "logp": -1, "logq": -2}, {"seq": 0, "logp": -0.5, "logq": "-inf"}])";
  std::string const broken = R"([
  {"seq": 0, "logp": -1,
   "logq": -2},
  {"seq": 0, "logp": -0.5, "logq": "-inf"}
]
)";
  for (std::string const& text : {records, broken, "# temperature: 0.6\n" + broken}) {
    INFO(text);
    TemporaryFile const file(".json", text);
    TokenTrace const trace = open_text_trace(file.path(), {});
    REQUIRE(trace.texts.size() == 1);
    CHECK(trace.texts[0].log_p == std::vector<double>{-1, -.5});
    CHECK(trace.texts[0].log_q == std::vector<double>{-2, -std::numeric_limits<double>::infinity()});
    CHECK(trace.temperature == (text.front() == '#' ? std::optional(.6) : std::nullopt));
  }
  auto const refused = [](std::string const& text) {
    TemporaryFile const file(".json", text);
    std::string const message = testing::message<InputError>([&] { open_text_trace(file.path(), {}); });
    return message.starts_with(file.path()) ? message.substr(file.path().size()) : message;
  };
  CHECK(refused(R"([{"logp": -1, "logq": -2}, {"logp": 1, "logq": -2}])") ==
        ", line 1, record 2: logp is '1' (expected: the natural logarithm of a probability, at most 0; -inf for a "
        "token that is excluded) correct the recording");
  CHECK(refused(R"([{"logp": -1, "logq": -2}, 3])") ==
        ", line 1, record 2: it is not a JSON object (a list has an object for each token) write the record again");
  CHECK(
      refused("[{\"logp\": -1, \"logq\": -2},\n {\"logp\": -1, \"logq\": -2}") ==
      ", line 2: the list is not finished (JSON is expected: an object a line, or a list of objects) write it again, "
      "or cut off a line that is not finished");
  CHECK(refused("[{\"logp\": -1, \"logq\": -2},\n {\"logp\": NaN, \"logq\": -2}]")
            .starts_with(", line 2, record 2: logp is 'NaN' (expected: "));
  CHECK(
      refused("[{\"logp\": -1, \"logq\": -2},\n {\"logp\": nan, \"logq\": -2}]") ==
      ", line 2: it is not JSON from its byte 11 of 25 on (JSON is expected: an object a line, or a list of objects) "
      "write it again, or cut off a line that is not finished");
}

}  // namespace
}  // namespace draftgauge
