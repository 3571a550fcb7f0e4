#include "sim/base/json_text.h"
#include "sim/base/printable.h"

#include <catch2/catch.hpp>

#include "sim/base/error.h"

namespace draftgauge {
namespace {

TEST_CASE("what reads as text is left alone") {
  for (char const* text : {"", "laws.json", "α ≤ β — ½", "日本語", "\U0001F600", "a\\x1b"})
    CHECK(printable(text) == text);
}

TEST_CASE("what a terminal would obey is shown instead") {
  CHECK(printable("a\x1b[31mb") == "a\\x1b[31mb");
  CHECK(printable("a\r\n\tb\x7f") == "a\\x0d\\x0a\\x09b\\x7f");
  CHECK(printable(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(printable("\u009b31m") == "\\x9b31m");  // one character that begins what ESC [ does
  CHECK(printable("a\u061cb") == "a\\u061cb");
  CHECK(printable("a\u202etxt.exe\u2066\u200f\u2028") == "a\\u202etxt.exe\\u2066\\u200f\\u2028");
}

TEST_CASE("bytes that are no UTF-8 are shown one by one") {
  CHECK(printable("a\xff.json") == "a\\xff.json");
  CHECK(printable("\xc3") == "\\xc3");
  CHECK(printable("\xe2\x82z") == "\\xe2\\x82z");
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");                    // "/" longer than need be
  CHECK(printable("\xe0\x82\xaf") == "\\xe0\\x82\\xaf");           // the same in three bytes
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // half of a surrogate pair
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond U+10FFFF
}

TEST_CASE("doing it twice does no more") {
  std::string text;
  for (int c = 0; c < 256; ++c) text += static_cast<char>(c);
  std::string const once = printable(text);
  CHECK(printable(once) == once);
}

TEST_CASE("JSON says the same with such characters written out") {
  CHECK(printable_json("{\n \"a\\u001b\": \"é\u202e\u009b\x7f\"\n}") ==
        "{\n \"a\\u001b\": \"é\\u202e\\u009b\\u007f\"\n}");
}

TEST_CASE("every error's message is printable, whoever wrote the name in it") {
  for (std::string const& message :
       {std::string(UsageError("no key 'a\x1b[2J'").what()), std::string(InputError("no key 'a\x1b[2J'").what())})
    CHECK(message == "no key 'a\\x1b[2J'");
}

}  // namespace
}  // namespace draftgauge
