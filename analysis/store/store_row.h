#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/fast/engine.h"
#include "sim/play/task_text.h"
#include "sim/sources/source.h"

/// The rows of a store of results. A row is one line, a JSON object of docs/schema/store.json: a task, a seed, a
/// range of its trials and their tally. What rows hold is never trusted: a row that is read has a tally that these
/// trials of this task could have, or it is an InputError that names file and line.
namespace draftgauge {

/// What a stored tally is of, apart from its trials. Rows with equal id and seed add up.
struct StoredTask {
  std::string text;  ///< canonical_text
  std::string id;    ///< its task_id
  std::uint64_t seed = 0;
  Contexts contexts = {};  ///< of the laws, which whoever reads the row need not have
  Rounding rounding = {};

  bool same(StoredTask const& other) const { return id == other.id && seed == other.seed; }
};

struct StoreRow {
  StoredTask of;
  Range range;
  std::vector<std::int64_t>
      counts;                    ///< the tally's, in its order; −n stands for n zeros, since histograms are sparse
  std::string version, backend;  ///< of the program, and what played; equal for all as far as results go
  std::string place = {};        ///< FILE:LINE, where it was read
};

StoredTask stored_task(Simulation const& simulation, Source const& source);

/// The row that holds what was played of a task.
StoreRow row_of(StoredTask const& task, Played const& played, std::string_view version, std::string_view backend);

/// The row as the line that a store holds, its newline included. Its last member is a checksum: the first 16
/// hexadecimal digits of the SHA-256 of all bytes before that member.
std::string line_of(StoreRow const& row);
/// A line from the bytes before its checksum. (line_of uses it; so does whoever tests what lies behind the checksum.)
std::string sealed(std::string body);

/// The rows of a store's text, in its order; places are `file`:1 and so on. What stands behind the last newline is
/// the beginning of a row that was being written when the writer was killed, and is passed over; complete() says
/// where it begins. Throws InputError where a line is no row, is damaged or cannot be, where two rows of one task and
/// seed hold the same trial, and where what is passed over is not the beginning of a row.
std::vector<StoreRow> read_rows(std::string_view file, std::string_view text);
std::size_t complete(std::string_view text);

/// Throws InputError where two of the rows have the same id and seed and a trial in common: it would count twice.
/// Names the places of both.
void check_disjoint(std::span<StoreRow const> rows);

/// The rows of that task and seed, by their ranges.
std::vector<StoreRow> rows_of(std::span<StoreRow const> rows, StoredTask const& task);

/// Those rows that lie in `range`. A tally cannot be split, so a row that is only partly inside is a UsageError,
/// which names the ranges next to this one that would do. Rows: as rows_of gives them.
std::vector<StoreRow> rows_inside(std::span<StoreRow const> rows, Range range);

/// The stretches of `range` that no row holds. Rows: as rows_of gives them.
std::vector<Range> missing(std::span<StoreRow const> rows, Range range);

/// Adds the rows' tallies to `tally`, which is of their task. Throws InputError where a sum leaves 63 bits.
void add(std::span<StoreRow const> rows, Tally& tally);

}  // namespace draftgauge
