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

Command const& command_named(std::string_view name) {
  std::vector<std::string_view> known;
  for (Command const& command : commands()) {
    if (command.name == name) return command;
    known.push_back(command.name);
  }
  throw UsageError(unknown_name("command", name, known));
}

}  // namespace draftgauge
