#pragma once
#include <stdexcept>
#include <string>

namespace draftgauge {

/// Something that the person at the keyboard can mend. The message reads "problem (why it matters) suggestion".
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The request makes no sense as written: an unknown name, a value outside its domain. The program exits with 2.
struct UsageError : Error {
  using Error::Error;
};

/// A file or a law is bad, or a tool is missing. The program exits with 3.
struct InputError : Error {
  using Error::Error;
};

}  // namespace draftgauge
