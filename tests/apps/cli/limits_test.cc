#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "apps/cli/as_typed.h"
#include "tests/apps/answers.h"
#include "tests/sim/temporary_file.h"

// docs/limits.md, at the command line: what is refused before it takes time or memory.
namespace draftgauge {
namespace {

std::string list_of(std::size_t entries) {
  std::string list;
  for (std::size_t i = 1; i <= entries; ++i) list += (i > 1 ? "," : "") + std::to_string(i) + "/1001";
  return list;
}

std::string repeated(std::size_t times, std::string const& text) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST_CASE("limits: lists that multiply make a hundred thousand results at most") {
  std::string const alphas = list_of(1000), costs = list_of(100) + ",2";
  for (std::string const& line : {"gamma --alpha " + alphas + " --cost " + costs,
                                  "table reference-grid --alpha " + alphas + " --cost " + costs})
    CHECK(refusal(run_line(line), 2) ==
          "--alpha and --cost make 101000 results (at most 100000 are made at once)\nhint: shorten a list");
  CHECK(refusal(run_line("theory --alpha " + list_of(1000) + " --gamma 1..101"), 2) ==
        "--alpha and --gamma make 101000 results (at most 100000 are made at once)\nhint: shorten a list");
}

TEST_CASE("limits: a figure shows 256 lines at most") {
  for (std::string const figure : {"leviathan-2", "leviathan-4"})
    CHECK(refusal(run_line("figure " + figure + " --gamma 1..257"), 2) ==
          "--gamma has 257 entries (a figure shows at most 256)\nhint: shorten the list");
  CHECK(refusal(run_line("figure leviathan-3 --cost " + list_of(257)), 2) ==
        "--cost has 257 entries (a figure shows at most 256)\nhint: shorten the list");
  CHECK(refusal(run_line("figure batch-gamma --alpha " + list_of(257)), 2) ==
        "--alpha has 257 entries (a figure shows at most 256)\nhint: shorten the list");
  CHECK(refusal(run_line("figure leviathan-2 --gamma 5000000000"), 2) ==
        "--gamma 5000000000 is out of range (at most 1000000000)\nhint: give 1000000000 or less");
}

TEST_CASE("limits: rounds that keep thousands of drafts are not resampled a thousand times") {
  std::string const counts = repeated(4096, "10,") + "10";
  CHECK(refusal(run_line("gamma --accepted-histogram " + counts + " --cost .1"), 2) ==
        "1000 resamples of drafts of up to 4096 tokens are too many (at most 1000000 resamples times tokens are "
        "drawn)\nhint: add --most 1000, the longest draft to look at");
  CHECK(run_line("gamma --accepted-histogram " + counts + " --cost .1 --resamples 0").status == 0);
  CHECK(run_line("gamma --accepted-histogram " + counts + " --cost .1 --most 16").status == 0);
}

TEST_CASE("limits: requests that are all the same have no spread, and the program says so") {
  TemporaryFile const file(".csv", repeated(10'000, "30,20,10,40\n"));
  Run const done = run_line("gamma --accepted " + file.path() + " --cost .1");
  CHECK(done.err.empty());
  CHECK(done.status == 0);
  CHECK(done.out.starts_with("All that was counted agrees, which gives no interval."));
}

TEST_CASE("limits: a key that stands twice is refused by name by every command that reads JSON") {
  std::string const twice = "it has the key 'logp' twice (readers differ in which of them they take)\nhint: keep one";
  TemporaryFile const columns(".jsonl", "{\"logp\":-1,\"logq\":-1,\"logp\":-2}\n");
  for (char const* command : {"inspect ", "measure ", "gamma ", "report "})
    CHECK(holds(complaint(command + columns.path(), 3), twice));
  std::string const counted = "{\"id\": \"a\", \"timings\": {\"draft_n\": 9, \"draft_n\": 8}}\n";
  TemporaryFile const responses(".jsonl", counted);
  for (char const* command : {"inspect ", "measure ", "gamma ", "why "})
    CHECK(holds(complaint(command + responses.path(), 3), "it has the key 'draft_n' twice"));
  TemporaryFile const costs(".jsonl", "{\"n_prompt\": 1, \"n_prompt\": 2, \"n_gen\": 0, \"avg_ns\": 5}\n");
  CHECK(holds(complaint("gamma --alpha .8 --cost " + costs.path(), 3), "it has the key 'n_prompt' twice"));
}

TEST_CASE("limits: a message quotes a name of any length") {
  std::string const name = "`" + repeated(900'000, "a");
  TemporaryFile const file(".jsonl", "{\"" + name + "\": 1, \"b\": 2}\n");
  for (char const* command : {"inspect ", "measure ", "gamma ", "why "})
    CHECK(holds(complaint(command + file.path(), 3), "JSON with '" + name.substr(0, 60) + "…', b"));
  CHECK(as_typed("`gamma` 3, `a b`, `9`, ``, `draft-length``top-k` `x") ==
        "--gamma 3, `a b`, `9`, ``, --draft-length--top-k `x");
}

TEST_CASE("what an input has in back-quotes is not shown as an option") {
  CHECK(as_typed("`gamma` is 0, '`gamma`' is no key of `word`, \"a `cost`\" of the text's `cost`: don't (`alpha`)") ==
        "--gamma is 0, '`gamma`' is no key of `word`, \"a `cost`\" of the text's --cost: don't (--alpha)");
  std::string_view const words[] = {"measure", "./a`gamma`.json"};
  CHECK(as_typed("./a`gamma`.json: `cost` is 0", words) == "./a`gamma`.json: --cost is 0");
  TemporaryFile const ticked("`gamma`.json", "{\"`tree`\": 1, \"p\": [[1]], \"q\": [[1]]}\n");
  CHECK(holds(complaint("simulate " + ticked.path(), 3), ticked.path() + ": there is no key \"`tree`\""));
  CHECK(holds(complaint("measure " + ticked.path(), 3), ticked.path() + ", line 1: unknown file format: it has JSON with '`tree`', p, q"));
  CHECK(holds(complaint("gamma --for `cost` --alpha .5", 2), "there is no choice '`cost`'"));
}

TEST_CASE("limits: what is nested deeply is refused before a recursion reads it") {
  for (std::string const& text : {repeated(100'000, "a.") + "a = 1\n", "[" + repeated(100'000, "a.") + "a]\nb = 1\n",
                                  "a = " + repeated(200, "{b.c = ") + "1" + repeated(200, "}") + "\n"}) {
    TemporaryFile const file(".toml", text);
    CHECK(
        refusal(run_line("sweep " + file.path()), 3) ==
        file.path() +
            ": line 1: keys and brackets are nested deeper than 100 levels (a task has two)\nhint: write the keys of "
            "a task in one table");
  }
  TemporaryFile const third(".toml", "# a.\"[[[\na = \"\"\"\n[[ '\n\"\"\"\n" + repeated(101, "b.") + "b = 1\n");
  CHECK(holds(complaint("sweep " + third.path(), 3), ": line 5: keys and brackets are nested deeper"));
  std::string const deep = "{\"a\":" + repeated(100'000, "[") + repeated(100'000, "]") + "}";
  TemporaryFile const json(".json", deep);
  for (char const* command : {"sweep ", "measure ", "why ", "gamma "})
    CHECK(holds(complaint(command + json.path(), 3), "it is nested deeper than 100 levels"));
}

TEST_CASE("limits: dots and brackets in texts and comments are no depth") {
  std::string const many = repeated(300, "[.{");
  TemporaryFile const file(".toml", "# " + many + "\nsource = \"zipf:vocab=4\" # " + many +
                                        "\nrounds = 1000\ncost = 0.1\n" + "gamma = [" + repeated(300, "1,") + "2]\n");
  CHECK(run_line("sweep " + file.path()).status == 0);
  TemporaryFile const quoted(".toml", "source = \"\"\"" + many + "\\\"\"\"\"\nrounds = 1000\n");
  CHECK_FALSE(holds(complaint("sweep " + quoted.path(), 3), "nested"));
}

TEST_CASE("limits: a sweep has tasks and values that fit in memory") {
  TemporaryFile const grids(".toml", "source = \"zipf:vocab=4\"\n" + repeated(100'001, "[[grid]]\n"));
  CHECK(holds(complaint("sweep " + grids.path(), 3), ": there are more than 100000 tasks"));
  TemporaryFile const values(".toml",
                             "source = \"" + std::string(1 << 20, 'x') + "\"\n" + repeated(257, "[[grid]]\n"));
  CHECK(holds(complaint("sweep " + values.path(), 3), ": the values of all tasks take more than 256 MiB"));
}

}  // namespace
}  // namespace draftgauge
