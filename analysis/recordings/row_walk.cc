#include "analysis/recordings/row_walk.h"

#include <fmt/format.h>

#include <atomic>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/for_rows.h"

namespace draftgauge {

namespace {

/// A thread's row.
template <class Visit>
struct Walk {
  RowPairs& pairs;
  Visit const& visit;  ///< of a row's number, p and q
  RowLayout p_layout = pairs.target->layout(), q_layout = pairs.draft->layout();
  std::vector<double> p = std::vector<double>(p_layout.vocab), q = std::vector<double>(q_layout.vocab);

  /// In order: packed rows are unpacked on the way.
  void read(std::uint64_t row) {
    decode_row(p_layout, pairs.target->rows(row, 1), p);
    decode_row(q_layout, pairs.draft->rows(row, 1), q);
    check_logits(pairs.target_name + ", row " + std::to_string(pairs.target->file_row(row)), p);
    check_logits(pairs.draft_name + ", row " + std::to_string(pairs.draft->file_row(row)), q);
  }
  void operator()(std::uint64_t row) { visit(row, p, q); }
};

}  // namespace

void walk_rows(RowPairs& pairs, int threads, std::function<void(RowPlace const&)> const& visit,
               std::function<void(std::uint64_t)> const& done) {
  struct Place {
    std::size_t sequence, position;
  };
  std::vector<Place> places;
  for (std::size_t s = 0; s < pairs.sequences.size(); ++s)
    for (std::size_t i = 0; i < pairs.sequences[s]; ++i) places.push_back({s, i});
  std::atomic<std::uint64_t> walked{0};
  auto const each = [&](std::uint64_t row, std::span<double> p, std::span<double> q) {
    visit({places[row].sequence, places[row].position, row, p, q});
    done(++walked);
  };
  for_rows(places.size(), threads, [&] { return Walk<decltype(each)>{pairs, each}; });
}

void walk_text(RowPairs& pairs, SamplingParameters const& target, SamplingParameters const& draft, int threads,
               std::function<void(RowPlace const&, Token)> const& visit,
               std::function<void(std::uint64_t)> const& done) {
  if (pairs.tokens.empty())
    throw InputError(
        fmt::format("{} has no tokens beside its rows (what is accepted along a text depends on the text)",
                    pairs.target_name),
        "record them");
  walk_rows(
      pairs, threads,
      [&](RowPlace const& at) {
        truncate(target, at.p, at.p);
        truncate(draft, at.q, at.q);
        auto const x = static_cast<Token>(pairs.tokens[at.row]);
        if (!(at.p[x] > 0))
          throw excluded_token(fmt::format("{}, row {}: its token {} has p = 0", pairs.target_name,
                                           pairs.target->file_row(at.row), x));
        visit(at, x);
      },
      done);
}

InputError excluded_token(std::string const& problem) {
  return InputError(problem + " (the target did not write it at this temperature and truncation)",
                    "ask for those that wrote the text");
}

}  // namespace draftgauge
