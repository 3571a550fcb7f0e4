#include "bench/child.h"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fcntl.h>
#include <cerrno>
#include <chrono>
#include <system_error>

namespace draftgauge::bench {
namespace {

constexpr std::size_t longest_line = 65536;

}  // namespace

Child::Child(std::vector<std::string> const& words) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  socket_ = ends[0];
  std::vector<char*> arguments;
  for (std::string const& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (::posix_spawnp(&process_, arguments[0], &actions, nullptr, arguments.data(), environ) != 0) process_ = -1;
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
}

Child::~Child() {
  ::close(socket_);
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool Child::write(std::string_view text) const {
  while (!text.empty()) {
    ssize_t const sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool Child::read_line(std::string& line, double seconds) {
  auto const until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    if (auto const end = read_.find('\n'); end != std::string::npos) {
      line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return true;
    }
    std::chrono::duration<double, std::milli> const left = until - std::chrono::steady_clock::now();
    pollfd wanted{socket_, POLLIN, 0};
    if (read_.size() > longest_line || left.count() <= 0) return false;
    if (::poll(&wanted, 1, static_cast<int>(left.count()) + 1) < 0 && errno != EINTR) return false;
    if (wanted.revents == 0) continue;
    char buffer[4096];
    ssize_t const got = ::recv(socket_, buffer, sizeof buffer, 0);
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    if (got > 0) read_.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace draftgauge::bench
