// OpenBLAS, loaded at run time: the arithmetic of the software device, and the reference of
// benchmarks and oracles.
#pragma once

#include <string>

namespace hiplab::driver::host {

// One per process, loaded at the first get() or find(). Looked for at HIPLAB_OPENBLAS (the
// library's file or its folder; libquadmath and libgfortran are taken from the same folder when
// they lie there), else by soname as libopenblas.so.0. Thread-safe.
class OpenBlas {
 public:
  // Throws hiplab::Error that names what was tried; the next call tries again.
  static const OpenBlas& get();

  // Null instead of an exception; *why then holds its sentence.
  static const OpenBlas* find(std::string* why);

  // For C interfaces that can only return a status: whether it is there; the first failure of the
  // process goes to stderr as one line.
  static bool ready();

  // C = alpha op(A) op(B) + beta C in OpenBLAS's own threading, which takes small problems
  // (m n k <= 64^3) on the calling thread. op(A) is m x k, op(B) is k x n. At most 64 threads are
  // inside OpenBLAS at once, the others wait.
  void sgemm(bool row_major, bool trans_a, bool trans_b, int m, int n, int k, float alpha,
             const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc) const;

  const std::string& path() const { return path_; }      // the library's file
  const std::string& config() const { return config_; }  // as OpenBLAS tells it, version first
  std::string version() const;                           // "0.3.31"
  int threads() const;

 private:
  OpenBlas() = default;
  static const OpenBlas* load(std::string* why);

  using SgemmFunction = void (*)(int order, int trans_a, int trans_b, int m, int n, int k,
                                 float alpha, const float* a, int lda, const float* b, int ldb,
                                 float beta, float* c, int ldc);
  SgemmFunction sgemm_ = nullptr;
  int (*threads_)() = nullptr;
  std::string path_;
  std::string config_;
};

}  // namespace hiplab::driver::host
