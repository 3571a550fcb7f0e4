#include "analysis/recordings/row_check.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "sim/base/error.h"

using namespace draftgauge;

namespace {

class BytesInMemory : public RowBytes {
 public:
  BytesInMemory(std::uint64_t vocab, std::vector<float> const& z)
      : RowBytes({Encoding::f32, z.size() / vocab, vocab}), bytes_(4 * z.size()) {
    if (!z.empty()) std::memcpy(bytes_.data(), z.data(), bytes_.size());
  }
  std::span<std::uint8_t const> rows(std::uint64_t begin, std::uint64_t count) override {
    return std::span(bytes_).subspan(begin * layout().row_bytes(), count * layout().row_bytes());
  }

 private:
  std::vector<std::uint8_t> bytes_;
};

bool refused(std::vector<float> const& z) {
  BytesInMemory rows(2, z);
  try {
    refuse_probabilities(rows, "a.npz: logits");
  } catch (InputError const& e) {
    CHECK(std::string(e.what()) == probabilities_fault("a.npz: logits").what());
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("row check: rows are called probabilities by what they hold, and never where there is none") {
  CHECK(refused({.25F, .75F, 1, 0}));
  CHECK_FALSE(refused({.25F, .75F, 1, 1}));
  CHECK_FALSE(refused({-1, 2}));
  CHECK_FALSE(refused({}));
  BytesInMemory none(2, {});
  RowCheck const check = check_rows(none, "a.npz: logits", [](std::uint64_t) {});
  CHECK((check.rows == 0 && check.numbers == RowNumbers::logits));
}
