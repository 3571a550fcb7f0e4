#pragma once
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "analysis/ranks/communicator.h"

namespace draftgauge::testing {

/// Where ranks that are threads leave messages for each other.
struct Mailboxes {
  explicit Mailboxes(int ranks) : of(static_cast<std::size_t>(ranks)) {}
  std::mutex mutex;
  std::vector<std::deque<RankMessage>> of;
};

/// A rank that is a thread of the test.
class ThreadRank : public Communicator {
 public:
  ThreadRank(std::shared_ptr<Mailboxes> mail, int rank) : mail_(std::move(mail)), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(mail_->of.size()); }
  void send(int to, std::string_view text) override {
    std::lock_guard const lock(mail_->mutex);
    mail_->of[static_cast<std::size_t>(to)].push_back({rank_, std::string(text)});
  }
  std::optional<RankMessage> poll() override {
    std::lock_guard const lock(mail_->mutex);
    auto& mine = mail_->of[static_cast<std::size_t>(rank_)];
    if (mine.empty()) return std::nullopt;
    RankMessage first = std::move(mine.front());
    mine.pop_front();
    return first;
  }

 private:
  std::shared_ptr<Mailboxes> mail_;
  int rank_;
};

}  // namespace draftgauge::testing
