#include "gpu/kernel_backend.h"

#include <atomic>
#include <catch2/catch.hpp>

#include "sim/base/error.h"
#include "sim/play/trial.h"
#include "tests/cases.h"
#include "tests/gpu/emulated_machine.h"

using namespace draftgauge;

namespace {

using Machine = testing::EmulatedMachine<std::uint32_t>;

constexpr KernelMachine::Shape small{32, 2, 16, 48 << 10, 0, 0};

/// A machine whose launches need memory that is not there.
struct NoStacks : Machine {
  using Machine::Machine;
  void launch(kernels::Kind const&, kernels::Launch const&) override {
    throw OutOfMachineMemory("CUDA failed to start a kernel: out of memory");
  }
};

/// What a task came to, and what was said.
struct Done {
  Tally tally;
  std::string said;
};
using Prepare = decltype(prepare_kernels);
Done done_by(Prepare const& prepare, Simulation const& simulation, Range range, MakeMachine const& make_machine,
             Backend generic = serial_backend()) {
  generic.name = "generic";
  Done done{Tally(simulation.plan().tally), ""};
  auto const say = [&](std::string const& text) { done.said += text; };
  prepare(simulation, 1, {make_machine}, {generic, cpu_backend()}, say)(range, done.tally);
  return done;
}
/// On kernels with so much memory.
Done on_kernels(Simulation const& simulation, Range range, std::uint64_t free) {
  return done_by(prepare_kernels, simulation, range, [=] {
    auto const machine = std::make_shared<Machine>(small);
    machine->set_free(free);
    return machine;
  });
}

/// A backend that fails when it is made ready, or when it plays.
template <class Failure>
Backend failing(Failure const& failure, bool when_it_plays) {
  Backend backend = serial_backend();
  backend.prepare = [=](Simulation const&, int) -> Player {
    if (!when_it_plays) throw failure;
    return [=](Range, Tally&) { throw failure; };
  };
  return backend;
}

}  // namespace

TEST_CASE("kernel backend: what has no kernels, or no memory, runs elsewhere and is said") {
  auto const tables = testing::some_tables(Follow::independent, 1024, 2);
  Range const range{0, 300};
  Simulation const token({.positions = 2}, *tables, 1), block({.rule = "block"}, *tables, 1);
  Tally const reference = simulate(token, range, serial_backend(), 1).tally;
  Done const all = on_kernels(token, range, 1 << 20), some = on_kernels(token, range, 60 << 10),
             steps = on_kernels(token, range, 17 << 10), none = on_kernels(token, range, 100),
             other = on_kernels(block, range, 1 << 20);
  CHECK(all.tally == reference);
  CHECK(all.said.empty());
  for (Done const& done : {some, steps}) {  // without room for some tables, or even for those of steps
    CHECK(done.tally == reference);
    CHECK_THAT(done.said, Catch::StartsWith("the device has no room for ") &&
                              Catch::EndsWith(" of tables, which stay in host memory and are read over the bus"));
  }
  CHECK(none.tally == reference);
  CHECK(none.said == "memory ran out (too much): this runs as cpu");
  CHECK(other.tally == simulate(block, range, serial_backend(), 1).tally);
  CHECK(other.said == "rule block has no kernels for this task: it runs as generic");
  Simulation const plans({.rule = "local-ot"}, *tables, 1);
  CHECK(on_kernels(plans, range, 1 << 20).said == "rule local-ot plays on the host alone: it runs as cpu");
}

TEST_CASE(
    "kernel backend: a machine that cannot be made, or has no memory for a launch, is said, and the host plays") {
  PairTables const tables({{{3, 4, 3}, {6, 3, 1}, 10}}, Follow::independent);
  Simulation const simulation({.positions = 2}, tables, 1);
  Range const range{0, 300};
  Tally const reference = simulate(simulation, range, serial_backend(), 1).tally;
  auto const busy = []() -> std::shared_ptr<KernelMachine> {
    throw std::runtime_error("CUDA failed to choose the device: busy");
  };
  auto const full = []() -> std::shared_ptr<KernelMachine> {
    throw OutOfMachineMemory("CUDA failed to choose the device: out of memory");
  };
  for (Prepare* const prepare : {&prepare_kernels, &prepare_generic}) {
    Done const no_device = done_by(*prepare, simulation, range, busy),
               no_memory = done_by(*prepare, simulation, range, full);
    CHECK(no_device.said == "the device cannot be used (CUDA failed to choose the device: busy): this runs as cpu");
    CHECK(no_memory.said == "memory ran out (CUDA failed to choose the device: out of memory): this runs as cpu");
    CHECK(no_device.tally == reference);
    CHECK(no_memory.tally == reference);
  }
  Done const no_stacks =
      done_by(prepare_kernels, simulation, range, [] { return std::make_shared<NoStacks>(small); });
  CHECK(no_stacks.said == "memory ran out (CUDA failed to start a kernel: out of memory): this runs as cpu");
  CHECK(no_stacks.tally == reference);
}

TEST_CASE(
    "kernel backend: the generic engine too leaves to the host what it fails at, made ready or at its first trial") {
  PairTables const tables({{{3, 4, 3}, {6, 3, 1}, 10}}, Follow::independent);
  Simulation const simulation({.positions = 2}, tables, 1);
  Range const range{0, 300};
  Tally const reference = simulate(simulation, range, serial_backend(), 1).tally;
  auto const machine = [] { return std::make_shared<Machine>(small); };
  CHECK(done_by(prepare_generic, simulation, range, machine).said.empty());
  CHECK(done_by(prepare_generic, simulation, range, machine).tally == reference);
  for (bool when_it_plays : {false, true}) {
    Done const memory =
                   done_by(prepare_generic, simulation, range, machine, failing(std::bad_alloc(), when_it_plays)),
               device = done_by(prepare_generic, simulation, range, machine,
                                failing(std::runtime_error("launch failed"), when_it_plays));
    CHECK(memory.said == "memory ran out (std::bad_alloc): this runs as cpu");  // whose, it does not say
    CHECK(device.said == "the device cannot be used (launch failed): this runs as cpu");
    CHECK(memory.tally == reference);
    CHECK(device.tally == reference);
  }
  CHECK_THROWS_AS(done_by(prepare_generic, simulation, range, machine, failing(UsageError("no"), false)), UsageError);
}

namespace {

/// The machine that the generic engine would run on, as a device is CUDA's current one in a thread.
thread_local KernelMachine const* chosen = nullptr;

/// A machine that counts how often it is given trials, by kernels or the generic engine.
struct Counting : Machine {
  explicit Counting(std::atomic<int>& plays) : Machine(small), plays_(plays) {}
  void use() const override { chosen = this; }
  void launch(kernels::Kind const& kind, kernels::Launch const& launch) override {
    ++plays_;
    Machine::launch(kind, launch);
  }
  std::atomic<int>& plays_;
};

/// As the generic engine on CUDA: arrays are where it was made ready, and it fails on another machine.
Backend generic_on_chosen() {
  Backend backend = serial_backend();
  backend.name = "generic";
  backend.prepare = [prepare = backend.prepare](Simulation const& simulation, int threads) -> Player {
    return [player = prepare(simulation, threads), mine = chosen](Range range, Tally& tally) {
      if (!mine || chosen != mine) throw std::runtime_error("an illegal memory access");
      ++dynamic_cast<Counting const&>(*mine).plays_;
      player(range, tally);
    };
  };
  return backend;
}

/// As a local of a thread, says when that thread has ended.
struct EndOfThread {
  std::atomic<bool>& ended;
  ~EndOfThread() {
    ended = true;
    ended.notify_all();
  }
};

}  // namespace

TEST_CASE("kernel backend: several machines share a range, and one that fails is left out") {
  auto const tables = testing::some_tables(Follow::independent, 64, 2);
  auto const [prepare, rule, first_says] =
      GENERATE(std::tuple<Prepare*, char const*, char const*>{&prepare_kernels, "token", ""},
               std::tuple<Prepare*, char const*, char const*>{
                   &prepare_kernels, "block", "rule block has no kernels for this task: it runs as generic"},
               std::tuple<Prepare*, char const*, char const*>{&prepare_generic, "token", ""});
  Simulation const simulation({.rule = rule, .positions = 2}, *tables, 1);
  std::atomic<int> plays[3] = {};
  std::vector<MakeMachine> machines;
  for (auto& each : plays) machines.push_back([&each] { return std::make_shared<Counting>(each); });
  std::string said;
  auto const play = [&, prepare = prepare](Range range) {
    Tally tally(simulation.plan().tally);
    said.clear();
    auto const say = [&](std::string const& text) { said += text; };
    prepare(simulation, 1, machines, {generic_on_chosen(), cpu_backend()}, say)(range, tally);
    return tally;
  };
  for (Range const range : {Range{0, 40'000}, Range{7, 9}})
    CHECK(play(range) == simulate(simulation, range, serial_backend(), 1).tally);
  CHECK(said == first_says);  // once
  for (auto const& each : plays) CHECK(each > 0);

  machines[1] = []() -> std::shared_ptr<KernelMachine> { throw std::runtime_error("it is gone"); };
  CHECK(play({0, 900}) == simulate(simulation, {0, 900}, serial_backend(), 1).tally);
  CHECK(said == std::string(first_says) + "device 1 is left out (it is gone)");
}

TEST_CASE("kernel backend: where one of several machines fails in a play, the others end with the piece they have") {
  auto const tables = testing::some_tables(Follow::independent, 64, 2);
  Simulation const simulation({.rule = "token", .positions = 2}, *tables, 1);
  std::atomic<int> prepared{0}, pieces{0};
  std::atomic<bool> failed{false};
  Backend generic = serial_backend();
  generic.prepare = [&](Simulation const&, int) -> Player {
    return [&, fails = prepared++ == 1](Range range, Tally&) {
      if (range.size() == 1) return;  // whether it can play at all
      if (fails) {
        thread_local EndOfThread const tells{failed};  // when the failure has been seen: not before it is thrown
        throw std::runtime_error("it is gone");
      }
      failed.wait(false);
      ++pieces;
    };
  };
  std::vector<MakeMachine> const machines(3, [] { return std::make_shared<Machine>(small); });
  Player const player = prepare_generic(simulation, 1, machines, {generic, cpu_backend()}, {});
  Tally tally(simulation.plan().tally);
  CHECK_THROWS_WITH(player({0, 120'000}, tally), "it is gone");
  CHECK(pieces <= 2);  // of twelve
}
