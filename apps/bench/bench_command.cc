#include "apps/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "apps/bench/bench_compare.h"
#include "apps/bench/bench_report.h"
#include "apps/cli/invocation.h"
#include "apps/cli/version_command.h"
#include "apps/output/output.h"
#include "bench/baselines/numpy.h"
#include "bench/growth.h"
#include "bench/measure.h"
#include "gpu/backends.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

bench::RaceLength length_of(Invocation const& args) {
  bench::RaceLength length = args.has("--quick") ? bench::RaceLength{0.02, 3} : bench::RaceLength{0.1, 9};
  if (args.has("--slice")) length.slice = args.duration("--slice").count();
  if (args.has("--turns")) length.turns = static_cast<int>(std::min<std::int64_t>(args.count("--turns"), 1'000'000));
  return length;
}

std::optional<bench::Device> device(Invocation const& args) {
  auto const figures = device_figures();
  if (!figures) return {};
  auto const on = [&args](char const* name) {  // a row that is not of the device after all must say so
    return choose_backend(name, [&args](std::string const& note) { args.warn(note); });
  };
  std::vector<bench::Probe> probes;
  for (DeviceProbe const& each : device_probes()) probes.push_back({each.name, each.assumed, each.rate});
  return bench::Device{.name = figures->name,
                       .cycles = figures->cycles,
                       .l2_reads = figures->l2_reads,
                       .far_reads = figures->far_reads,
                       .kernels = on("cuda"),
                       .bus = on_bus([&args](std::string const& note) { args.warn(note); }),
                       .generic = on("thrust-cuda"),
                       .open = share_left_open,
                       .busy = device_busy,
                       .probes = probes};
}

bench::Setup setup_of(Invocation const& args) {
  return {.seed = args.seed(),
          .threads = args.threads(),
          .length = length_of(args),
          .generic = choose_backend("thrust-omp"),
          .pythons = args.has("--no-numpy") ? std::vector<std::string>{} : bench::usual_pythons(),
          .device = device(args)};
}

std::vector<bench::Measurement> chosen(Invocation const& args) {
  auto all = bench::measurements(device_figures().has_value());
  if (!args.has("--only")) return all;
  std::string const names = joined(all, &bench::Measurement::name, "; ");
  std::string const& wanted = args.text("--only");
  bool const is_name = contains(all, wanted, &bench::Measurement::name);
  std::erase_if(all, [&](bench::Measurement const& each) {
    return is_name ? each.name != wanted : each.name.find(wanted) == std::string::npos;
  });
  if (all.empty())
    throw UsageError(fmt::format("--only: no case has '{}' in its name (nothing would be measured)", wanted),
                     fmt::format("take a part of: {}", names));
  return all;
}

/// Throws UsageError for an option that speaks of rows where --growth has none, and for --rates by itself.
void check_options(Invocation const& args) {
  if (args.has("--growth"))
    args.refuse({"--only", "--compare", "--rates"}, "has no meaning with --growth (it is about the rows with goals)",
                "leave one out");
  if (!args.has("--compare"))
    args.refuse({"--rates"}, "has no meaning by itself (it adds rates to a comparison)", "add --compare FILE");
}

void add_goal_rows(Invocation const& args, bench::Setup const& setup, bench::Machine const& machine, Result& result) {
  auto const cases = chosen(args);
  std::optional<EarlierBench> earlier;
  if (args.has("--compare")) {  // read before anything is measured, so that a bad file costs no time
    earlier = read_bench(args.text("--compare"));
    result.inputs.push_back(input_from(args.text("--compare")));
  }
  std::vector<bench::Row> rows;
  Progress progress = args.progress("bench", cases.size(), "cases");
  for (bench::Measurement const& each : cases) {
    for (bench::Row& row : each.run(setup)) rows.push_back(std::move(row));
    progress.at(static_cast<std::uint64_t>(&each - cases.data()) + 1);
  }
  result.title = "Speed, each figure beside its baseline in the same run";
  result.sections = bench_sections(rows);
  result.document["rows"] = rows_of(bench_fields(), rows).array();
  if (!earlier) return;
  std::erase_if(earlier->rows, [&](EarlierBench::Row const& row) {  // what was not to be measured is not missing
    return std::ranges::none_of(cases, [&](auto const& each) { return row.name.starts_with(each.name + ": "); }) &&
           args.has("--only");
  });
  result.sections.push_back(changes_section(*earlier, rows, machine.processor, args.has("--rates")));
  result.document["changes"] = bench_changes(*earlier, rows);
}

void add_growth(Invocation const& args, bench::Setup const& setup, bench::Machine const& machine, Result& result) {
  auto const points = bench::growth_points(setup.threads);
  std::vector<bench::GrowthFigure> figures;
  Progress progress = args.progress("bench", points.size(), "points");
  for (bench::GrowthPoint const& point : points) {
    figures.push_back(measure_growth(point, setup, machine.caches));
    progress.at(figures.size());
  }
  result.title = "Speed as the work grows, one dimension at a time";
  result.sections = {growth_section(figures, machine)};
  result.document["growth"] = rows_of(growth_fields(), figures).array();
}

Result run(Invocation const& args) {
  check_options(args);
  if (args.has("--json")) require_writable(args.text("--json"));
  bench::Setup const setup = setup_of(args);
  bench::Machine const machine = bench::this_machine();
  Result result{.document = {{"estimator", "best of several slices, taken in turns"},
                             {"quick", args.has("--quick")},
                             {"threads", setup.threads},
                             {"turns", setup.length.turns},
                             {"slice_seconds", setup.length.slice},
                             {"machine", machine_document(machine)}}};
  if (args.has("--growth"))
    add_growth(args, setup, machine, result);
  else
    add_goal_rows(args, setup, machine, result);
  result.sections.back().note(
      "Contenders of one thread are timed by CPU time, of several by the clock on the wall. Other programs on the "
      "machine slow a slice down all the same: compare ratios, not rates.");
  result.sections.back().note(machine_text(machine));
  if (args.has("--json"))
    write_whole(args.text("--json"),
                render(result, Format::json,
                       {"bench", std::string(program_version()), static_cast<std::int64_t>(args.seed())}));
  return result;
}

}  // namespace

Command bench_command() {
  return {
      .name = "bench",
      .summary = "speed, each figure beside its baseline and goal",
      .description =
          {"Random words, rounds and pairs of recorded rows per second, each beside its baselines: they take turns "
           "in one run, and the best of several slices counts. The goal is what one core is meant to reach, as a "
           "multiple of the baseline; the share is of a bound that a probe finds in the same race: the rate at which "
           "a round's random words alone could be made, or a row's bytes be read.",
           "With --growth, rounds per second as the vocabulary, γ, threads and contexts grow, and what limits them "
           "where. NumPy is among the baselines where a python3 has it."},
      .groups = {{"What is measured",
                  {{.name = "--only",
                    .kind = Kind::text,
                    .value = "TEXT",
                    .summary = "the case of this name, or all with this text in theirs: V=32, histograms, fp16"},
                   {.name = "--growth", .summary = "instead, how rounds slow down as the work grows"},
                   {.name = "--no-numpy", .summary = "without NumPy"}}},
                 {"How long",
                  {{.name = "--quick", .summary = "short slices: some seconds, rough figures"},
                   {.name = "--slice",
                    .kind = Kind::duration,
                    .summary = "what each contender runs in a turn; 100ms, or 20ms with --quick"},
                   {.name = "--turns",
                    .kind = Kind::count,
                    .summary = "turns, the best of which counts; 9, or 3 with --quick",
                    .least = 1}}},
                 {"What becomes of it",
                  {{.name = "--json", .kind = Kind::path, .summary = "also write the result to FILE as JSON"},
                   {.name = "--compare",
                    .kind = Kind::path,
                    .summary = "say how each ratio changed since FILE, which an earlier --json wrote"},
                   {.name = "--rates",
                    .summary = "with --compare: the rates too, which depend on the machine's day"}}}},
      .examples = {{"draftgauge bench --quick --only Philox", "how fast random words are made here"},
                   {"draftgauge bench --only V=32 --slice 1ms --turns 1", "the smallest vocabulary, very roughly"},
                   {"draftgauge bench --growth --slice 1ms --turns 1", "cost as the work grows, very roughly"}},
      .run = run};
}

}  // namespace draftgauge
