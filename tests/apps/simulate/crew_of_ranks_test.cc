#include "apps/simulate/crew_of_ranks.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <thread>

#include "analysis/ranks/leader.h"
#include "analysis/ranks/words.h"
#include "analysis/store/store.h"
#include "apps/cli/commands.h"
#include "apps/cli/parse.h"
#include "tests/analysis/ranks/ranks_of_threads.h"
#include "tests/message.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

using testing::Mailboxes;
using testing::message;
using testing::ThreadRank;

using Words = std::vector<std::string_view>;

/// A rank that does something else in place of the row after so many.
class OddRank : public ThreadRank {
 public:
  OddRank(std::shared_ptr<Mailboxes> mail, int rank, int rows, std::function<void(OddRank&)> instead)
      : ThreadRank(std::move(mail), rank), rows_(rows), instead_(std::move(instead)) {}
  void send(int to, std::string_view text) override {
    if (rank_words::split(text).first == rank_words::row && rows_-- == 0) return instead_(*this);
    ThreadRank::send(to, text);
  }
  void say(std::string_view text) { ThreadRank::send(0, text); }

 private:
  int rows_;
  std::function<void(OddRank&)> instead_;
};

void fail(OddRank& rank) { rank.say(R"(failed {"problem":"its device is gone","hint":"look at it"})"); }

/// Both ranks are this process, whose signals are afterwards as they were before.
class Signals {
 public:
  Signals() {
    ::sigaction(SIGINT, nullptr, &interrupt_);
    ::sigaction(SIGTERM, nullptr, &terminate_);
  }
  ~Signals() {
    ::sigaction(SIGINT, &interrupt_, nullptr);
    ::sigaction(SIGTERM, &terminate_, nullptr);
  }

 private:
  struct sigaction interrupt_, terminate_;
};

/// What rank 0 makes of a command line, beside a rank that was started by `theirs`.
Result led(Command const& command, Words const& ours, Command const& their_command, Words const& theirs, int rows,
           std::function<void(OddRank&)> instead) {
  Signals const signals;
  auto const mail = std::make_shared<Mailboxes>(2);
  ThreadRank lead(mail, 0);
  std::ostringstream unheard;
  std::jthread const other([&] {
    OddRank rank(mail, 1, rows, instead);
    std::ostringstream unheard_there;
    serve_rank_0(Invocation(their_command, parse(their_command, theirs), unheard_there, nullptr, &rank));
  });
  struct Dismissal {
    Communicator& ranks;
    ~Dismissal() { dismiss(ranks); }
  } const dismissal{lead};
  return command.run(Invocation(command, parse(command, ours), unheard, nullptr, &lead));
}
Result led(Command const& command, Words const& words, int rows, std::function<void(OddRank&)> instead) {
  return led(command, words, command, words, rows, std::move(instead));
}

std::string notes_of(Result const& result) {
  std::string all;
  for (Section const& section : result.sections)
    for (std::string const& note : section.notes) all += note + "\n";
  return all;
}

Words const simulate_words = {"markov:vocab=4", "--gamma", "3",         "--rounds", "1T",
                              "--backend",      "serial",  "--threads", "1"};
Words const verify_words = {
    "exact-alpha:vocab=4,alpha=.6", "--rounds", "1T", "--backend", "serial", "--threads", "1"};

TEST_CASE("ranks: what was played before a rank failed is shown, and why it ended") {
  Result const got = led(simulate_command(), simulate_words, 3, fail);
  REQUIRE(got.failure);
  CHECK(got.failure->what() == std::string("rank 1: its device is gone look at it"));
  CHECK(got.document["stopping"] == Json{{"ended_by", "rank"}});
  std::uint64_t missing = 0;  // within the range
  std::uint64_t const begin = got.document["range"][0], end = got.document["range"][1];
  if (got.document.contains("missing")) {
    for (Json const& gap : got.document["missing"])
      if (gap[0] >= begin && gap[0] < end) missing += gap[1].get<std::uint64_t>() - gap[0].get<std::uint64_t>();
    CHECK(got.document["missing"].back()[1] == 15'625'000'000);
  }
  CHECK(got.document["trials"] == end - begin - missing);
  CHECK(notes_of(got).find("The run ended since a rank failed; ") != std::string::npos);
}

TEST_CASE("ranks: what was played before a rank failed is in the store") {
  TemporaryFile const file(".jsonl", "");
  Words words = simulate_words;
  std::string const path = file.path();
  words.insert(words.end(), {"--store", path});
  std::string const said = message<InputError>([&] {
    Result const got = led(simulate_command(), words, 3, fail);
    throw *got.failure;
  });
  CHECK(said == "rank 1: its device is gone look at it");
  CHECK_FALSE(read_store(path).empty());
}

TEST_CASE("ranks: verify judges what was played before a rank failed") {
  Result const failed = led(verify_command(), verify_words, 3, fail);
  REQUIRE(failed.failure);
  CHECK(failed.document["stopping"] == Json{{"ended_by", "rank"}, {"not_played", 0}});
  CHECK(failed.document["checks"].size() > 5);
  CHECK(notes_of(failed).find("The run ended since a rank failed; 0 of 1 simulations were not played.") !=
        std::string::npos);
  std::string const notes = notes_of(failed);
  bool const has_gaps = failed.document["checks"][0].contains("missing");
  CHECK((notes.find("--range plays whole ranges only).") != std::string::npos) == has_gaps);
  CHECK((notes.find(" plays these trials again.") != std::string::npos) == !has_gaps);
}

TEST_CASE("ranks: a sweep shows the tasks that were played before a rank failed") {
  TemporaryFile const file(".toml", "source = \"markov:vocab=4\"\ngamma = \"1..4\"\nrounds = \"300M\"\n");
  std::string const path = file.path();
  Result const got = led(sweep_command(), {path, "--backend", "serial", "--threads", "1", "--time", "40s"}, 3, fail);
  REQUIRE(got.failure);
  CHECK(got.document["ended_by"] == "rank");
  CHECK(got.document["tasks"][0]["trials"] > 0);
  CHECK(got.document["tasks"][3]["trials"] == 0);
}

TEST_CASE("ranks: one that was started for something else is refused by name") {
  auto const refused = [](Command const& theirs, Words const& words) {
    return message<InputError>([&] { led(simulate_command(), simulate_words, theirs, words, 1000, fail); });
  };
  std::string const hint = " start the same program with the same options on all ranks";
  Words other = simulate_words;
  other[0] = "markov:vocab=5";
  CHECK(refused(simulate_command(), other) ==
        "rank 1: its command line has another SOURCE (markov:vocab=5 instead of rank 0's markov:vocab=4)" + hint);
  other = simulate_words;
  other.insert(other.end(), {"--rule", "block"});
  CHECK(refused(simulate_command(), other) ==
        "rank 1: its command line has another --rule (block instead of rank 0's none)" + hint);
  other = simulate_words;
  other[6] = "cpu";  // as each machine likes
  other.insert(other.end(), {"--quiet", "--format", "json"});
  other.erase(other.begin() + 1, other.begin() + 3);  // no --gamma
  CHECK(refused(verify_command(), other) ==
        "rank 1: its command line has another command (verify instead of rank 0's simulate)" + hint);
}

}  // namespace
}  // namespace draftgauge
