#include "apps/cli/man_page.h"

#include <fmt/format.h>

#include "apps/cli/commands.h"
#include "apps/cli/version_command.h"

namespace draftgauge {
namespace {

/// Text in which roff finds nothing to interpret.
std::string plain(std::string_view text) {
  std::string out;
  for (char const c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";  // else a hyphen, which cannot be copied
    } else {
      out += c;
    }
  }
  if (out.starts_with('.') || out.starts_with('\'')) out = "\\&" + out;
  return out;
}

void add_options(std::string& page, OptionGroup const& group) {
  page += fmt::format(".PP\n{}:\n", plain(group.heading));
  for (Option const& option : group.options) {
    page += fmt::format(".TP\n.B {}\n{}", plain(usage(option)), plain(option.summary));
    if (!option.standard.empty()) page += fmt::format(" (default: {})", plain(option.standard));
    page += '\n';
  }
}

}  // namespace

std::string man_page() {
  std::string page = fmt::format(".TH DRAFTGAUGE 1 \"\" \"draftgauge {}\" \"User Commands\"\n", program_version());
  page +=
      ".SH NAME\ndraftgauge \\- the theory of speculative decoding, simulated and checked\n"
      ".SH SYNOPSIS\n.B draftgauge\n.I COMMAND\n[options]\n.SH COMMANDS\n";
  for (Command const& command : commands())
    page += fmt::format(".TP\n.B {}\n{}\n", command.name, plain(command.summary));
  for (Command const& command : commands()) {
    page += fmt::format(".SH draftgauge {}\n", command.name);
    for (std::string const& paragraph : command.description) page += fmt::format(".PP\n{}\n", plain(paragraph));
    for (OptionGroup const& group : command.groups) add_options(page, group);
    if (!command.examples.empty()) page += ".PP\nExamples:\n";
    for (Example const& example : command.examples)
      page += fmt::format(".TP\n.B {}\n{}\n", plain(example.line), plain(example.shows));
  }
  page += ".SH OPTIONS\n";
  add_options(page, shared_options());
  page +=
      ".SH EXIT STATUS\n0: done, and every check held. 1: a check failed. 2: wrong usage. 3: an input is bad, or a "
      "tool is missing. 4: too little evidence to say. 130: interrupted.\n"
      ".SH ENVIRONMENT\n.TP\n.B DRAFTGAUGE_RENDERER\nthe Python that has vl\\-convert\\-python, which draws figures\n"
      ".TP\n.B DRAFTGAUGE_DATA\nthe folder of the recordings that come with draftgauge\n";
  return page;
}

}  // namespace draftgauge
