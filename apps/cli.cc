#include "apps/cli.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <new>
#include <ranges>
#include <set>
#include <sstream>
#include <system_error>

#include "analysis/ranks/follower.h"
#include "analysis/ranks/leader.h"
#include "apps/cli/as_typed.h"
#include "apps/cli/commands.h"
#include "apps/cli/help_command.h"
#include "apps/cli/invocation.h"
#include "apps/cli/mpi.h"
#include "apps/cli/parse.h"
#include "apps/cli/version_command.h"
#include "apps/output/interruption.h"
#include "apps/output/output.h"
#include "apps/output/tables.h"
#include "apps/output/terminal.h"
#include "apps/simulate/crew_of_ranks.h"
#include "gpu/rank_devices.h"
#include "sim/base/bytes_text.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/printable.h"

namespace draftgauge {
namespace {

std::ostream* terminal(std::ostream& err) { return is_terminal(err) ? &err : nullptr; }

void print(std::string_view text, std::ostream& out) {
  errno = 0;
  out << text << std::flush;
  if (out) return;
  throw InputError(fmt::format("standard output cannot be written ({}), the result is lost",
                               std::strerror(errno != 0 ? errno : EIO)),
                   "give it a place with -o");
}

// A terminal would show the source of a page, a megabyte of it.
void refuse_terminal(Command const& command, Invocation const& invocation, std::ostream const& out) {
  if (command.text_is.empty() || !is_terminal(out) || invocation.format() != Format::text ||
      invocation.has("--output"))
    return;
  throw UsageError(fmt::format("its result is {} (a terminal would show its source)", command.text_is),
                   fmt::format("give it a file: -o {}.html, or read its words: --format md", command.name));
}

/// CSV into a folder, a file a table.
bool asks_for_folder(Invocation const& invocation) {
  std::error_code error;
  std::string const& path = invocation.text("--output");
  return invocation.format() == Format::csv && (path.ends_with('/') || std::filesystem::is_directory(path, error));
}

/// Without --format that of the file's ending. Pictures are another command's, and pages are, but for the one whose
/// text is a page.
Given with_format_of_file(Command const& command, Given given) {
  auto const output = given.find("--output");
  if (output == given.end() || given.contains("--format") || command.writes_output) return given;
  std::string const ending = std::filesystem::path(output->second.front()).extension().string();
  auto const without_text = format_cards | std::views::drop(1);  // it is what there is without
  for (FormatCard const& card : without_text)
    if (ending == card.ending) given["--format"] = {std::string(card.name)};
  for (std::string_view const name : {".png", ".svg", ".pdf", ".html"})
    if (ending == name && (name != ".html" || command.text_is.empty()))
      throw UsageError(
          fmt::format("{} asks for a {} ({} prints {}, {})", output->second.front(),
                      name == ".html" ? "page" : "picture", command.name,
                      command.text_is.empty() ? "text" : command.text_is, joined(without_text, &FormatCard::ending)),
          name == ".html" ? "see draftgauge help report" : "see draftgauge help figure");
  return given;
}

void refuse_table(Command const& command, Invocation const& invocation) {
  if (!invocation.has("--table")) return;
  if (invocation.format() == Format::json)
    throw UsageError("--table and --format json cannot be given together (a document has all tables)",
                     "choose text, md, csv or latex");
  if (command.writes_output && invocation.has("--output"))
    throw UsageError(
        fmt::format("--table and -o of {} cannot be given together (the files are not of its printed tables)",
                    command.name),
        "keep one");
}

/// What is read is not written over: it may be all there is of a recording or a server's counters.
void refuse_input_as_output(Invocation const& invocation) {
  if (!invocation.has("--output")) return;
  std::string const& output = invocation.text("--output");
  std::error_code error;
  if (!std::filesystem::is_regular_file(output, error)) return;
  for (auto const& [name, values] : invocation.given())
    for (std::string const& value : values)
      if (name != "--output" && std::filesystem::equivalent(value, output, error))
        throw UsageError(fmt::format("-o {} is {}, which is read (it would be written over)", output,
                                     name.starts_with('-') ? name : "one of the inputs"),
                         "choose another place");
}

void tell_of_other_tables(Result const& result, Invocation const& invocation) {
  auto const tables = named_tables(result, invocation.command());
  if (tables.empty() && result.verbatim.empty())
    invocation.warn(fmt::format("CSV holds tables, and this answer has none: {}",
                                result.title.empty() ? "--format text shows it" : result.title));
  if (tables.size() < 2) return;
  auto const others = tables | std::views::drop(1);
  invocation.warn(fmt::format(
      "CSV is one table a file: this is {}, and there {} {}; --table NAME prints one, -o FOLDER/ writes all",
      tables[0].name, others.size() == 1 ? "is" : "are", joined(others, &NamedTable::name)));
}

bool asks_for_help(std::span<std::string_view const> words) {
  return std::any_of(words.begin(), words.end(), [](auto word) { return word == "--help" || word == "-h"; });
}

bool takes_ranks(Command const& command) {
  for (OptionGroup const& group : command.groups)
    for (Option const& option : group.options)
      if (option.name == "--mpi") return true;
  return false;
}

/// A launcher started several processes, and they are not told to share their work.
void warn_of_ranks_apart(Command const& command, Invocation const& invocation) {
  LaunchedRanks const launched = launched_ranks();
  if (launched.size > 1 && launched.rank == 0 && takes_ranks(command) && !invocation.has("--mpi"))
    invocation.warn(
        fmt::format("{} ranks each play everything and print it; add --mpi, and they share it", launched.size));
}

/// The ranks that --mpi asks for; this process alone without it. When rank 0 is done, however it ends, so are the
/// others.
class Ranks {
 public:
  Ranks(Command const& command, std::span<std::string_view const> words)
      : ranks_(asks_for(command, words) ? mpi_ranks() : std::make_unique<Communicator>()) {
    use_devices({ranks_->size(), ranks_->local_rank(), ranks_->local_size()});
  }
  ~Ranks() {
    if (ranks_->rank() == 0) dismiss(*ranks_);
  }
  Ranks(Ranks const&) = delete;
  Ranks& operator=(Ranks const&) = delete;

  Communicator& operator*() const { return *ranks_; }
  Communicator* operator->() const { return ranks_.get(); }

 private:
  // Before the words are parsed, since of a mistake in them one rank is to speak: also of --mpi=true, which is one.
  static bool asks_for(Command const& command, std::span<std::string_view const> words) {
    auto const is_mpi = [](std::string_view word) { return name_in(word) == "--mpi"; };
    return takes_ranks(command) && std::ranges::any_of(words, is_mpi);
  }

  std::unique_ptr<Communicator> ranks_;
};

/// All that a rank beside rank 0 does, which says all there is to say.
Status serve(Command const& command, std::span<std::string_view const> words, Communicator& ranks) {
  std::ostringstream unheard;
  try {
    serve_rank_0(Invocation(command, parse(command, words), unheard, nullptr, &ranks));
  } catch (Error const& error) {
    follow_in_vain(ranks, error);
  }
  return Status::done;
}

/// What a process without others does, and rank 0 for all.
Status answer(Command const& command, std::span<std::string_view const> words, Communicator& ranks, std::ostream& out,
              std::ostream& err) {
  Origin origin{command.name, std::string(program_version()), 0};
  if (asks_for_help(words)) {
    print(render(help_page(command), Format::text, origin), out);
    return Status::done;
  }
  Invocation invocation(command, with_format_of_file(command, parse(command, words)), err, terminal(err), &ranks);
  if (&err == &std::cerr) invocation.log_progress(err);  // a caller's own stream holds what went wrong, and no more
  refuse_terminal(command, invocation, out);
  warn_of_ranks_apart(command, invocation);
  bool const to_file = invocation.has("--output") && !command.writes_output,
             to_folder = to_file && asks_for_folder(invocation);
  if (to_folder)
    require_writable_folder(invocation.text("--output"));
  else if (to_file)
    require_writable(invocation.text("--output"));
  refuse_table(command, invocation);
  refuse_input_as_output(invocation);
  Result result = [&] {
    EndOnInterruption const ending("draftgauge " + command.name, terminal(err) != nullptr);
    return command.run(invocation);
  }();
  origin.seed = result.seed ? static_cast<std::int64_t>(*result.seed) : invocation.count("--seed");
  // A text for programs goes to a pipe, or a file: a person sees what it says.
  if (is_terminal(out) && !invocation.wants("--output") && !result.sections.empty()) result.verbatim.clear();
  if (invocation.has("--table"))
    result = with_table_alone(std::move(result), command.name, invocation.text("--table"));
  else if (invocation.format() == Format::text && !invocation.has("--verbose"))
    result = brief(std::move(result));
  if (invocation.format() == Format::csv && !to_folder) tell_of_other_tables(result, invocation);
  std::string const text = render(result, invocation.format(), origin, to_file ? Look() : look_of(out));
  if (to_folder) {
    std::string const& folder = invocation.text("--output");
    write_whole(folder, csv_files(result, command.name, folder));
  } else if (to_file) {
    write_whole(invocation.text("--output"), text);
    // A page takes seconds to make, and nothing else is seen of it.
    if (!command.text_is.empty() && !invocation.quiet())
      err << fmt::format("draftgauge {}: {} is written, {}\n", command.name,
                         printable(invocation.text("--output")), bytes_text(text.size()));
  } else {
    print(text, out);
  }
  if (result.failure) throw InputError(*result.failure);
  return result.status;
}

Error mistake(std::exception const& e) {
  return Error(fmt::format("{} (this is a mistake in draftgauge)", e.what()), "please report the command line");
}

// Runs what may throw and turns what it throws into a message and an exit status.
template <class F>
Status guarded(std::span<std::string_view const> words, std::ostream& err, F&& f) {
  auto failed = [&](Status status, Error const& error) {
    err << "error: " << as_typed(error.problem(), words) << '\n';
    if (!error.hint().empty()) err << "hint: " << as_typed(error.hint(), words) << '\n';
    err << std::flush;
    return status;
  };
  try {
    return f();
  } catch (UsageError const& e) {
    return failed(Status::usage, e);
  } catch (Error const& e) {
    return failed(Status::input, e);
  } catch (std::bad_alloc const&) {
    return failed(Status::input,
                  Error("there is not enough memory (the request is too large for this machine)", "ask for less"));
  } catch (std::system_error const& e) {
    if (e.code() != std::errc::resource_unavailable_try_again) return failed(Status::input, mistake(e));
    return failed(Status::input,
                  Error("a thread cannot be started (the system allows no more of them)", "give `threads` fewer"));
  } catch (std::exception const& e) {
    return failed(Status::input, mistake(e));
  }
}

Status run_command(Command const& command, std::span<std::string_view const> words, std::ostream& out,
                   std::ostream& err) {
  Ranks const ranks(command, words);
  if (ranks->rank() > 0) return serve(command, words, *ranks);
  // What is wrong is said before the other ranks are dismissed, which may take seconds.
  return guarded(words, err, [&] { return answer(command, words, *ranks, out, err); });
}

/// A dash alone is standard input, as in other programs; behind -o it is standard output, where answers go anyway.
std::vector<std::string> with_streams(std::span<std::string_view const> words) {
  std::vector<std::string> named;
  for (std::string_view const word : words) {
    bool const follows_output = !named.empty() && (named.back() == "-o" || named.back() == "--output");
    if (word == "-" && follows_output)
      named.pop_back();
    else
      named.emplace_back(word == "-" ? "/dev/stdin" : word);
  }
  return named;
}

}  // namespace

int run_cli(std::vector<std::string_view> const& typed, std::ostream& out, std::ostream& err) {
  std::vector<std::string> const present = with_streams(typed);
  std::vector<std::string_view> const words(present.begin(), present.end());
  Command const* command = nullptr;
  Status const found = guarded(words, err, [&] {
    if (words.empty()) {
      throw UsageError("no command is given (one word says what to do)", "try draftgauge help");
    }
    command = words[0] == "--help" || words[0] == "-h" ? &command_named("help")
              : words[0] == "--version"                ? &version_command()
                                                       : &command_named(words[0]);
    return Status::done;
  });
  if (found != Status::done) return static_cast<int>(found);
  return static_cast<int>(guarded(words, err, [&] { return run_command(*command, std::span(words).subspan(1), out, err); }));
}

}  // namespace draftgauge
