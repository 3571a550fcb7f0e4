#include "apps/cli/completion.h"

#include <fmt/format.h>

#include "apps/cli/commands.h"

namespace draftgauge {
namespace {

/// Text within single quotes of a shell; `also` are characters that a backslash must stand before.
std::string quoted(std::string_view text, std::string_view quote, std::string_view also) {
  std::string out = "'";
  for (char const c : text) {
    if (c == '\'') {
      out += quote;
      continue;
    }
    if (also.find(c) != also.npos) out += '\\';
    out += c;
  }
  return out + "'";
}
std::string for_zsh(std::string_view text) { return quoted(text, "'\\''", "[]:\\"); }
std::string for_fish(std::string_view text) { return quoted(text, "\\'", "\\"); }

/// The options of a command that are named by dashes; or, false, what stands by itself.
template <class F>
void for_each_option(Command const& command, bool dashed, F&& f) {
  for (OptionGroup const& group : all_groups(command))
    for (Option const& option : group.options)
      if (is_positional(option) != dashed) f(option);
}

/// What stands by itself behind a command and is one of a few words.
std::vector<std::string> words_of(Command const& command) {
  std::vector<std::string> words;
  for_each_option(command, false, [&](Option const& option) {
    words.insert(words.end(), option.choices.begin(), option.choices.end());
  });
  if (command.name == "help")
    for (Command const& each : commands()) words.push_back(each.name);
  return words;
}

}  // namespace

std::vector<std::string> bash_completion() {
  std::vector<std::string> lines{"# bash completion for draftgauge, written by: draftgauge help --completion bash",
                                 "_draftgauge() {",
                                 "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}",
                                 "  local command=${COMP_WORDS[1]} words=", "  COMPREPLY=()"};
  std::string names;
  for (Command const& command : commands()) names += command.name + " ";
  lines.insert(lines.end(),
               {"  if ((COMP_CWORD == 1)) || { ((COMP_CWORD == 2)) && [[ $command == help && $word != -* ]]; }; then",
                fmt::format("    COMPREPLY=($(compgen -W '{}--version' -- \"$word\"))", names), "    return", "  fi",
                "  case $command:$before in"});
  for (Command const& command : commands())
    for_each_option(command, true, [&](Option const& option) {
      if (option.kind == Kind::choice)
        lines.push_back(
            fmt::format("    {}:{}) words='{}' ;;", command.name, option.name, fmt::join(option.choices, " ")));
    });
  lines.insert(lines.end(), {"  esac", "  if [[ -z $words ]]; then", "    case $command in"});
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
  lines.insert(lines.end(), {"    esac", "    [[ $word != -* ]] && COMPREPLY=($(compgen -f -- \"$word\"))", "  fi",
                             "  COMPREPLY+=($(compgen -W \"$words\" -- \"$word\"))", "}",
                             "complete -o filenames -F _draftgauge draftgauge"});
  return lines;
}

std::vector<std::string> zsh_completion() {
  std::vector<std::string> lines{"#compdef draftgauge", "# Written by: draftgauge help --completion zsh",
                                 "_draftgauge() {", "  if ((CURRENT == 2)); then", "    local -a commands=("};
  for (Command const& command : commands())
    lines.push_back(fmt::format("      '{}:'{}", command.name, for_zsh(command.summary)));
  lines.insert(lines.end(), {"    )", "    _describe command commands", "    return", "  fi",
                             "  local command=$words[2]", "  shift words", "  ((CURRENT--))", "  case $command in"});
  for (Command const& command : commands()) {
    lines.push_back(fmt::format("    {})", command.name));
    std::string line = "      _arguments -s";
    for_each_option(command, true, [&](Option const& option) {
      std::string spec = fmt::format("{}[", option.name);
      std::string const summary = for_zsh(option.summary);
      std::string value;
      if (option.kind == Kind::choice)
        value = fmt::format(":value:({})", fmt::join(option.choices, " "));
      else if (option.kind == Kind::path)
        value = ":file:_files";
      else if (option.kind != Kind::flag)
        value = ":value: ";
      line +=
          fmt::format(" {}'{}{}]{}'", option.many ? "'*'" : "", spec, summary.substr(1, summary.size() - 2), value);
    });
    auto const words = words_of(command);
    line += words.empty() ? " '*:file:_files'" : fmt::format(" '*:word:({})'", fmt::join(words, " "));
    lines.push_back(line + " ;;");
  }
  lines.insert(lines.end(), {"  esac", "}", "_draftgauge \"$@\""});
  return lines;
}

std::vector<std::string> fish_completion() {
  std::vector<std::string> lines{"# Written by: draftgauge help --completion fish"};
  for (Command const& command : commands())
    lines.push_back(fmt::format("complete -c draftgauge -f -n __fish_use_subcommand -a {} -d {}", command.name,
                                for_fish(command.summary)));
  for (Command const& command : commands()) {
    std::string const when = fmt::format("complete -c draftgauge -n '__fish_seen_subcommand_from {}'", command.name);
    for_each_option(command, true, [&](Option const& option) {
      std::string line = fmt::format("{} -l {}", when, option.name.substr(2));
      if (option.letter) line += fmt::format(" -s {}", option.letter);
      if (option.kind == Kind::choice)
        line += fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
      else if (option.kind == Kind::path)
        line += " -r -F";
      else if (option.kind != Kind::flag)
        line += " -x";
      lines.push_back(line + " -d " + for_fish(option.summary));
    });
    if (auto const words = words_of(command); !words.empty())
      lines.push_back(fmt::format("{} -f -a '{}'", when, fmt::join(words, " ")));
  }
  return lines;
}

}  // namespace draftgauge
