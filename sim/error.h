#pragma once
#include <stdexcept>
#include <string>

#include "sim/printable.h"

namespace draftgauge {

/// Something that the person at the keyboard can mend. The message reads "problem (why it matters) suggestion". It may
/// quote what a file or a user wrote: whatever that is, the message is printable.
struct Error : std::runtime_error {
  explicit Error(std::string const& message) : std::runtime_error(printable(message)) {}
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
