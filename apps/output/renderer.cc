#include "apps/output/renderer.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

#include "apps/output/build.h"
#include "apps/output/shared_files.h"
#include "sim/base/error.h"

extern char** environ;

namespace draftgauge {
namespace {

// Reads a list of drawings, and writes for each a line "ok LENGTH" or "error LENGTH", and so many bytes; then a byte
// to descriptor 3, from which the program knows how far it is.
// The folder that the program is called in is no place to import from: any json.py that lies there would be run.
constexpr char const* script = R"python(
import sys
sys.path[:] = [place for place in sys.path if place]
import json
import os
try:
    import vl_convert
except ImportError:
    sys.exit(9)
for job in json.load(sys.stdin.buffer):
    convert = getattr(vl_convert, "vegalite_to_" + job["format"])
    options = {"scale": job["scale"]} if job["format"] == "png" else {}
    try:
        made, word = convert(job["spec"], allowed_base_urls=[], **options), b"ok"
    except Exception as error:
        made, word = str(error), b"error"
    made = made.encode() if isinstance(made, str) else made
    sys.stdout.buffer.write(b"%s %d\n" % (word, len(made)) + made)
    os.write(3, b".")
)python";
constexpr int done_descriptor = 3;
constexpr int without_library = 9;

using File = std::unique_ptr<FILE, int (*)(FILE*)>;

File temporary() {
  File file(std::tmpfile(), std::fclose);
  if (!file)
    throw InputError(fmt::format("a temporary file cannot be made ({})", std::strerror(errno)),
                     fmt::format("make room in {}", P_tmpdir));
  return file;
}

std::string contents(FILE* file) {
  std::string text;
  std::array<char, 1 << 16> piece;
  std::rewind(file);
  while (std::size_t const count = std::fread(piece.data(), 1, piece.size(), file)) text.append(piece.data(), count);
  return text;
}

struct Ran {
  int status;  ///< its exit status; 127 where there is no such program
  std::string out, err;
};

/// How often the renderer has said "one more is done".
std::uint64_t marks(FILE* file) {
  struct stat is;
  return ::fstat(::fileno(file), &is) == 0 ? static_cast<std::uint64_t>(is.st_size) : 0;
}

// Looks again and again, seldom enough to cost nothing and, at first, often enough not to hold up a quick one.
int exit_status(pid_t process, std::function<void()> const& meanwhile) {
  using std::chrono::milliseconds;
  constexpr milliseconds longest(50);
  int status = 0;
  for (milliseconds wait(1);; wait = std::min(2 * wait, longest)) {
    pid_t const ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process) return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    // Where SIGCHLD is ignored nobody is told how it ended: what it wrote says whether it was done.
    if (ended < 0 && errno != EINTR) return 0;
    meanwhile();
    std::this_thread::sleep_for(wait);
  }
}

// Files, not pipes, for all streams: neither side ever waits for the other to read.
Ran run_python(std::string const& python, std::string const& input, std::function<void(std::uint64_t)> const& told) {
  File const in = temporary(), out = temporary(), err = temporary(), done = temporary();
  if (std::fwrite(input.data(), 1, input.size(), in.get()) != input.size() || std::fflush(in.get()) != 0)
    throw InputError(fmt::format("a temporary file cannot be written ({})", std::strerror(errno)), "mend that");
  std::rewind(in.get());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(err.get()), STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(done.get()), done_descriptor);
  std::string words[] = {python, "-c", script};
  char* const argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t process = 0;
  int const failed = ::posix_spawnp(&process, argv[0], &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return {127, {}, std::strerror(failed)};
  int const status = exit_status(process, [&] { told(marks(done.get())); });
  told(marks(done.get()));
  return {status, contents(out.get()), contents(err.get())};
}

// The last line is what went wrong; those above it are how Python came there.
[[noreturn]] void broken(std::string const& python, std::string_view said) {
  while (said.ends_with('\n')) said.remove_suffix(1);
  said = said.substr(said.rfind('\n') + 1);
  throw InputError(fmt::format("the renderer {} failed ({})", python, said.empty() ? "it says nothing" : said),
                   "mend it, or ask for .vl.json or .csv");
}

std::vector<std::string> files_in(std::string_view out, std::size_t count, std::string const& python,
                                  std::string const& err) {
  std::vector<std::string> files;
  while (files.size() < count) {
    std::size_t const line = out.find('\n'), space = out.find(' ');
    if (line == std::string_view::npos || space > line) broken(python, err);
    std::size_t length = 0;
    auto const read = std::from_chars(out.data() + space + 1, out.data() + line, length);
    if (read.ec != std::errc() || read.ptr != out.data() + line || length > out.size() - line - 1)
      broken(python, err);
    std::string_view const bytes = out.substr(line + 1, length);
    if (out.substr(0, space) != "ok") broken(python, bytes);
    files.emplace_back(bytes);
    out.remove_prefix(line + 1 + length);
  }
  return files;
}

}  // namespace

std::optional<std::vector<std::string>> draw(std::span<Drawing const> drawings, DrawingProgress const& told) {
  Json jobs = Json::array();
  for (Drawing const& each : drawings)
    jobs.push_back({{"format", each.format}, {"scale", each.scale}, {"spec", each.spec}});
  std::string const input = jobs.dump(-1, ' ', false, Json::error_handler_t::replace);
  char const* const named = std::getenv("DRAFTGAUGE_RENDERER");
  if (named && std::string_view(named) == "none") return std::nullopt;
  std::vector<std::string> pythons = {shared_file("renderer/bin/python", build_renderer), "python3"};
  if (named && *named) pythons = {named};
  auto const so_far = [&](std::uint64_t done) {
    if (told) told(std::min<std::uint64_t>(done, drawings.size()), drawings.size());
  };
  for (std::string const& python : pythons) {
    Ran const ran = run_python(python, input, so_far);
    if (ran.status == 0) return files_in(ran.out, drawings.size(), python, ran.err);
    if (ran.status != without_library && ran.status != 127) broken(python, ran.err);
  }
  if (named && *named)
    throw InputError(fmt::format("DRAFTGAUGE_RENDERER is {} (it is no Python that has vl_convert)", named),
                     "name one that has, or unset it");
  return std::nullopt;
}

std::string how_to_draw(std::optional<std::filesystem::path> const& installed) {
  if (!installed) return "run make, or pip install vl-convert-python and name that Python in DRAFTGAUGE_RENDERER";
  // The Python package's program is started by the Python that it was installed for, which draws where it can.
  std::error_code error;
  if (std::filesystem::exists(installed->parent_path().parent_path() / "__init__.py", error))
    return "pip install vl-convert-python beside the package draftgauge";
  return fmt::format("python3 -m venv {0} && {0}/bin/pip install vl-convert-python",
                     (*installed / "renderer").string());
}

}  // namespace draftgauge
