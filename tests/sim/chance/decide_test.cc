#include "sim/chance/decide.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <vector>

#include "tests/random.h"

// Both decisions against rational arithmetic, with the digits of U written out: the answer, and how many digits it
// took.

using namespace draftgauge;

namespace {

using Integer = boost::multiprecision::cpp_int;
using Fraction = boost::multiprecision::cpp_rational;

/// Tie words from a list. Asking for one more than there is, is a mistake of the test's own script.
struct ScriptedTies {
  std::vector<std::uint32_t> const* words;
  std::size_t* used;
  bool exhausted() const { return false; }
  std::uint32_t next() {
    if (*used == words->size()) throw std::out_of_range("more digits were asked for than needed");
    return (*words)[(*used)++];
  }
};

/// No tie words at all: what is undecided stays so.
struct NoTies {
  bool exhausted() const { return true; }
  std::uint32_t next() { throw std::logic_error("asked although exhausted"); }
};

struct Answer {
  std::uint64_t value;
  std::size_t used;
  friend bool operator==(Answer const&, Answer const&) = default;
};
std::ostream& operator<<(std::ostream& out, Answer const& a) { return out << a.value << " after " << a.used; }

Answer below(std::uint64_t num, std::uint64_t den, std::uint32_t bits, int width, std::vector<std::uint32_t> ties) {
  std::size_t used = 0;
  bool const yes = uniform_below(num, den, bits, width, [&] { return ScriptedTies{&ties, &used}; });
  return {yes, used};
}
Answer index(std::uint64_t n, std::uint64_t digit, std::vector<std::uint32_t> ties) {
  std::size_t used = 0;
  std::uint64_t const value = uniform_index(n, digit, [&] { return ScriptedTies{&ties, &used}; });
  return {value, used};
}

/// Is U < num/den where U begins with these digits? Reads digits until the interval of all such U lies on one side.
Answer exactly_below(std::uint64_t num, std::uint64_t den, std::uint32_t bits, int width,
                     std::vector<std::uint32_t> const& ties) {
  if (num >= den) return {1, 0};
  Fraction const threshold(num, den);
  Integer digits = bits, unit = Integer(1) << width;
  for (std::size_t used = 0;; ++used) {
    if (Fraction(digits + 1, unit) <= threshold) return {1, used};
    if (Fraction(digits, unit) >= threshold) return {0, used};
    digits = digits << 32 | ties.at(used);
    unit <<= 32;
  }
}

/// ⌊U·n⌋ likewise, reading two words at a time. A pair more than needed may be read, never one less.
std::uint64_t exact_index(std::uint64_t n, std::uint64_t digit, std::vector<std::uint32_t> const& ties) {
  Integer digits = digit, unit = Integer(1) << 64;
  for (std::size_t used = 0;; ++used) {
    Integer const low = digits * n / unit;
    Integer const high = ((digits + 1) * n - 1) / unit;
    if (low == high) return static_cast<std::uint64_t>(low);
    digits = digits << 32 | ties.at(used);
    unit <<= 32;
  }
}

}  // namespace

TEST_CASE("uniform_below: a tie at every level, and the answers beside it") {
  // 1/3 = 0.0101…₂: the field 0x5555 ties, and so does every word 0x55555555.
  CHECK(below(1, 3, 0x5554, 16, {}) == Answer{1, 0});
  CHECK(below(1, 3, 0x5556, 16, {}) == Answer{0, 0});
  std::vector<std::uint32_t> ties;
  for (std::size_t level = 0; level < 5; ++level) {
    auto const with = [&](std::uint32_t last) {
      auto words = ties;
      words.push_back(last);
      return words;
    };
    CHECK(below(1, 3, 0x5555, 16, with(0x55555554)) == Answer{1, level + 1});
    CHECK(below(1, 3, 0x5555, 16, with(0x55555556)) == Answer{0, level + 1});
    ties.push_back(0x55555555);
  }
}

TEST_CASE("uniform_below: probabilities 0 and 1 need no digits") {
  CHECK(below(0, 1, 0, 16, {}) == Answer{0, 0});
  CHECK(below(0, std::uint64_t{1} << 53, 0, 32, {}) == Answer{0, 0});
  CHECK(below(5, 5, 0xffff, 16, {}) == Answer{1, 0});
  CHECK(below(6, 5, 0xffffffff, 32, {}) == Answer{1, 0});
  CHECK(below(0, 0, 0xffffffff, 32, {}) == Answer{1, 0});
}

TEST_CASE("uniform_below: what no digit decides is answered no") {
  CHECK_FALSE(uniform_below(1, 3, 0x5555, 16, [] { return NoTies{}; }));
  CHECK(uniform_below(1, 3, 0x5554, 16, [] { return NoTies{}; }));
}

TEST_CASE("uniform_below equals rational arithmetic") {
  testing::Random random(11);
  for (int i = 0; i < 40000; ++i) {
    std::uint64_t const den = random.magnitude(53) + 1;
    std::uint64_t const num = i % 3 ? random.below(den) : random.magnitude(53);
    int const width = 1 + static_cast<int>(random.below(32));
    std::vector<std::uint32_t> ties;
    // Digits that follow those of num/den closely, so that ties of several levels are common.
    Integer rest = num % den;
    std::size_t const depth = random.below(4);
    auto const digit = [&](int bits, std::size_t level) {
      Integer const scaled = rest << bits;
      std::uint64_t value = static_cast<std::uint64_t>(Integer(scaled / den));
      rest = scaled % den;
      if (level == depth) value += random.below(3) - 1;
      if (level > depth) value = random.word();
      return static_cast<std::uint32_t>(value & ((std::uint64_t{1} << bits) - 1));
    };
    std::uint32_t const bits = digit(width, 0);
    for (std::size_t level = 1; level < 10; ++level) ties.push_back(digit(32, level));
    CAPTURE(num, den, width, bits, ties);
    REQUIRE(below(num, den, bits, width, ties) == exactly_below(num, den, bits, width, ties));
  }
}

TEST_CASE("uniform_index equals rational arithmetic") {
  testing::Random random(12);
  for (int i = 0; i < 40000; ++i) {
    std::uint64_t const n = i < 10 ? ~std::uint64_t{0} - static_cast<std::uint64_t>(i) : random.magnitude(64);
    if (n == 0) continue;
    // Half of the digits sit just below a boundary k/n, where later digits decide.
    Integer const boundary = ((Integer(random.below(n)) + 1) << 192) / n;
    bool const near = i % 2;
    auto const part = [&](int shift) {
      return static_cast<std::uint64_t>(Integer(boundary >> shift) & ~std::uint64_t{0});
    };
    std::uint64_t const nudge = random.below(3);
    std::uint64_t const digit = near ? part(128) + (nudge == 2) : random.word64();
    std::vector<std::uint32_t> ties;
    for (int shift : {64, 0}) {
      std::uint64_t const pair = near ? part(shift) + (shift == 0 ? random.below(3) - 1 : 0) : random.word64();
      ties.push_back(static_cast<std::uint32_t>(pair >> 32));
      ties.push_back(static_cast<std::uint32_t>(pair));
    }
    for (int j = 0; j < 6; ++j) ties.push_back(random.word());
    CAPTURE(n, digit, ties);
    REQUIRE(index(n, digit, ties).value == exact_index(n, digit, ties));
  }
}

TEST_CASE("uniform_index: one outcome, all ones, and a carry from the second digit") {
  CHECK(index(1, ~std::uint64_t{0}, {~0u, ~0u, 0, 0}) == Answer{0, 4});
  CHECK(index(1, ~std::uint64_t{0} - 1, {}) == Answer{0, 0});
  // n = 3: U·3 = 1 at the digit 0x5555…, undecided there; the next word pair decides upwards or downwards.
  std::uint64_t const third = 0x5555555555555555;
  CHECK(index(3, third, {0x55555555, 0x55555554}) == Answer{0, 2});
  CHECK(index(3, third, {0x55555555, 0x55555556}) == Answer{1, 2});
  CHECK(index(3, third - 1, {}) == Answer{0, 0});
  CHECK(index(3, third + 1, {}) == Answer{1, 0});
}
