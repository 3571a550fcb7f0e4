#include <string_view>

#include "sim/base/error.h"
#include "sim/sources/by_hand.h"

// Any text as laws by hand; what is read becomes laws that PairTables accepts, or an Error.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace draftgauge;
  try {
    SourceOptions const options{.normalise = size % 2 == 0, .memory_limit = 1 << 20};
    TablesByHand const tables =
        read_tables_json("input", {reinterpret_cast<char const*>(data), size}, options.memory_limit);
    RowList const rows = rows_by_hand(tables, {"p", "q"}, options);
    PairTables const made(rows.rows(), Follow::independent);
  } catch (Error const&) {
  }
  return 0;
}
