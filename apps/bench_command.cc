#include "apps/bench_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <thread>

#include "apps/invocation.h"
#include "bench/ingest.h"
#include "bench/textbook.h"
#include "gpu/backends.h"
#include "sim/philox.h"
#include "sim/sources/source.h"
#include "sim/vector_target.h"

namespace draftgauge {
namespace {

constexpr int gamma = 5;
constexpr double alpha = 0.8;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// What is measured: rounds of the token rule at γ = 5, α = 0.8.
struct Case {
  std::uint32_t vocab;
  bool histograms;  ///< count the tokens at every position
  double goal;      ///< of one core, as a multiple of the textbook's rate
};
constexpr Case cases[] = {{32, false, 60}, {32, true, 25}, {1024, false, 15}, {32768, false, 15}, {32768, true, 11}};

/// The work of one line: does `amount` of it.
struct Contender {
  std::string name;
  std::function<void(std::uint64_t amount)> work;
  double rate = 0;  ///< the best seen, in units of work per second
};

double seconds(std::function<void(std::uint64_t)> const& work, std::uint64_t amount) {
  auto const start = std::chrono::steady_clock::now();
  work(amount);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The best of several slices each, taken in turns, since other programs slow this machine down for seconds at a time.
void race(std::vector<Contender>& contenders, double slice, int turns, std::uint64_t least = 1024) {
  std::vector<std::uint64_t> amounts;
  for (Contender const& contender : contenders) {
    std::uint64_t amount = least;
    auto const took_at_best = [&] {
      return std::min(seconds(contender.work, amount), seconds(contender.work, amount));
    };
    double took = took_at_best();
    while (took < slice / 4) {
      amount *= 2;
      took = took_at_best();
    }
    amounts.push_back(
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(amount) * slice / took)));
  }
  for (int turn = 0; turn < turns; ++turn)
    for (std::size_t i = 0; i < contenders.size(); ++i)
      contenders[i].rate =
          std::max(contenders[i].rate, static_cast<double>(amounts[i]) / seconds(contenders[i].work, amounts[i]));
}

/// Mean number of Philox blocks that a round of the token rule reads (sim/layout.h): E_0 and one D and one F for each of
/// the e positions examined, P(e > i) = α^i up to γ.
double blocks_per_round(int table_bits) {
  double mean = 0;
  for (int e = 1; e <= gamma; ++e) {
    double const probability = std::pow(alpha, e - 1) * (e < gamma ? 1 - alpha : 1);
    int const last_slot = table_bits <= layout::narrow_table_bits ? e : 2 * e;
    mean += probability * (last_slot / 4 + 1);
  }
  return mean;
}

std::uint32_t volatile sink;

void philox_blocks(std::uint64_t count) {
  std::uint32_t mixed = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Philox::Words const words =
        Philox::bits({{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32), 0, 0}}, {{1, 2}});
    mixed ^= words.word[0] ^ words.word[1] ^ words.word[2] ^ words.word[3];
  }
  sink = mixed;
}

Contender textbook_contender(Laws const& laws, bool histograms, std::uint64_t seed) {
  auto const law = [&](std::span<std::uint64_t const> weights) {
    std::vector<double> probabilities;
    for (std::uint64_t w : weights)
      probabilities.push_back(static_cast<double>(w) / static_cast<double>(laws.total(0)));
    return probabilities;
  };
  auto const simulator = std::make_shared<textbook::Simulator>(law(laws.p(0)), law(laws.q(0)), gamma, seed);
  auto const counts = std::make_shared<textbook::Simulator::Counts>(simulator->no_counts(histograms));
  return {"textbook", [simulator, counts](std::uint64_t rounds) { simulator->run(rounds, *counts); }};
}

Contender engine_contender(std::string name, Backend const& backend, Simulation const& simulation, int threads) {
  Player const play = backend.prepare(simulation, threads);
  auto const tally = std::make_shared<Tally>(simulation.plan().tally);
  return {std::move(name), [play, tally](std::uint64_t rounds) { play({0, rounds}, *tally); }};
}

Json row(std::string const& name, std::string const& baseline, double rate, double base_rate, double goal,
         double bound, std::string const& unit = "rounds/s") {
  auto const or_null = [](double value) { return std::isnan(value) ? Json(nullptr) : Json(value); };
  return {{"name", name},           {"baseline", baseline},      {"rate", rate},
          {"unit", unit},           {"ratio", rate / base_rate}, {"goal", or_null(goal)},
          {"bound", or_null(bound)}};
}

void measure(Case const& c, Invocation const& args, double slice, int turns, Json& rows) {
  Source const source = open_source(fmt::format("exact-alpha:vocab={},alpha={}", c.vocab, alpha));
  Task task{.shape = {.gamma = gamma}};
  if (c.histograms) task.positions = gamma + 1;
  Simulation const simulation(task, source.laws, args.seed());
  int const threads = args.threads();

  std::vector<Contender> race_list = {textbook_contender(source.laws, c.histograms, args.seed()),
                                      engine_contender("serial", serial_backend(), simulation, 1),
                                      engine_contender("cpu, 1 thread", cpu_backend(), simulation, 1)};
  if (threads > 1)
    race_list.push_back(
        engine_contender(fmt::format("cpu, {} threads", threads), cpu_backend(), simulation, threads));
  Backend const thrust = choose_backend("thrust");
  race_list.push_back(engine_contender(fmt::format("{}, {} thread{}", thrust.name, threads, threads > 1 ? "s" : ""),
                                       thrust, simulation, threads));
  race_list.push_back({"Philox alone", philox_blocks});
  race(race_list, slice, turns);

  std::string const what = fmt::format("V={}{}", c.vocab, c.histograms ? ", histograms" : "");
  double const base = race_list[0].rate;
  double const bound = race_list.back().rate / blocks_per_round(simulation.plan().laws.table_bits);
  double const one_thread = race_list[2].rate;
  for (std::size_t i = 0; i + 1 < race_list.size(); ++i) {
    Contender const& contender = race_list[i];
    std::string const name = fmt::format("{}: {}", what, contender.name);
    if (threads > 1 && i == 3)
      rows.push_back(row(name, "cpu, 1 thread", contender.rate, one_thread, 0.95 * threads, none));
    else
      rows.push_back(row(name, "textbook", contender.rate, base, i == 2 ? c.goal : none, i <= 2 ? bound : none));
  }
}

/// Full rows of two models: their figures from their bytes.
struct IngestCase {
  char const* name;
  Encoding encoding;
};
constexpr IngestCase ingest_cases[] = {
    {"fp32", Encoding::f32}, {"fp16", Encoding::f16}, {"bf16", Encoding::bf16}, {"kld", Encoding::kld}};
constexpr std::uint64_t ingest_vocab = 49152;
constexpr std::uint64_t ingest_rows = 192;  // 38 MB a side and more: beyond the caches
constexpr double ingest_goal = 38;          // of one core, as a multiple of the plain figures' rate
constexpr double two_threads_goal = 0.95;   // a thread

void measure(IngestCase const& c, Invocation const& args, double slice, int turns, Json& rows) {
  ingest::Rows const data(c.encoding, c.encoding == Encoding::f32 ? ingest_rows : 2 * ingest_rows, ingest_vocab);
  std::uint64_t const count = data.layout.rows;
  // Each contender goes round the rows, from where it stopped.
  auto const in_turn = [count](std::function<void(std::uint64_t begin, std::uint64_t rows)> const& work) {
    auto const at = std::make_shared<std::uint64_t>(0);
    return [=](std::uint64_t amount) {
      while (amount > 0) {
        std::uint64_t const some = std::min(amount, count - *at);
        work(*at, some);
        *at = (*at + some) % count;
        amount -= some;
      }
    };
  };
  auto const score = [&](std::uint64_t begin, std::uint64_t n) {
    std::vector<RowFigures> figures(n);
    figures_of_rows(data.pairs(begin), 1, figures);
    sink = figures.back().argmax_p;
  };
  std::vector<Contender> race_list = {{"plain", in_turn([&](std::uint64_t begin, std::uint64_t n) {
                                         for (std::uint64_t i = begin; i < begin + n; ++i)
                                           sink = ingest::plain_figures(data.pairs(i)).argmax_p;
                                       })},
                                      {fmt::format("{}, 1 thread", name_of(vector_target())), in_turn(score)}};
  int const threads = args.threads();
  if (threads > 1) {
    race_list.push_back({fmt::format("{}, {} threads", name_of(vector_target()), threads),
                         in_turn([&](std::uint64_t begin, std::uint64_t n) {
                           std::vector<std::jthread> others;
                           std::uint64_t const parts = static_cast<std::uint64_t>(threads);
                           for (std::uint64_t part = 0; part < parts; ++part) {
                             std::uint64_t const from = begin + part * n / parts, to = begin + (part + 1) * n / parts;
                             if (from < to) others.emplace_back(score, from, to - from);
                           }
                         })});
  }
  race_list.push_back({"reading alone", in_turn([&](std::uint64_t begin, std::uint64_t n) {
                         std::uint64_t const bytes = data.layout.row_bytes();
                         for (auto const* side : {&data.target, &data.draft})
                           sink = static_cast<std::uint32_t>(
                               ingest::read_all(std::span(*side).subspan(begin * bytes, n * bytes)));
                       })});
  race(race_list, slice, turns, 1);
  double const base = race_list[0].rate, one_thread = race_list[1].rate, bound = race_list.back().rate;
  for (std::size_t i = 0; i + 1 < race_list.size(); ++i) {
    std::string const name = fmt::format("{}: {}", c.name, race_list[i].name);
    if (i == 2)
      rows.push_back(
          row(name, race_list[1].name, race_list[i].rate, one_thread, two_threads_goal * threads, none, "rows/s"));
    else
      rows.push_back(row(name, "plain", race_list[i].rate, base, i == 1 ? ingest_goal : none, bound, "rows/s"));
  }
}

Table table_of(Json const& rows, std::string const& unit) {
  bool const ingest = unit == "rows/s";
  Table table{
      {"name",
       ingest ? fmt::format("figures of pairs of rows, V = {}", ingest_vocab) : "rounds of token at γ = 5, α = 0.8",
       Align::left},
      {"rate", "rate", Align::right, unit},
      {"baseline", "baseline", Align::left},
      {"ratio", "ratio"},
      {"goal", "goal"},
      {"bound", ingest ? "share of reading" : "share of Philox"}};
  auto const number = [](Json const& value, int decimals) {
    return value.is_null() ? Cell() : Cell(Number{value.get<double>(), decimals});
  };
  for (Json const& line : rows) {
    if (line["unit"] != unit) continue;
    double const rate = line["rate"].get<double>();
    std::string const share =
        line["bound"].is_null() ? "" : fmt::format("{:.0f} %", 100 * rate / line["bound"].get<double>());
    table.add({line["name"].get<std::string>(), short_count(rate), line["baseline"].get<std::string>(),
               number(line["ratio"], 2), number(line["goal"], 1), share});
  }
  return table;
}

Result run(Invocation const& args) {
  bool const quick = args.has("--quick");
  double const slice = quick ? 0.03 : 0.2;
  int const turns = quick ? 5 : 9;
  Json rows = Json::array();
  Progress progress = args.progress("bench", std::size(cases) + std::size(ingest_cases), "cases");
  for (Case const& c : cases) {
    measure(c, args, slice, turns, rows);
    progress.at(static_cast<std::uint64_t>(&c - cases) + 1);
  }
  for (IngestCase const& c : ingest_cases) {
    measure(c, args, slice, turns, rows);
    progress.at(std::size(cases) + static_cast<std::uint64_t>(&c - ingest_cases) + 1);
  }
  Result result{.document = {{"estimator", "best of several slices, taken in turns"},
                             {"quick", quick},
                             {"threads", args.threads()},
                             {"turns", turns},
                             {"slice_seconds", slice}}};
  result.title = "Speed, each figure beside its baseline in the same run";
  result.sections.push_back(
      {.table = table_of(rows, "rounds/s"),
       .notes = {
           "Baseline: bench/textbook.cc, Algorithm 1 in plain C++ (Philox, alias tables, double), on one thread. "
           "Share of Philox: the rate as a share of that at which this core could make a round's random "
           "words and do nothing else.",
           "Other programs on the machine slow a row down for seconds at a time: compare ratios, not rates."}});
  result.sections.push_back(
      {.table = table_of(rows, "rows/s"),
       .notes = {
           "Baseline: bench/ingest.cc, the same figures in plain C++ (double, the C library's exp and log), on one "
           "thread. Share of reading: the rate as a share of that at which this core could read the rows and do "
           "nothing else; the aim is 75 % for fp32 and 35 % for 16-bit rows."}});
  result.document["rows"] = std::move(rows);
  return result;
}

}  // namespace

Command bench_command() {
  return {
      .name = "bench",
      .summary = "speed, each figure beside its baseline and goal",
      .description = {"Rounds per second of the serial reference, of threads and of the Thrust engine beside a plain "
                      "textbook implementation in double, taken in turns in one run. The goal is what one core is "
                      "meant to reach, as a multiple of the baseline; the bound is the rate at which the round's "
                      "random words alone could be made.",
                      "Then pairs of recorded rows a second, from bytes to figures, beside the same figures in plain "
                      "C++; there the bound is the rate at which the bytes could be read."},
      .groups = {{"How long",
                  {{.name = "--quick", .kind = Kind::flag, .summary = "short slices: some seconds, rough figures"}}}},
      .examples = {{"draftgauge bench --quick", "a first impression of this machine"}},
      .run = run};
}

}  // namespace draftgauge
