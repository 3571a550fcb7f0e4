#include "apps/completion.h"

#include <fmt/format.h>

#include "apps/commands.h"

namespace draftgauge {

std::vector<std::string> bash_completion() {
  std::vector<std::string> lines{"# bash completion for draftgauge, written by: draftgauge help --completion bash",
                                 "_draftgauge() {",
                                 "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}",
                                 "  local command=${COMP_WORDS[1]} words=", "  COMPREPLY=()"};
  std::string names;
  for (Command const& command : commands()) names += command.name + " ";
  lines.push_back(
      "  if ((COMP_CWORD == 1)) || { ((COMP_CWORD == 2)) && [[ $command == help && $word != -* ]]; }; then");
  lines.push_back(fmt::format("    COMPREPLY=($(compgen -W '{}--version' -- \"$word\"))", names));
  lines.push_back("    return");
  lines.push_back("  fi");
  lines.push_back("  case $command:$before in");
  for (Command const& command : commands()) {
    for (OptionGroup const& group : all_groups(command)) {
      for (Option const& option : group.options) {
        if (option.kind != Kind::choice || is_positional(option)) continue;
        lines.push_back(
            fmt::format("    {}:{}) words='{}' ;;", command.name, option.name, fmt::join(option.choices, " ")));
      }
    }
  }
  lines.push_back("  esac");
  lines.push_back("  if [[ -z $words ]]; then");
  lines.push_back("    case $command in");
  for (Command const& command : commands()) {
    std::string options;
    for (OptionGroup const& group : all_groups(command)) {
      for (Option const& option : group.options) {
        if (!is_positional(option)) {
          options += option.name + " ";
        } else if (option.kind == Kind::choice) {
          options += fmt::format("{} ", fmt::join(option.choices, " "));
        }
      }
    }
    options.pop_back();
    lines.push_back(fmt::format("      {}) words='{}' ;;", command.name, options));
  }
  lines.push_back("    esac");
  lines.push_back("    [[ $word != -* ]] && COMPREPLY=($(compgen -f -- \"$word\"))");
  lines.push_back("  fi");
  lines.push_back("  COMPREPLY+=($(compgen -W \"$words\" -- \"$word\"))");
  lines.push_back("}");
  lines.push_back("complete -o filenames -F _draftgauge draftgauge");
  return lines;
}

}  // namespace draftgauge
