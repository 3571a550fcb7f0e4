#include "analysis/recordings/row_walk.h"

#include <fmt/format.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sim/base/error.h"

namespace draftgauge {

void walk_rows(RowPairs& pairs, int threads, std::function<void(RowPlace const&)> const& visit,
               std::function<void(std::uint64_t)> const& done) {
  RowLayout const p_layout = pairs.target->layout(), q_layout = pairs.draft->layout();
  struct Place {
    std::size_t sequence, position;
  };
  std::vector<Place> places;
  for (std::size_t s = 0; s < pairs.sequences.size(); ++s)
    for (std::size_t i = 0; i < pairs.sequences[s]; ++i) places.push_back({s, i});

  std::mutex reading;  // rows are handed out in order: packed ones are unpacked on the way
  std::uint64_t next = 0;
  std::atomic<std::uint64_t> walked{0};
  std::exception_ptr failure;
  auto const work = [&] {
    std::vector<double> p(p_layout.vocab), q(q_layout.vocab);
    for (;;) {
      std::uint64_t row = 0;
      {
        std::scoped_lock const lock(reading);
        if (failure || next == places.size()) return;
        row = next++;
        try {
          decode_row(p_layout, pairs.target->rows(row, 1), p);
          decode_row(q_layout, pairs.draft->rows(row, 1), q);
          check_logits(pairs.target_name + ", row " + std::to_string(pairs.target->file_row(row)), p);
          check_logits(pairs.draft_name + ", row " + std::to_string(pairs.draft->file_row(row)), q);
        } catch (...) {
          failure = std::current_exception();
          return;
        }
      }
      try {
        visit({places[row].sequence, places[row].position, row, p, q});
      } catch (...) {
        std::scoped_lock const lock(reading);
        if (!failure) failure = std::current_exception();
        return;
      }
      done(++walked);
    }
  };
  std::vector<std::jthread> helpers;
  for (int i = 1; i < threads && static_cast<std::size_t>(i) < places.size(); ++i) helpers.emplace_back(work);
  work();
  helpers.clear();
  if (failure) std::rethrow_exception(failure);
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
          throw InputError(fmt::format("{}, row {}: its token {} has p = 0 (the target did not write it at this "
                                       "temperature and truncation)",
                                       pairs.target_name, pairs.target->file_row(at.row), x),
                           "ask for those that wrote the text");
        visit(at, x);
      },
      done);
}

}  // namespace draftgauge
