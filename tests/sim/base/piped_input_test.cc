#include "sim/base/piped_input.h"

#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <string>

#include "sim/base/error.h"
#include "sim/base/mapped_file.h"
#include "sim/base/sha256.h"
#include "tests/message.h"
#include "tests/sim/named_pipe.h"

namespace draftgauge {
namespace {

TEST_CASE("what comes through a pipe can be read as often as a file") {
  std::string const content(300'000, 'x');  // more than a pipe holds
  NamedPipe const pipe(content);
  CHECK(is_input_file(pipe.path()));
  CHECK(MappedFile(pipe.path()).text() == content);
  CHECK(MappedFile(pipe.path()).text() == content);
  CHECK(sha256_of_file(pipe.path()) == sha256_hex(content));
  NamedPipe const empty("");
  CHECK(MappedFile(empty.path()).bytes().empty());
}

TEST_CASE("inputs are files and pipes") {
  TemporaryFile const file(".txt", "");
  CHECK(is_input_file(file.path()));
  for (char const* other : {"/dev/null", "/tmp", "/nowhere/at/all"}) CHECK_FALSE(is_input_file(other));
}

TEST_CASE("a pipe's bytes that cannot be kept are missed aloud") {
  // A limit of a file's size stands for a disk that is full.
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  auto const handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 100'000;
  NamedPipe const pipe(std::string(200'000, 'x'));
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string const said = testing::message<InputError>([&] { MappedFile const file(pipe.path()); });
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  std::signal(SIGXFSZ, handler);
  CHECK(said == pipe.path() +
                    ": what comes through the pipe cannot be kept in a temporary file (File too large) make room, or "
                    "save it to a file and name that");
}

}  // namespace
}  // namespace draftgauge
