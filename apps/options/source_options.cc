#include "apps/options/source_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include "analysis/report/tally.h"
#include "apps/cli/written_values.h"
#include "apps/options/number_options.h"
#include "sim/base/bytes_text.h"
#include "sim/base/error.h"
#include "sim/sources/by_hand.h"

namespace draftgauge {
namespace {

/// Half of the machine's memory: an engine on the host may make tables of its own of the same laws, at most as large.
std::uint64_t memory_allowed() {
  long const pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return SourceOptions{}.memory_limit;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) / 2;
}

SourceOptions options_from(Invocation const& args) {
  auto const given = [&](char const* name) { return args.wants(name) ? args.text(name) : std::string(); };
  return {.contexts = given("--contexts"),
          .temperature = given("--temperature"),
          .normalise = args.wants("--normalise"),
          .memory_limit = args.wants("--memory") ? args.bytes("--memory") : memory_allowed(),
          .threads = args.threads()};
}

}  // namespace

Source source_named(Invocation const& args, std::string const& text) { return open_source(text, options_from(args)); }

Source source_from(Invocation const& args) {
  bool const by_hand = args.has("--p") || args.has("--q");
  if (by_hand && args.wants("SOURCE"))
    throw UsageError("SOURCE and --p, --q cannot be given together (each names the distributions)", "keep one");
  if (by_hand) {
    if (!args.has("--p") || !args.has("--q"))
      throw UsageError("--p and --q belong together (a context is a pair of distributions)", "give both");
    for (char const* name : {"--contexts", "--temperature"})
      if (args.wants(name))
        throw UsageError(fmt::format("{} cannot be used with --p and --q (it says how a recording is read)", name),
                         "leave it out");
    return source_by_hand(parse_written_numbers(args.text("--p")), parse_written_numbers(args.text("--q")),
                          options_from(args));
  }
  if (!args.wants("SOURCE"))
    throw UsageError("no distributions are named (there is nothing to work on)",
                     "give a SOURCE such as exact-alpha:vocab=32,alpha=.8, a file, or --p and --q");
  auto const texts = args.texts("SOURCE");
  if (texts.size() > 1) throw UsageError("one SOURCE is taken, not " + std::to_string(texts.size()));
  return source_named(args, texts.front());
}

std::optional<std::uint32_t> start_from(Invocation const& args) {
  if (!args.has("--start")) return std::nullopt;
  return static_cast<std::uint32_t>(small_count(args, "--start"));
}

std::vector<Input> inputs_of(Source const& source) {
  std::vector<Input> inputs;
  for (InputFile const& file : source.inputs) inputs.push_back({file.path, file.sha256});
  return inputs;
}

Json rounding_of(Rounding const& rounding) { return document_of(rounding); }

std::vector<std::string> rounding_note(Rounding const& rounding) {
  if (rounding.exact()) return {};
  std::string note =
      fmt::format("The distributions are integers close to the source's: TV at most {:.1e}.", rounding.max_tv);
  if (rounding.vanished > 0)
    note += fmt::format(" Probabilities above 0 that became 0 (tokens that cannot occur): {}.", rounding.vanished);
  return {note};
}

std::vector<std::string> memory_note(PairTables const& tables) {
  if (tables.bytes() < std::uint64_t{1} << 20) return {};
  return {fmt::format("The distributions' tables take {} of memory.", bytes_text(tables.bytes()))};
}

}  // namespace draftgauge
