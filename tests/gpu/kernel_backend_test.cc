#include "gpu/kernel_backend.h"

#include <catch2/catch.hpp>

#include "tests/cases.h"
#include "tests/gpu/emulated_machine.h"

using namespace draftgauge;

namespace {

using Machine = testing::EmulatedMachine<std::uint32_t>;

/// What a task came to on kernels with so much memory, and what was said.
struct Done {
  Tally tally;
  std::string said;
};
Done on_kernels(Simulation const& simulation, Range range, std::uint64_t free) {
  auto const machine = std::make_shared<Machine>(KernelMachine::Shape{32, 2, 16, 48 << 10, 0, 0});
  machine->set_free(free);
  Backend generic = serial_backend(), host = cpu_backend();
  generic.name = "generic";
  Done done{Tally(simulation.plan().tally), ""};
  auto const say = [&](std::string const& text) { done.said += text; };
  prepare_kernels(simulation, 1, machine, {generic, host}, say)(range, done.tally);
  return done;
}

}  // namespace

TEST_CASE("kernel backend: what has no kernels, or no memory, runs elsewhere and is said") {
  auto const laws = testing::some_laws(Follow::independent, 1024, 2);
  Range const range{0, 300};
  Simulation const token({.positions = 2}, *laws, 1), block({.rule = "block"}, *laws, 1);
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
  CHECK(none.said == "the device has not the memory (too much): this runs as cpu");
  CHECK(other.tally == simulate(block, range, serial_backend(), 1).tally);
  CHECK(other.said == "rule block has no kernels for this task: it runs as generic");
}
