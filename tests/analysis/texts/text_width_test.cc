#include "analysis/texts/text_width.h"

#include <catch2/catch.hpp>

namespace draftgauge {
namespace {

TEST_CASE("width is what a terminal shows, not bytes") {
  CHECK(display_width("") == 0);
  CHECK(display_width("gamma") == 5);
  CHECK(display_width("γ") == 1);
  CHECK(display_width("ĉ") == 1);        // one code point
  CHECK(display_width("c\u0302") == 1);  // the same letter with a combining mark
  CHECK(display_width("日本") == 4);
  CHECK(display_width("😀!") == 3);
  CHECK(display_width("∞ – ≤") == 5);
}

TEST_CASE("bytes that are not UTF-8 count one each and nothing reads past the end") {
  CHECK(display_width("\xff\xfe") == 2);
  CHECK(display_width("\xe2\x82") == 2);  // cut off
  CHECK(display_width("\xc3"
                      "a") == 2);
  CHECK(display_width("\x80") == 1);
}

TEST_CASE("lines are broken at spaces") {
  CHECK(wrap("", 10) == std::vector<std::string>{""});
  CHECK(wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrap("αβγ αβγ", 7) == std::vector<std::string>{"αβγ αβγ"});
  CHECK(wrap("incomprehensible it is", 5) == std::vector<std::string>{"incomprehensible", "it is"});
  CHECK(wrap("a\nb  c ", 80) == std::vector<std::string>{"a", "b c"});
}

}  // namespace
}  // namespace draftgauge
