#include "apps/cli/help_command.h"

#include <fmt/format.h>

#include "analysis/report/results.h"
#include "apps/cli/commands.h"
#include "apps/cli/completion.h"
#include "apps/cli/invocation.h"
#include "apps/cli/man_page.h"
#include "apps/cli/version_command.h"
#include "apps/output/output.h"
#include "apps/output/tables.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

// "draftgauge theory --alpha LIST [options]"
std::string synopsis(Command const& command) {
  std::string line = "draftgauge " + command.name;
  for (OptionGroup const& group : command.groups) {
    for (Option const& option : group.options) {
      if (option.required) {
        line += " " + usage(option);
      } else if (is_positional(option)) {
        line += " [" + usage(option) + "]";
      }
    }
  }
  return line + " [options]";
}

Section section(OptionGroup const& group) {
  Table table{
      {"option", "option", Align::left}, {"meaning", "meaning", Align::left}, {"default", "default", Align::left}};
  for (Option const& option : group.options) {
    table.add({usage(option), option.summary, option.required ? "required" : option.standard});
  }
  return {.heading = group.heading, .table = std::move(table)};
}

Json to_json(Command const& command) {
  Json options = Json::array();
  for (OptionGroup const& group : all_groups(command)) {
    for (Option const& option : group.options) {
      options.push_back({{"name", option.name},
                         {"usage", usage(option)},
                         {"group", group.heading},
                         {"summary", option.summary},
                         {"default", option.standard.empty() ? Json(nullptr) : Json(option.standard)},
                         {"required", option.required}});
    }
  }
  Json examples = Json::array();
  for (Example const& example : command.examples)
    examples.push_back({{"line", example.line}, {"shows", example.shows}});
  return {{"name", command.name}, {"summary", command.summary}, {"options", options}, {"examples", examples}};
}

Result overview() {
  Result result{.document = {{"commands", Json::array()}},
                .title = "draftgauge: the theory of speculative decoding, simulated and checked"};
  Table table{{"command", "command", Align::left}, {"summary", "what it does", Align::left}};
  for (Command const& command : commands()) {
    table.add({command.name, command.summary});
    result.document["commands"].push_back(to_json(command));
  }
  result.sections.push_back({.table = std::move(table),
                             .notes = {"draftgauge help COMMAND explains a command and shows examples.",
                                       "draftgauge --version says what this program was built from."}});
  return result;
}

Result write_pages(std::string const& folder) {
  std::vector<FileText> pages;
  for (Command const& command : commands())
    pages.push_back({folder + "/" + command.name + ".md",
                     render(help_page(command), Format::md, {"help", std::string(program_version()), 0})});
  write_whole(pages);
  Result result;
  show_written(result, pages);
  return result;
}

Result write_results(std::string const& path) {
  FileText const file{path, path.ends_with(".py") ? results_in_python() : results_schema()};
  write_whole(std::span(&file, 1));
  Result result;
  show_written(result, std::span(&file, 1));
  return result;
}

Result run_help(Invocation const& args) {
  if (args.has("--docs") + args.has("--results") + args.has("--completion") + args.has("--man") + args.has("COMMAND") >
      1) {
    throw UsageError(
        "COMMAND, --docs, --results, --completion and --man are asked for together (each is a result of its own)",
        "keep one");
  }
  if (args.has("--docs")) return write_pages(args.text("--docs"));
  if (args.has("--results")) return write_results(args.text("--results"));
  if (args.has("--completion")) {
    std::string const& shell = args.text("--completion");
    std::vector<std::string> const lines = shell == "zsh"    ? zsh_completion()
                                           : shell == "fish" ? fish_completion()
                                                             : bash_completion();
    return {.document = {{"completion", lines}}, .sections = {{.code = lines}}};
  }
  if (args.has("--man")) {
    std::string const page = man_page();
    return {
        .document = {{"man", page}}, .sections = {{.code = {"draftgauge help --man | man -l -"}}}, .verbatim = page};
  }
  return args.has("COMMAND") ? help_page(command_named(args.text("COMMAND"))) : overview();
}

}  // namespace

Result help_page(Command const& command) {
  Result result{.document = {{"commands", Json::array({to_json(command)})}},
                .title = fmt::format("draftgauge {}: {}", command.name, command.summary)};
  result.sections.push_back({.paragraphs = command.description, .code = {synopsis(command)}});
  for (OptionGroup const& group : all_groups(command)) result.sections.push_back(section(group));
  std::vector<std::string> lines;
  for (Example const& example : command.examples) {
    lines.push_back("# " + example.shows);
    lines.push_back(example.line);
  }
  if (!lines.empty()) result.sections.push_back({.heading = "Examples", .code = std::move(lines)});
  return result;
}

Command help_command() {
  return {
      .name = "help",
      .summary = "what the commands are, and how each is used",
      .description = {"Without an argument, the list of commands. With the name of one, its page: the same text as "
                      "in docs/commands, made from the same data that reads the command line."},
      .groups = {{"What is asked",
                  {{.name = "COMMAND", .kind = Kind::text, .value = "COMMAND", .summary = "the command to explain"},
                   {.name = "--docs",
                    .kind = Kind::path,
                    .value = "DIR",
                    .summary = "write every command's page into DIR as Markdown"},
                   {.name = "--results",
                    .kind = Kind::path,
                    .value = "FILE",
                    .summary = "write what results hold: a JSON Schema, or as FILE.py the classes of the Python package"},
                   {.name = "--completion",
                    .kind = Kind::choice,
                    .summary = "print the script by which a shell completes the command line",
                    .choices = {"bash", "zsh", "fish"}},
                   {.name = "--man", .summary = "print the manual page, in roff"}}}},
      .examples = {{"draftgauge help", "the commands"},
                   {"draftgauge help theory", "one command's page"},
                   {"draftgauge help --completion bash", "completion: source it, or keep it where bash looks"}},
      .run = run_help};
}

}  // namespace draftgauge
