#include "tests/gpu/kernel_cases.h"

#include "tests/gpu/emulated_machine.h"

using namespace draftgauge;

namespace {

using Machine = testing::EmulatedMachine<std::uint32_t>;

auto const few = [](testing::KernelCase const&) { return std::uint64_t{5000}; };

}  // namespace

TEST_CASE("kernel cases: between them they reach every kernel, and each equals the cpu backend") {
  auto const machine = std::make_shared<Machine>(KernelMachine::Shape{64, 2, 16, 99 << 10, 0, 0});
  std::set<std::string> reached = testing::check_kernels(testing::chain_cases(), machine, few);
  reached.merge(testing::check_kernels(testing::walk_cases(), machine, few));
  CHECK(reached == testing::every_kind());
  CHECK(machine->resolved() > 10'000);
  CHECK(machine->arrays() == 0);
}

TEST_CASE("kernel cases: what the rates are measured on is played by the kernels that the rates are for") {
  auto const machine = std::make_shared<Machine>(KernelMachine::Shape{64, 2, 2048, 227 << 10, 0, 0});
  CHECK(testing::check_kernels(testing::measured_cases(), machine, few) ==
        std::set<std::string>{"shared g5", "tokens shared g5", "wide rows g5", "wide shared g5",
                              "wide tokens rows g5", "wide tokens shared g5"});
}

namespace {

/// Which kernels play a task; none where the generic engine does.
std::string kernels_of(testing::Case const& c) {
  Simulation const simulation(c.task, *c.tables, 42);
  auto const asked = std::make_shared<testing::AskedMachine>(
      std::make_shared<Machine>(KernelMachine::Shape{32, 2, 64, 99 << 10, 0, 0}));
  auto const player = KernelPlayer::make(simulation, asked);
  CHECK((player != nullptr) == KernelPlayer::plays(simulation));
  if (!player) return "";
  Tally tally(simulation.plan().tally);
  player->play({0, 1}, tally);
  REQUIRE(asked->kinds().size() == 1);
  return *asked->kinds().begin();
}

}  // namespace

TEST_CASE(
    "kernel cases: of the cases of all backends those with kernels are known, and the kernels that they reach") {
  std::map<std::string, int> reached;
  for (testing::Case const& c : testing::cases())
    if (c.on_device) ++reached[kernels_of(c)];
  CHECK(reached[""] > 1000);  // thrust-cuda alone plays them
  std::set<std::string> kernels;
  for (auto const& [kernel, cases] : reached)
    if (!kernel.empty()) kernels.insert(kernel);
  CHECK(kernels == std::set<std::string>{"tokens rows shared g0", "tokens shared g0", "walk tokens g0",
                                         "walk tokens g5", "walk wide tokens g0", "walk wide tokens g5",
                                         "wide tokens g0"});
}
