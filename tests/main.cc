#define CATCH_CONFIG_RUNNER
#include <cstdio>

#include <catch2/catch.hpp>

int main(int argc, char** argv) {
  // What a test reads it brings itself: it would wait for ever for a standard input in which nobody writes.
  if (!std::freopen("/dev/null", "r", stdin)) return 1;
  return Catch::Session().run(argc, argv);
}
