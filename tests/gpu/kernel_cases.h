#pragma once
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <tuple>

#include "gpu/kernel_player.h"
#include "sim/fast/engine.h"
#include "sim/play/trial.h"
#include "sim/sources/source.h"
#include "tests/cases.h"

/// One list of simulations that reaches every kernel, and what they are checked by: the same for a machine that is
/// emulated, in short ranges, and for a device, in long ones.
namespace draftgauge::testing {

/// How a test calls a kernel: "wide tokens rows shared g5", "walk tokens g0".
inline std::string kind_name(kernels::Kind const& kind) {
  std::string name = kind.path == Path::multi_round ? "walk " : "";
  if (kind.wide) name += "wide ";
  if (kind.exact_match) name += "matches ";
  if (kind.tokens) name += "tokens ";
  if (kind.path == Path::drawn) name += "rows ";
  if (kind.shared) name += "shared ";
  return name + "g" + std::to_string(kind.gamma);
}

/// All that with_kernel() of gpu/kernels/kinds.h knows.
inline std::set<std::string> every_kind() {
  std::set<std::string> names;
  for (bool wide : {false, true})
    for (bool tokens : {false, true})
      for (int gamma : {0, kernels::usual_gamma}) {
        names.insert(kind_name({wide, false, tokens, Path::multi_round, false, gamma}));
        for (bool exact_match : {false, true})
          for (Path path : {Path::one, Path::drawn})
            for (bool shared : {false, true})
              if (gamma == 0 || !exact_match)
                names.insert(kind_name({wide, exact_match, tokens, path, shared, gamma}));
      }
  return names;
}

/// A machine by which it is known which kernels were asked for, and which may seem to have less than it has.
class AskedMachine : public KernelMachine {
 public:
  explicit AskedMachine(std::shared_ptr<KernelMachine> machine)
      : machine_(std::move(machine)), shape_(machine_->shape()) {}

  /// Tables are then never in shared memory.
  void share_nothing() { shape_.shared_bytes = 0; }
  /// Tables are then in host memory, and read over the bus.
  void leave_tables_on_host() { free_ = 0; }
  /// A block then settles rounds after each turn of its threads, and there is no room in the queue for most of them.
  void queue_one() { shape_.queue = 1; }
  std::set<std::string> const& kinds() const { return kinds_; }

  Shape shape() const override { return shape_; }
  std::uint64_t free_bytes() const override { return free_.value_or(machine_->free_bytes()); }
  void* allocate(std::size_t bytes, Place place) override { return machine_->allocate(bytes, place); }
  void release(void* array, Place place) noexcept override { machine_->release(array, place); }
  void write(void* to, void const* from, std::size_t bytes) override { machine_->write(to, from, bytes); }
  void clear(void* to, std::size_t bytes) override { machine_->clear(to, bytes); }
  void read(void* to, void const* from, std::size_t bytes) override { machine_->read(to, from, bytes); }
  void launch(kernels::Kind const& kind, kernels::Launch const& launch) override {
    kinds_.insert(kind_name(kind));
    machine_->launch(kind, launch);
  }

 private:
  std::shared_ptr<KernelMachine> machine_;
  Shape shape_;
  std::optional<std::uint64_t> free_;
  std::set<std::string> kinds_;
};

/// A simulation that kernels play.
struct KernelCase {
  std::string name;
  Task task;
  std::shared_ptr<PairTables const> tables;
  std::uint64_t trials;   ///< of a long range
  bool in_shared = true;  ///< tables may be in shared memory
};

/// Trials of one round: each combination that is a kernel, with tables small enough for any device's shared memory.
inline std::vector<KernelCase> chain_cases() {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::shared_ptr<PairTables const>> known;
  std::vector<KernelCase> all;
  for (std::uint32_t vocab : {32u, 1000u, 2048u})
    for (std::uint32_t rows : {1u, 2u}) {
      auto const tables = some_tables(Follow::independent, vocab, rows);
      for (char const* rule : {"token", "coupled"})
        for (int gamma : {kernels::usual_gamma, 3})
          for (bool tokens : {false, true})
            for (bool shared : {false, true}) {
              Task const task{.rule = rule, .shape = {gamma, 1, all.size() % 3 != 0}, .positions = tokens ? 2 : 0};
              bool const fast = !tokens && rows == 1;
              all.push_back({std::string(rule) + ", V=" + std::to_string(vocab) + ", γ=" + std::to_string(gamma) +
                                 (tokens ? ", tokens" : "") + (rows > 1 ? ", rows" : ""),
                             task, tables, fast ? 100'000'000u : 30'000'000u, shared});
            }
    }
  return all;
}

/// Trials of several rounds.
inline std::vector<KernelCase> walk_cases() {
  std::vector<KernelCase> all;
  for (std::uint32_t vocab : {32u, 2048u}) {
    auto const iid = some_tables(Follow::independent, vocab, 7), path = some_tables(Follow::next_row, vocab, 60),
               automaton = some_tables(Follow::state, vocab, 5);
    std::string const size = ", V=" + std::to_string(vocab);
    RoundShape const five{.gamma = 5}, four{4, 1, false};
    all.push_back({"bag" + size, {.shape = five, .rounds_per_trial = 16}, iid, 3'000'000});
    all.push_back({"bag, γ=4" + size, {.shape = four, .rounds_per_trial = 16}, iid, 3'000'000});
    all.push_back({"bag, tokens" + size, {.shape = four, .rounds_per_trial = 16, .positions = 3}, iid, 1'000'000});
    all.push_back({"path" + size, {.shape = five, .rounds_per_trial = 16}, path, 3'000'000});
    all.push_back({"automaton" + size, {.shape = five, .rounds_per_trial = 16}, automaton, 3'000'000});
  }
  auto const markov = some_tables(Follow::token, 32, 32);
  all.push_back({"markov, grams", {.rounds_per_trial = 16, .positions = 2, .gram = 2}, markov, 1'000'000});
  return all;
}

/// What the rates are measured on (bench/cases.h): there the kernels are as busy as they can be, and launches as
/// large.
inline std::vector<KernelCase> measured_cases() {
  struct Sourced {
    char const* source;
    int positions;
    bool firsts;
    std::uint64_t trials;
  };
  constexpr std::uint64_t million = 1'000'000;
  constexpr Sourced sources[] = {
      {"exact-alpha:vocab=32,alpha=0.8", 0, false, 3000 * million},  // more than one launch has trials
      {"exact-alpha:vocab=32,alpha=0.8", 6, false, 100 * million},
      {"exact-alpha:vocab=32,alpha=0.8", 0, true, 100 * million},
      {"exact-alpha:vocab=1024,alpha=0.8", 0, false, 100 * million},
      {"exact-alpha:vocab=4096,alpha=0.8", 0, false, 100 * million},
      {"exact-alpha:vocab=4096,alpha=0.8", 6, false, 100 * million},
      {"noisy-softmax:vocab=49152,contexts=64", 0, false, 30 * million},
      {"noisy-softmax:vocab=262144,contexts=2", 1, false, 10 * million}};
  std::vector<KernelCase> all;
  for (Sourced const& from : sources) {
    Task const task{.shape = {.gamma = 5}, .positions = from.positions, .firsts = from.firsts};
    all.push_back(
        {from.source, task, std::make_shared<PairTables const>(open_source(from.source).tables), from.trials});
  }
  return all;
}

inline constexpr std::uint64_t most_over_the_bus = 1'000'000;  ///< trials of a range that can wait for it

/// Plays each case on the machine, with its queue, with hardly any and with its tables in host memory, and compares
/// with the `cpu` backend; each range crosses another multiple of 2^32. `trials`: of a case's range. Returns the
/// kernels that were asked for.
template <class Trials>
std::set<std::string> check_kernels(std::vector<KernelCase> const& cases,
                                    std::shared_ptr<KernelMachine> const& machine, Trials const& trials) {
  int const threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::set<std::string> reached;
  std::uint64_t crossed = 0;
  for (KernelCase const& c : cases) {
    Simulation const simulation(c.task, *c.tables, 42);
    std::uint64_t const size = trials(c), begin = (++crossed << 32) - size / 3;
    Range const range{begin, begin + size};
    Tally const expected = simulate(simulation, range, cpu_backend(), threads).tally;
    for (char const* how : {"", ", hardly a queue", ", tables on the host"}) {
      auto const asked = std::make_shared<AskedMachine>(machine);
      bool const on_host = std::string_view(how).ends_with("host");
      if (!c.in_shared) asked->share_nothing();
      if (std::string_view(how).ends_with("queue")) asked->queue_one();
      if (on_host) asked->leave_tables_on_host();
      if (on_host && size > most_over_the_bus) continue;
      auto const player = KernelPlayer::make(simulation, asked);
      INFO(c.name << how);
      REQUIRE(player);
      CHECK((player->on_host() > 0) == on_host);
      Tally tally(simulation.plan().tally);
      player->play(range, tally);
      REQUIRE_FALSE(asked->kinds().empty());
      INFO("kernel: " << *asked->kinds().begin());
      CHECK(tally == expected);
      reached.insert(asked->kinds().begin(), asked->kinds().end());
    }
  }
  return reached;
}

}  // namespace draftgauge::testing
