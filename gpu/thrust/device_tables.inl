// A simulation's laws in the memory of a device. Of each unit of device code its own, behind guard.inl.
#pragma once
#include <thrust/device_allocator.h>
#include <thrust/device_vector.h>
#include <thrust/mr/allocator.h>
#include <thrust/mr/memory_resource.h>

#include <span>
#include <vector>

#include "gpu/thrust/freed_quietly.h"
#include "sim/play/simulation.h"
#include "sim/play/trial.h"

namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE {
namespace {

using DeviceMemory = thrust::device_ptr_memory_resource<thrust::device_memory_resource>;

/// Memory of the device, for arrays and for what algorithms need in passing.
template <class T>
using Allocator = thrust::mr::stateless_resource_allocator<
    T, FreedQuietly<DeviceMemory, thrust::mr::memory_resource<DeviceMemory::pointer>>>;

/// An array there.
template <class T>
using Vector = thrust::device_vector<T, Allocator<T>>;

/// A simulation's laws, starts and tree in the memory of the device (on the host systems: a second copy).
class DeviceTables {
 public:
  explicit DeviceTables(Simulation const& simulation)
      : DeviceTables(simulation.tables().arrays(), simulation.starts(), simulation.constants()) {
    PairTablesView const& host = simulation.plan().tables;
    if (host.order) {
      order_ = copy(std::span<Token const>(simulation.tables().orders().order));
      sums_ = copy(std::span<SumPair const>(simulation.tables().orders().sums));
      places_ = copy(std::span<std::uint32_t const>(simulation.tables().orders().places));
      shares_ = copy(std::span<std::uint32_t const>(simulation.tables().orders().shares));
      ratios_ = copy(std::span<Stretch const>(simulation.tables().orders().ratios));
    }
    top_ = copy(std::span(simulation.tops()));
    TreeView const& tree = simulation.plan().shape.tree;
    tree_ = copy(std::span(tree.nodes, tree.count));
  }

  /// The same tree, seen where it is on the device.
  TreeView view(TreeView host) const {
    if (host.listed()) host.nodes = pointer(tree_);
    return host;
  }

  /// The same laws, seen where they are on the device.
  PairTablesView view(PairTablesView const& host) const {
    Contexts contexts = host.contexts;
    if (contexts.transitions != nullptr) contexts.transitions = pointer(transitions_);
    return {.contexts = contexts,
            .table_bits = host.table_bits,
            .totals = pointer(totals_),
            .residual_totals = pointer(residual_totals_),
            .p = pointer(p_),
            .q = pointer(q_),
            .draft = pointer(draft_),
            .target = pointer(target_),
            .residual = pointer(residual_),
            .most_likely_p = pointer(most_likely_p_),
            .most_likely_q = pointer(most_likely_q_),
            .constants = host.constants ? pointer(constants_) : nullptr,
            .order = host.order ? pointer(order_) : nullptr,
            .sums = host.order ? pointer(sums_) : nullptr,
            .guides = host.order ? guides(host.guides.ratio_bits) : RowGuides{},
            .top = host.top ? pointer(top_) : nullptr,
            .top_count = host.top_count,
            .reach = host.reach ? pointer(reach_) : nullptr,
            .starts = pointer(starts_),
            .start_count = host.start_count};
  }

 private:
  DeviceTables(PairTables::Arrays const& tables, std::vector<std::uint32_t> const& starts,
               std::vector<double> const& constants)
      : totals_(copy(tables.totals)),
        residual_totals_(copy(tables.residual_totals)),
        p_(copy(tables.p)),
        q_(copy(tables.q)),
        draft_(copy(tables.draft)),
        target_(copy(tables.target)),
        residual_(copy(tables.residual)),
        most_likely_p_(copy(tables.most_likely_p)),
        most_likely_q_(copy(tables.most_likely_q)),
        constants_(copy(std::span(constants))),
        reach_(copy(tables.reach)),
        transitions_(copy(tables.transitions)),
        starts_(copy(std::span(starts))) {}

  template <class T>
  static Vector<T> copy(std::span<T const> from) {
    return Vector<T>(from.data(), from.data() + from.size());
  }
  RowGuides guides(int ratio_bits) const {
    return {pointer(places_), pointer(shares_), pointer(ratios_), ratio_bits};
  }
  template <class T>
  static T const* pointer(Vector<T> const& vector) {
    return thrust::raw_pointer_cast(vector.data());
  }

  Vector<std::uint64_t> totals_, residual_totals_, p_, q_;
  Vector<AliasEntry> draft_, target_, residual_;
  Vector<std::uint32_t> most_likely_p_, most_likely_q_;
  Vector<double> constants_;
  Vector<Token> order_, top_;
  Vector<SumPair> sums_;
  Vector<std::uint32_t> places_, shares_;
  Vector<Stretch> ratios_;
  Vector<TreeNode> tree_;
  Vector<std::uint32_t> reach_, transitions_, starts_;
};

}  // namespace
}  // namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE
