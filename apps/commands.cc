#include "apps/commands.h"

#include "apps/bench_command.h"
#include "apps/exact_command.h"
#include "apps/figure_command.h"
#include "apps/gamma_command.h"
#include "apps/help_command.h"
#include "apps/inspect_command.h"
#include "apps/list_command.h"
#include "apps/measure_command.h"
#include "apps/report_command.h"
#include "apps/simulate_command.h"
#include "apps/sweep/sweep_command.h"
#include "apps/table_command.h"
#include "apps/theory_command.h"
#include "apps/tree_command.h"
#include "apps/verify_command.h"
#include "apps/why_command.h"
#include "sim/error.h"
#include "sim/names.h"

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
