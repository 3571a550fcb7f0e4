#include "apps/cli/commands.h"

#include "sim/base/error.h"
#include "sim/base/names.h"

namespace draftgauge {

std::vector<Command> const& commands() {
  static std::vector<Command> const all{
#define COMMAND(name) name##_command(),
#include "apps/cli/list.inc"
#undef COMMAND
  };
  return all;
}

Command const& command_named(std::string_view name) { return entry_named("command", name, commands()); }

}  // namespace draftgauge
