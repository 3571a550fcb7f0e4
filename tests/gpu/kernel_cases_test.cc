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
  CHECK(machine->settled() > 10'000);
  CHECK(machine->arrays() == 0);
}

TEST_CASE("kernel cases: what the rates are measured on is played by the kernels that the rates are for") {
  auto const machine = std::make_shared<Machine>(KernelMachine::Shape{64, 2, 2048, 227 << 10, 0, 0});
  CHECK(testing::check_kernels(testing::measured_cases(), machine, few) ==
        std::set<std::string>{"shared g5", "tokens shared g5", "wide rows g5", "wide shared g5",
                              "wide tokens rows g5", "wide tokens shared g5"});
}
