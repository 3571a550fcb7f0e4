#pragma once
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace draftgauge {

/// What a rank has sent.
struct RankMessage {
  int from = 0;
  std::string text;
};

/// What rank 0 knows of the others, from one simulation to the next.
struct Roll {
  int tasks = 0;                   ///< announced so far
  std::vector<bool> overdue = {};  ///< [ranks] were waited for in vain, and have not been heard of since
};

/// Processes that play together, each with a rank from 0 on; this one alone unless a derived class knows of others.
/// Messages arrive whole, and those from one rank to another in the order in which they were sent. One thread uses it.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  /// Among the ranks of this machine, and how many those are.
  virtual int local_rank() const { return 0; }
  virtual int local_size() const { return 1; }
  /// Does not wait until it is received.
  virtual void send(int, std::string_view) { throw std::logic_error("there is no other rank"); }
  /// The next message from anyone; none where there is none yet.
  virtual std::optional<RankMessage> poll() { return std::nullopt; }
  /// Some ranks will not answer any more: whoever ends waits for none.
  virtual void abandon() {}
  Roll& roll() { return roll_; }

 private:
  Roll roll_;
};

}  // namespace draftgauge
