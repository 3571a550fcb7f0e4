#include "apps/bench/bench_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/recordings/json_records.h"
#include "apps/output/progress.h"
#include "sim/base/error.h"
#include "sim/base/mapped_file.h"

namespace draftgauge {
namespace {

[[noreturn]] void refuse(std::string const& place, std::string const& problem) {
  throw InputError(fmt::format("{}: {} (nothing to compare with)", place, problem),
                   "give a file that draftgauge bench --json wrote");
}

std::string text_of(std::string const& place, nlohmann::json const& object, char const* name) {
  nlohmann::json const* found = member(object, {name});
  if (!found || !found->is_string()) refuse(place, fmt::format("{} is missing or no text", name));
  return found->get<std::string>();
}

std::optional<double> positive(std::string const& place, nlohmann::json const& object, char const* name) {
  nlohmann::json const* found = member(object, {name});
  if (!found) return {};
  double const value = real_of(place, name, *found);
  if (!std::isfinite(value) || value <= 0) refuse(place, fmt::format("{} is {}, not above 0", name, shown(*found)));
  return value;
}

bool same(auto const& a, auto const& b) { return a.name == b.name && a.baseline == b.baseline; }

EarlierBench::Row row_of(std::string const& place, nlohmann::json const& object) {
  auto const rate = positive(place, object, "rate");
  if (!rate) refuse(place, "rate is missing");
  return {text_of(place, object, "name"), text_of(place, object, "baseline"), *rate,
          positive(place, object, "ratio")};
}

/// A row of either run beside that of the other, in this run's order and then the earlier one's.
struct Pair {
  std::string name, baseline;
  EarlierBench::Row const* before = nullptr;
  bench::Row const* now = nullptr;

  bool ratios() const { return before && now && before->ratio && now->ratio(); }
  double ratio_change() const { return *now->ratio() / *before->ratio - 1; }
  double rate_change() const { return now->rate / before->rate - 1; }
  std::string missing() const {
    if (!now) return "only before";
    if (!before) return "only now";
    return now->ratio() ? "no ratio before" : before->ratio ? "no ratio now" : "no ratio";
  }
};

std::vector<Pair> pairs_of(EarlierBench const& before, std::vector<bench::Row> const& now) {
  std::vector<Pair> pairs;
  for (bench::Row const& row : now) {
    auto const found = std::ranges::find_if(before.rows, [&](auto const& earlier) { return same(earlier, row); });
    pairs.push_back({row.name, row.baseline, found == before.rows.end() ? nullptr : &*found, &row});
  }
  for (EarlierBench::Row const& row : before.rows)
    if (std::ranges::none_of(now, [&](auto const& later) { return same(later, row); }))
      pairs.push_back({row.name, row.baseline, &row, nullptr});
  return pairs;
}

std::string change_text(double change) { return fmt::format("{:+.1f} %", 100 * change); }

}  // namespace

EarlierBench read_bench(std::string const& path) {
  MappedFile const file(path);
  JsonRecords records(path, file.text());
  if (!records.next()) refuse(path, "the file is empty");
  nlohmann::json const document = records.value();
  nlohmann::json const* const command = member(document, {"command"});
  if (!command || *command != "bench") refuse(path, "this is no result of bench");
  nlohmann::json const* const rows = member(document, {"rows"});
  if (!rows || !rows->is_array()) refuse(path, "it has no rows");
  nlohmann::json const* const processor = member_at(document, {"machine", "processor"});
  EarlierBench earlier{processor && processor->is_string() ? processor->get<std::string>() : "unknown", {}};
  for (nlohmann::json const& object : *rows) {
    std::string const place = fmt::format("{}, row {}", path, earlier.rows.size() + 1);
    EarlierBench::Row row = row_of(place, object);
    if (std::ranges::any_of(earlier.rows, [&](auto const& other) { return same(other, row); }))
      refuse(place, fmt::format("there is a second row '{}' beside '{}'", row.name, row.baseline));
    earlier.rows.push_back(std::move(row));
  }
  if (records.next()) refuse(records.place(), "there is more than one result");
  return earlier;
}

Json bench_changes(EarlierBench const& before, std::vector<bench::Row> const& now) {
  Json list = Json::array();
  for (Pair const& pair : pairs_of(before, now)) {
    Json row = {{"name", pair.name},    {"baseline", pair.baseline}, {"ratio_before", nullptr},
                {"ratio_now", nullptr}, {"rate_before", nullptr},    {"rate_now", nullptr}};
    if (pair.before) {
      if (pair.before->ratio) row["ratio_before"] = *pair.before->ratio;
      row["rate_before"] = pair.before->rate;
    }
    if (pair.now) {
      if (pair.now->ratio()) row["ratio_now"] = *pair.now->ratio();
      row["rate_now"] = pair.now->rate;
    }
    list.push_back(std::move(row));
  }
  return list;
}

Section changes_section(EarlierBench const& before, std::vector<bench::Row> const& now, std::string const& processor,
                        bool rates) {
  std::vector<Column> columns = {{"name", "row", Align::left},
                                 {"baseline", "baseline", Align::left},
                                 {"ratio_before", "ratio before"},
                                 {"ratio_now", "now"},
                                 {"ratio_change", "change"}};
  if (rates)
    for (Column const& column :
         {Column{"rate_before", "rate before"}, Column{"rate_now", "now"}, Column{"rate_change", "change"}})
      columns.push_back(column);
  Table table(columns);
  for (Pair const& pair : pairs_of(before, now)) {
    std::vector<Cell> cells = {pair.name, pair.baseline};
    auto const ratio = [](auto const& value) { return value ? Cell(Number{*value, 2}) : Cell(); };
    cells.push_back(pair.before ? ratio(pair.before->ratio) : Cell());
    cells.push_back(pair.now ? ratio(pair.now->ratio()) : Cell());
    cells.emplace_back(pair.ratios() ? change_text(pair.ratio_change()) : pair.missing());
    if (rates) {
      cells.push_back(pair.before ? Cell(short_count(pair.before->rate)) : Cell());
      cells.push_back(pair.now ? Cell(short_count(pair.now->rate)) : Cell());
      cells.push_back(pair.before && pair.now ? Cell(change_text(pair.rate_change())) : Cell());
    }
    table.add(std::move(cells));
  }
  Section section{.heading = "Beside the earlier run", .table = std::move(table)};
  if (before.processor != processor)
    section.notes.push_back(
        fmt::format("The earlier run was on another processor ({}): even ratios differ between "
                    "processors.",
                    before.processor));
  return section;
}

}  // namespace draftgauge
