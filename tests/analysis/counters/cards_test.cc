#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/cards/read_print.h"
#include "analysis/cards/toml.h"
#include "analysis/counters/card_formats.h"
#include "analysis/counters/documents.h"
#include "tests/analysis/counters/fixture.h"

using namespace draftgauge;
using namespace draftgauge::testing;

// What each print is known to say, by hand: a file of TOML beside this one for each, whose keys are those of JSON output.
// `format` is the card's name, `broken` the identity that the print breaks; a key that is not there is not compared, and
// "unknown" is null.
TEST_CASE("each card reads its prints as they were counted by hand") {
  std::set<std::string, std::less<>> read;
  for (auto const& entry :
       std::filesystem::directory_iterator(DRAFTGAUGE_SOURCE_DIR "/tests/analysis/counters/cards")) {
    CAPTURE(entry.path());
    nlohmann::json const expected = json_of_toml(content(entry.path()));
    EngineCounters const counters =
        counters_in(content(DRAFTGAUGE_SOURCE_DIR "/" + expected["file"].get<std::string>()));
    read.insert(counters.format);
    nlohmann::json const counts = counts_document(counters);
    for (auto const& [key, value] : expected.items()) {
      CAPTURE(key);
      if (key == "file" || key == "source") continue;
      if (key == "format")
        CHECK(counters.format == value);
      else if (key == "broken")
        CHECK(to_string(broken_identities(counters).at(0)) == value);
      else if (key == "mean_tokens_per_round")  // of a print without counts
        CHECK(counters.stretches.at(0).tokens_per_round == Approx(value.get<double>()).margin(5e-5));
      else if (key == "tokens_per_round")
        CHECK(counter_rates(counters).tokens_per_round.value() == Approx(value.get<double>()).margin(5e-5));
      else if (value == "unknown")
        CHECK(counts.at(key).is_null());
      else if (value.is_number_float())
        CHECK(counts.at(key).get<double>() == Approx(value.get<double>()));
      else
        CHECK(counts.at(key) == value);
    }
    CHECK(broken_identities(counters).empty() == !expected.contains("broken"));
  }
  for (CardFile const& file : card_files()) {
    CAPTURE(file.name);
    CHECK(read.contains(read_card(std::string(file.name), file.text).name));
  }
}

// Each print is put behind what `tail` leaves of it, cut at each of its lines.
TEST_CASE("what stands before a card's first beginning takes no number of the print behind it") {
  auto const whole_prints = [](Card const& card, std::string_view text) {
    std::vector<PrintedRecord> all = prints_of(card, "x", text);
    std::erase_if(all, [](PrintedRecord const& each) { return each.is_cut; });
    return all;
  };
  std::set<std::string> tried;
  for (auto const& entry :
       std::filesystem::directory_iterator(DRAFTGAUGE_SOURCE_DIR "/tests/analysis/counters/cards")) {
    CAPTURE(entry.path());
    nlohmann::json const expected = json_of_toml(content(entry.path()));
    auto const file = std::ranges::find_if(card_files(), [&](CardFile const& each) {
      return read_card(std::string(each.name), each.text, true).name == expected["format"];
    });
    if (file == card_files().end()) continue;  // it is no card's
    Card const card = read_card("card", file->text);
    std::string const stem = entry.path().stem();
    if (!card.begins || stem.ends_with("_excerpt") || stem.ends_with("_trimmed")) continue;  // these have no beginning
    std::string const print = content(DRAFTGAUGE_SOURCE_DIR "/" + expected["file"].get<std::string>());
    auto const alone = whole_prints(card, print);
    for (std::size_t end = print.find('\n'); end < print.size() - 1; end = print.find('\n', end + 1)) {
      CAPTURE(end);
      auto const behind = whole_prints(card, print.substr(end + 1) + "\n" + print);
      REQUIRE(behind.size() >= alone.size());
      CHECK(std::equal(alone.rbegin(), alone.rend(), behind.rbegin(),
                       [](PrintedRecord const& one, PrintedRecord const& other) { return one.says_as(other); }));
    }
    tried.insert(card.name);
  }
  CHECK(tried.size() >= 20);
}

TEST_CASE("a print with a mean and no counts says tokens per round alone") {
  auto const line = [](std::string const& mean) {
    return "#questions: 80, Throughput: 707.92 token/s, Acceptance length: " + mean + "\n";
  };
  EngineCounters const counters = counters_in(line("2.97"));
  CHECK((!counters.sums.rounds && !counters.sums.accepted && counters.stretches.size() == 1));
  CHECK(counters.notes ==
        std::vector<std::string>{
            "Only a mean is printed, without the number of rounds: it has no interval.",
            "This mean counts each prompt's first token: tokens per round are lower, by requests over rounds."});
  CHECK(counters_error(line("2.97") + line("2.98")) ==
        "x, line 2: it is a second mean (without counts, means cannot be combined) give one file for each");
  CHECK(counters_error(line("1.00")) ==
        "x, line 1: its mean is one token per round (no draft token was accepted, or none was drafted) start the "
        "server with speculation");
}

TEST_CASE("passes by their tokens are rounds and the prompts' passes") {
  auto const run = [](std::string const& turns, std::string const& passes) {
    return R"({"Request_AL": )" + turns + R"(, "Conditional_Acceptance_Rate": {}, "Acceptance_Length_Histogram": )" +
           passes + "}";
  };
  EngineCounters const counters = counters_in(run(R"({"0": {"0": 2.0}, "1": {"0": 2.0}})", R"({"1": 5, "3": 4})"));
  CHECK((counters.sums.rounds == 7 && counters.sums.accepted == 8 && counters.sums.emitted == 17));
  CHECK((counters.sums.kept == std::vector<std::int64_t>{3, 0, 4} && broken_identities(counters).empty()));
  CHECK(counters_error(run(R"({"0": {"0": 2.0}})", R"({"3": 4})")) ==
        "x, line 1: 0 passes gave one token, and 1 requests ran (each request's first pass gives one token) correct "
        "the log");
  CHECK(!counters_in(run(R"({"0": {"0": 2.0}})", R"({"0": 4})")).sums.rounds);
}
