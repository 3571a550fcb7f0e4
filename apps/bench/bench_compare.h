#pragma once
#include <optional>
#include <string>
#include <vector>

#include "apps/output/result.h"
#include "bench/row.h"

namespace draftgauge {

/// What an earlier run of `bench` wrote with --json, as far as it is compared.
struct EarlierBench {
  struct Row {
    std::string name, baseline;
    double rate;
    std::optional<double> ratio;
  };
  std::string processor;
  std::vector<Row> rows;
};

/// Throws InputError for what is not JSON, not of `bench`, or holds a row that makes no sense.
EarlierBench read_bench(std::string const& path);

/// What has become of each ratio and each rate. Rows that only one of the two has are named.
Json bench_changes(EarlierBench const& before, std::vector<bench::Row> const& now);
/// Of ratios, and with `rates` of rates too, which are the machine's as much as the program's.
Section changes_section(EarlierBench const& before, std::vector<bench::Row> const& now, std::string const& processor,
                        bool rates);

}  // namespace draftgauge
