#include "analysis/ranks/leader.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "analysis/ranks/follower.h"
#include "analysis/ranks/words.h"
#include "sim/play/trial.h"
#include "tests/analysis/ranks/ranks_of_threads.h"
#include "tests/message.h"

namespace draftgauge {
namespace {

using testing::Mailboxes;
using testing::message;
using testing::ThreadRank;
using Order = Leader::Order;

Source source() { return open_source("markov:vocab=4", {}); }
Task task() { return {.rule = "block", .shape = {.gamma = 3}, .rounds_per_trial = 4}; }

/// What a rank needs for the one task of these tests.
struct Opened {
  explicit Opened(std::uint64_t seed) : simulation(task(), tables.tables, seed) {}
  Source tables = source();
  Simulation simulation;
};

RankWork work(std::uint64_t seed, Backend const& backend = serial_backend()) {
  auto const opened = std::make_shared<Opened>(seed);
  return {opened, &opened->simulation, stored_task(opened->simulation, opened->tables), backend, 1};
}

/// Ranks from 1 on, each a thread that follows.
class Followers {
 public:
  using Make = std::function<RankWork(std::string const&)>;
  explicit Followers(
      int ranks, std::uint64_t seed = 1, std::string version = "1.2.3",
      Make make = [](std::string const&) { return work(1); })
      : mail_(std::make_shared<Mailboxes>(ranks)), lead_(mail_, 0) {
    for (int rank = 1; rank < ranks; ++rank)
      threads_.emplace_back([=, mail = mail_] {
        ThreadRank mine(mail, rank);
        follow(mine, seed, version, make);
      });
  }
  ~Followers() { dismiss(lead_); }
  ThreadRank& lead() { return lead_; }

 private:
  std::shared_ptr<Mailboxes> mail_;
  ThreadRank lead_;
  std::vector<std::jthread> threads_;
};

/// A rank's answer when it is ready for the task of that number.
std::string readiness(StoredTask const& of, int number, std::uint64_t seed = 1) {
  return rank_words::message(
      rank_words::ready,
      nlohmann::json{{"version", "1.2.3"}, {"seed", seed}, {"id", of.id}, {"number", number}}.dump());
}
/// The number of the task that a rank was asked to make ready.
int number_asked(ThreadRank& rank) {
  return nlohmann::json::parse(rank_words::split(rank.poll().value().text).second).at("number");
}
/// Answers for a rank while the leader waits for it.
std::function<bool()> answering(ThreadRank& rank, StoredTask const& of) {
  return [&rank, of, answered = false]() mutable {
    if (!std::exchange(answered, true)) rank.send(0, readiness(of, number_asked(rank)));
    return true;
  };
}

TEST_CASE("leader: the tally is that of one process, however many ranks there are") {
  Opened const opened(1);
  Range const range{5, 60'005};
  Played const alone = simulate(opened.simulation, range, serial_backend(), 1);
  for (int const ranks : {1, 2, 3, 5}) {
    Followers followers(ranks);
    Leader leader(followers.lead(), "", opened.simulation, stored_task(opened.simulation, opened.tables), "1.2.3",
                  cpu_backend(), 1);
    for (int again = 0; again < 2; ++again) {  // ranks stay
      Parts parts;
      leader.play(range, [](auto) { return Order::go_on; }, [&](Played const& part) { parts.add(part); });
      CHECK(parts.missing().empty());
      CHECK(parts.all().range == range);
      CHECK(parts.all().tally == alone.tally);
    }
  }
}

TEST_CASE("leader: after finish there is no gap, after stop each trial is played once or missing") {
  Opened const opened(1);
  for (Order const order : {Order::finish, Order::stop}) {
    Followers followers(4);
    Leader leader(followers.lead(), "", opened.simulation, stored_task(opened.simulation, opened.tables), "1.2.3",
                  serial_backend(), 1);
    Parts parts;
    leader.play(
        {0, std::uint64_t{1} << 40}, [&](std::uint64_t done) { return done > 100'000 ? order : Order::go_on; },
        [&](Played const& part) { parts.add(part); });
    Played const all = parts.all();
    CHECK(all.tally[TallyLayout::trials] >= 100'000);
    CHECK(all.range.begin == 0);
    if (order == Order::finish) CHECK(parts.missing().empty());
    std::uint64_t gaps = 0;
    for (Range const& gap : parts.missing()) gaps += gap.size();
    CHECK(all.tally[TallyLayout::trials] == all.range.size() - gaps);
    Tally sum(opened.simulation.plan().tally);
    for (Played const& part : parts.take()) sum += simulate(opened.simulation, part.range, cpu_backend(), 1).tally;
    CHECK(sum == all.tally);
  }
}

TEST_CASE("leader: a rank that says nothing more costs its piece at most, and time") {
  // Rank 1 is ready, takes its first piece, and is never heard of again.
  Opened const opened(1);
  auto const mail = std::make_shared<Mailboxes>(2);
  ThreadRank lead(mail, 0), dead(mail, 1);
  StoredTask const of = stored_task(opened.simulation, opened.tables);
  Leader leader(lead, "", opened.simulation, of, "1.2.3", serial_backend(), 1, answering(dead, of));
  Parts parts;
  leader.play({0, 50'000}, [](auto) { return Order::go_on; }, [&](Played const& part) { parts.add(part); });
  CHECK(parts.missing().empty());
  CHECK(parts.all().tally == simulate(opened.simulation, {0, 50'000}, cpu_backend(), 1).tally);
}

TEST_CASE("leader: a rank that is not ready holds nobody up, and takes part once it is") {
  Opened const opened(1);
  StoredTask const of = stored_task(opened.simulation, opened.tables);
  auto const mail = std::make_shared<Mailboxes>(2);
  ThreadRank lead(mail, 0), late(mail, 1);
  int asked = 0;
  Leader leader(lead, "", opened.simulation, of, "1.2.3", serial_backend(), 1, [&] { return ++asked < 3; });
  CHECK(asked == 3);  // it waited no longer than it was to
  int const number = number_asked(late);
  Range const range{0, 50'000};
  Parts parts;
  leader.play(range, [](auto) { return Order::go_on; }, [&](Played const& part) { parts.add(part); });
  CHECK(parts.all().tally == simulate(opened.simulation, range, cpu_backend(), 1).tally);
  CHECK_FALSE(late.poll());  // was given nothing

  late.send(0, readiness(of, number - 1, 7));  // for an earlier simulation, whatever it says of that
  late.send(0, readiness(of, number));
  Parts again;
  leader.play(range, [](auto) { return Order::go_on; }, [&](Played const& part) { again.add(part); });
  CHECK(again.all().tally == parts.all().tally);
  CHECK(rank_words::split(late.poll().value().text).first == rank_words::piece);

  Leader other(lead, "", opened.simulation, of, "1.2.3", serial_backend(), 1, [] { return false; });
  late.send(0, readiness(of, number + 1, 7));
  CHECK(message<InputError>([&] {
          other.play(range, [](auto) { return Order::go_on; }, [](auto const&) {});
        }).starts_with("rank 1 has seed 7, rank 0 has 1"));
}

TEST_CASE("leader: a rank that was waited for in vain is waited for again once it was heard of") {
  Opened const opened(1);
  StoredTask const of = stored_task(opened.simulation, opened.tables);
  auto const mail = std::make_shared<Mailboxes>(2);
  ThreadRank lead(mail, 0), late(mail, 1);
  auto const asked_twice = [&] {  // how often it is asked whether to wait, which ends there
    int asked = 0;
    Leader leader(lead, "", opened.simulation, of, "1.2.3", serial_backend(), 1, [&] { return ++asked < 2; });
    leader.play({0, 100}, [](auto) { return Order::go_on; }, [](auto const&) {});
    return asked;
  };
  CHECK(asked_twice() == 2);
  CHECK(asked_twice() == 0);
  late.send(0, readiness(of, 1));  // which is over: it is there, and late
  CHECK(asked_twice() == 0);
  CHECK(asked_twice() == 2);
}

TEST_CASE("leader: a rank with another version, seed or task is refused by name") {
  Opened const opened(1);
  auto const refused = [&](Followers& followers) {
    return message<InputError>([&] {
      Leader(followers.lead(), "", opened.simulation, stored_task(opened.simulation, opened.tables), "1.2.3",
             serial_backend(), 1);
    });
  };
  std::string const same = " start the same program with the same options on all ranks";
  Followers version(2, 1, "1.2.4");
  CHECK(refused(version) == "rank 1 is draftgauge 1.2.4, rank 0 is 1.2.3 (their rounds may differ)" + same);
  Followers seed(2, 7);
  CHECK(refused(seed) == "rank 1 has seed 7, rank 0 has 1 (their trials are not of one sample)" + same);
  Followers task(2, 1, "1.2.3", [](std::string const&) {
    RankWork other = work(1);
    other.of.id = "0123456789abcdef";
    return other;
  });
  CHECK(refused(task) ==
        "rank 1 has another task than rank 0 (what is read there differs from here) give all ranks the same files");
  Followers failing(2, 1, "1.2.3", [](std::string const&) -> RankWork { throw InputError("there is no x", "look"); });
  CHECK(refused(failing) == "rank 1: there is no x look");
}

TEST_CASE("leader: what is no row of this task is refused by name") {
  Opened const opened(1);
  StoredTask const of = stored_task(opened.simulation, opened.tables);
  std::string const nonsense =
      "rank 1 sent what no rank of this program sends (its tally cannot be trusted) start the same program with the "
      "same options on all ranks";
  Played const other = simulate(opened.simulation, {0, 16}, serial_backend(), 1);
  std::string const ahead = line_of(row_of(of, other, "1.2.3", "serial"));
  StoredTask of_2 = of;
  of_2.seed = 2;
  for (std::string const& said :
       {std::string("hello"), std::string("row"), std::string("row x"), std::string("row 1 "),
        "row 1 " + line_of(row_of(of_2, other, "1.2.3", "serial")), "row 1 " + ahead + ahead}) {
    auto const mail = std::make_shared<Mailboxes>(2);
    ThreadRank lead(mail, 0), liar(mail, 1);
    Leader leader(lead, "", opened.simulation, of, "1.2.3", serial_backend(), 1, answering(liar, of));
    INFO(said);
    bool sent = false;
    CHECK(message<Error>([&] {
            leader.play(
                {0, 1000},
                [&](auto) {
                  if (!std::exchange(sent, true)) liar.send(0, said);
                  return Order::go_on;
                },
                [](auto const&) {});
          }).starts_with("rank 1"));
  }
}

TEST_CASE("follower: one that cannot take part says why when it is asked, and ends when it is dismissed") {
  auto const mail = std::make_shared<Mailboxes>(2);
  ThreadRank lead(mail, 0), mine(mail, 1);
  lead.send(1, rank_words::message(rank_words::task, "{}"));
  lead.send(1, rank_words::message(rank_words::end));
  follow_in_vain(mine, UsageError("--x is unknown", "leave it out"));
  CHECK(lead.poll()->text == R"(failed {"hint":"leave it out","problem":"--x is unknown"})");
  CHECK(lead.poll()->text == "bye ");
}

TEST_CASE("follower: one that is late makes the newest task only") {
  auto const mail = std::make_shared<Mailboxes>(2);
  ThreadRank lead(mail, 0), mine(mail, 1);
  for (int const number : {1, 2, 3})
    lead.send(1,
              rank_words::message(
                  rank_words::task,
                  nlohmann::json{{"version", "1.2.3"}, {"how", std::to_string(number)}, {"number", number}}.dump()));
  std::vector<std::string> made;
  follow(mine, 1, "1.2.3", [&](std::string const& how) {
    made.push_back(how);
    lead.send(1, rank_words::message(rank_words::end));
    return work(1);
  });
  CHECK(made == std::vector<std::string>{"3"});
  CHECK(rank_words::split(lead.poll().value().text).first == rank_words::ready);
  CHECK(lead.poll().value().text == "bye ");
  CHECK_FALSE(lead.poll());
}

TEST_CASE("dismiss: what ranks still send is received until all have said bye, and the others are abandoned") {
  struct Lead : ThreadRank {
    using ThreadRank::ThreadRank;
    void abandon() override { abandoned = true; }
    bool abandoned = false;
  };
  bool const all = GENERATE(true, false);
  auto const mail = std::make_shared<Mailboxes>(3);
  Lead lead(mail, 0);
  ThreadRank late(mail, 1), other(mail, 2);
  late.send(0, "row of a piece that another was first with");
  late.send(0, rank_words::message(rank_words::bye));
  if (all) other.send(0, rank_words::message(rank_words::bye));
  dismiss(lead, std::chrono::milliseconds(20));
  CHECK(lead.abandoned != all);
  CHECK_FALSE(lead.poll());
  CHECK(late.poll()->text == "end ");
  CHECK(other.poll()->text == "end ");
}

}  // namespace
}  // namespace draftgauge
