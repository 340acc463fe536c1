// hiplab.h: what hipBLASLt's heuristic offers, told and run one by one.
#include <sstream>

#include "bindings/candidate_text.h"
#include "bindings/checks.h"

namespace hiplab::bindings {

CandidatesRef* queryCandidates(StreamRef* stream, int type, bool transA, bool transB, int64_t m,
                               int64_t n, int64_t k, int64_t batch, int requested,
                               int64_t capBytes) {
  const StreamRef& s = required(stream, "stream");
  if (requested < 1 || requested > backend::kMostCandidates) {
    throw Error("requested candidates are " + std::to_string(requested) + ", allowed are 1 to " +
                std::to_string(backend::kMostCandidates));
  }
  if (capBytes < 0) {
    throw Error("workspace cap is " + std::to_string(capBytes) + " bytes, at least 0 is allowed");
  }
  auto found = s.owner->backend->candidates(s.stream->device(),
                                            shape_of(type, transA, transB, m, n, k, batch),
                                            requested, static_cast<std::size_t>(capBytes));
  return new CandidatesRef{s.owner, Use(s.owner->candidates), std::move(found)};
}

void destroyCandidates(CandidatesRef* candidates) {
  required(candidates, "candidates");
  delete candidates;
}

std::string candidateLines(CandidatesRef* candidates) {
  const auto& facts = required(candidates, "candidates").candidates->facts();
  std::ostringstream out;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    out << i << ' ' << facts[i].workspace_bytes << ' ' << facts[i].waves << ' ' << facts[i].solution
        << ' ' << told(facts[i].name) << '\n';
  }
  return out.str();
}

void gemmWith(CandidatesRef* candidates, int index, StreamRef* stream, float alpha, BufferRef* a,
              BufferRef* b, float beta, BufferRef* c) {
  const CandidatesRef& found = required(candidates, "candidates");
  const StreamRef& s = required(stream, "stream");
  require_same_backend(s.owner, found.owner, "candidates");
  found.candidates->gemm(*s.stream, gemm_call(s, found.candidates->shape(), alpha, a, b, beta, c),
                         index);
}

}  // namespace hiplab::bindings
