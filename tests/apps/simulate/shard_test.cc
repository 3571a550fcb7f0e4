#include "apps/simulate/shard.h"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/apps/answers.h"

namespace draftgauge {
namespace {

TEST_CASE("shard: the parts of all shards are the whole, without overlap, whatever the tasks") {
  for (std::uint64_t const tasks : {1, 2, 3, 7, 32}) {
    for (std::uint64_t const of : {1, 2, 3, 5, 64}) {
      for (Range const range : {Range{0, 1}, Range{5, 105}, Range{3, (std::uint64_t{1} << 62) + 1}}) {
        std::vector<std::uint64_t> ends(tasks, range.begin);
        for (std::uint64_t number = 1; number <= of; ++number) {
          std::uint64_t touched = 0;
          for (std::uint64_t task = 0; task < tasks; ++task) {
            Range const part = part_of(range, {number, of}, task, tasks);
            if (part.size() == 0) continue;
            ++touched;
            CHECK(part.begin == ends[task]);
            ends[task] = part.end;
          }
          CHECK(touched <= tasks / of + 2);  // whole tasks but for those at its ends
        }
        for (std::uint64_t const end : ends) CHECK(end == range.end);
      }
    }
  }
  CHECK(part_of({0, 80}, {3, 8}) == Range{20, 30});
}

/// Sets variables of the environment for as long as it lives.
class Environment {
 public:
  Environment(std::initializer_list<std::pair<char const*, char const*>> set) {
    for (auto const& [name, value] : set) {
      ::setenv(name, value, 1);
      names_.push_back(name);
    }
  }
  ~Environment() {
    for (char const* name : names_) ::unsetenv(name);
  }

 private:
  std::vector<char const*> names_;
};

Run ran(std::string const& options) { return run_line("simulate zipf:vocab=3 --format json " + options); }

TEST_CASE("shard: simulate plays its part of the range") {
  Run const part = ran("--range 0..80 --shard 3/8");
  Run const range = ran("--range 20..30");
  CHECK(part.status == 0);
  CHECK(part.out == range.out);
}

TEST_CASE("shard: an array job's environment says which part it is") {
  Run const third = ran("--rounds 80 --shard 3/4");
  {
    Environment const slurm{{"SLURM_ARRAY_TASK_ID", "14"},
                            {"SLURM_ARRAY_TASK_MIN", "10"},
                            {"SLURM_ARRAY_TASK_MAX", "16"},
                            {"SLURM_ARRAY_TASK_STEP", "2"}};
    CHECK(ran("--rounds 80 --shard slurm").out == third.out);
  }
  Environment const grid(
      {{"SGE_TASK_ID", "3"}, {"SGE_TASK_FIRST", "1"}, {"SGE_TASK_LAST", "4"}, {"SGE_TASK_STEPSIZE", "1"}});
  CHECK(ran("--rounds 80 --shard sge").out == third.out);
}

TEST_CASE("shard: what is no part is wrong usage, and says why") {
  auto const refused = [](std::string const& options, std::string const& message) {
    check_refusal("simulate zipf:vocab=3 " + options, 2, message);
  };
  std::string const like = "\nhint: write it like --shard 1/8";
  refused("--shard 3/2", "--shard 3/2 is out of range (of 2 parts there are 1 to 2)" + like);
  refused("--shard 0/2", "--shard 0/2 is out of range (of 2 parts there are 1 to 2)" + like);
  for (std::string const text : {"3", "a/b", "1/0", "1/2/3", "-1/2", "slrm"})
    refused("--shard=" + text,
            "--shard '" + text + "' is no part of a whole (it is i/n, or slurm or sge in an array job)" + like);
  refused(
      "--shard slurm",
      "--shard slurm: SLURM_ARRAY_TASK_ID is not set (this is no array job of Slurm)\nhint: submit it with sbatch "
      "--array=1-8, or write --shard 1/8");
  refused("--shard 8/9 --rounds 3",
          "--shard 8/9 has no trial (there are 3 in all)\nhint: play more rounds, or in fewer parts");
  refused("--shard 1/2 --precision .1",
          "--precision and --shard cannot be given together (no part knows how precise all of them are)\nhint: give "
          "each part --rounds or --time");
  Environment const sge{{"SGE_TASK_ID", "undefined"}};
  refused(
      "--shard sge",
      "--shard sge: SGE_TASK_ID is not set (this is no array job of Grid Engine)\nhint: submit it with qsub -t 1-8, "
      "or write --shard 1/8");
  Environment const slurm{{"SLURM_ARRAY_TASK_ID", "11"},
                          {"SLURM_ARRAY_TASK_MIN", "10"},
                          {"SLURM_ARRAY_TASK_MAX", "16"},
                          {"SLURM_ARRAY_TASK_STEP", "2"}};
  refused("--shard slurm",
          "--shard slurm: task 11 is none of 10 to 16 in steps of 2 (which part it is would be a guess)\nhint: write "
          "--shard i/n");
}

}  // namespace
}  // namespace draftgauge
