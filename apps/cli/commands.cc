#include "apps/cli/commands.h"

#include "apps/bench/bench_command.h"
#include "apps/cli/help_command.h"
#include "apps/cli/list_command.h"
#include "apps/exact/exact_command.h"
#include "apps/figure/figure_command.h"
#include "apps/gamma/gamma_command.h"
#include "apps/inspect/inspect_command.h"
#include "apps/measure/measure_command.h"
#include "apps/report/report_command.h"
#include "apps/simulate/simulate_command.h"
#include "apps/sweep/sweep_command.h"
#include "apps/table/table_command.h"
#include "apps/theory/theory_command.h"
#include "apps/tree/tree_command.h"
#include "apps/verify/verify_command.h"
#include "apps/why/why_command.h"
#include "sim/base/error.h"
#include "sim/base/names.h"

namespace draftgauge {

std::vector<Command> const& commands() {
  static std::vector<Command> const all{
      verify_command(),  simulate_command(), sweep_command(), exact_command(), theory_command(), measure_command(),
      gamma_command(),   why_command(),      tree_command(),  table_command(), figure_command(), report_command(),
      inspect_command(), list_command(),     bench_command(), help_command(),
  };
  return all;
}

Command const& command_named(std::string_view name) {
  std::vector<std::string_view> known;
  for (Command const& command : commands()) {
    if (command.name == name) return command;
    known.push_back(command.name);
  }
  throw UsageError(unknown_name("command", name, known));
}

}  // namespace draftgauge
