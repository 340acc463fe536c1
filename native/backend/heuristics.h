// The descriptor, the layouts and the heuristic query that one GEMM shape needs.
#pragma once

#include <vector>

#include "backend/gemm_call.h"
#include "backend/owned.h"
#include "backend/workspaces.h"

namespace hiplab::backend {

// What hipblasLtMatmul needs besides the matrices. hipblasLtMatmul writes into the descriptor
// (measured in mlxcel 2208), so one thread at a time may use it.
struct MatmulDescriptors {
  OwnedMatmulDesc desc;
  OwnedLayout first;
  OwnedLayout second;
  OwnedLayout c;
  OwnedLayout d;
};

MatmulDescriptors make_descriptors(const Table& api, int device, const GemmShape& shape);

// Of one query.
inline constexpr int kMostCandidates = 1024;

// Candidates that the heuristic returns with success, best first, at most `requested`, none asking
// for more than `cap` bytes of workspace. Empty when it has none.
std::vector<hipblasLtMatmulHeuristicResult_t> query_heuristics(
    const Table& api, int device, hipblasLtHandle_t handle, const MatmulDescriptors& descriptors,
    int requested, std::size_t cap = kMaxWorkspaceBytes);

}  // namespace hiplab::backend
